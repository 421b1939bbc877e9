// One module for every widget: in a notebook, and on a page without one.

const flow = (...columns) => make("div", "rm-flow", {}, ...columns);

// A model within a model: a notebook gives its name, a page the model itself.
async function childOf(model, given) {
  if (typeof given !== "string") return given;
  return model.widget_manager.get_model(given.replace("IPY_MODEL_", ""));
}

const VIEWS = {
  list: viewList,
  explorer: viewExplorer,
  challenge: viewChallenge,
  duel: viewDuel,
  own: viewOwn,
  prediction: viewPrediction,
  tosses: viewTosses,
};

async function render({ model, el }) {
  const view = VIEWS[model.get("view")];
  if (!view) return renderLater({ model, el });
  el.classList.add("rm", `rm-${model.get("view")}`);
  guardShortcuts(el);
  return view(model, el);
}

// A busy machine may draw a widget before what it shows has come.
function renderLater({ model, el }) {
  let stop = () => {};
  const wait = () => model.off("change:view", come);
  async function come() {
    wait();
    el.replaceChildren();
    stop = await render({ model, el });
  }
  el.classList.add("rm");
  el.append(make("p", "", { text: say("late", "waiting") }));
  model.on("change:view", come);
  return () => {
    wait();
    stop();
  };
}

export { MEASURES, PageModel, asFraction, coinsOf, evaluate, lanesOf, listOf, meanOf, mostOf, numberOf, readList, render, tableOf };
export default { render };
