document.addEventListener("click", (event) => {
  const hit = (name) => event.target.closest(`[data-${name}]`);
  const data = (name) => hit(name)?.dataset[name];
  if (data("step")) return go(Number(data("step")));
  if (data("go")) { $("table").scrollIntoView(); return go(Number(data("go"))); }
  if (data("choice")) {
    $("detail").close();
    const at = Number(data("choice"));
    // Without an answer it is the plan alone that is copied.
    return model.plan && at === chosen && event.target.closest("main") ? again() : choose(at);
  }
  if (data("ready")) return take(data("ready"));
  if (hit("chip") && event.target.closest("button")) return pick(hit("chip"));
  if (data("slot")) { active = Number(data("slot")); return renderSlots(); }
  if (data("add")) return add(data("add"));
  if (event.target.closest("#other")) return again();
  if (event.target.closest("#clear")) { for (const one of phrases) for (const part of one.parts) if (part.kind) part.values = []; return renderSlots(); }
  const card = hit("card");
  if (!card) return undefined;
  if (card.dataset.letter && tapCard(card.dataset.letter, card.dataset.card)) return undefined;
  if (card.dataset.plot && tapBuilding(card.dataset.seat, card.dataset.plot)) return undefined;
  return detail(card.dataset.card, card.dataset.seat, card.dataset.plot);
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, dialog[open]") || !model.steps) return;
  const to = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 1, End: model.steps }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  go(to);
});

$("tools").hidden = false;
nameCards();
$("language").addEventListener("change", (event) => speak(event.target.value));
$("theme").addEventListener("click", () => theme(1));
$("detail").addEventListener("click", (event) => { if (event.target === $("detail")) $("detail").close(); });
for (const box of document.querySelectorAll("#plan input")) box.addEventListener("change", renderBar);
if ($("copy")) $("copy").addEventListener("click", copy);
if (model.boards.length) {
  document.documentElement.classList.toggle("replayed", model.replayed);
  $("controls").hidden = false;
  $("first").addEventListener("click", () => go(1));
  $("previous").addEventListener("click", () => go(step - 1));
  $("next").addEventListener("click", () => go(step + 1));
  $("last").addEventListener("click", () => go(model.steps));
  $("run").addEventListener("click", () => run(!timer));
  $("slider").addEventListener("input", (event) => go(Number(event.target.value)));
  $("steps").scrollTop = $("steps").scrollHeight;
  tell();
}
