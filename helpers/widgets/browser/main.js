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
  el.classList.add("rm", `rm-${model.get("view")}`);
  guardShortcuts(el);
  return VIEWS[model.get("view")](model, el);
}

export { MEASURES, PageModel, asFraction, coinsOf, evaluate, listOf, meanOf, mostOf, numberOf, readList, render };
export default { render };
