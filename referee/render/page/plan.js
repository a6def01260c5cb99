// Composing a plan. An offer is one subject with what can be wished for; what is tapped first counts
// first, and of its ends there is one at most. What a clause means is for the program to say.
const picked = new Map();
let ready = "";

const offers = [...document.querySelectorAll("[data-subject]")];
const kindOf = (chip) => ["name", "wish", "end"].find((kind) => kind in chip.dataset);
const taken = (offer, kind) => (picked.get(offer) || []).filter((chip) => kindOf(chip) === kind);

// The wishes of an offer, each with the names that follow its word.
function wishes(offer, said) {
  const names = taken(offer, "name").map((chip) => said(chip, "name"));
  const whole = [...taken(offer, "wish"), ...taken(offer, "end")].map((chip) => said(chip, kindOf(chip)));
  return [...(names.length ? [names] : []), ...whole.map((one) => [one])];
}

function clauses() {
  const made = offers.filter((offer) => picked.has(offer)).map((offer) => {
    const row = wishes(offer, (chip, kind) => chip.dataset[kind]);
    if (taken(offer, "name").length && offer.dataset.word) row[0].unshift(offer.dataset.word);
    return `${offer.dataset.subject}: ${row.map((one) => one.join(" ")).join(", else ")}`;
  });
  const found = ready === "suggest" ? model.plan.suggested : made;
  return $("plan-always").checked ? found.map((one) => (one.startsWith("always ") ? one : `always ${one}`)) : found;
}

function planSaid() {
  if (ready) return t(`plan-${ready}`);
  return offers.filter((offer) => picked.has(offer)).map((offer) => {
    const row = wishes(offer, (chip) => chip.textContent).map((one) => one.join(", "));
    return `${offer.querySelector("h3").textContent}: ${row.join(t("plan-else"))}`;
  }).join(" · ");
}

function pick(chip) {
  const offer = chip.closest("[data-subject]");
  const before = picked.get(offer) || [];
  const left = before.filter((one) => one !== chip && !(kindOf(chip) === "end" && kindOf(one) === "end"));
  const now = before.includes(chip) ? left : [...left, chip];
  if (now.length) picked.set(offer, now);
  else picked.delete(offer);
  ready = "";
  renderPlan();
}

// A plan that is made already takes the place of what was tapped.
function take(name) {
  ready = ready === name ? "" : name;
  picked.clear();
  if (ready === "withdraw" && chosen >= 0) again();
  renderPlan();
}

function renderPlan() {
  for (const offer of offers) {
    const names = taken(offer, "name");
    for (const chip of offer.querySelectorAll(".chip")) {
      chip.setAttribute("aria-pressed", `${(picked.get(offer) || []).includes(chip)}`);
      chip.dataset.order = names.length > 1 && names.includes(chip) ? names.indexOf(chip) + 1 : "";
    }
  }
  for (const chip of document.querySelectorAll("[data-ready]")) chip.setAttribute("aria-pressed", `${chip.dataset.ready === ready}`);
  renderBar();
}

// The words of a plan as arguments: no clause has a character that a shell would read.
const quoted = (clause) => `'${clause.replace(/[^a-z0-9 ,:-]/g, "")}'`;

const keeps = () => Boolean($("plan-keep") && $("plan-keep").checked && ready !== "withdraw");

// The program around a framed page reads these words again, shows what they mean, and signs.
function handOver(plan) {
  const withdraw = chosen < 0 && ready === "withdraw";
  parent.postMessage({ answer: chosen < 0 ? null : answer, plan: withdraw ? [] : plan, keep: keeps(), withdraw, begun: chosen >= 0 }, "*");
}

// What is to be copied: an answer, a plan, or both in one.
function renderBar() {
  const plan = model.plan ? clauses() : [];
  const more = model.more ? [model.more] : [];
  complete = "";
  if (chosen >= 0) {
    if (answer) complete = [model.command, ...flags(answer), ...plan.flatMap((one) => ["--then", quoted(one)]), ...more].join(" ");
  } else if (plan.length || ready === "withdraw") {
    const kept = keeps() ? ["--add"] : [];
    complete = [model.plan.command, ...(ready === "withdraw" ? ["--withdraw"] : plan.map(quoted)), ...kept, ...more].join(" ");
  }
  const said = [chosen < 0 ? "" : answerSaid, model.plan ? planSaid() : ""].filter(Boolean);
  $("chosen").textContent = said.join(" · ") || t(model.choices.length ? "choose" : model.framed ? "plan-tap" : "plan-choose");
  $("chosen").classList.toggle("idle", !said.length);
  $("missing").textContent = lacking;
  if (model.framed) return handOver(plan);
  $("command").textContent = complete || `${model.choices.length ? model.command : model.plan.command} …`;
  $("copy").disabled = !complete;
  $("copy").textContent = t("copy");
  return undefined;
}
