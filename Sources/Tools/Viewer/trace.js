"use strict";

// The page of `b2c policy trace --html`: one sign-in at a policy, step by step, with the XML that each step comes from.

const { block, eventText, hasFailed, journeyView, journeysOf, keys, lazyFold, make, pagesView, sequence, shown, stepName, twoSides } = records;
const data = JSON.parse(document.getElementById("data").textContent);
const { outcome, sources } = data;
const main = document.getElementById("main");
const { requests = [], pages = [], messages = [], events = [] } = outcome;
const { journeys, unfinished } = journeysOf(outcome);
const isOpen = unfinished.items.length > 0 || unfinished.pages.length > 0;
// A log has no requests, and of pages their names alone.
const isWaiting = isOpen && !requests.length;

/** Every step as a link, in the order in which it happened. */
function contents() {
  const links = journeys.flatMap((journey, place) => [
    make("li", { class: "soft" }, journey.name),
    ...journey.steps.map((step, index) => {
      const [tint, word] = hasFailed(step) ? ["bad", "failed"] : step.ran ? ["good", "ran"] : ["soft", "skipped"];
      return make("li", {}, make("a", { href: `#step-${place}.${index}` }, stepName(step)), " ", make("span", { class: tint }, word));
    }),
  ]);
  if (isOpen) links.push(make("li", {}, make("a", { href: "#step-open" }, "not finished"), " ", make("span", { class: "bad" }, "stopped here")));
  return make("nav", { "aria-label": "Steps", class: "contents" }, make("h2", {}, "Steps"), make("ol", {}, links));
}

/** The journeys of the policy as they are drawn, with what this sign-in did in colour; a step that was met is a link. */
function graph() {
  if (!data.drawing) return null;
  const drawing = document.importNode(new DOMParser().parseFromString(data.drawing, "image/svg+xml").documentElement, true);
  const met = new Map(journeys.flatMap((journey, place) => journey.steps.map((step, index) => [`${journey.name} ${step.number}`.toLowerCase(), { step, at: `#step-${place}.${index}` }])));
  for (const group of drawing.querySelectorAll("g[data-step]")) {
    const found = met.get(`${group.dataset.journey} ${group.dataset.step}`.toLowerCase());
    group.classList.add(found === undefined ? "unmet" : found.step.ran ? "ran" : "passed");
    if (found === undefined) continue;
    const link = document.createElementNS("http://www.w3.org/2000/svg", "a");
    link.setAttribute("href", found.at);
    link.setAttribute("aria-label", `${group.dataset.journey}, step ${group.dataset.step}: ${found.step.ran ? "ran" : "skipped"}`);
    group.replaceWith(link);
    link.append(group);
  }
  // Links and their names are there for everybody; the drawing as one picture would hide them.
  drawing.removeAttribute("role");
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = ".ran rect{stroke-width:3;stroke:#2f8043}.passed rect{fill:#f0f1f3;stroke:#8a5300;stroke-width:2}.unmet{opacity:.45}a{cursor:pointer}a:focus-visible rect{stroke:#0550ae;stroke-width:4}";
  drawing.append(style);
  const width = Number(drawing.getAttribute("width"));
  const box = make("div", { class: "drawing", tabindex: "0", role: "region", "aria-label": "The journeys of the policy" });
  // The style of the drawing stays in the drawing.
  const frame = make("div");
  frame.attachShadow({ mode: "open" }).append(drawing);
  box.append(frame);
  const size = make("button", { type: "button", "aria-pressed": "false" }, "Full size");
  const show = (isFull) => {
    drawing.setAttribute("style", isFull ? `width:${width}px;height:auto` : "width:100%;height:auto");
    size.setAttribute("aria-pressed", String(isFull));
  };
  size.addEventListener("click", () => show(size.getAttribute("aria-pressed") !== "true"));
  show(false);
  return make("section", {}, make("h2", {}, "The journeys of the policy"),
    make("p", { class: "soft" }, "Green: ran. Grey: skipped. Pale: not reached by this sign-in."), size, box);
}

function token() {
  if (!data.token) return null;
  return make("section", {}, make("h2", {}, "Claims of the token"), block(shown(data.token)));
}

/** Where the log of a session and the simulator differ first, above everything else. */
function differenceView() {
  if (!data.difference) return null;
  const { message, log, simulator, relation, file, line, stepsBefore } = data.difference;
  const step = journeys.flatMap((journey, place) => journey.steps.map((_, index) => `#step-${place}.${index}`))[stepsBefore];
  return make("section", { class: "why", id: "difference", "aria-label": "First difference" }, make("h2", {}, "First difference to the simulator"),
    make("p", {}, message, file ? [" \u00b7 ", make("code", {}, [file, line].filter(Boolean).join(":"))] : null, step ? [" \u00b7 ", make("a", { href: step }, "show the step")] : null),
    twoSides(log ?? "nothing", simulator ?? "nothing", ["in the log        ", "in the simulator  "]), relation ? make("p", { class: "soft" }, relation) : null);
}

function fill() {
  document.title = data.title;
  document.getElementById("title").append(data.title);
  document.getElementById("facts").append(
    make("strong", { class: data.failure ? "bad" : isWaiting ? "warn" : "good" }, data.failure ? "no token" : isWaiting ? "not finished" : "token issued"),
    data.facts.map(([name, value]) => ` \u00b7 ${name}: ${value}`).join(""), ` \u00b7 b2c ${data.version}`);
  document.getElementById("share").remove();
  main.append(...[
    differenceView(),
    data.failure ? make("p", { class: "bad", id: "failure" }, data.failure) : null,
    make("div", { class: "columns" }, contents(), make("div", {},
      make("section", {}, make("h2", {}, "What the policy did"), journeyView(outcome, { sources, id: "step-", level: 3 })), token())),
    graph(),
    requests.length ? make("section", {}, make("h2", {}, "On the wire"), sequence(requests, { pages, messages })) : null,
    pages.length && requests.length ? make("section", {}, make("h2", {}, "Pages"), pagesView(pages, requests, 3)) : null,
    messages.length ? lazyFold(`Messages: ${messages.length}`, () => messages.map((message) => block(shown(message)))) : null,
    events.length ? lazyFold(`Events: ${events.length}`, () => block(events.map(eventText).join("\n"))) : null,
  ].filter(Boolean));
}

/** The next or previous step of the journeys. */
function walk(move) {
  const steps = [...document.querySelectorAll(".journeys [tabindex]")].filter((element) => element.id);
  const place = steps.findIndex((element) => `#${element.id}` === location.hash);
  const next = steps[place < 0 ? Math.max(move, 1) - 1 : place + move];
  if (next) location.hash = next.id;
}

/** The next or previous step in which something failed. */
function walkFailed(move) {
  const steps = [...document.querySelectorAll(".journeys [tabindex]")].filter((element) => element.id);
  const place = steps.findIndex((element) => `#${element.id}` === location.hash);
  const bad = steps.map((_, index) => index).filter((index) => steps[index].matches(".failed, [id$=open]"));
  const next = move > 0 ? bad.find((index) => index > place) : bad.findLast((index) => index < place);
  if (next === undefined) walk(move);
  else location.hash = steps[next].id;
}

addEventListener("hashchange", () => document.getElementById(location.hash.slice(1))?.focus({ preventScroll: true }));
fill();
document.getElementById("facts").append(" \u00b7 ", keys([
  { key: "n", text: "next step that failed, else the next step", act: () => walkFailed(1) },
  { key: "p", text: "previous step that failed, else the previous step", act: () => walkFailed(-1) },
  { key: "j", text: "next step", act: () => walk(1) },
  { key: "k", text: "previous step", act: () => walk(-1) },
]));
document.getElementById(location.hash.slice(1))?.scrollIntoView();
