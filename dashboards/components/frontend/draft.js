// Drafts: a page's unfinished input in the browser's storage, so that it survives the window. Each window has its own draft.
// A window without input continues its own draft; a new window continues the newest one that no other window has open.
const MOST = 20; // maximum drafts of a kind; the oldest are deleted
const OWN = (kind) => `zertz draft: ${kind}`;
const PREFIX = (kind) => `zertz draft of ${kind}: `;

export default function ({ parentElement: root, data, setTriggerValue: report }) {
  root.draft ??= new Draft(root, data.kind);
  root.draft.receive(data, report);
  return () => { root.draft?.leave(); delete root.draft; };
}

class Draft {
  constructor(root, kind) {
    Object.assign(this, { root, kind, shown: null, turn: Promise.resolve() });
    this.onInput = (event) => { if (this.field && event.target.matches?.(this.field)) this.keep(event.target.value, this.shown); };
    document.addEventListener("input", this.onInput);
  }

  leave() { document.removeEventListener("input", this.onInput); }

  receive({ value, field, looks }, report) {
    this.field = field;
    this.turn = this.turn.then(() => this.take(value, looks, report)).catch(() => { /* no storage: drafts are not stored */ });
  }

  async take(value, looks, report) {
    if (value === this.shown) return;
    const isFirst = this.shown === null;
    this.shown = value;
    if (isFirst) {
      this.id = await choose(this.kind, value, looks);
      const found = value || looks ? read(this.kind, this.id) : "";
      if (found && found !== value) report("found", found);
      else if (value) this.keep(value);
    } else this.keep(value);
  }

  // before: the page's value when this was typed. A page opened again with that value continues with the typed text.
  keep(value, before = value) {
    if (!this.id) return;
    const key = PREFIX(this.kind) + this.id;
    try {
      if (value) localStorage.setItem(key, JSON.stringify({ value, before, at: Date.now() }));
      else localStorage.removeItem(key);
    } catch { /* no space: the earlier draft stays */ }
  }
}

// The draft that this window continues: the one shown, or its own if nothing is shown; by default a new one.
async function choose(kind, value, looks) {
  const all = drafts(kind);
  const open = await openElsewhere(kind);
  const own = sessionStorage.getItem(OWN(kind));
  const free = all.filter(({ id }) => !open.has(id));
  const isIt = (draft) => {
    if (looks) return own === null || draft.id === own;
    return value && (draft.value === value || (draft.id === own && draft.before === value));
  };
  const rest = looks && !open.has(own) ? own : null;
  const id = free.find(isIt)?.id ?? rest ?? crypto.randomUUID?.() ?? String(Math.random());
  sessionStorage.setItem(OWN(kind), id);
  hold(kind, id);
  for (const { id: old } of free.filter((draft) => draft.id !== id).slice(MOST)) localStorage.removeItem(PREFIX(kind) + old);
  return id;
}

function drafts(kind) {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX(kind)));
  const all = keys.map((key) => ({ id: key.slice(PREFIX(kind).length), ...parsed(localStorage.getItem(key)) }));
  return all.filter(({ value }) => typeof value === "string" && value).sort((one, other) => other.at - one.at);
}

function read(kind, id) { return parsed(localStorage.getItem(PREFIX(kind) + id)).value ?? ""; }

function parsed(text) {
  try { return JSON.parse(text) ?? {}; } catch { return {}; }
}

// A window holds a lock on its draft while it is open, so that other windows don't use it.
function hold(kind, id) {
  const held = (window.zertzDrafts ??= {});
  if (held[kind]?.id === id) return;
  held[kind]?.release();
  held[kind] = { id, release: () => {} };
  navigator.locks?.request(PREFIX(kind) + id, () => new Promise((release) => { held[kind].id === id ? held[kind].release = release : release(); }));
}

async function openElsewhere(kind) {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  const own = window.zertzDrafts?.[kind]?.id;
  const ids = held.filter(({ name }) => name.startsWith(PREFIX(kind))).map(({ name }) => name.slice(PREFIX(kind).length));
  return new Set(ids.filter((id) => id !== own));
}
