// Walks through the slides by keys and buttons, shows the notes, and makes what is too large for a
// slide smaller. Without it the slides stand one below the other, each with its notes.
"use strict";

const root = document.documentElement;
root.classList.add("js");
const BOXES = ".equation, .place, .body, .notes"; // they scroll where they are too small
// How a step may stand on its slide: the size of its letters, and the matrices beside the number that
// is worked out, above it, or that of the step alone, until all of it is seen.
const WAYS = [...[100, 90, 80, 70, 65].flatMap(size => [[size, "abreast"], [size, "stacked"]]),
  ...[100, 90, 80, 70, 60, 50].map(size => [size, "alone"])];
const ON = ["ArrowRight", "ArrowDown", "PageDown", " "], BACK = ["ArrowLeft", "ArrowUp", "PageUp"];

const ROUNDED = 6; // pixels: boxes are a little wider than what is in them, or the other way round
const isWide = box => box.scrollWidth > box.clientWidth + ROUNDED;
const scrolls = box => isWide(box) || box.scrollHeight > box.clientHeight + ROUNDED;
const all = (what, where = document) => [...where.querySelectorAll(what)];

// All are set before any is measured: in turn, each would have the file laid out anew.
function fit() {
  fitted = true;
  root.classList.add("measured");
  let left = all(".body");
  for (const [size, way] of WAYS) {
    for (const body of left) {
      body.className = `body ${way}`;
      body.style.setProperty("--fit", size / 100);
    }
    left = left.filter(body => scrolls(body) || all(".equation, .place", body).some(isWide));
    if (!left.length) break;
  }
  for (const body of all(".body")) body.classList.toggle("fits", !left.includes(body));
  root.classList.remove("measured");
}

// The tab key stops at a box only while it scrolls, be it by a pixel.
const moves = box => box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
function stops() {
  const found = all(BOXES).map(box => [box, moves(box)]);
  found.forEach(([box, is]) => { box.tabIndex = is ? 0 : -1; });
}

// What fits once fits in every window: a slide is as large as the window is.
let fitted = false;
function resized() {
  if (!fitted && !flows()) fit();
  stops();
}

const flows = () => getComputedStyle(root).scrollSnapType === "none"; // one below the other

function start() {
  const slides = all(".slide"), count = document.querySelector(".count");
  const notes = document.querySelector(".notes-too");
  let here = 0;

  // The slide that is seen: the controls say which it is, and so does the address.
  function arrive(n) {
    here = n;
    count.textContent = `${n + 1} / ${slides.length}`;
    const inside = slides[n].contains(document.getElementById(location.hash.slice(1)));
    if (!inside && (n || location.hash)) history.replaceState(null, "", `#${slides[n].id}`);
  }

  function go(n) {
    const to = slides[Math.max(0, Math.min(slides.length - 1, n))];
    to.scrollIntoView({ block: "start", behavior: "instant" });
    to.focus({ preventScroll: true });
    arrive(slides.indexOf(to));
  }

  function toggle() {
    notes.ariaPressed = root.classList.toggle("with-notes");
    slides[here].scrollIntoView({ block: "start", behavior: "instant" });
    stops();
  }
  const own = event => event.target.closest?.("a, button") && event.key === " "
    || event.key.startsWith("Arrow") && event.target.matches?.(BOXES)
    || flows() && ["ArrowUp", "ArrowDown", " "].includes(event.key);

  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.altKey || event.metaKey || own(event)) return;
    if (event.key.toLowerCase() === "n") toggle();
    else if (event.key === "Home") go(0);
    else if (event.key === "End") go(slides.length - 1);
    else if (BACK.includes(event.key) || event.key === " " && event.shiftKey) go(here - 1);
    else if (ON.includes(event.key)) go(here + 1);
    else return;
    event.preventDefault();
  });
  document.querySelector(".back").addEventListener("click", () => go(here - 1));
  document.querySelector(".on").addEventListener("click", () => go(here + 1));
  notes.addEventListener("click", toggle);

  // The slide in the middle of the window is the one that is seen.
  const seen = new IntersectionObserver(entries => entries.filter(entry => entry.isIntersecting)
    .forEach(entry => arrive(slides.indexOf(entry.target))), { rootMargin: "-50% 0px -50% 0px" });
  slides.forEach(slide => seen.observe(slide));
  document.fonts.ready.then(resized);
  addEventListener("resize", resized);
  addEventListener("beforeprint", fit);
}

document.addEventListener("DOMContentLoaded", start);
