"use strict";

// The part of VS Code's interface that the extension uses, over files of a folder, for tests in Node. `editor` is the person.

const fs = require("node:fs");
const Module = require("node:module");
const path = require("node:path");

/** A class whose instances have the parameters as members. */
const record = (...names) => class {
  constructor(...values) {
    names.forEach((name, index) => (this[name] = values[index]));
  }
};

class Position extends record("line", "character") {
  isBefore(other) {
    return this.line < other.line || (this.line === other.line && this.character < other.character);
  }
}

class Range {
  constructor(start, end, ...numbers) {
    [this.start, this.end] = numbers.length ? [new Position(start, end), new Position(...numbers)] : [start, end];
    if (this.end.isBefore(this.start)) throw new Error("a range that ends before it begins");
  }

  contains({ start, end }) {
    return !start.isBefore(this.start) && !this.end.isBefore(end);
  }
}

class Uri {
  constructor(scheme, filePath, rest = "") {
    Object.assign(this, { scheme, path: filePath, fsPath: filePath, rest });
  }

  static file(filePath) {
    return new Uri("file", filePath);
  }

  static joinPath(uri, ...parts) {
    return new Uri(uri.scheme, path.join(uri.path, ...parts));
  }

  static parse(text) {
    const [, scheme, rest] = /^([\w.+-]+):(.*)$/s.exec(text);
    return rest.startsWith("///") ? new Uri(scheme, decodeURIComponent(rest.slice(2))) : new Uri(scheme, "", rest);
  }

  toString() {
    // VS Code encodes more than it has to.
    return this.rest ? `${this.scheme}:${this.rest}` : `${this.scheme}://${this.path.split("/").map(encodeURIComponent).join("/")}`;
  }
}

class Disposable {
  constructor(dispose) {
    this.dispose = dispose;
  }
}

class EventEmitter {
  constructor() {
    this.listeners = new Set();
    this.event = (listener) => {
      this.listeners.add(listener);
      return new Disposable(() => this.listeners.delete(listener));
    };
  }

  fire(value) {
    for (const listener of this.listeners) listener(value);
  }

  dispose() {
    this.listeners.clear();
  }
}

class CancellationTokenSource {
  constructor() {
    const emitter = new EventEmitter();
    this.token = { isCancellationRequested: false, onCancellationRequested: emitter.event };
    this.cancel = () => {
      this.token.isCancellationRequested = true;
      emitter.fire();
    };
  }
}

class MarkdownString {
  constructor(value = "") {
    this.value = value;
  }

  appendMarkdown(text) {
    this.value += text;
    return this;
  }

  appendText(text) {
    return this.appendMarkdown(text.replace(/[\\`*_{}[\]()#+\-.!<>]/g, "\\$&"));
  }

  appendCodeblock(text, language) {
    return this.appendMarkdown(`\n\`\`\`${language}\n${text}\n\`\`\`\n`);
  }
}

class WorkspaceEdit {
  constructor() {
    this.edits = new Map();
    this.files = [];
  }

  set(uri, edits) {
    this.edits.set(uri.toString(), edits);
  }

  createFile(uri) {
    this.files.push(uri);
  }
}

class CodeActionKind extends record("value") {
  append(part) {
    return new CodeActionKind(this.value ? `${this.value}.${part}` : part);
  }
}
CodeActionKind.Empty = new CodeActionKind("");
CodeActionKind.QuickFix = new CodeActionKind("quickfix");

class TestMessage extends record("message") {
  static diff(message, expected, actual) {
    return Object.assign(new TestMessage(message), { expectedOutput: expected, actualOutput: actual });
  }
}

/** A text that is open. */
class Document {
  constructor(uri, text) {
    Object.assign(this, { uri, text, version: 1, languageId: uri.path.endsWith(".xml") ? "xml" : "json" });
  }

  getText() {
    return this.text;
  }

  offsetAt({ line, character }) {
    let start = 0;
    for (let left = line; left > 0; left -= 1) start = this.text.indexOf("\n", start) + 1;
    return start + character;
  }

  positionAt(offset) {
    const lines = this.text.slice(0, offset).split("\n");
    return new Position(lines.length - 1, lines.at(-1).length);
  }

  /** The place of the nth occurrence of a text, `shift` further. */
  find(text, shift = 0, occurrence = 1) {
    let at = -1;
    for (let left = occurrence; left > 0; left -= 1) {
      at = this.text.indexOf(text, at + 1);
      if (at < 0) throw new Error(`${this.uri.path} does not have ${text}`);
    }
    return this.positionAt(at + shift);
  }
}

const events = Object.fromEntries(
  ["open", "change", "save", "close", "folders", "configuration", "create", "watched", "delete"].map((name) => [name, new EventEmitter()]));
const folders = [];
const documents = [];
const providers = {};
const commands = new Map();
const collections = [];

/** What a test does as the person, and sees. */
const editor = {
  settings: {}, context: {}, messages: [], panels: [], opened: [], shown: [], controllers: [], outputs: {}, statuses: [],
  /** What is chosen in message boxes, pick lists and input boxes: functions of what is offered. */
  choose: () => undefined, type: () => undefined,
  providers, commands,

  openFolder(folder) {
    const added = { uri: Uri.file(folder), name: path.basename(folder), index: folders.length };
    folders.push(added);
    events.folders.fire({ added: [added], removed: [] });
    return added;
  },

  closeFolder(folder) {
    folders.splice(folders.indexOf(folder), 1);
    events.folders.fire({ added: [], removed: [folder] });
  },

  open(file) {
    const uri = typeof file === "string" ? Uri.file(file) : file;
    const known = documents.find((one) => one.uri.toString() === uri.toString());
    if (known) return known;
    const document = new Document(uri, fs.readFileSync(uri.fsPath, "utf8"));
    documents.push(document);
    vscode.window.activeTextEditor = { document };
    events.open.fire(document);
    return document;
  },

  close(document) {
    documents.splice(documents.indexOf(document), 1);
    events.close.fire(document);
  },

  save(document) {
    fs.writeFileSync(document.uri.fsPath, document.text);
    events.save.fire(document);
  },

  /** Changes a text as VS Code does: ranges of the text before, the last first. */
  edit(document, edits) {
    const sorted = edits
      .map(({ range, newText }) => ({ range, text: newText, from: document.offsetAt(range.start), to: document.offsetAt(range.end) }))
      .sort((one, other) => other.from - one.from);
    for (const { from, to, text } of sorted) document.text = document.text.slice(0, from) + text + document.text.slice(to);
    document.version += 1;
    events.change.fire({ document, contentChanges: sorted.map(({ range, text }) => ({ range, text })) });
  },

  /** Replaces the nth occurrence of a text. */
  replace(document, text, newText, occurrence = 1) {
    const start = document.find(text, 0, occurrence);
    this.edit(document, [{ range: new Range(start, document.find(text, text.length, occurrence)), newText }]);
  },

  apply(edit) {
    for (const [uri, edits] of edit.edits) this.edit(this.open(Uri.parse(uri)), edits);
    return true;
  },

  diagnostics(document) {
    return collections.flatMap((collection) => collection.items.get(document.uri.toString()) ?? []);
  },

  /** What the last provider of a kind answers. */
  ask(kind, method, ...words) {
    const all = providers[kind] ?? [];
    return all.length === 0 ? undefined : all.at(-1)[method](...words);
  },

  get documents() {
    return documents;
  },
  events,
};

const provider = (kind) => (...words) => {
  const one = kind === "workspaceSymbol" ? words[0] : words[1];
  (providers[kind] ??= []).push(one);
  return new Disposable(() => providers[kind].splice(providers[kind].indexOf(one), 1));
};

const channel = (name) => {
  editor.outputs[name] ??= "";
  const append = (text) => (editor.outputs[name] += text);
  return { append, appendLine: (text) => append(`${text}\n`), clear() {}, show: () => editor.shown.push(name), dispose() {} };
};

const message = (kind) => async (text, ...offers) => {
  editor.messages.push({ kind, text, offers });
  return editor.choose(offers, text);
};

class Items {
  constructor(parent) {
    this.parent = parent;
    this.map = new Map();
  }

  get size() {
    return this.map.size;
  }

  get(id) {
    return this.map.get(id);
  }

  replace(items) {
    const map = new Map(items.map((item) => [item.id, Object.assign(item, { parent: this.parent })]));
    if (map.size < items.length) throw new Error("DuplicateTestItemError: two items have one id");
    this.map = map;
  }

  [Symbol.iterator]() {
    return this.map[Symbol.iterator]();
  }
}

const vscode = {
  editor, Position, Range, Uri, Disposable, EventEmitter, CancellationTokenSource, MarkdownString, WorkspaceEdit, CodeActionKind,
  TestMessage,
  Location: record("uri", "range"),
  Diagnostic: record("range", "message", "severity"),
  DiagnosticRelatedInformation: record("location", "message"),
  Hover: record("contents", "range"),
  DocumentHighlight: record("range", "kind"),
  TextEdit: record("range", "newText"),
  CompletionItem: record("label", "kind"),
  CompletionList: record("items", "isIncomplete"),
  SnippetString: record("value"),
  CodeAction: record("title", "kind"),
  CodeLens: record("range", "command"),
  FoldingRange: record("start", "end", "kind"),
  DocumentSymbol: record("name", "detail", "kind", "range", "selectionRange"),
  SymbolInformation: record("name", "kind", "containerName", "location"),
  DocumentLink: record("range", "target"),
  RelativePattern: record("base", "pattern"),
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  FoldingRangeKind: { Comment: 1, Imports: 2, Region: 3 },
  DocumentHighlightKind: { Text: 0, Read: 1, Write: 2 },
  ViewColumn: { Beside: -2 },
  ProgressLocation: { Notification: 15 },
  StatusBarAlignment: { Left: 1 },
  TestRunProfileKind: { Run: 1 },

  languages: {
    ...Object.fromEntries([
      "Hover", "Definition", "Reference", "DocumentHighlight", "DocumentSymbol", "FoldingRange", "DocumentLink", "CodeActions", "CodeLens",
      "CompletionItem", "Rename", "WorkspaceSymbol",
    ].map((name) => [`register${name}Provider`, provider(name[0].toLowerCase() + name.slice(1))])),
    createDiagnosticCollection(name) {
      const collection = {
        name, items: new Map(),
        set: (uri, items) => collection.items.set(uri.toString(), items),
        clear: () => collection.items.clear(),
        dispose: () => collections.splice(collections.indexOf(collection), 1),
      };
      collections.push(collection);
      return collection;
    },
  },

  workspace: {
    workspaceFolders: folders,
    textDocuments: documents,
    fs: {
      stat: async (uri) => ({ mtime: fs.statSync(uri.fsPath).mtimeMs }),
      readFile: async (uri) => fs.readFileSync(uri.fsPath),
    },
    getWorkspaceFolder: (uri) => folders.filter((folder) => `${uri.path}/`.startsWith(`${folder.uri.path}/`))
      .sort((a, b) => b.uri.path.length - a.uri.path.length)[0],
    getConfiguration: () => ({ get: (name) => editor.settings[name] }),
    asRelativePath: (uri) => path.relative(vscode.workspace.getWorkspaceFolder(uri)?.uri.path ?? "/", uri.path),
    /** Patterns of the extension: folders in any depth, and a choice of endings. */
    findFiles: async (pattern, exclude, limit) => {
      const roots = pattern.base ? [pattern.base.uri.path] : folders.map((folder) => folder.uri.path);
      const accepts = glob(pattern.pattern ?? pattern);
      return roots.flatMap((root) =>
        fs.readdirSync(root, { recursive: true }).filter((name) => accepts.test(name)).map((name) => Uri.file(path.join(root, name)))
      ).slice(0, limit);
    },
    applyEdit: async (edit) => editor.apply(edit),
    createFileSystemWatcher: ({ base, pattern }) => {
      const accepts = glob(pattern);
      const of = (emitter) => (listener) => emitter.event((uri) => {
        const name = path.relative(base.uri.path, uri.path);
        if (!name.startsWith("..") && accepts.test(name)) listener(uri);
      });
      return { onDidCreate: of(events.create), onDidChange: of(events.watched), onDidDelete: of(events.delete), dispose() {} };
    },
    onDidOpenTextDocument: events.open.event,
    onDidChangeTextDocument: events.change.event,
    onDidSaveTextDocument: events.save.event,
    onDidCloseTextDocument: events.close.event,
    onDidChangeWorkspaceFolders: events.folders.event,
    onDidChangeConfiguration: events.configuration.event,
  },

  window: {
    activeTextEditor: undefined,
    createOutputChannel: channel,
    createStatusBarItem: () => {
      const item = { isShown: false, show: () => (item.isShown = true), hide: () => (item.isShown = false), dispose() {} };
      editor.statuses.push(item);
      return item;
    },
    createWebviewPanel: (type, title, column, options) => {
      const closed = new EventEmitter();
      const panel = {
        type, title, options, webview: { html: "", options: {} }, onDidDispose: closed.event, reveal() {},
        dispose: () => closed.fire(),
      };
      editor.panels.push(panel);
      return panel;
    },
    showErrorMessage: message("error"),
    showWarningMessage: message("warning"),
    showInformationMessage: message("information"),
    showQuickPick: async (items, options) => editor.choose(items, options?.title ?? options?.placeHolder),
    showInputBox: async (options) => editor.type(options),
    showTextDocument: async (uri) => editor.shown.push(editor.open(uri).uri.toString()),
    withProgress: (options, work) => work({ report() {} }, (editor.progress = new CancellationTokenSource()).token),
  },

  commands: {
    registerCommand: (name, run) => {
      if (commands.has(name)) throw new Error(`command '${name}' already exists`);
      commands.set(name, run);
      return new Disposable(() => commands.delete(name));
    },
    executeCommand: async (name, ...words) => {
      if (name === "setContext") editor.context[words[0]] = words[1];
      else if (commands.has(name)) return commands.get(name)(...words);
      else editor.shown.push(name);
      return undefined;
    },
  },

  env: {
    language: "en",
    asExternalUri: async (uri) => uri,
    openExternal: async (uri) => editor.opened.push(uri.toString()),
  },

  tests: {
    createTestController: (id, label) => {
      const controller = {
        id, label, items: new Items(), profiles: [],
        createRunProfile: (name, kind, run) => controller.profiles.push({ name, kind, run }),
        createTestItem: (item, text, uri) => {
          const made = { id: item, label: text, uri };
          made.children = new Items(made);
          return made;
        },
        createTestRun: () => {
          const results = [];
          const note = (how) => (item, messages) => results.push({ how, id: item.id, messages });
          controller.last = { results, output: "", isOver: false };
          return {
            started: note("started"), passed: note("passed"), failed: note("failed"), skipped: note("skipped"), errored: note("errored"),
            appendOutput: (text) => (controller.last.output += text), end: () => (controller.last.isOver = true),
          };
        },
        dispose() {},
      };
      editor.controllers.push(controller);
      return controller;
    },
  },
};

/** A pattern of files, such as '{a,b}.json' in any folder, as an expression. */
function glob(pattern) {
  const parts = { "**/": "(?:.*/)?", "*": "[^/]*", "{": "(?:", "}": ")", ",": "|", ".": "\\." };
  return new RegExp(`^${pattern.replace(/\*\*\/|[*{},.]/g, (part) => parts[part])}$`);
}

const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));

module.exports = vscode;
