// A list alone.

import { makeStage } from "./stage.js";

export async function view(model, el) {
  const stage = makeStage(el, [model], () => [""]);
  el.append(stage.lists[0].frame.node);
  stage.start();
  return stage.stop;
}
