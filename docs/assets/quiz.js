// Marks the quiz: a button checks the choice of a question, says in words whether it is right and
// why, and keeps the score of first tries. Without scripts the folded explanations are there to read.
"use strict";

for (const quiz of document.querySelectorAll(".quiz")) {
  const questions = [...quiz.querySelectorAll(".quiz-question")];
  const score = quiz.querySelector(".quiz-score");
  const first = new Map(); // question -> was the first try right?

  const button = (kind, words, press) => {
    const made = document.createElement("button");
    made.type = "button";
    made.className = kind;
    made.textContent = words;
    made.addEventListener("click", press);
    return made;
  };

  const say = words => { score.textContent = words; };

  const told = () => {
    const right = [...first.values()].filter(Boolean).length;
    return `Score so far: ${right} of ${first.size}, by first tries. `
      + `There are ${questions.length} questions.`;
  };

  function check(question) {
    const chosen = question.querySelector("input:checked");
    if (!chosen) return verdict(question, "wrong", "Choose an answer first.");
    const answer = question.querySelector(`[data-choice="${chosen.value}"]`);
    const right = answer.hasAttribute("data-right");
    if (!first.has(question)) first.set(question, right);
    verdict(question, right ? "right" : "wrong", ...copies(answer.querySelector(".quiz-why")));
    say(`${right ? "Right." : "Not right."} ${told()}`);
  }

  const copies = from => [...from.childNodes].map(node => node.cloneNode(true));

  function verdict(question, kind, ...said) {
    const box = question.querySelector(".quiz-verdict");
    box.className = `quiz-verdict ${kind}`;
    box.replaceChildren(...said);
    box.hidden = false;
  }

  function clear(question) {
    question.querySelector(".quiz-verdict").hidden = true;
    question.querySelector(".quiz-verdict").replaceChildren();
  }

  function reset() {
    first.clear();
    for (const question of questions) {
      clear(question);
      for (const input of question.querySelectorAll("input")) input.checked = false;
      question.querySelector(".quiz-answers").open = false;
    }
    say("The quiz starts again.");
    questions[0].querySelector("input").focus();
  }

  for (const question of questions) {
    const press = button("quiz-check", "Check", () => check(question));
    press.setAttribute("aria-describedby", `${question.id}-number`);
    question.querySelector(".quiz-choices").after(press);
    question.addEventListener("change", () => clear(question));
    question.addEventListener("keydown", event => {
      if (event.key === "Enter" && event.target.matches("input")) check(question);
    });
  }
  score.after(button("quiz-again", "Start again", reset));
}
