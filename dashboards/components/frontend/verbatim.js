// A text and a button that copies it. If the browser does not allow copying, the button selects the text.
export default function ({ parentElement: root, data }) {
  const shown = root.querySelector("pre");
  const button = root.querySelector("button");
  shown.textContent = data.text;
  shown.classList.toggle("wraps", data.wraps);
  button.classList.remove("done");
  button.onclick = async () => {
    try {
      await navigator.clipboard.writeText(data.text);
      button.classList.add("done");
      button.title = "Copied";
    } catch {
      window.getSelection().selectAllChildren(shown);
      button.title = "Selected: copy it by the keyboard";
    }
  };
}
