// On the page of a tag: a button in each row of entries, which copies its LaTeX.
"use strict";

for (const row of document.querySelectorAll(".entries tbody tr")) {
  const label = row.querySelector("th, td"), button = document.createElement("button");
  button.type = "button";
  button.className = "md-button copy";
  button.textContent = "LaTeX";
  button.setAttribute("aria-label", `Copy the LaTeX of ${label.textContent.trim()}`);
  button.dataset.copied = [...row.querySelectorAll("annotation")].map(one => one.textContent).join(" ");
  label.append(button);
}
