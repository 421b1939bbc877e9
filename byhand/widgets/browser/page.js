// The widgets of a page that keeps nothing, such as a report.

import { startAll } from "./start.js";

startAll();
