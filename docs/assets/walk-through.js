// Shows the scenes of a walk-through one at a time, by step or in play. Without scripts, and where
// less motion is asked for, they stand one below the other. Nothing moves before Play.
"use strict";

{
  const BEAT = 800, WORD = 280, LEAST = 3000; // milliseconds: of a beat, for a word, of a scene
  const SPEEDS = { slow: 0.6, normal: 1, fast: 2 };
  const less = matchMedia("(prefers-reduced-motion: reduce)");

  function start(root) {
    const scenes = [...root.querySelectorAll(".scene")];
    const button = Object.fromEntries(
      [...root.querySelectorAll("[data-do]")].map(one => [one.dataset.do, one]));
    const speed = root.querySelector("select"), position = root.querySelector(".position");
    let at = 0, all = false, playing = false, ended = false;
    let timer, began, left = 0; // of the scene that plays: its timer, since when, how long still

    const still = () => all || less.matches;
    const pace = () => SPEEDS[speed.value];
    const mark = (name, on) => root.classList.toggle(name, on);

    // How long a scene stays: as long as its parts need to come in and its caption to be read.
    function length(scene) {
      const words = scene.querySelector("figcaption").innerText.trim().split(/\s+/).length;
      return Math.max(LEAST, (Number(scene.dataset.beats) + 1) * BEAT + words * WORD);
    }

    function show(n) {
      at = n;
      const focused = scenes.find(scene => scene.contains(document.activeElement));
      if (focused && focused !== scenes[at]) root.focus({ preventScroll: true });
      scenes.forEach((scene, i) => scene.classList.toggle("current", i === at));
      button.previous.setAttribute("aria-disabled", at === 0);
      button.next.setAttribute("aria-disabled", at === scenes.length - 1);
      say("");
    }

    function say(more) {
      const name = scenes[at].querySelector(".scene-name").textContent;
      position.textContent = `Step ${at + 1} of ${scenes.length}: ${name}${more}`;
    }

    function wait(time) {
      clearTimeout(timer);
      [began, left] = [performance.now(), time];
      timer = setTimeout(onward, left / pace());
    }

    function onward() {
      if (at === scenes.length - 1) return end();
      show(at + 1);
      wait(length(scenes[at]));
    }

    function end() {
      stop();
      ended = true;
      say(". That was the last step.");
    }

    function play() {
      if (less.matches) return;
      if (all) together(false);
      if (ended) show(0);
      ended = false;
      playing = true;
      mark("moving", true);
      mark("held", false);
      button.play.textContent = "Pause";
      if (scenes[at].getBoundingClientRect().bottom > innerHeight) root.scrollIntoView();
      wait(left || length(scenes[at]));
    }

    function pause() {
      clearTimeout(timer);
      left = Math.max(1, left - (performance.now() - began) * pace());
      playing = false;
      mark("held", true);
      button.play.textContent = "Play";
    }

    // No scene plays: the one that is shown is complete.
    function stop() {
      clearTimeout(timer);
      left = 0;
      playing = false;
      mark("moving", false);
      mark("held", false);
      button.play.textContent = "Play";
    }

    function step(n) {
      if (n < 0 || n >= scenes.length) return;
      ended = false;
      if (!playing) stop();
      show(n);
      if (playing) wait(length(scenes[at]));
      if (still()) scenes[at].scrollIntoView();
    }

    function together(on) {
      all = on;
      if (on) stop();
      button.all.setAttribute("aria-pressed", on);
      mark("one", !on);
    }

    const does = {
      previous: () => step(at - 1),
      next: () => step(at + 1),
      play: () => playing ? pause() : play(),
      all: () => together(!all),
    };
    const keys = {
      ArrowLeft: does.previous,
      ArrowRight: does.next,
      Home: () => step(0),
      End: () => step(scenes.length - 1),
      " ": does.play,
    };

    // What uses a key itself keeps it: a button the space bar, a box that scrolls its arrows.
    function keeps(target, key) {
      if (key === " ") return target.closest("button, select");
      const box = target.closest("select, .scroller, .equation");
      return box?.matches("select") || box?.scrollWidth > box?.clientWidth;
    }

    root.addEventListener("click", event => does[event.target.closest("[data-do]")?.dataset.do]?.());
    root.addEventListener("keydown", event => {
      const plain = !(event.ctrlKey || event.altKey || event.metaKey || event.shiftKey);
      if (!plain || !keys[event.key] || keeps(event.target, event.key)) return;
      event.preventDefault();
      keys[event.key]();
    });
    let before = speed.value;
    speed.addEventListener("change", () => {
      const spent = (performance.now() - began) * SPEEDS[before];
      before = speed.value;
      for (const name of Object.keys(SPEEDS)) mark(name, name === speed.value);
      if (playing) wait(Math.max(1, left - spent));
    });
    less.addEventListener("change", stop);
    mark(speed.value, true);
  }

  document.querySelectorAll(".walk-through").forEach(start);
}
