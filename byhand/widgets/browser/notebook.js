// The widgets of a notebook, as anywidget asks for them.

import { render } from "./main.js";

export default { render };
