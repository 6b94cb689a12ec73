#!/usr/bin/env node
"use strict";

// A language server with canned answers, for the tests of the client. B2C_TEST_LOG names a file that gets what it receives.

const fs = require("node:fs");

const at = (line, from, to, end = line) => ({ start: { line, character: from }, end: { line: end, character: to } });
const name = at(1, 4, 8);

const CAPABILITIES = {
  hoverProvider: true, definitionProvider: true, referencesProvider: true, documentHighlightProvider: true,
  documentSymbolProvider: true, foldingRangeProvider: true, documentLinkProvider: {}, workspaceSymbolProvider: true,
  completionProvider: { triggerCharacters: ["<"], resolveProvider: true }, renameProvider: { prepareProvider: true },
  codeActionProvider: true, codeLensProvider: { resolveProvider: true },
};

const ANSWERS = {
  initialize: () => ({ capabilities: CAPABILITIES }),
  shutdown: () => null,
  "textDocument/hover": () => ({ contents: { kind: "markdown", value: "**Größe** 🧪" }, range: name }),
  "textDocument/definition": ({ textDocument: { uri } }) => [{
    targetUri: uri, targetRange: at(0, 0, 9, 2), targetSelectionRange: name, originSelectionRange: at(5, 1, 5),
  }],
  "textDocument/references": ({ textDocument: { uri }, context }) =>
    [{ uri, range: name }, ...(context.includeDeclaration ? [{ uri, range: at(0, 0, 3) }] : [])],
  "textDocument/documentHighlight": () => [{ range: name, kind: 3 }, { range: name }],
  "textDocument/documentSymbol": () => [{
    name: "Base", kind: 1, range: at(0, 0, 5, 9), selectionRange: name,
    children: [{ name: "", kind: 26, range: name, selectionRange: at(7, 0, 3), children: [] }],
  }],
  "textDocument/foldingRange": () => [{ startLine: 1, endLine: 4, kind: "comment" }, { startLine: 2, endLine: 3 }],
  "textDocument/documentLink": () => [{ range: name, target: "file:///a%20b.json", tooltip: "The tenant" }],
  "workspace/symbol": ({ query }, { textDocument }) => [{ name: query, kind: 5, location: { uri: textDocument, range: name } }],
  "textDocument/completion": ({ context }) => ({
    isIncomplete: true,
    items: [
      {
        label: "ClaimType", kind: 15, insertTextFormat: 2, textEdit: { range: name, newText: 'ClaimType Id="$1"' }, sortText: "01",
        documentation: { kind: "plaintext", value: "a*b" }, command: { title: "again", command: "editor.action.triggerSuggest" },
      },
      { label: context.triggerCharacter ?? "plain", data: 7 },
    ],
  }),
  "completionItem/resolve": (item) => ({ ...item, detail: `resolved ${item.data}` }),
  "textDocument/prepareRename": ({ position }) => (position.line === 1 ? { range: name, placeholder: "email" } : null),
  "textDocument/rename": ({ textDocument, newName }) => ({
    documentChanges: [{ textDocument: { ...textDocument, version: 1 }, edits: [{ range: name, newText: newName }] }],
  }),
  "textDocument/codeAction": ({ textDocument: { uri }, context }) => [
    {
      title: "Fix", kind: "quickfix", isPreferred: true, diagnostics: context.diagnostics,
      edit: { changes: { [uri]: [{ range: name, newText: "fixed" }] } },
    },
    { title: "Trace", command: "b2c.trace", arguments: [{ uri }] },
  ],
  "textDocument/codeLens": ({ textDocument: { uri } }) => [
    { range: at(0, 0, 3), command: { title: "Trace as ada", command: "b2c.trace", arguments: [{ uri, policy: "P", person: "ada" }] } },
    { range: at(0, 0, 3), data: 1 },
    { range: at(0, 0, 3), data: 2 },
  ],
  "codeLens/resolve": (lens) =>
    lens.data === 1 ? { ...lens, command: { title: "run by 3 scripts", command: "b2c.reach", arguments: [] } } : lens,
  "workspace/executeCommand": ({ command, arguments: [words] }) => COMMANDS[command](words),
  "b2c/scenarios": (_, { textDocument }) => ({
    scenarios: [
      { uri: textDocument, name: "Sign-in", line: 2, cases: [["good", 5], ["bad", 6], ["bad", 7]].map(([name, line]) => ({ name, line })) },
      { uri: textDocument.replace("a.json", "b.json"), name: "Refused", line: 0, cases: [] },
    ],
  }),
};

const COMMANDS = {
  "b2c.trace": (words) => ({ title: "Trace", text: "", html: `<html><head></head><script>1</script>${JSON.stringify(words)}</html>` }),
  "b2c.explore": ({ uri, crash }) => {
    if (crash) process.exit(3);
    return new Error(uri.endsWith(".json") ? "a.json:1:1: error: wrong\n  1 | {\n    | ^" : "This file has no relying party.");
  },
  "b2c.reach": ({ uri }) => ({ title: "Scripts", scripts: [{ uri, name: "Sign-in" }] }),
  "b2c.run": ({ uri, case: one }) =>
    uri.endsWith("b.json") ? new Error("The file is not JSON.") : {
      title: "Run", text: "1 failed\n<b>", scenarios: [
        { uri, name: "Sign-in", case: "good", result: "passed" },
        {
          uri, name: "Sign-in", case: "bad", result: "failed", line: 8, message: "wrong",
          differences: [{ pointer: "/result/a", expected: { a: 1 }, actual: undefined, text: "" }],
        },
      ].filter((scenario) => !one || scenario.case === one),
    },
};

/** Documents, with the last URI that was opened, and requests that wait to be cancelled. */
const state = { textDocument: "", texts: new Map() };

/** In pieces, so that signs and headers are cut. */
function send(message) {
  const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
  const bytes = Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\nContent-Type: application/vscode-jsonrpc\r\n\r\n`), body]);
  for (let from = 0; from < bytes.length; from += 97) process.stdout.write(bytes.subarray(from, from + 97));
}

function publish(uri) {
  const word = "misspelt";
  const diagnostics = state.texts.get(uri).split("\n").flatMap((line, index) => {
    const from = line.indexOf(word);
    return from < 0 ? [] : [{
      range: at(index, from, from + word.length), severity: 2, code: "B2C-POL-020", source: "b2c", message: `${word} is unknown`,
      codeDescription: { href: "https://example.test/rules/B2C-POL-020" }, tags: [1], data: { fix: 1 },
      relatedInformation: [{ location: { uri, range: name }, message: "declared here" }],
    }];
  });
  send({ method: "textDocument/publishDiagnostics", params: { uri, diagnostics } });
}

const NOTIFIED = {
  exit: () => process.exit(0),
  "textDocument/didOpen": ({ textDocument: { uri, text } }) => {
    state.textDocument = uri;
    state.texts.set(uri, text);
    publish(uri);
  },
  "textDocument/didChange": ({ textDocument: { uri }, contentChanges }) => {
    for (const { range, text } of contentChanges) {
      const lines = state.texts.get(uri).split("\n");
      const offset = ({ line, character }) => lines.slice(0, line).join("\n").length + (line > 0 ? 1 : 0) + character;
      const before = state.texts.get(uri);
      state.texts.set(uri, before.slice(0, offset(range.start)) + text + before.slice(offset(range.end)));
    }
    publish(uri);
  },
};

function receive(message) {
  if (process.env.B2C_TEST_LOG) fs.appendFileSync(process.env.B2C_TEST_LOG, `${JSON.stringify(message)}\n`);
  const { id, method, params } = message;
  if (method === "$/cancelRequest") return send({ id: params.id, error: { code: -32800, message: "cancelled" } });
  if (id === undefined) return NOTIFIED[method]?.(params);
  if (method === undefined) return undefined;
  // Line 99 waits to be cancelled; the others end the server, or show what it may not write.
  if (params?.position?.line === 99) return undefined;
  if (params?.query === "crash") process.exit(3);
  if (params?.query === "noise") return process.stdout.write("debug output\r\n\r\n");
  if (params?.query === "ask") send({ id: "one", method: "window/showDocument", params: { uri: state.textDocument } });
  if (params?.query === "unknown") send({ id: "two", method: "b2c/unheardOf" });
  const result = ANSWERS[method]?.(params, state);
  if (result === undefined) return send({ id, error: { code: -32601, message: `unknown method ${method}` } });
  if (result instanceof Error) return send({ id, error: { code: -32803, message: result.message } });
  return send({ id, result });
}

if (process.argv[2] !== "lsp") {
  console.error("Unknown command: the first line\nUse b2c --help");
  process.exit(64);
}
if (process.argv.includes("broken")) {
  console.error("b2c: the environment broken is unknown\nSee 'b2c lsp --help' for more information.");
  process.exit(2);
}

let input = Buffer.alloc(0);
process.stdin.on("end", () => process.exit(1));
process.stdin.on("data", (chunk) => {
  input = Buffer.concat([input, chunk]);
  for (;;) {
    const end = input.indexOf("\r\n\r\n");
    const length = end < 0 ? undefined : Number(/Content-Length: (\d+)/.exec(input.toString("ascii", 0, end))[1]);
    if (length === undefined || input.length < end + 4 + length) return;
    const body = input.toString("utf8", end + 4, end + 4 + length);
    input = input.subarray(end + 4 + length);
    receive(JSON.parse(body));
  }
});
