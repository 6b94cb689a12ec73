"use strict";

// A session of a person with the extension and the built `b2c lsp`; vscode.py starts it. WORKSPACE is a copy of shipped
// scenarios, EXTENSION the unpacked package, B2C the program.

const assert = require("node:assert/strict");
const path = require("node:path");
const { after, before, test } = require("node:test");

const vscode = require("../../packaging/vscode/tests/vscode");
const { editor } = vscode;
const { B2C, WORKSPACE, EXTENSION } = process.env;
const extension = require(EXTENSION);

/** Seconds to wait on any machine and beside any load. */
const PATIENCE = 120;
const none = new vscode.CancellationTokenSource().token;
const file = (name) => path.join(WORKSPACE, name);

async function until(find, what) {
  for (const end = Date.now() + PATIENCE * 1000; Date.now() < end;) {
    const found = await find();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`waited ${PATIENCE} s for ${what}; the server wrote:\n${editor.outputs.B2C}\n${JSON.stringify(editor.messages)}`);
}

let policy;
let script;

before(async () => {
  editor.settings["b2c.path"] = B2C;
  editor.openFolder(WORKSPACE);
  await extension.activate();
  assert.equal(editor.providers.hover, undefined, "no server before a file of B2C is opened");
  policy = editor.open(file("policies/Loyalty.xml"));
  await until(() => editor.providers.hover?.length === 1, "the server");
});

after(() => extension.deactivate());

/** Code actions at a range, as the menu of the light bulb has them. */
const actions = (document, range) => editor.ask(
  "codeActions", "provideCodeActions", document, range,
  {
    triggerKind: 1,
    diagnostics: editor.diagnostics(document).filter((one) => one.range.start.line <= range.end.line && range.start.line <= one.range.end.line),
  }, none);

test("a misspelt claim is found in its place, and the quick fix restores the file", async () => {
  const before = policy.text;
  const wrong = () => editor.diagnostics(policy).find((one) => one.code?.value === "B2C-POL-020" && one.message.includes("teir"));
  assert.equal(wrong(), undefined);
  editor.replace(policy, 'ClaimTypeReferenceId="tier"', 'ClaimTypeReferenceId="teir"', 3);
  const finding = await until(wrong, "the finding");
  assert.equal(finding.range.start.line, policy.find("teir").line);
  assert.match(finding.code.target.toString(), /B2C-POL-020/i);
  const found = await actions(policy, finding.range);
  const fix = found.find((one) => one.edit && /\btier\b/.test(one.title));
  assert.ok(fix, `actions: ${found.map((one) => one.title)}`);
  assert.equal(fix.kind.value.split(".")[0], "quickfix");
  editor.apply(fix.edit);
  assert.equal(policy.text, before);
  await until(() => !wrong(), "the finding to go away");
});

test("hover shows the claim, and its definition is in the base policy", async () => {
  const hover = await editor.ask("hover", "provideHover", policy, policy.find('ReferenceId="tier"', 14), none);
  assert.match(hover.contents.value, /tier/i);
  const [place] = await editor.ask("definition", "provideDefinition", policy, policy.find('ReferenceId="tier"', 14), none);
  assert.match((place.targetUri ?? place.uri).path, /Base\.xml$/);
});

test("a claim is renamed over the files of the chain and back", async () => {
  const before = policy.text;
  const rename = async (from, to) => {
    const at = policy.find(`ReferenceId="${from}"`, 14);
    await editor.ask("rename", "prepareRename", policy, at, none);
    const edit = await editor.ask("rename", "provideRenameEdits", policy, at, to, none);
    assert.ok(edit.edits.size >= 3, `files: ${[...edit.edits.keys()]}`);
    editor.apply(edit);
  };
  await rename("tier", "loyaltyTier");
  assert.match(policy.text, /ReferenceId="loyaltyTier"/);
  assert.match(editor.open(file("policies/Base.xml")).text, /<ClaimType Id="loyaltyTier"/);
  assert.match(editor.open(file("policies/Vip.xml")).text, /ReferenceId="loyaltyTier"/);
  await rename("loyaltyTier", "tier");
  assert.equal(policy.text, before);
});

test("completion knows the claims of the chain", async () => {
  const at = policy.find('ReferenceId="tier"', 13);
  const { items } = await editor.ask("completionItem", "provideCompletionItems", policy, at, none, { triggerKind: 0 });
  const labels = items.map((one) => one.label.label ?? one.label);
  for (const name of ["tier", "email"]) assert.ok(labels.includes(name), `labels: ${labels.slice(0, 20)}`);
});

test("symbols and folding have the elements of the file", async () => {
  const names = (items) => items.flatMap((one) => [one.name, ...names(one.children ?? [])]);
  const symbols = names(await editor.ask("documentSymbol", "provideDocumentSymbols", policy, none));
  assert.ok(symbols.includes("REST-Tier"), `symbols: ${symbols}`);
  assert.ok((await editor.ask("foldingRange", "provideFoldingRanges", policy, {}, none)).length > 5);
  const found = await editor.ask("workspaceSymbol", "provideWorkspaceSymbols", "REST-Tier", none);
  assert.ok(found.some((one) => one.location.uri.path === policy.uri.path));
});

test("a lens leads to a trace in a panel", async () => {
  const lenses = await editor.ask("codeLens", "provideCodeLenses", policy, none);
  const trace = lenses.find((one) => one.command?.command === "b2c.trace");
  assert.ok(trace, `lenses: ${lenses.map((one) => one.command?.title)}`);
  const report = await vscode.commands.executeCommand(trace.command.command, ...trace.command.arguments);
  assert.ok(report?.title, JSON.stringify(editor.messages));
  const panel = editor.panels.at(-1);
  assert.equal(panel.title, report.title);
  assert.match(panel.webview.html, /Content-Security-Policy/);
  assert.match(panel.webview.html, /SignUpOrSignIn/);
});

test("a scenario runs as a test: the difference is at its line, and the actual value can be taken", async () => {
  script = editor.open(file("custom-policy.json"));
  const [controller] = editor.controllers;
  const item = await until(() => [...controller.items].map(([, one]) => one).find((one) => one.uri.path === script.uri.path), "the scenario");
  const run = async () => {
    await controller.profiles[0].run({ include: [item] }, none);
    return controller.last.results.at(-1);
  };
  const good = await run();
  assert.equal(good.how, "passed", JSON.stringify(good.messages));

  const expectation = '"claims": { "tier": "gold"';
  editor.replace(script, expectation, expectation.replace("gold", "silver"));
  const bad = await run();
  assert.equal(bad.how, "failed", JSON.stringify(bad.messages));
  const difference = bad.messages.find((one) => one.actualOutput !== undefined);
  assert.match(difference.expectedOutput, /silver/);
  assert.match(difference.actualOutput, /gold/);
  assert.equal(difference.location.range.start.line, script.find("silver").line);

  const place = script.find('"silver"', 1);
  const found = await actions(script, new vscode.Range(place, place));
  const take = found.find((one) => one.title.startsWith("Take the actual value"));
  assert.ok(take, `actions: ${found.map((one) => one.title)}`);
  editor.apply(take.edit);
  const again = await run();
  assert.equal(again.how, "passed", JSON.stringify(again.messages));
});

test("the server ends with VS Code", async () => {
  assert.ok(!editor.messages.some((one) => one.kind === "error"), JSON.stringify(editor.messages));
  assert.doesNotMatch(editor.outputs.B2C, /the server ended/);
});
