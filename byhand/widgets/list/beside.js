// Lists beside one that is dragged. `byhand.widgets.list.beside` has the same in Python.

import { evaluate, listOf } from "./engine.js";

// The value of one of them under a measure: as it stays, or as its items have the dragged order.
export function valueBeside({ values, items, grades }, { order }, spec) {
  if (values) return values[spec.asked];
  const own = order.filter((id) => items.includes(id));
  return evaluate(listOf(own, grades), spec).value;
}
