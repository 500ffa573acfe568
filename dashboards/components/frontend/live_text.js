// Submit a text area's text during typing: Streamlit does so only when the focus leaves it, or at Ctrl+Enter.
export default function ({ parentElement: root, data: { field, delay } }) {
  let timer;
  const onInput = ({ target }) => {
    if (!target.matches?.(field)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (target.isConnected) target.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", code: "Enter", ctrlKey: true, bubbles: true, cancelable: true }));
    }, delay);
  };
  document.addEventListener("input", onInput);
  return () => { clearTimeout(timer); document.removeEventListener("input", onInput); };
}
