// On the page of a tag: buttons that copy, as LaTeX, a row of the matrix and each entry.
"use strict";

function offer(label, named, latex) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "md-button copy";
  button.textContent = "LaTeX";
  button.setAttribute("aria-label", `Copy the LaTeX of ${named.replace(/\s*#\s*$/, "").trim()}`);
  button.dataset.copied = latex;
  label.append(button);
}

for (const row of document.querySelectorAll(".entries tbody tr")) {
  const label = row.querySelector("th, td");
  offer(label, label.textContent, [...row.querySelectorAll("annotation")].map(one => one.textContent).join(" "));
}

// A row's decimals are those of the whole matrix, which stands on the page to be copied.
for (const label of document.querySelectorAll(".matrix .row")) {
  const [prefix, number] = label.id.split(/r(?=\d+$)/);
  const whole = document.getElementById(`${prefix}matrix-latex`)?.textContent;
  const row = whole?.match(/\\begin\{bmatrix\}(.*)\\end\{bmatrix\}/s)[1].split("\\\\")[number - 1];
  if (row) offer(label, `the row of ${label.textContent}`, `\\begin{bmatrix} ${row.trim()} \\end{bmatrix}`);
}
