// What the pages do beyond their links: light what a number was made of, show its short form where
// it stands, and take boxes that do not scroll out of the tab order. Without scripts the links walk.
"use strict";

const LIT = "lit", AT = "at";
const pages = new Map();
const short = document.createElement("div");
let asked = null;

// Lights, in the place of a step, the number whose card is shown and the numbers it was made of.
function light() {
  const here = document.getElementById(location.hash.slice(1));
  for (const step of document.querySelectorAll(".worked")) {
    const card = step.contains(here) && here.matches(".card") ? here : step.querySelector(".card.story");
    const made = new Set(card?.querySelector(".from").dataset.refs.split(" "));
    for (const number of step.querySelectorAll(".place [data-ref]")) {
      number.classList.toggle(LIT, made.has(number.dataset.ref));
      number.classList.toggle(AT, number.dataset.ref === card?.id);
    }
  }
}

// A box is a stop for the tab key only while it scrolls; it fades where more of it follows.
const BOXES = ".equation, .table, .place, .typed, .scroller";
const more = box => box.scrollWidth - box.clientWidth - box.scrollLeft > 2;

// What is to be known of a box; nothing while it has no size.
function measured(box) {
  if (!box.firstElementChild?.checkVisibility({ contentVisibilityAuto: true })) return [];
  const scrolls = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight + 1;
  return [{ box, scrolls, more: more(box) }];
}

function mark(found) {
  found.box.tabIndex = found.scrolls ? 0 : -1;
  found.box.classList.toggle("more", found.more);
}

// All are measured before any is marked: in turn, each mark would have the page laid out anew.
const stops = boxes => boxes.flatMap(measured).forEach(mark);
const allStops = () => stops([...document.querySelectorAll(BOXES)]);

// The page that a link leads to: this one, or another of this site.
const addressOf = link => new URL(link.getAttribute("href"), location); // of SVG, too
function pageOf(link) {
  const url = addressOf(link);
  if (url.pathname === location.pathname) return Promise.resolve(document);
  if (location.protocol === "file:") return Promise.resolve(null); // browsers do not fetch from a disk
  if (!pages.has(url.pathname))
    pages.set(url.pathname, fetch(url.pathname).then(answer => answer.text())
      .then(text => new DOMParser().parseFromString(text, "text/html")).catch(() => null));
  return pages.get(url.pathname);
}

// The name and the forms of the number that a link leads to; nothing where it has no card.
async function formsOf(link) {
  const card = (await pageOf(link))?.getElementById(addressOf(link).hash.slice(1));
  if (!card?.matches(".card")) return [];
  const name = document.createElement("p");
  name.className = "card-name";
  name.append(...[...card.querySelector(".card-name a").childNodes].map(node => document.importNode(node, true)));
  return [name, document.importNode(card.querySelector("math"), true)];
}

// Shows, beside what was pointed at, the forms of a number or the definition of a term.
async function show(link, pointed) {
  asked = link;
  const shown = link.matches(".term") ? [link.dataset.definition] : await formsOf(link);
  if (asked !== link || !shown.length) return;
  short.replaceChildren(...shown);
  short.hidden = false;
  link.setAttribute("aria-describedby", short.id);
  put(pointed.getBoundingClientRect());
}

// Below the link, or above it where there is no room below; never beyond the window.
function put(at) {
  const below = at.bottom + 8, height = short.offsetHeight;
  const top = below + height < innerHeight ? below : at.top - height - 8;
  short.style.top = `${Math.max(8, top)}px`;
  short.style.left = `${Math.max(8, Math.min(at.left, innerWidth - short.offsetWidth - 12))}px`;
}

function hide() {
  asked?.removeAttribute("aria-describedby");
  asked = null;
  short.hidden = true;
}

// What is pointed at: the link of a number or a term, or an entry of a matrix in a formula. Such an
// entry is no link, since what reads a page aloud takes a formula as one thing; it leads where the
// link of the same number on the page does.
const numberAt = event => event.target.closest?.("a.number, a.term, math [data-ref]");
const linkOf = number => number?.matches("a") ? number
  : number && document.querySelector(`a.number[data-ref="${number.dataset.ref}"]`);
let wait;
function enter(event) {
  const number = numberAt(event), link = linkOf(number);
  if (!link) return; // what was left may still be hidden
  clearTimeout(wait);
  wait = setTimeout(show, event.type === "focusin" ? 0 : 200, link, number);
}

function click(event) {
  hide();
  const number = numberAt(event);
  if (number?.matches("math *"))
    linkOf(number)?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
}

function leave(event) {
  if (!numberAt(event)) return;
  clearTimeout(wait);
  wait = setTimeout(hide, 150);
}

// A button copies the text of what it names, and says so for a while, to the ear too.
async function copy(event) {
  const button = event.target.closest?.("button.copy");
  if (!button || button.dataset.label) return;
  const { copied, copy } = button.dataset, text = copied ?? document.getElementById(copy).textContent;
  const done = await written(text, button);
  button.dataset.label = button.textContent;
  button.textContent = status.textContent = done ? "Copied" : "Not copied: select it by hand";
  setTimeout(() => {
    button.textContent = button.dataset.label;
    delete button.dataset.label;
    status.textContent = "";
  }, done ? 1500 : 6000);
}

// Where a page may not write to the clipboard (it is not everywhere let), the older way: from a
// field with the text in it. Where that fails too, the field stays, selected, to be copied by hand.
async function written(text, button) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    field.className = "by-hand-field";
    field.setAttribute("aria-label", "To be copied by hand");
    button.after(field);
    field.select();
    const done = document.execCommand("copy");
    if (done) {
      field.remove();
      button.focus();
    } else field.addEventListener("blur", () => field.remove());
    return done;
  }
}

const status = document.createElement("p");
status.className = "unseen";
status.setAttribute("role", "status");
document.body.append(status);


short.id = "short";
short.className = "short md-typeset";
short.setAttribute("role", "tooltip");
short.hidden = true;
document.body.append(short);
short.addEventListener("mouseenter", () => clearTimeout(wait));
short.addEventListener("mouseleave", hide);
for (const kind of ["mouseover", "focusin"]) document.addEventListener(kind, enter);
for (const kind of ["mouseout", "focusout"]) document.addEventListener(kind, leave);
document.addEventListener("keydown", event => { if (event.key === "Escape") hide(); });
document.addEventListener("click", click);
document.addEventListener("click", copy);
addEventListener("hashchange", () => { light(); allStops(); });
addEventListener("resize", allStops);
document.addEventListener("scroll", event => event.target.matches?.(BOXES) && event.target.classList.toggle("more", more(event.target)), true);
addEventListener("load", allStops);
// A folded box has no size before it is opened, and one far away none before it comes near
// (content-visibility in site.css).
document.addEventListener("toggle", event => stops([...event.target.querySelectorAll(BOXES)]), true);
document.addEventListener("contentvisibilityautostatechange", event => stops([event.target]), true);
light();
