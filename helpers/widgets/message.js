// A card of text that changes: what to do, how it went. A screen reader speaks the second part.

const MARKS = { good: "✓ ", warn: "✗ ", plain: "" };

function render({ model, el }) {
  el.classList.add("rm", "rm-message");
  const title = make("div", "rm-title", { dir: "auto" });
  const said = make("div", "rm-verdict", { role: "status", "aria-live": "polite" });
  const aside = make("div", "rm-more");
  el.append(title, said, aside);
  const update = () => {
    const tone = model.get("tone");
    put(title, { text: model.get("heading") });
    put(said, { text: model.get("text") && MARKS[tone] + model.get("text") });
    put(aside, { text: model.get("more") });
    said.className = `rm-verdict rm-${tone}`;
    title.hidden = !title.textContent;
    aside.hidden = !aside.textContent;
    // a live region must be there before it has something to say, so it is emptied, not hidden
    said.classList.toggle("rm-empty", !said.textContent);
  };
  update();
  const events = "change:heading change:text change:tone change:more";
  model.on(events, update);
  return () => model.off(events, update);
}

export default { render };
