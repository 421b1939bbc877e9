// The traits of a widget: in a notebook those that Python hears of, on a page nobody's but the page's.

const modelOf = (state) => (state instanceof PageModel ? state : new PageModel(state));

export class PageModel {
  #values;
  #listeners = [];

  // `ranks`, where there are any, are widgets within this one, and so are models, too
  constructor({ fixed = {}, ...values }) {
    const { ranks } = fixed;
    const inner = Array.isArray(ranks) ? ranks.map(modelOf) : ranks && modelOf(ranks);
    this.#values = { ...values, fixed: { ...fixed, ranks: inner } };
  }
  // no Python answers it
  get alone() {
    return true;
  }
  get(name) {
    return this.#values[name];
  }
  set(name, value) {
    const same = JSON.stringify(this.#values[name]) === JSON.stringify(value);
    this.#values[name] = value;
    if (same) return;
    for (const [event, hear] of [...this.#listeners])
      if (event === "change" || event === `change:${name}`) hear();
  }
  get #within() {
    return [this.#values.fixed.ranks ?? []].flat();
  }
  // what may have changed, here and in the widgets within
  get kept() {
    const { fixed, ...values } = this.#values;
    return { values, within: this.#within.map((each) => each.kept) };
  }
  give({ values, within }) {
    Object.assign(this.#values, values);
    for (const [i, each] of this.#within.entries()) each.give(within[i]);
  }
  hearAll(hear) {
    for (const each of [this, ...this.#within]) each.on("change", hear);
  }
  on(events, hear) {
    for (const event of events.split(" ")) this.#listeners.push([event, hear]);
  }
  off(events, hear) {
    this.#listeners = this.#listeners.filter(
      ([event, each]) => each !== hear || !events.split(" ").includes(event),
    );
  }
  save_changes() {}
}

// A model within a model: a notebook gives its name, a page the model itself.
export const childOf = async (model, given) =>
  typeof given === "string"
    ? model.widget_manager.get_model(given.replace("IPY_MODEL_", ""))
    : given;

// Hears of changes until what it returns is called.
export function listen(model, events, hear) {
  model.on(events, hear);
  return () => model.off(events, hear);
}

export const together =
  (...stops) =>
  () => {
    for (const stop of stops) stop();
  };

export function assign(model, values) {
  for (const [name, value] of Object.entries(values)) model.set(name, value);
}

// A kernel that is gone must not stop what the reader sees.
export function save(model) {
  try {
    model.save_changes();
  } catch (error) {
    console.warn("The kernel did not hear of a change:", error);
  }
}

export function change(model, values) {
  assign(model, values);
  save(model);
}
