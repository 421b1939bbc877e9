// The page: which files there are and what each is taken for, and what Python is asked of them.
const { python, largest, data } = JSON.parse(document.querySelector("main").dataset.settings);
const words = JSON.parse(document.getElementById("words").textContent);
const TEXTS = ["queries", "docs", "groups", "clusters"];
const RUNS = ["run", "both"];
const MB = 1e6;
const language = document.documentElement.lang;
const at = (id) => document.getElementById(id);
const command = document.querySelector("footer code").textContent; // the same on one's own machine
const say = (word, values = {}) =>
  words[word].replace(/\{(\w+)\}/g, (_, name) => String(values[name]));

// ---- Python -----------------------------------------------------------------------------------

let worker;
let ready; // settled when Python stands
let asked = 0; // how many calls were made
const waiting = new Map();

async function start() {
  const code = await (await fetch("worker.js")).text();
  const place = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  worker = new Worker(place, { type: "module" });
  worker.onmessage = ({ data: reply }) => answered(reply);
  worker.onerror = (event) => broke(event.message);
  await call({ what: "begin", folder: new URL(python, document.baseURI).href });
  URL.revokeObjectURL(place);
  at("python").hidden = true;
  at("doing").textContent ||= say("ready");
}

function call(message, progress = () => {}) {
  const id = ++asked;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject, progress });
    worker.postMessage({ id, ...message });
  });
}

function answered({ id, answer, broke: why, ...reply }) {
  if (reply.state === "importing") at("python").firstElementChild.textContent = say("starting");
  const { resolve, reject, progress } = waiting.get(id) ?? {};
  if (reply.of) return progress?.(reply.at, reply.of, reply.doing);
  waiting.delete(id);
  return why === undefined ? resolve?.(answer) : reject?.(new Error(why));
}

/** Begin again with a Python that knows nothing. */
function restart() {
  worker?.terminate();
  for (const { reject } of waiting.values()) reject(new Stopped());
  waiting.clear();
  at("python").hidden = false;
  ready = start();
  ready.catch((error) => error instanceof Stopped || broke(error.message));
}

class Stopped extends Error {}

/** What Python says: what it found, or what is wrong, which is shown where it belongs. */
async function ask(name, wanted, progress) {
  await ready;
  const files = cards.map(({ name: called, file }) => ({ name: called, file }));
  const message = { what: "ask", call: name, files, asked: { ...wanted, speaks: language } };
  return JSON.parse(await call(message, progress));
}

// ---- the files --------------------------------------------------------------------------------

const cards = []; // of each file: its name, the file, what it is taken for and what was said of it

function add(files, own = true) {
  const before = cards.reduce((sum, { file }) => sum + file.size, 0);
  const all = [...files].reduce((sum, file) => sum + file.size, before);
  const tooLarge = all > largest * MB;
  show(
    at("files-wrong"),
    tooLarge && say("large", { size: Math.ceil(all / MB), most: largest, command }),
  );
  if (tooLarge) return;
  changed();
  for (const file of files) {
    const card = { name: unused(file.name), file, kind: "", columns: null, own };
    cards.push(card);
    begin(card);
    draw(card);
    look(card);
  }
}

/** No two files have one name: what is said of them is said by it. */
function unused(name) {
  const taken = new Set(cards.map((card) => card.name));
  const [, stem, ending] = name.match(/^(.*?)((?:\.\w+)*)$/);
  let found = name;
  for (let n = 2; taken.has(found); n++) found = `${stem}-${n}${ending}`;
  return found;
}

async function look(card) {
  card.wrong = "";
  delete card.place.dataset.looked;
  const { name: file, chosen: kind, columns } = card;
  try {
    const reply = await ask("look", { file, kind: kind ?? null, columns });
    if (!cards.includes(card) || card.chosen !== kind || card.columns !== columns) return;
    if (reply.found) Object.assign(card, reply.found, { looked: true, ways: [] });
    else blame(card, reply);
  } catch (error) {
    if (error instanceof Stopped) return;
    broke(error.message);
  }
  card.place.dataset.looked = "";
  drawAll();
}

/** What was said of other files is gone; a report says itself of which it is. */
function changed() {
  for (const place of document.querySelectorAll("#wrong, .said")) show(place, "");
  at("reported").querySelector(".report").replaceChildren();
}

function blame(card, { wrong, kind = "", ways = [], options = [] }) {
  Object.assign(card, { wrong, kind: card.kind || kind, ways, options });
}

function drawAll() {
  for (const card of cards) draw(card);
  at("make").disabled = !cards.length;
  for (const button of document.querySelectorAll(".more button")) button.disabled = !cards.length;
}

/** The label that holds the field of an option. */
const field = (name) => at("options").querySelector(`[name="${name}"]`)?.closest("label");

/** The field of an option once more, beside what is said of it. */
function again(name) {
  const { control } = field(name);
  const label = field(name).cloneNode(true);
  label.control.value = control.value;
  label.control.oninput = () => {
    control.value = label.control.value;
  };
  return label;
}

const of = (...kinds) => cards.filter((card) => kinds.includes(card.kind));

function make(tag, properties = {}, ...inside) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...inside);
  return made;
}

/** A card of a file, and what its parts do. */
function begin(card) {
  card.place = at("cards").appendChild(at("card").content.firstElementChild.cloneNode(true));
  const parts = [...card.place.querySelectorAll("[data-part]")];
  card.parts = Object.fromEntries(parts.map((each) => [each.dataset.part, each]));
  const { remove, kind, name, first, rows } = card.parts;
  card.place.querySelector("bdi").textContent = card.name;
  remove.ariaLabel = say("remove", { file: card.name });
  rows.ariaLabel = card.name;
  name.placeholder = card.name.replace(/\.(txt|csv|tsv|jsonl?|parquet|run|trec|gz)/gi, "");
  remove.onclick = () => {
    cards.splice(cards.indexOf(card), 1);
    card.place.remove();
    changed();
    drawAll();
    at("drop").querySelector("input").focus();
  };
  kind.onchange = () => {
    Object.assign(card, { kind: kind.value, chosen: kind.value, columns: null, rows: null });
    changed();
    look(card);
  };
  first.onclick = () => {
    cards.splice(cards.indexOf(card), 1);
    cards.unshift(card);
    changed();
    at("cards").prepend(card.place);
    drawAll();
    kind.focus();
  };
}

function draw(card) {
  const { kind, name, question, first, rows, said } = card.parts;
  const runs = of(...RUNS);
  const isRun = runs.includes(card);
  kind.options[0].text = card.wrong ? "–" : say("looking");
  kind.value = card.kind;
  name.parentElement.hidden = !isRun;
  question.hidden = runs.length < 2 || runs[0] !== card;
  first.hidden = runs.length < 2 || !isRun || runs[0] === card;
  rows.hidden = !card.rows;
  rows.replaceChildren(...(card.rows ? [table(card)] : []));
  said.replaceChildren(...complaint(card));
}

function table({ rows, ours, theirs }) {
  const heads = ours.map((each, column) => {
    const more =
      theirs[column] && theirs[column] !== each ? [make("small", {}, theirs[column])] : [];
    return make("th", { scope: "col" }, each, ...more);
  });
  const lines = rows.map((row) => row.map((text) => make("td", {}, text)));
  return make("table", {}, ...[heads, ...lines].map((cells) => make("tr", {}, ...cells)));
}

/** That two files are taken for what only one can be. */
function twice(card) {
  const other = of(card.kind).find((each) => each !== card);
  return card.kind && !RUNS.includes(card.kind) && other && say("twice", { file: other.name });
}

function complaint(card) {
  const said = card.wrong || twice(card);
  if (!said) return [];
  const ways = (card.ways ?? []).map((way) => {
    const columns = Object.entries(way).map(([theirs, ours]) => `${theirs} = ${ours}`);
    const button = make("button", { type: "button", className: "button plain" });
    button.textContent = say("so", { columns: columns.join(", ") });
    button.onclick = () => {
      Object.assign(card, { columns: { ...card.columns, ...way }, chosen: card.kind, ways: [] });
      look(card);
    };
    return button;
  });
  const options = card.wrong ? (card.options ?? []).filter(field).map(again) : [];
  return [make("p", { className: "wrong", role: "alert" }, said), ...ways, ...options];
}

// ---- what is made of them ---------------------------------------------------------------------

/** What Python is given; or what is missing, in words. */
function given() {
  const options = [...at("options").querySelectorAll("[name]")];
  const runs = of(...RUNS);
  const only = (kind) => of(kind)[0]?.name ?? null;
  const columns = Object.fromEntries(cards.map((card) => [card.name, card.columns]));
  const lacking = !runs.length
    ? say("no_run")
    : !only("qrels") && !of("both").length
      ? say("no_qrels")
      : cards.map(twice).find(Boolean);
  return {
    lacking,
    asked: {
      runs: runs.map(({ name, parts }) => ({ file: name, name: parts.name.value.trim() })),
      qrels: only("qrels"),
      columns,
      texts: Object.fromEntries(TEXTS.map((kind) => [kind, only(kind)])),
      ...Object.fromEntries(options.map((each) => [each.name, each.value])),
    },
  };
}

function show(place, said) {
  place.hidden = !said;
  place.textContent = said || "";
}

/** Shows what is wrong beside the file that it is about, or else below the button. */
function complain(reply, place) {
  if (reply.lacks) return show(place, say("memory", { command }));
  const longest = [...cards].sort((one, other) => other.name.length - one.name.length);
  const card =
    cards.find(({ name }) => name === reply.file) ??
    longest.find(({ name }) => reply.wrong.includes(name)) ??
    (reply.table === "qrels" ? of("qrels")[0] : reply.table && of(...RUNS)[0]);
  if (!card) {
    const options = (reply.options ?? []).filter(field);
    show(place, reply.wrong);
    if (place !== at("wrong") || !options.length) return place.append(...options.map(again));
    at("options").open = true;
    field(options[0]).after(place);
    return field(options[0]).control.focus();
  }
  blame(card, reply);
  card.computed = true;
  drawAll();
  return card.place.scrollIntoView({ block: "nearest" });
}

/** Ask Python something long, which may be stopped. */
async function work(name, extra, place) {
  const { lacking, asked: basis } = given();
  // what an option may have mended
  for (const card of cards.filter(({ computed }) => computed))
    Object.assign(card, { wrong: "", computed: false });
  drawAll();
  at("go").after(at("wrong"));
  show(place, lacking);
  if (lacking) return null;
  busy(true);
  try {
    at("doing").textContent = say("starting");
    await ready;
    at("doing").textContent = say(name === "make" ? "reading" : "working");
    const reply = await ask(name, { ...basis, ...extra }, (done, total, doing) => {
      if (done) at("far").value = done / total;
      else at("far").removeAttribute("value");
      at("doing").textContent = say(doing, { at: done, of: total });
    });
    at("doing").textContent = "";
    if (reply.found !== undefined) return reply.found;
    complain(reply, place);
  } catch (error) {
    if (!(error instanceof Stopped)) broke(error.message);
  } finally {
    busy(false);
  }
  return null;
}

function busy(is) {
  at("stop").hidden = !is;
  at("far").hidden = !is;
  at("far").removeAttribute("value");
  for (const button of document.querySelectorAll("#make, .more button"))
    button.disabled = is || !cards.length;
}

function broke(said) {
  at("doing").textContent = "";
  const memory = /memory|allocation/i.test(said);
  show(at("wrong"), memory ? say("memory", { command }) : say("broke", { said }));
  restart();
}

let made; // in each form, and under which name it is saved
let unsaved = false; // whether it would be lost with the page; what was only tried would not
addEventListener("beforeunload", (event) => {
  if (unsaved) event.preventDefault();
});
at("make").onclick = async () => {
  const began = performance.now();
  at("result").hidden = true; // it is of other files, or by other conventions
  unsaved = false;
  const found = await work("make", {}, at("wrong"));
  if (!found) return;
  made = { ...found, name: `${of(...RUNS)[0].name.split(".")[0]}-report` };
  unsaved = cards.some(({ own }) => own);
  at("result").hidden = false;
  at("result").querySelector("iframe").srcdoc = made.html;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  at("doing").textContent = say("done", { seconds });
  at("report").focus();
};

at("stop").onclick = () => {
  restart();
  at("doing").textContent = say("stopped");
  at("make").focus();
  for (const card of cards) if (!card.looked) look(card);
};

const KIND_OF = { html: "text/html", csv: "text/csv", json: "application/json" };
for (const button of document.querySelectorAll("[data-save]"))
  button.onclick = () => {
    const form = button.dataset.save;
    const link = make("a", { download: `${made.name}.${form}` });
    link.href = URL.createObjectURL(new Blob([made[form]], { type: KIND_OF[form] }));
    unsaved = false;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  };

at("reported").onsubmit = async (event) => {
  event.preventDefault();
  const { measure, number } = Object.fromEntries(new FormData(event.target));
  const place = event.target.querySelector(".said");
  if (!number.trim()) return show(place, say("no_number"));
  const found = await work("explain", { measure, number }, place);
  event.target.querySelector(".report").innerHTML = found?.html ?? "";
};

const { number } = at("reported");
number.placeholder = Number(number.placeholder).toLocaleString(language, {
  maximumFractionDigits: 4,
});

// ---- how files come ---------------------------------------------------------------------------

const drop = at("drop");
drop.querySelector("input").onchange = (event) => {
  add(event.target.files);
  event.target.value = "";
  drawAll();
};
for (const kind of ["dragenter", "dragover", "dragleave", "drop"])
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    drop.classList.toggle("over", kind.startsWith("drage") || kind === "dragover");
    if (kind === "drop" && event.dataTransfer.files.length) {
      add(event.dataTransfer.files);
      drawAll();
    }
  });
for (const button of document.querySelectorAll("[data-try]"))
  button.onclick = async () => {
    for (const card of cards.splice(0)) card.place.remove();
    const files = data[button.dataset.try].map(async (name) => {
      const content = await (await fetch(`data/${name}`)).blob();
      return new File([content], name);
    });
    add(await Promise.all(files), false);
    drawAll();
  };

if (location.protocol === "file:") {
  at("served").hidden = false;
  at("python").hidden = true;
} else {
  restart();
}
