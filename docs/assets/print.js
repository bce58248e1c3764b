// Before a page is printed, tells print.css how wide each box would like to be, in em of its own, so
// that paper can shrink what is too wide. Without scripts the browser shrinks the whole page.
"use strict";

const FORMULAS = ".equation math, .entries td math";
const TABLES = ".table:not(.entries) > table, .place";

// In em; a box far away, which the browser has not laid out, is laid out for this.
const ems = box => box.getBoundingClientRect().width / (box.currentCSSZoom ?? 1) / parseFloat(getComputedStyle(box).fontSize);
const widest = boxes => Math.max(0, ...[...boxes].map(box => Number(box.style.getPropertyValue("--wide"))));

function measure() {
  document.documentElement.classList.add("measured");
  const found = [...document.querySelectorAll(`${FORMULAS}, ${TABLES}`)].map(box => [box, ems(box)]);
  document.documentElement.classList.remove("measured");
  for (const [box, wide] of found) box.style.setProperty("--wide", wide.toFixed(2));
  for (const table of document.querySelectorAll(".entries > table")) {
    const columns = [...table.querySelectorAll(".entry")].map(entry => Number(entry.id.match(/c(\d+)$/)?.[1]));
    const most = Math.max(1, ...columns);
    table.style.setProperty("--columns", most > 1 ? most : 3); // a column may be told side by side
    table.style.setProperty("--wide", widest(table.querySelectorAll("math")));
  }
  for (const cards of document.querySelectorAll(".cards, .workings"))
    cards.style.setProperty("--wide", widest(cards.querySelectorAll("math")));
  for (const sides of document.querySelectorAll(".sides"))
    sides.style.setProperty("--wide", widest(sides.querySelectorAll("table")));
}

addEventListener("beforeprint", measure);
