// The traits of a widget on a page without a notebook: nothing but the page hears of them.

class PageModel {
  #values;
  #listeners = [];

  constructor(values) {
    // a widget within a widget is a model, too; an item may be called "view"
    const model = (value) => (typeof value?.view === "string" ? new PageModel(value) : value);
    this.#values = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.map(model) : model(value),
      ]),
    );
  }
  get(name) {
    return this.#values[name];
  }
  set(name, value) {
    const same = JSON.stringify(this.#values[name]) === JSON.stringify(value);
    this.#values[name] = value;
    if (same) return;
    for (const [event, listen] of [...this.#listeners]) if (event === `change:${name}`) listen();
  }
  on(events, listen) {
    for (const event of events.split(" ")) this.#listeners.push([event, listen]);
  }
  off(events, listen) {
    this.#listeners = this.#listeners.filter(([event, each]) => each !== listen || !events.split(" ").includes(event));
  }
  save_changes() {}
}
