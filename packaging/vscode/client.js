"use strict";

const { spawn } = require("node:child_process");
const vscode = require("vscode");
const convert = require("./convert");
const { CANCELLED, Connection, ResponseError } = require("./connection");
const { notStarted, offer } = require("./messages");
const { programs, settings } = require("./settings");

const LANGUAGES = new Set(["xml", "json", "jsonc"]);
/** Folders with copies, and with what other programs make, in which `b2c validate` looks at nothing. */
const OTHERS = /(^|\/)(\.[^/]+|node_modules|Pods|Carthage|DerivedData|build|bin|obj|dist|vendor)\//;
/** Milliseconds in which changes on the disk are collected for one message: a checkout changes many files. */
const COLLECTED = 100;
const TRIGGERS = ["<", '"', "{", "/", " "];
/** So many ends of the server in so many milliseconds are answered by a new start. */
const RESTARTS = 3;
const RESTART_WINDOW = 300_000;
/** Milliseconds that a server has to end after it was asked to. */
const END = 2000;

const CAPABILITIES = {
  general: { positionEncodings: ["utf-16"] },
  textDocument: {
    synchronization: { didSave: true },
    publishDiagnostics: {
      relatedInformation: true, versionSupport: true, codeDescriptionSupport: true, dataSupport: true,
      tagSupport: { valueSet: [1, 2] },
    },
    hover: { contentFormat: ["markdown", "plaintext"] },
    definition: { linkSupport: true },
    references: {},
    documentHighlight: {},
    rename: { prepareSupport: true },
    completion: {
      contextSupport: true,
      completionItem: {
        snippetSupport: true, documentationFormat: ["markdown", "plaintext"], labelDetailsSupport: true, preselectSupport: true,
        commitCharactersSupport: true, tagSupport: { valueSet: [1] }, insertTextModeSupport: { valueSet: [1, 2] },
      },
    },
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix", "refactor", "source"] } },
      isPreferredSupport: true, disabledSupport: true, dataSupport: true, resolveSupport: { properties: ["edit"] },
    },
    codeLens: {},
    foldingRange: { lineFoldingOnly: true },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true, tagSupport: { valueSet: [1] } },
    documentLink: { tooltipSupport: true },
  },
  workspace: {
    applyEdit: true, configuration: true, workspaceFolders: true,
    workspaceEdit: { documentChanges: true, resourceOperations: ["create", "rename", "delete"] },
    didChangeWatchedFiles: {}, symbol: {}, executeCommand: {}, codeLens: { refreshSupport: true },
  },
  window: { showDocument: { support: true }, showMessage: {} },
};

/** The outermost folder of the workspace that has a file: folders inside another share its server. */
function folderOf(uri) {
  const folder = uri && vscode.workspace.getWorkspaceFolder(uri);
  const above = folder && vscode.workspace.getWorkspaceFolder(vscode.Uri.joinPath(folder.uri, ".."));
  return above && `${above.uri}` !== `${folder.uri}` ? folderOf(above.uri) : folder;
}

/** One `b2c lsp` for one folder of the workspace, and what VS Code asks of it. */
class Client {
  /**
   * @param {vscode.WorkspaceFolder} folder
   * @param {vscode.OutputChannel} output
   */
  constructor(folder, output) {
    this.folder = folder;
    this.output = output;
    this.diagnostics = vscode.languages.createDiagnosticCollection("b2c");
    this.lensesChanged = new vscode.EventEmitter();
    this.scenariosChanged = new vscode.EventEmitter();
    this.ends = [];
    this.providers = [];
    /** The documents that the server has, by URI. */
    this.open = new Set();
    /** How files changed that the server has to look at again, by URI. */
    this.touched = new Map();
    /** The server is initialized and has not ended. */
    this.isRunning = false;
    this.isDisposed = false;
    this.subscriptions = [this.diagnostics, this.lensesChanged, this.scenariosChanged, ...this.sync()];
  }

  // Life

  /** Starts the server, and shows why if it does not start. */
  async start() {
    try {
      await this.begin();
    } catch (error) {
      // It was stopped meanwhile.
      if (error instanceof ResponseError) return;
      this.log(error.message);
      offer(error.message, this.output, { "Open settings": () => vscode.commands.executeCommand("workbench.action.openSettings", "b2c.") });
    }
  }

  /** Resolves when the server is initialized; one that does not run is started. */
  begin() {
    if (this.isDisposed) return Promise.reject(new ResponseError({ code: CANCELLED, message: "the folder was removed" }));
    if (!this.starting) {
      const starting = this.launch();
      this.starting = starting;
      starting.catch(() => {
        if (this.starting === starting) this.starting = undefined;
      });
    }
    return this.starting;
  }

  /** Restarts follow each other. */
  restart() {
    this.restarting = (this.restarting ?? Promise.resolve()).then(() => this.stop()).then(() => this.start());
    return this.restarting;
  }

  async launch() {
    const { b2c, environment, settingsFile } = programs(this.folder);
    const words = [
      "lsp", "--root", this.folder.uri.fsPath, ...(environment ? ["--environment", environment] : []),
      ...(settingsFile ? ["--settings", settingsFile] : []),
    ];
    const child = spawn(b2c, words, { cwd: this.folder.uri.fsPath, stdio: "pipe" });
    this.child = child;
    let said = "";
    child.stderr.on("data", (data) => {
      this.output.append(data.toString());
      said = (said + data).slice(0, 2000);
    });
    const connection = new Connection(child.stdout, child.stdin, {
      // One that was stopped has nothing to show.
      notification: (method, params) => child === this.child && this.notified(method, params),
      request: (method, params) => this.asked(method, params),
      broken: (text) => {
        this.log(`the server wrote ${text}`);
        child.kill();
      },
    });
    this.connection = connection;
    const missing = new Promise((_, reject) => child.once("error", (error) => reject(new Error(notStarted(b2c, error, settings.path)))));
    // Not `exit`: then all output has been read.
    child.once("close", (code, signal) => this.ended(child, connection, signal ?? code));
    let started;
    try {
      started = await Promise.race([
        connection.request("initialize", {
          processId: process.pid, clientInfo: { name: "b2c-harness for VS Code" }, locale: vscode.env.language,
          rootUri: this.folder.uri.toString(), capabilities: CAPABILITIES,
          workspaceFolders: [{ uri: this.folder.uri.toString(), name: this.folder.name }],
          initializationOptions: { reports: true, watchesFiles: true },
        }),
        missing,
      ]);
    } catch (error) {
      connection.close("it did not start");
      child.kill();
      if (!(error instanceof ResponseError) || this.child !== child) throw error;
      throw new Error(`${b2c} lsp does not start: ${said.trim().split("\n")[0] || error.message}`);
    }
    if (this.child !== child) throw new ResponseError({ code: CANCELLED, message: "the language server was stopped" });
    this.isRunning = true;
    connection.notify("initialized", {});
    this.log(`${b2c} ${words.join(" ")}`);
    this.provide(started.capabilities);
    for (const document of vscode.workspace.textDocuments) this.opened(document);
    this.scenariosChanged.fire();
  }

  /** Ends the server, politely for two seconds. */
  async stop() {
    const { child, connection } = this;
    this.child = undefined;
    this.forget();
    if (!child || child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const over = new Promise((resolve) => child.once("exit", resolve));
    const impatience = setTimeout(() => child.kill("SIGKILL"), END);
    connection.request("shutdown").then(() => connection.notify("exit"), () => child.kill());
    await over;
    clearTimeout(impatience);
  }

  async dispose() {
    // A restart that waits for the old server must not start another.
    this.isDisposed = true;
    await this.stop();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** Nothing of a server that has ended is shown any longer. */
  forget() {
    this.isRunning = false;
    this.starting = undefined;
    for (const provider of this.providers) provider.dispose();
    this.providers = [];
    this.open.clear();
    this.diagnostics.clear();
  }

  ended(child, connection, reason) {
    connection.close(`b2c lsp ended (${reason}) before it answered.`);
    if (child !== this.child || !this.isRunning) return;
    this.forget();
    this.log(`the server ended: ${reason}`);
    const now = Date.now();
    this.ends = [...this.ends.filter((time) => now - time < RESTART_WINDOW), now];
    if (this.ends.length <= RESTARTS) {
      this.start();
      return;
    }
    this.ends = [];
    offer(`The language server of B2C for ${this.folder.name} ended ${RESTARTS + 1} times in 5 minutes.`, this.output, {
      "Start again": () => this.start(),
    });
  }

  log(text) {
    this.output.appendLine(`[${this.folder.name}] ${text}`);
  }

  // Requests

  async request(method, params, token) {
    await this.begin();
    return this.connection.request(method, params, token);
  }

  /** What a provider shows: nothing if the answer is an error, which the output has. */
  async ask(method, params, token, show) {
    try {
      const result = await this.request(method, params, token);
      return token?.isCancellationRequested || result === null || result === undefined ? undefined : show(result);
    } catch (error) {
      if (!(error instanceof ResponseError && error.isDropped)) this.log(`${method}: ${error.message}`);
      return undefined;
    }
  }

  notified(method, params) {
    if (method === "textDocument/publishDiagnostics") {
      this.diagnostics.set(convert.uri(params.uri), convert.list(params.diagnostics, convert.diagnostic));
    } else if (method === "b2c/scenariosChanged") {
      this.scenariosChanged.fire();
    } else if (method === "window/logMessage") {
      this.log(params.message);
    } else if (method === "window/showMessage") {
      showMessage(params);
    }
  }

  async asked(method, params) {
    switch (method) {
      case "workspace/applyEdit":
        return { applied: await vscode.workspace.applyEdit(convert.workspaceEdit(params.edit)) };
      case "workspace/configuration":
        return params.items.map(({ section }) => vscode.workspace.getConfiguration(undefined, this.folder.uri).get(section) ?? null);
      case "workspace/workspaceFolders":
        return [{ uri: this.folder.uri.toString(), name: this.folder.name }];
      case "workspace/codeLens/refresh":
        this.lensesChanged.fire();
        return null;
      case "window/showMessageRequest":
        return (await showMessage(params)) ?? null;
      case "window/showDocument":
        return { success: await showDocument(params) };
      // Files are watched without being asked for, and progress is shown by who started the work.
      case "client/registerCapability":
      case "client/unregisterCapability":
      case "window/workDoneProgress/create":
        return null;
      default:
        return undefined;
    }
  }

  // Documents

  owns(uri) {
    return uri.scheme === "file" && folderOf(uri)?.uri.toString() === this.folder.uri.toString();
  }

  /** Whether a document belongs to this folder, in a language of the server. */
  has(document) {
    return LANGUAGES.has(document.languageId) && this.owns(document.uri);
  }

  sync() {
    const { workspace } = vscode;
    const watcher = workspace.createFileSystemWatcher(new vscode.RelativePattern(this.folder, "**/*"));
    const changed = (type) => (uri) => this.touch(uri, type);
    return [
      watcher, watcher.onDidCreate(changed(1)), watcher.onDidChange(changed(2)), watcher.onDidDelete(changed(3)),
      workspace.onDidOpenTextDocument((document) => this.opened(document)),
      workspace.onDidChangeTextDocument((event) => this.changed(event)),
      workspace.onDidSaveTextDocument((document) => this.saved(document)),
      workspace.onDidCloseTextDocument((document) => {
        this.about("textDocument/didClose", document);
        this.open.delete(document.uri.toString());
      }),
    ];
  }

  /** Notes that a file or folder was made (1), changed (2) or removed (3). */
  touch(uri, type) {
    if (!this.isRunning || !this.owns(uri) || OTHERS.test(vscode.workspace.asRelativePath(uri, false))) return;
    if (this.touched.size === 0) setTimeout(() => this.tellTouched(), COLLECTED);
    this.touched.set(uri.toString(), type);
  }

  tellTouched() {
    const changes = [...this.touched].map(([uri, type]) => ({ uri, type }));
    this.touched.clear();
    this.tell("workspace/didChangeWatchedFiles", { changes });
  }

  /** The server reads from the disk what is not opened for it. */
  saved(document) {
    if (this.open.has(document.uri.toString())) this.about("textDocument/didSave", document);
    else this.touch(document.uri, 2);
  }

  tell(method, params) {
    if (this.isRunning) this.connection.notify(method, params);
  }

  about(method, document, more) {
    const uri = document.uri.toString();
    if (this.open.has(uri)) this.tell(method, { textDocument: { uri }, ...more });
  }

  opened(document) {
    const uri = document.uri.toString();
    if (!this.isRunning || this.open.has(uri) || !this.has(document)) return;
    this.open.add(uri);
    this.tell("textDocument/didOpen", {
      textDocument: { uri, languageId: document.languageId, version: document.version, text: document.getText() },
    });
  }

  changed({ document, contentChanges }) {
    // VS Code also reports that a document was saved or is unsaved: without changes.
    if (contentChanges.length === 0) return;
    this.about("textDocument/didChange", document, {
      textDocument: { uri: document.uri.toString(), version: document.version },
      contentChanges: contentChanges.map(({ range, text }) => ({ range: convert.fromRange(range), text })),
    });
  }

  // Providers

  /** Registers what the server can do. */
  provide(can) {
    const { languages } = vscode;
    const pattern = new vscode.RelativePattern(this.folder, "**/*");
    const selector = [...LANGUAGES].map((language) => ({ language, scheme: "file", pattern }));
    const at = (document, position, more) => ({
      textDocument: { uri: document.uri.toString() }, ...(position && { position: convert.fromPosition(position) }), ...more,
    });
    /** A provider's function; `more` makes parameters of what VS Code passes after the document. */
    const asks = (method, show, more = () => ({})) => (document, ...rest) => {
      if (!this.has(document)) return undefined;
      const place = rest[0] instanceof vscode.Position ? rest[0] : undefined;
      const token = rest.find((one) => one?.onCancellationRequested);
      return this.ask(method, at(document, place, more(...rest)), token, show);
    };
    const all = (show) => (items) => convert.list(items, show);
    const table = [
      ["hoverProvider", () => languages.registerHoverProvider(selector, {
        provideHover: asks("textDocument/hover", convert.hover),
      })],
      ["definitionProvider", () => languages.registerDefinitionProvider(selector, {
        provideDefinition: asks("textDocument/definition", convert.locations),
      })],
      ["referencesProvider", () => languages.registerReferenceProvider(selector, {
        provideReferences: asks("textDocument/references", convert.locations, (_, context) => ({
          context: { includeDeclaration: context.includeDeclaration },
        })),
      })],
      ["documentHighlightProvider", () => languages.registerDocumentHighlightProvider(selector, {
        provideDocumentHighlights: asks("textDocument/documentHighlight", all(convert.highlight)),
      })],
      ["documentSymbolProvider", () => languages.registerDocumentSymbolProvider(selector, {
        provideDocumentSymbols: asks("textDocument/documentSymbol", all(convert.documentSymbol)),
      })],
      ["foldingRangeProvider", () => languages.registerFoldingRangeProvider(selector, {
        provideFoldingRanges: asks("textDocument/foldingRange", all(convert.fold)),
      })],
      ["documentLinkProvider", () => languages.registerDocumentLinkProvider(selector, {
        provideDocumentLinks: asks("textDocument/documentLink", all(convert.link)),
      })],
      ["codeActionProvider", () => languages.registerCodeActionsProvider(selector, this.actions(asks, can.codeActionProvider))],
      ["codeLensProvider", () => languages.registerCodeLensProvider(selector, this.lenses(asks, can.codeLensProvider))],
      ["completionProvider", () => languages.registerCompletionItemProvider(
        selector, this.completions(asks, can.completionProvider), ...(can.completionProvider.triggerCharacters ?? TRIGGERS))],
      ["renameProvider", () => languages.registerRenameProvider(selector, this.renames(at, can.renameProvider))],
      ["workspaceSymbolProvider", () => languages.registerWorkspaceSymbolProvider({
        provideWorkspaceSymbols: (query, token) => this.ask("workspace/symbol", { query }, token, all(convert.symbol)),
      })],
    ];
    this.providers = table.filter(([name]) => can[name]).map(([, register]) => register());
  }

  /** Something of a list that the server completes when it is shown. */
  resolver(method, show) {
    const sent = new WeakMap();
    return {
      keep: (from) => {
        const made = show(from);
        sent.set(made, from);
        return made;
      },
      resolve: (made, token) => {
        const from = sent.get(made);
        return from === undefined ? made : this.ask(method, from, token, (whole) => Object.assign(made, show(whole)));
      },
    };
  }

  actions(asks, can) {
    const { keep, resolve } = this.resolver("codeAction/resolve", convert.action);
    return {
      provideCodeActions: asks(
        "textDocument/codeAction", (items) => convert.list(items, keep),
        (range, context) => ({
          range: convert.fromRange(range),
          context: {
            diagnostics: context.diagnostics.map(convert.fromDiagnostic), triggerKind: context.triggerKind,
            only: context.only && [context.only.value],
          },
        })),
      ...(can.resolveProvider && { resolveCodeAction: resolve }),
    };
  }

  lenses(asks, can) {
    const { keep, resolve } = this.resolver("codeLens/resolve", convert.lens);
    return {
      onDidChangeCodeLenses: this.lensesChanged.event,
      provideCodeLenses: asks("textDocument/codeLens", (items) => convert.list(items, keep)),
      ...(can.resolveProvider && {
        resolveCodeLens: async (lens, token) => {
          const whole = (await resolve(lens, token)) ?? lens;
          // VS Code shows an error in place of a lens without a command.
          whole.command ??= { title: "", command: "" };
          return whole;
        },
      }),
    };
  }

  completions(asks, can) {
    const { keep, resolve } = this.resolver("completionItem/resolve", convert.completion);
    return {
      provideCompletionItems: asks(
        "textDocument/completion",
        (found) => new vscode.CompletionList(convert.list(found.items ?? found, keep), found.isIncomplete ?? false),
        (_position, _token, context) => ({
          context: { triggerKind: context.triggerKind + 1, triggerCharacter: context.triggerCharacter },
        })),
      ...(can.resolveProvider && { resolveCompletionItem: resolve }),
    };
  }

  /** VS Code shows the message of the error that these functions throw. */
  renames(at, can) {
    const ask = (document, method, params, token) => {
      if (!this.has(document)) throw new Error("This file does not belong to a folder of B2C.");
      return this.request(method, params, token);
    };
    return {
      provideRenameEdits: async (document, position, newName, token) => {
        const edit = await ask(document, "textDocument/rename", at(document, position, { newName }), token);
        return edit && convert.workspaceEdit(edit);
      },
      ...(can.prepareProvider && {
        prepareRename: async (document, position, token) => {
          const found = await ask(document, "textDocument/prepareRename", at(document, position), token);
          if (!found) throw new Error("Nothing here has a name that can be changed.");
          if (found.defaultBehavior) return undefined;
          return found.range ? { range: convert.range(found.range), placeholder: found.placeholder } : convert.range(found);
        },
      }),
    };
  }
}

function showMessage({ type, message, actions = [] }) {
  const show = { 1: "showErrorMessage", 2: "showWarningMessage" }[type] ?? "showInformationMessage";
  return vscode.window[show](message, ...actions);
}

async function showDocument({ uri, external, selection, takeFocus }) {
  const target = convert.uri(uri);
  if (external) return vscode.env.openExternal(target);
  try {
    await vscode.window.showTextDocument(target, {
      selection: selection && convert.range(selection), preserveFocus: takeFocus === false,
    });
    return true;
  } catch {
    return false;
  }
}

module.exports = { Client, LANGUAGES, folderOf };
