"""What to measure of a page in a browser: JavaScript functions that give what is wrong."""

OVERFLOW = """() => {
  const page = document.documentElement;
  const over = page.scrollWidth - page.clientWidth;
  return over > 0 ? [`the page is ${over} px wider than the window`] : [];
}"""

TEXT_OUTSIDE = """() => {
  const wide = document.documentElement.clientWidth;
  const scrolls = e => { for (; e; e = e.parentElement)
    if (['auto', 'scroll', 'hidden'].includes(getComputedStyle(e).overflowX) && e !== document.body
        && e !== document.documentElement) return true;
    return false; };
  return [...document.querySelectorAll('.md-content *')]
    .filter(e => e.getBoundingClientRect().right > wide + 1 && !scrolls(e) && e.innerText)
    .map(e => `outside of the window: ${e.tagName} ${e.innerText.slice(0, 40)}`);
}"""

# Pieces of text: each line of each text node; a formula as a whole; a label of a picture. Each is
# cut to what its scrolling boxes show. Those of one element and of its ancestors are not compared,
# and labels that stick to the edge of a box are there to cover what scrolls.
OVERLAPS = """() => {
  const MOST = 3, found = [];
  const cut = (box, e) => {
    let {left, top, right, bottom} = box;
    for (; e && e !== document.body; e = e.parentElement) {
      const style = getComputedStyle(e);
      if (style.position === 'sticky') return {left, top, right: left, bottom: top};
      if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
      const by = e.getBoundingClientRect();
      left = Math.max(left, by.left); right = Math.min(right, by.right);
      top = Math.max(top, by.top); bottom = Math.min(bottom, by.bottom);
    }
    return {left, top, right, bottom};
  };
  const pieces = [];
  const add = (e, boxes, text) => {
    if (!e.checkVisibility({opacityProperty: true, visibilityProperty: true})) return;
    for (const box of boxes) {
      const seen = cut(box, e);
      if (seen.right - seen.left > MOST && seen.bottom - seen.top > MOST)
        pieces.push({e, text, ...seen});
    }
  };
  const content = document.querySelector('.md-content');
  for (const e of content.querySelectorAll('math, svg text'))
    if (!e.parentElement.closest('math')) add(e, [e.getBoundingClientRect()], e.textContent);
  const texts = document.createTreeWalker(content, NodeFilter.SHOW_TEXT);
  for (let node; node = texts.nextNode();) {
    if (!node.data.trim() || node.parentElement.closest('math, svg')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    add(node.parentElement, range.getClientRects(), node.data.trim());
  }
  pieces.sort((a, b) => a.top - b.top);
  pieces.forEach((a, i) => {
    for (const b of pieces.slice(i + 1)) {
      if (b.top > a.bottom - MOST) break;
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - b.top;
      if (across > MOST && down > MOST && !a.e.contains(b.e) && !b.e.contains(a.e))
        found.push(`"${a.text.slice(0, 30)}" overlaps "${b.text.slice(0, 30)}"`);
    }
  });
  return found;
}"""

HIDDEN = """() => [...document.querySelectorAll('.md-content :is(p, li, h1, h2, h3, td, th, math)')]
  .filter(e => !e.closest('.card, .unseen, .scripted, [hidden], details:not([open])')
               && !e.closest('.on-paper, .step-tag')
               && e.textContent.trim()
               && !e.checkVisibility({opacityProperty: true, visibilityProperty: true}))
  .map(e => `hidden: ${e.textContent.slice(0, 40)}`)"""

# What the keyboard reaches must be seen: a link in a head that a narrow window clips away is not.
UNSEEN_LINKS = """() => [...document.querySelectorAll('.md-content :is(a[href], button, summary)')]
  .filter(e => { if (!e.checkVisibility({visibilityProperty: true})) return false;
    for (let up = e; up; up = up.parentElement)
      if (getComputedStyle(up).clipPath !== 'none') return true;
    return false; })
  .map(e => `reached, but not seen: ${e.textContent.slice(0, 40)}`)"""

FONT = """async () => {
  await document.fonts.ready;
  const missing = document.querySelector('math') && [...document.fonts].some(
    font => font.family.includes('STIX Two Math') && font.status !== 'loaded');
  return missing ? ['the font of the formulas is not there'] : [];
}"""

FORMULAS = """() => {
  const parts = {msub: 2, msup: 2, msubsup: 3, mfrac: 2, mroot: 2, munder: 2, mover: 2,
                 munderover: 3};
  return Object.entries(parts).flatMap(([name, count]) =>
    [...document.querySelectorAll(name)].filter(e => e.children.length !== count)
      .map(e => `a <${name}> of ${e.children.length} parts: ${e.textContent.slice(0, 40)}`));
}"""
