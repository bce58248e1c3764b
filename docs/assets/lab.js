// The lab: a reader changes a row of scores, or the divisor, and sees what softmax makes of it.
// All numbers are float64. It starts from the row that docs/lesson/lab.md holds as a table.
"use strict";

(() => {
const LARGEST = 1e6; // of what can be typed
const ROOM = 10, WIDE_KEY = 512, WIDE_DIVISOR = 50; // how far sliders reach, or more where needed
const FAR = 20, CLOSE = 0.25; // between scaled scores
const MOST_NAMED = 3, PAUSE = 250; // keys, milliseconds

// scores and open [n], a divisor above 0 -> scaled, exponentials and weights [n], and the sum of
// the exponentials. A hidden key gets -Infinity, 0 and 0; where all are hidden, the sum is 0.
// The maximum is taken away before the division: the difference of 800 and 799 is exactly 1.
function worked(scores, divisor, open) {
  const highest = Math.max(...scores.filter((_, j) => open[j]));
  const scaled = scores.map((score, j) => open[j] ? score / divisor : -Infinity);
  const exponentials = scores.map((score, j) => open[j] ? Math.exp((score - highest) / divisor) : 0);
  const sum = exponentials.reduce((total, exponential) => total + exponential, 0);
  const weights = exponentials.map(exponential => sum ? exponential / sum : 0);
  return { scaled, exponentials, sum, weights };
}

// A float with so many decimals: a real minus sign, and none before 0.
function fixed(value, places) {
  const text = value.toFixed(places);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "\u2212");
}

// The same for what is above 0 and may be tiny: then with a power of ten, in parts.
function small(value, places) {
  if (value === 0) return ["less than a float can hold"];
  if (value >= 10 ** (1 - places)) return [fixed(value, places)];
  const [digits, power] = value.toExponential(places).split("e");
  return [`${digits}·10`, make("sup", { textContent: power.replace("-", "\u2212") })];
}

// What happens to the weights, in one sentence, as parts: texts, elements, and numbers of keys.
function told(scores, divisor, open, places) {
  const keys = scores.map((_, j) => j).filter(j => open[j]), n = keys.length;
  if (n === 0) return ["The mask hides every key, so every weight is 0."];
  if (n === 1) return ["There is one key to listen to, ", keys[0], ": its weight is 1, whatever its score."];
  const { exponentials, sum, weights } = worked(scores, divisor, open);
  const high = Math.max(...keys.map(j => scores[j])), low = Math.min(...keys.map(j => scores[j]));
  const top = keys.filter(j => scores[j] === high), bottom = keys.filter(j => scores[j] === low);
  const most = fixed(weights[top[0]], places), least = fixed(weights[bottom[0]], places);
  if (top.length === n)
    return [`All ${n} scores are alike, so all weights are alike: each is 1/${n}, shown as ${most}.`];
  if (top.length === 1 && Number(most) === 1) {
    const rest = keys.reduce((total, j) => j === top[0] ? total : total + exponentials[j], 0) / sum;
    const others = n === 2 ? "the other weight is " : `the other ${n - 1} weights add up to `;
    return ["The score of ", top[0], ` is so far above the rest that its weight is shown as ${most}; `,
      others, ...small(rest, places), "."];
  }
  const apart = (high - low) / divisor;
  if (most === least)
    return ["Divided, the largest and the smallest score are ", ...small(apart, places),
      ` apart. That is too little to show: all weights are shown as ${most}.`];
  if (apart < CLOSE)
    return ["Divided, the largest and the smallest score are only ", ...small(apart, places),
      ` apart, so the weights are close together: from ${least} to ${most}, where equal weights `,
      `would be ${fixed(1 / n, places)}.`];
  return [
    ...toldOf(top, "has the largest score and gets the largest weight",
      "share the largest score and the largest weight", most), "; ",
    ...toldOf(bottom, "gets the smallest", "get the smallest", least), "."];
}

// cats gets the smallest, 0.1; I and love get the smallest, 0.1 each; 5 keys get the smallest, 0.1 each.
function toldOf(keys, one, several, weight) {
  if (keys.length === 1) return [keys[0], ` ${one}, ${weight}`];
  const names = keys.flatMap((j, n) => n === 0 ? [j] : [n === keys.length - 1 ? " and " : ", ", j]);
  return [...keys.length > MOST_NAMED ? [`${keys.length} keys`] : names, ` ${several}, ${weight} each`];
}

window.attentionLab = { worked, told };

// An element. Text comes in as nodes or by textContent: nothing is read as HTML.
function make(name, properties = {}, ...content) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties))
    if (key in made) made[key] = value; else made.setAttribute(key, value);
  made.append(...content);
  return made;
}

const letter = () => make("var", {}, "d", make("sub", { textContent: "k" }));
const range = numbers =>
  [Math.min(-ROOM, ...numbers.map(Math.floor)), Math.max(ROOM, ...numbers.map(Math.ceil))];

// A number to change, by a slider or by a field, which follow each other. `about` reads and writes
// it, says how far the slider reaches, which numbers are allowed, and how to ask for one. While a
// field holds no such number, nothing changes but that the reader is asked for one.
function control(id, label, about, { changed, ask }) {
  const step = about.whole ? "1" : "0.1";
  const slider = make("input", { type: "range", id, step });
  const field = make("input", { type: "number", step: about.whole ? "1" : "any" });
  const name = make("label", { id: `${id}-name`, htmlFor: id, className: "lab-name" }, ...label);
  field.setAttribute("aria-labelledby", name.id);
  slider.addEventListener("input", () => { about.write(slider.valueAsNumber); changed(); });
  field.addEventListener("change", () => changed());
  field.addEventListener("input", () => {
    const right = about.allows(field.valueAsNumber);
    field.setAttribute("aria-invalid", String(!right));
    if (!right) return ask(about.asks);
    about.write(field.valueAsNumber);
    changed(field);
  });
  return { name, slider, field, show(typed) {
    const value = about.read();
    [slider.min, slider.max] = about.reach();
    slider.value = value;
    if (slider.valueAsNumber === value) slider.removeAttribute("aria-valuetext");
    else slider.setAttribute("aria-valuetext", String(value));
    if (field === typed) return; // what is being typed stays as it is
    field.value = String(value);
    field.setAttribute("aria-invalid", "false");
  } };
}

function build(place) {
  const given = place.dataset.scores.split(" "), places = Number(place.dataset.decimals);
  const open = given.map(score => score !== "hidden"), byRoot = place.dataset.by === "d_k";
  const own = {
    scores: given.map((score, j) => open[j] ? Number(score) : 0),
    size: Number(place.dataset.divide),
  };
  const now = { scores: [...own.scores], size: own.size, range: range(own.scores) };
  const keys = given.map((_, j) => j), shown = keys.filter(j => open[j]);
  const heads = [...document.querySelectorAll(".lab-row tbody th")]; // tokens, made safe by the page
  const name = j => [...heads[j].childNodes].map(node => node.cloneNode(true));
  const divisor = (size = now.size) => byRoot ? Math.sqrt(size) : size;

  // What is said is said once there is a pause; at the start, at once.
  const status = make("p", { className: "lab-told", role: "status" });
  let wait;
  function say(parts) {
    clearTimeout(wait);
    if (status.isConnected) wait = setTimeout(tell, PAUSE, parts);
    else tell(parts);
  }
  function tell(parts) {
    status.replaceChildren(...parts.flatMap(part => typeof part === "number" ? name(part) : [part]));
    dispatchEvent(new Event("resize")); // for site.js: which boxes scroll now?
  }

  const ways = { changed, ask: what => say([`Type ${what}.`]) };
  const unseen = textContent => make("span", { className: "unseen", textContent });
  const scores = shown.map(j => control(`lab-score-${j + 1}`, [...name(j), unseen(" score")], {
    read: () => now.scores[j],
    write: value => { now.scores[j] = value; },
    reach: () => now.range,
    allows: value => Math.abs(value) <= LARGEST,
    asks: `a number from \u2212${LARGEST} to ${LARGEST}`,
  }, ways));
  const size = control("lab-size", byRoot ? [letter()] : ["divisor"], {
    whole: byRoot,
    read: () => now.size,
    write: value => { now.size = value; },
    reach: () => byRoot ? [1, Math.max(WIDE_KEY, now.size)]
      : [0.1, Math.max(WIDE_DIVISOR, Math.ceil(now.size))],
    allows: value => value >= (byRoot ? 1 : 1 / LARGEST) && value <= LARGEST && !(byRoot && value % 1),
    asks: byRoot ? `a whole number from 1 to ${LARGEST}` : `a number above 0, up to ${LARGEST}`,
  }, ways);

  const cells = keys.map(() => Array.from({ length: 4 }, () => make("td")));
  const sums = [make("td"), make("td")];
  const bars = keys.map(() => ["s", "w"].map(role => {
    const fill = make("span", { className: "lab-fill" }), number = make("span");
    return { fill, number, line: make("span", { className: `lab-bar role-${role}` },
      make("span", { className: "lab-track" }, fill), number) };
  }));
  const divided = make("span", { className: "lab-divided" });

  // Everything follows from the scores and the divisor.
  function changed(typed) {
    now.range = range([...now.range, ...now.scores]);
    for (const each of [...scores, size]) each.show(typed);
    const found = worked(now.scores, divisor(), open);
    const highest = Math.max(...shown.map(j => now.scores[j]));
    for (const j of keys) {
      const row = open[j] ? [
        [fixed(found.scaled[j], places)], [fixed((now.scores[j] - highest) / divisor(), places)],
        small(found.exponentials[j], places), [fixed(found.weights[j], places)],
      ] : [["hidden"], ["hidden"], ["0"], ["0"]];
      row.forEach((parts, n) => cells[j][n].replaceChildren(...parts));
      [found.exponentials[j], found.weights[j]].forEach((value, n) => {
        bars[j][n].fill.style.width = `${100 * value}%`;
        bars[j][n].number.textContent = open[j] ? fixed(value, places) : "0";
      });
    }
    sums[0].textContent = shown.length ? fixed(found.sum, places) : "0";
    sums[1].textContent = shown.length ? "1" : "0";
    const root = divisor(), exact = root % 1 === 0;
    divided.textContent = "Every score is divided by " + (!byRoot ? `${root}.`
      : exact ? `√${now.size} = ${root}.` : `√${now.size} ≈ ${fixed(root, places)}.`);
    say(told(now.scores, divisor(), open, places));
  }

  function set(scores, size) {
    Object.assign(now, { scores, size, range: range(scores) });
    changed();
  }

  function preset(label, act) {
    const button = make("button", { type: "button", className: "md-button" }, ...label);
    button.addEventListener("click", act);
    return button;
  }
  const best = Math.max(...shown.map(j => own.scores[j]));
  const first = shown.find(j => own.scores[j] === best), high = Math.ceil(best + FAR * divisor(own.size));
  const large = Math.max(byRoot ? WIDE_KEY : WIDE_DIVISOR, 16 * own.size);
  const presets = [
    preset(["Reset: the example’s own row"], () => set([...own.scores], own.size)),
    preset(["Ties: all scores alike"], () => set(keys.map(j => open[j] ? best : 0), own.size)),
    preset(["Saturation: one score far above"],
      () => set(own.scores.map((score, j) => j === first ? high : score), own.size)),
    preset([...byRoot ? ["Large ", letter()] : ["Large divisor"], ": the same scores"],
      () => set([...own.scores], large)),
  ];

  const rows = keys.map(j => make("div", { className: "lab-key" },
    ...open[j] ? [scores[shown.indexOf(j)]].flatMap(each => [each.name, each.slider, each.field])
      : [make("span", { className: "lab-name" }, ...name(j)),
        make("span", { className: "lab-hidden", textContent: "hidden by the mask" })],
    make("span", { className: "lab-bars", "aria-hidden": "true" }, ...bars[j].map(bar => bar.line))));
  const legend = make("p", { className: "lab-legend", "aria-hidden": "true" },
    make("span", { className: "role-s", textContent: "upper bar: exponential" }), " · ",
    make("span", { className: "role-w", textContent: "lower bar: weight" }), " · a whole bar is 1");
  const header = (scope, ...content) => make("th", { scope }, ...content);
  const head = ["token", "scaled score", "less the largest", "exponential of that", "weight"];
  const table = make("table", { className: "lab-numbers" },
    make("thead", {}, make("tr", {}, ...head.map(word => header("col", word)))),
    make("tbody", {}, ...keys.map(j => make("tr", {}, header("row", ...name(j)), ...cells[j])),
      make("tr", {}, header("row", "sum"), make("td"), make("td"), ...sums)));
  changed();
  place.replaceChildren(
    make("div", { className: "lab-presets", role: "group", "aria-label": "Presets" }, ...presets),
    status,
    make("div", { className: "lab-keys", role: "group", "aria-label": "Scores and divisor" }, ...rows,
      make("div", { className: "lab-key" }, size.name, size.slider, size.field, divided)), legend,
    make("div", { className: "table lab-table", role: "group", tabIndex: 0,
      "aria-label": "the row, from scores to weights" }, table));
}

const place = document.querySelector(".lab");
if (place) build(place);
})();
