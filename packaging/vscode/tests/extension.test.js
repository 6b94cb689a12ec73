"use strict";

const assert = require("node:assert/strict");
const processes = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { PassThrough } = require("node:stream");
const { after, before, test } = require("node:test");
const vm = require("node:vm");

const vscode = require("./vscode");
const { editor } = vscode;
const { spawn } = processes;
/** What the extension started. */
const children = [];
processes.spawn = (...words) => {
  children.push(spawn(...words));
  return children.at(-1);
};
const extension = require("../extension");
const { Connection } = require("../connection");
const { Reports, page } = require("../panel");

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "b2c vscode ü-")));
const log = path.join(folder, "log");
const file = (name, text) => {
  const at = path.join(folder, name);
  fs.mkdirSync(path.dirname(at), { recursive: true });
  fs.writeFileSync(at, text);
  return at;
};
const none = new vscode.CancellationTokenSource().token;
const spot = new vscode.Position(1, 5);

/** What `find` returns once it is something. */
async function until(find, what) {
  for (const end = Date.now() + 30_000; Date.now() < end;) {
    const found = await find();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`waited 30 s for ${what}`);
}

/** The messages that the server received, of one method; the last line may be half written. */
const received = (method) => fs.readFileSync(log, "utf8").split("\n").slice(0, -1).map((line) => JSON.parse(line))
  .filter((one) => one.method === method);
const diagnostic = (document) => until(() => editor.diagnostics(document)[0], "a diagnostic");
const running = (word) => children.filter((one) => one.exitCode === null && one.signalCode === null && one.spawnargs.includes(word));
const ready = () => until(() => editor.providers.hover?.length === 1, "the server");

let policy;

before(async () => {
  file("b2c.json", "{}");
  file("log", "");
  process.env.B2C_TEST_LOG = log;
  editor.settings["b2c.path"] = path.join(__dirname, "server.js");
  editor.settings["b2c.environment"] = "Test";
  editor.openFolder(folder);
  assert.equal(editor.controllers.length, 0);
  policy = editor.open(file("Base.xml", "<TrustFrameworkPolicy>\r\n  🧪 misspelt\r\n</TrustFrameworkPolicy>"));
  await extension.activate();
  await ready();
});

after(async () => {
  await extension.deactivate();
  fs.rmSync(folder, { recursive: true });
});

test("a folder with b2c.json gets a server with its settings", () => {
  const [{ params }] = received("initialize");
  assert.equal(params.rootUri, policy.uri.toString().replace("/Base.xml", ""));
  assert.deepEqual(params.initializationOptions, { reports: true, watchesFiles: true });
  assert.deepEqual(params.capabilities.general.positionEncodings, ["utf-16"]);
  assert.match(editor.outputs.B2C, /lsp --root .* --environment Test/);
  assert.equal(editor.context["b2c.isActive"], true);
});

test("a diagnostic has its rule's page, its tags and what it is related to", async () => {
  const shown = await diagnostic(policy);
  assert.deepEqual(shown.range, new vscode.Range(1, 5, 1, 13));
  assert.equal(shown.severity, vscode.DiagnosticSeverity.Warning);
  assert.equal(shown.code.value, "B2C-POL-020");
  assert.equal(shown.code.target.toString(), "https://example.test/rules/B2C-POL-020");
  assert.deepEqual(shown.tags, [1]);
  assert.equal(shown.relatedInformation[0].location.uri.toString(), policy.uri.toString());
});

test("changes arrive in the order of VS Code, each on the text after the one before", async () => {
  editor.edit(policy, [
    { range: new vscode.Range(1, 2, 1, 5), newText: "💥💥 " },
    { range: new vscode.Range(1, 5, 1, 13), newText: "misspelt misspelt" },
  ]);
  const shown = await until(() => editor.diagnostics(policy).find((one) => one.range.start.character === 7), "the new place");
  assert.equal(policy.text.split("\n")[shown.range.start.line].slice(7, 15), "misspelt");
  editor.replace(policy, "misspelt misspelt", "right");
  await until(() => editor.diagnostics(policy).length === 0, "no diagnostic");
  assert.equal(received("textDocument/didChange").at(-1).params.textDocument.version, policy.version);
  editor.replace(policy, "right", "misspelt");
  await diagnostic(policy);
});

test("files elsewhere and of other schemes are not sent", async () => {
  const outside = fs.mkdtempSync(path.join(os.tmpdir(), "b2c-outside-"));
  fs.writeFileSync(path.join(outside, "a.xml"), "<TrustFrameworkPolicy/>");
  editor.open(path.join(outside, "a.xml"));
  editor.events.open.fire({ uri: vscode.Uri.parse(`git:${folder}/Base.xml`), languageId: "xml", getText: () => "", version: 1 });
  const document = editor.open(file("other.xml", "<a/>"));
  editor.close(document);
  await until(() => received("textDocument/didClose").length === 1, "didClose");
  assert.deepEqual(received("textDocument/didOpen").map((one) => one.params.textDocument.uri), [policy, document].map((one) => `${one.uri}`));
  fs.rmSync(outside, { recursive: true });
});

test("files and folders that change on the disk are reported together, but not those that no check reads", async () => {
  const at = (name) => vscode.Uri.file(path.join(folder, name));
  for (const name of [".git/index", "node_modules/a/b.json", "ios/build/c.plist"]) editor.events.watched.fire(at(name));
  editor.events.create.fire(at("gone.xml"));
  editor.events.watched.fire(at("ios/Podfile"));
  editor.events.delete.fire(at("gone.xml"));
  editor.events.delete.fire(at("policies"));
  // VS Code may watch less than it is asked to; the server does not get this text.
  editor.events.save.fire({ uri: at("App.swift"), languageId: "swift" });
  editor.events.save.fire({ uri: vscode.Uri.file("/elsewhere.swift"), languageId: "swift" });
  const { params } = await until(() => received("workspace/didChangeWatchedFiles")[0], "the notification");
  const changes = [["gone.xml", 3], ["ios/Podfile", 2], ["policies", 3], ["App.swift", 2]];
  assert.deepEqual(params.changes, changes.map(([name, type]) => ({ uri: `${at(name)}`, type })));
});

test("hover, definition, references, highlights, symbols, folding and links keep their places", async () => {
  const ask = (kind, method, ...words) => editor.ask(kind, method, policy, ...words, none);
  const hover = await ask("hover", "provideHover", spot);
  assert.equal(hover.contents.value, "**Größe** 🧪");
  assert.deepEqual(hover.range, new vscode.Range(1, 4, 1, 8));
  const [target] = await ask("definition", "provideDefinition", spot);
  assert.deepEqual(target.targetSelectionRange, new vscode.Range(1, 4, 1, 8));
  assert.equal((await ask("reference", "provideReferences", spot, { includeDeclaration: true })).length, 2);
  assert.equal((await ask("reference", "provideReferences", spot, { includeDeclaration: false })).length, 1);
  assert.deepEqual((await ask("documentHighlight", "provideDocumentHighlights", spot)).map((one) => one.kind), [2, 0]);
  const [symbol] = await ask("documentSymbol", "provideDocumentSymbols");
  assert.equal(symbol.kind, 0);
  assert.equal(symbol.children[0].kind, 25);
  // VS Code refuses an empty name, and a name outside of its element.
  assert.equal(symbol.children[0].name, " ");
  assert.deepEqual(symbol.children[0].selectionRange, symbol.children[0].range);
  assert.deepEqual((await ask("foldingRange", "provideFoldingRanges", {})).map((one) => [one.start, one.end, one.kind]), [[1, 4, 1], [2, 3, undefined]]);
  const [link] = await ask("documentLink", "provideDocumentLinks");
  assert.equal(link.target.fsPath, "/a b.json");
  const [found] = await editor.ask("workspaceSymbol", "provideWorkspaceSymbols", "email", none);
  assert.equal(found.name, "email");
  assert.equal(found.kind, 4);
});

test("completion inserts snippets, and items are completed when they are shown", async () => {
  const list = await editor.ask("completionItem", "provideCompletionItems", policy, spot, none, { triggerKind: 1, triggerCharacter: "<" });
  assert.equal(list.isIncomplete, true);
  const [snippet, plain] = list.items;
  assert.equal(snippet.insertText.value, 'ClaimType Id="$1"');
  assert.equal(snippet.kind, 14);
  assert.equal(snippet.documentation.value, "a\\*b");
  assert.equal(snippet.command.command, "editor.action.triggerSuggest");
  assert.equal(plain.insertText, "<");
  assert.equal((await editor.ask("completionItem", "resolveCompletionItem", plain, none)).detail, "resolved 7");
  assert.equal(received("textDocument/completion")[0].params.context.triggerKind, 2);
});

test("a rename changes the text, and a place without a name says so", async () => {
  const { placeholder } = await editor.ask("rename", "prepareRename", policy, spot, none);
  assert.equal(placeholder, "email");
  await assert.rejects(async () => editor.ask("rename", "prepareRename", policy, new vscode.Position(0, 0), none), /Nothing here has a name/);
  const edit = await editor.ask("rename", "provideRenameEdits", policy, spot, "mail", none);
  assert.equal(edit.edits.get(policy.uri.toString())[0].newText, "mail");
});

test("code actions bring edits and commands, and the server gets its diagnostics as it sent them", async () => {
  const shown = await diagnostic(policy);
  const [fix, trace] = await editor.ask(
    "codeActions", "provideCodeActions", policy, shown.range, { diagnostics: [shown], triggerKind: 1 }, none);
  assert.equal(fix.kind.value, "quickfix");
  assert.equal(fix.isPreferred, true);
  assert.equal(fix.edit.edits.get(policy.uri.toString())[0].newText, "fixed");
  assert.equal(trace.command, "b2c.trace");
  assert.deepEqual(received("textDocument/codeAction")[0].params.context.diagnostics[0].data, { fix: 1 });
});

test("a lens leads to a trace in a panel with scripts and a policy", async () => {
  const lenses = await editor.ask("codeLens", "provideCodeLenses", policy, none);
  assert.equal((await editor.ask("codeLens", "resolveCodeLens", lenses[1], none)).command.title, "run by 3 scripts");
  assert.equal((await editor.ask("codeLens", "resolveCodeLens", lenses[2], none)).command.title, "");
  const { command } = lenses[0];
  await vscode.commands.executeCommand(command.command, ...command.arguments);
  const [panel] = editor.panels;
  assert.equal(panel.title, "Trace");
  assert.match(panel.webview.html, /<head><meta http-equiv="Content-Security-Policy" content="default-src 'none'/);
  assert.match(panel.webview.html, /"person":"ada"/);
  assert.deepEqual(panel.webview.options, { enableScripts: true, localResourceRoots: [] });
  // From the palette: the file in the editor, and a person who is asked for.
  editor.type = () => "nina";
  vscode.window.activeTextEditor = { document: policy };
  await vscode.commands.executeCommand("b2c.trace");
  assert.match(panel.webview.html, /"person":"nina"/);
  assert.equal(editor.panels.length, 1);
  panel.dispose();
  await vscode.commands.executeCommand("b2c.openReport");
  assert.equal(editor.panels.length, 2);
});

test("a refusal is shown as a message", async () => {
  await vscode.commands.executeCommand("b2c.explore", policy.uri);
  assert.deepEqual(editor.messages.at(-1), { kind: "error", text: "This file has no relying party.", offers: [] });
});

test("a refusal of several lines shows the first, and the output has all", async () => {
  editor.choose = (offers) => offers[0];
  await vscode.commands.executeCommand("b2c.explore", vscode.Uri.file(path.join(folder, "a.json")));
  assert.deepEqual(editor.messages.at(-1), { kind: "error", text: "a.json:1:1: error: wrong", offers: ["Show output"] });
  assert.equal(await until(() => editor.shown.at(-1), "the output"), "B2C");
  assert.ok(editor.outputs.B2C.endsWith("a.json:1:1: error: wrong\n  1 | {\n    | ^\n"), editor.outputs.B2C);
  editor.choose = () => undefined;
});

test("the last report is one that b2c run wrote, not another page", async () => {
  const mine = file(".b2c/report.html", "<html><head><title>b2c run report</title></head></html>");
  fs.utimesSync(mine, 1, 1);
  file("reports/lighthouse.html", "<html><head><title>Lighthouse</title></head></html>");
  const reports = new Reports();
  await reports.open();
  assert.equal(editor.panels.at(-1).title, ".b2c/report.html");
  editor.panels.pop();
  fs.rmSync(mine);
  await assert.rejects(new Reports().open(), /There is no report yet/);
});

test("scripts that run a profile are listed and opened", async () => {
  editor.choose = (items) => items[0];
  await vscode.commands.executeCommand("b2c.reach", { uri: policy.uri.toString(), profile: "REST" });
  assert.equal(editor.shown.at(-1), policy.uri.toString());
  editor.choose = () => undefined;
});

test("scenarios are tests with cases; results name expected and actual at their line", async () => {
  editor.open(file("a.json", "{}"));
  file("b.json", "{}");
  const [controller] = editor.controllers;
  await until(() => received("textDocument/didOpen").some((one) => one.params.textDocument.uri.endsWith("a.json")), "a.json");
  await controller.refreshHandler();
  const [[, sign], [, refused]] = [...controller.items];
  assert.deepEqual([...sign.children].map(([, one]) => one.label), ["good", "bad"]);
  assert.equal(sign.description, "a.json");
  assert.deepEqual(editor.context["b2c.scenarios"], [path.join(folder, "a.json"), path.join(folder, "b.json")]);
  assert.equal(sign.range.start.line, 2);

  const results = async (request) => {
    await controller.profiles[0].run(request, none);
    assert.equal(controller.last.isOver, true);
    return controller.last.results.filter((one) => one.how !== "started").map((one) => [one.how, one.id.split("#")[1]]);
  };
  assert.deepEqual(await results({}), [["passed", "good"], ["failed", "bad"], ["errored", undefined]]);
  const [[message]] = controller.last.results.filter((one) => one.how === "failed").map((one) => one.messages);
  assert.equal(message.expectedOutput, '{\n  "a": 1\n}');
  assert.equal(message.actualOutput, "nothing");
  assert.equal(message.location.range.start.line, 8);
  assert.match(controller.last.output, /1 failed\r\n/);
  assert.equal(controller.last.results.at(-1).messages.message, "The file is not JSON.");

  const [good, bad] = [...sign.children].map(([, one]) => one);
  assert.deepEqual(await results({ include: [sign, good], exclude: [good] }), [["failed", "bad"]]);
  assert.deepEqual(await results({ include: [sign, bad, refused], exclude: [refused] }), [["passed", "good"], ["failed", "bad"]]);
});

test("a request that VS Code drops is cancelled at the server", async () => {
  const { token, cancel } = new vscode.CancellationTokenSource();
  const answer = editor.ask("hover", "provideHover", policy, new vscode.Position(99, 0), token);
  await until(() => received("textDocument/hover").some((one) => one.params.position.line === 99), "the request");
  cancel();
  assert.equal(await answer, undefined);
  assert.doesNotMatch(editor.outputs.B2C, /cancelled/);
});

test("requests of the server are answered", async () => {
  await editor.ask("workspaceSymbol", "provideWorkspaceSymbols", "ask", none);
  await editor.ask("workspaceSymbol", "provideWorkspaceSymbols", "unknown", none);
  const answers = await until(() => {
    const found = received(undefined);
    return found.length >= 2 && found;
  }, "two answers");
  assert.deepEqual(answers.find((one) => one.id === "one").result, { success: true });
  assert.equal(answers.find((one) => one.id === "two").error.code, -32601);
});

test("the mock server starts with a tenant file, shows its pages and stops", async () => {
  editor.settings["b2c.mockServerPath"] = path.join(__dirname, "mock-server.js");
  file("tenants/contoso.json", "{}");
  editor.choose = (offers) => offers.find((one) => one.label === "tenants/contoso.json") ?? offers.find((one) => one === "Open inspector");
  await vscode.commands.executeCommand("b2c.startServer");
  await until(() => editor.opened.length === 1, "the inspector");
  assert.equal(editor.opened[0], "http://localhost:9401/_b2c/");
  assert.match(editor.outputs["B2C mock server"], /Tenant --tenant .*contoso\.json --environment Test --end-with-parent/);
  assert.equal(editor.context["b2c.serverRuns"], true);
  await vscode.commands.executeCommand("b2c.stopServer");
  assert.equal(editor.context["b2c.serverRuns"], false);
  await vscode.commands.executeCommand("b2c.openInspector");
  assert.equal(editor.messages.at(-1).text, "The mock server is not running.");
  editor.choose = () => undefined;
});

test("a mock server that cannot start says why, and two starts leave one server", async () => {
  const uri = vscode.Uri.file(file("tenants/wrong.json", "{}"));
  editor.messages.length = 0;
  await vscode.commands.executeCommand("b2c.startServer", uri);
  const { text, offers } = await until(() => editor.messages[0], "the message");
  assert.equal(text, "The mock server ended (2): wrong.json:1:1: error: `name` is missing");
  assert.deepEqual(offers, ["Show output"]);
  const tenant = vscode.Uri.file(path.join(folder, "tenants/contoso.json"));
  const start = () => vscode.commands.executeCommand("b2c.startServer", tenant);
  await Promise.all([start(), start()]);
  assert.equal(running("--end-with-parent").length, 1);
  await Promise.all([start(), vscode.commands.executeCommand("b2c.stopServer")]);
  assert.equal(running("--end-with-parent").length, 0);
});

test("a server that ends is started again three times, and its findings go away", async () => {
  // The second of them writes what is not the protocol.
  for (const query of ["crash", "noise", "crash"]) {
    const starts = received("initialize").length;
    await editor.ask("workspaceSymbol", "provideWorkspaceSymbols", query, none);
    await until(() => received("initialize").length > starts, "a start");
    await ready();
    await diagnostic(policy);
  }
  editor.messages.length = 0;
  await editor.ask("workspaceSymbol", "provideWorkspaceSymbols", "crash", none);
  const { text, offers } = await until(() => editor.messages[0], "the message");
  assert.match(text, /ended 4 times in 5 minutes/);
  assert.deepEqual(offers, ["Start again", "Show output"]);
  assert.equal(editor.diagnostics(policy).length, 0);
  // The next command starts it.
  await vscode.commands.executeCommand("b2c.explore", policy.uri);
  assert.match(editor.messages.at(-1).text, /no relying party/);
  await ready();
});

test("a command says that the server ended while it ran", async () => {
  const starts = received("initialize").length;
  editor.messages.length = 0;
  await vscode.commands.executeCommand("b2c.explore", { uri: policy.uri.toString(), crash: true });
  assert.deepEqual(editor.messages.map((one) => one.text), ["b2c lsp ended (3) before it answered."]);
  await until(() => received("initialize").length > starts, "a start");
  await ready();
});

test("restarts follow each other, and a start that is stopped shows nothing", async () => {
  const starts = received("initialize").length;
  editor.messages.length = 0;
  await Promise.all([1, 2, 3].map(() => vscode.commands.executeCommand("b2c.restart")));
  assert.equal(received("initialize").length, starts + 3);
  assert.equal(received("exit").length, 3);
  assert.equal(editor.providers.hover.length, 1);
  assert.deepEqual(editor.messages, []);
});

test("a program that is missing or refuses is named with what to do", async () => {
  const restarted = async (name, value) => {
    editor.settings[name] = value;
    editor.messages.length = 0;
    editor.events.configuration.fire({ affectsConfiguration: (one) => one === name });
    return (await until(() => editor.messages[0], "the message")).text;
  };
  editor.choose = (offers) => offers.find((one) => one === "Open settings");
  assert.equal(await restarted("b2c.environment", "broken"), `${editor.settings["b2c.path"]} lsp does not start: b2c: the environment broken is unknown`);
  assert.equal(
    await restarted("b2c.path", "${workspaceFolder}/none"),
    `${folder}/none was not found. Install b2c-harness, or name the program in the setting b2c.path.`);
  await until(() => editor.shown.at(-1) === "workbench.action.openSettings", "the settings");
  editor.choose = () => undefined;
});

test("a folder without b2c.json gets a server when a file of B2C is opened, and loses it with the folder", async () => {
  editor.settings["b2c.path"] = path.join(__dirname, "server.js");
  editor.settings["b2c.environment"] = "";
  const other = editor.openFolder(fs.mkdtempSync(path.join(os.tmpdir(), "b2c-other-")));
  const starts = () => received("initialize").filter((one) => one.params.rootUri === other.uri.toString()).length;
  const open = (name, text) => {
    const at = path.join(other.uri.fsPath, name);
    fs.writeFileSync(at, text);
    editor.open(at);
  };
  open("pom.xml", "<project/>");
  open("package.json", '{ "name": "a", "policies": [] }');
  assert.match(editor.outputs.B2C, /lsp --root/);
  assert.doesNotMatch(editor.outputs.B2C, /other-/);
  open("scenario.json", '{ "app": "ios", "steps": [] }');
  await until(() => starts() === 1 && editor.providers.hover?.length >= 1, "the server");
  assert.equal(editor.controllers.length, 1);
  // A restart meanwhile starts no other.
  const restarted = vscode.commands.executeCommand("b2c.restart");
  editor.closeFolder(other);
  await restarted;
  await until(() => running(other.uri.fsPath).length === 0, "its end");
  fs.rmSync(other.uri.fsPath, { recursive: true });
});

test("a folder inside another shares its server, whichever is opened first", async () => {
  const outside = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "b2c-outer-")));
  const inside = path.join(outside, "policies");
  fs.mkdirSync(inside);
  fs.writeFileSync(path.join(inside, "Base.xml"), "<TrustFrameworkPolicy>\n misspelt</TrustFrameworkPolicy>");
  const inner = editor.openFolder(inside);
  const document = editor.open(path.join(inside, "Base.xml"));
  const served = (one, not) => until(
    () => running(one).length === 1 && running(not).length === 0 && editor.diagnostics(document).length === 1, `one server of ${one}`);
  await served(inside, outside);
  const outer = editor.openFolder(outside);
  await served(outside, inside);
  editor.closeFolder(outer);
  await served(inside, outside);
  editor.close(document);
  editor.closeFolder(inner);
  await until(() => running(inside).length === 0, "its end");
  fs.rmSync(outside, { recursive: true });
});

test("a page keeps its own policy, and text is escaped", () => {
  const own = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\">";
  const shown = page({ title: "", html: `<html><head lang="en">${own}</head></html>` });
  assert.equal(shown.match(/<meta/g).length, 1);
  assert.match(shown, /^<html><head lang="en"><script>/);
  const text = page({ title: "<b>", text: "a < b & c" });
  assert.match(text, /<pre>a &lt; b &amp; c<\/pre>/);
  assert.doesNotMatch(text, /<b>|script-src/);
});

test("a link inside a page changes the address, which VS Code alone would not do", () => {
  const [, script] = /<script>([^]*?)<\/script>/.exec(page({ title: "", html: "<p></p>" }));
  const listeners = [];
  const location = { hash: "" };
  vm.runInNewContext(script, { document: { addEventListener: (_, listener) => listeners.push(listener) }, location });
  const click = (href) => {
    const done = [];
    const link = href?.startsWith("#") ? { getAttribute: () => href } : null;
    listeners[0]({
      target: { closest: () => link }, defaultPrevented: false, preventDefault: () => done.push("prevented"),
      stopPropagation: () => done.push("stopped"),
    });
    return done;
  };
  assert.deepEqual(click("#s3"), ["prevented", "stopped"]);
  assert.equal(location.hash, "#s3");
  assert.deepEqual(click("https://example.test/"), []);
  assert.equal(location.hash, "#s3");
});

test("messages arrive whole from pieces of any size, and a request fails when the server ends", async () => {
  const bodies = Array.from({ length: 40 }, (_, index) => JSON.stringify({ jsonrpc: "2.0", method: "m", params: "ü🧪".repeat(index) }));
  const bytes = Buffer.concat(bodies.map((body) => Buffer.from(`content-length:${Buffer.byteLength(body)}\r\n\r\n${body}`)));
  for (const size of [1, 2, 3, 7, 1000, bytes.length]) {
    const got = [];
    const connection = new Connection(new PassThrough(), new PassThrough(), { notification: (_, params) => got.push(params) });
    for (let from = 0; from < bytes.length; from += size) connection.receive(bytes.subarray(from, from + size));
    assert.deepEqual(got, bodies.map((body) => JSON.parse(body).params), `pieces of ${size}`);
    const open = connection.request("m");
    connection.close("it ended");
    await assert.rejects(open, /it ended/);
    await assert.rejects(connection.request("m"), /has ended/);
  }
});
