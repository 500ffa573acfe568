// Check: records by the rules, with the place of every fault.
import { element, plural } from "../parts/html.js";

export const title = "Check";
const EXAMPLE = '[Player1 "Ada"]\n[Player2 "Ben"]\n[Board "37"]\n\n1. Wd4,d1 Bd3,a1\n2. Wa2,b1';
let worker = null;
let number = 0;

function check(text) {
  worker ??= new Worker(new URL("../check_worker.js", import.meta.url), { type: "module" });
  const own = ++number;
  return new Promise((resolve, reject) => {
    const take = ({ data }) => {
      if (data.number !== own) return;
      worker.removeEventListener("message", take);
      if (data.error) reject(new Error(data.error));
      else resolve(data.records);
    };
    worker.addEventListener("message", take);
    worker.addEventListener("error", () => reject(new Error("the checker can't be loaded")), { once: true });
    worker.postMessage({ number: own, text });
  });
}

export function show(place) {
  const input = element("textarea", { rows: 12, spellcheck: "false", "aria-label": "Records" });
  input.value = EXAMPLE;
  const files = element("input", { type: "file", "aria-label": "File with records" });
  files.addEventListener("change", async () => { if (files.files[0]) input.value = await files.files[0].text(); });
  const results = element("div", { class: "tables", "aria-live": "polite" });
  const button = element("button", { type: "submit" }, "Check");
  const form = element("form", { class: "fields" }, element("label", { class: "field whole" }, element("span", {}, "Records in any notation that zertz reads"), input), files, button);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    results.replaceChildren(element("p", { class: "quiet" }, worker ? "Checking …" : "Loading the checker: Python in your browser, once …"));
    try { results.replaceChildren(...describe(await check(input.value))); }
    catch (error) { results.replaceChildren(element("p", { class: "error", role: "alert" }, error.message)); }
    button.disabled = false;
  });
  place.append(element("h1", {}, title), element("p", { class: "quiet" }, "The records stay in your browser."), element("div", { class: "split" }, form, results));
}

function describe(records) {
  if (!records.length) return [element("p", {}, "No records found.")];
  return [element("p", {}, element("b", {}, plural(records.length, "record"))), ...records.map((record) => element("section", { class: "record" },
    element("h2", {}, `Line ${record.line}: `, element("span", { class: `verdict ${record.verdict}` }, record.verdict)),
    element("p", { class: "quiet" }, [record.board && `board ${record.board}`, record.rule_set, plural(record.plies, "legal ply", "legal plies"), record.ending].filter(Boolean).join(" · ")),
    element("ul", { class: "findings" }, record.findings.map((finding) => element("li", { class: finding.severity },
      element("code", {}, finding.code), ` ${finding.line ?? ""}:${finding.column ?? ""} ${finding.message}`, finding.suggestion ? ` – suggestion: ${finding.suggestion}` : "")))))];
}
