// Runs before everything else in a page that is measured. A script that sets formulas calls
// `formulasSet()`; `reading()` waits until all is laid out.
const SET = "math, .katex, mjx-container";
const FAULTY = "merror, mjx-merror, .katex-error";
const LATE = 500; // what observers take to tell
const FONTS = [["mjx-container", "MJXTEX"], [".katex", "KaTeX_Main"], ["math", "STIX Two Math"]];
const seen = { shift: 0, formulas: 0, late: 0 };

const places = () => [...document.querySelectorAll(".formula")];
const empty = () => places().filter((place) => !place.querySelector(SET)).length;
const withoutFont = () => {
  const [selector, font] = FONTS.find(([kind]) => document.querySelector(kind)) ?? [];
  if (!selector) return 0;
  const formulas = document.querySelectorAll(selector);
  formulas[0].getBoundingClientRect(); // a layout looks for the font
  return document.fonts.check(`1em "${font}"`) ? 0 : formulas.length;
};

const allSet = new Promise((resolve) => {
  window.formulasSet = () => {
    seen.formulas = performance.now();
    resolve();
  };
});

new PerformanceObserver((list) => {
  for (const shift of list.getEntries()) seen.shift += shift.value;
}).observe({ type: "layout-shift", buffered: true });

// Before each frame: how many formulas will it not show, though their places are there?
const watch = () => {
  seen.late = Math.max(seen.late, empty() || withoutFont());
  requestAnimationFrame(watch);
};
requestAnimationFrame(watch);

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
const loaded = new Promise((resolve) => addEventListener("load", resolve));

window.reading = async () => {
  await loaded;
  if (places().length) await allSet;
  await document.fonts.ready;
  await nextFrame();
  await nextFrame();
  const laidOut = performance.now();
  await new Promise((resolve) => setTimeout(resolve, LATE));
  const [navigation] = performance.getEntriesByType("navigation");
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  return {
    first_paint: paint.startTime,
    formulas: seen.formulas || navigation.domInteractive,
    late: seen.late,
    laid_out: laidOut,
    elements: document.getElementsByTagName("*").length,
    shift: seen.shift,
    wrong: empty() + document.querySelectorAll(FAULTY).length,
  };
};
