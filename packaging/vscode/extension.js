"use strict";

const vscode = require("vscode");
const { Client, LANGUAGES, folderOf } = require("./client");
const { ResponseError } = require("./connection");
const { offer } = require("./messages");
const { MockServer } = require("./mock");
const { Reports } = require("./panel");
const { Scenarios } = require("./tests");
const { settings } = require("./settings");

/** Characters of a document that are looked at to see whether it is one of ours. */
const HEAD = 65_536;

const OURS = {
  xml: (text) => /<TrustFrameworkPolicy\b/.test(text),
  json: (text, name) =>
    name.endsWith("/b2c.json") || /"\$schema"\s*:\s*"[^"]*\b(scenario|tenant|target|project)\.schema\.json"/.test(text)
    || (/"steps"\s*:/.test(text) && /"(tenant|app|policy|acquireToken)"\s*:/.test(text))
    || (/"policies"\s*:/.test(text) && /"(apps|users)"\s*:/.test(text)),
};

/** Whether a document shows that its folder has policies, scenarios or tenants. */
function isOurs(document) {
  if (!LANGUAGES.has(document.languageId) || document.uri.scheme !== "file") return false;
  return OURS[document.languageId === "xml" ? "xml" : "json"](document.getText().slice(0, HEAD), document.uri.path);
}

/** The extension while it is active: a language server for each outermost folder that has something of B2C. */
class Session {
  constructor() {
    this.output = vscode.window.createOutputChannel("B2C");
    this.reports = new Reports();
    this.mock = new MockServer();
    /** By the URI of the folder. */
    this.clients = new Map();
    /** The test view, which other folders do not get. */
    this.scenarios = undefined;
    this.subscriptions = [this.reports, this.mock, ...this.listen(), ...this.commands()];
  }

  listen() {
    const { workspace } = vscode;
    return [
      workspace.onDidOpenTextDocument((document) => this.met(document)),
      workspace.onDidSaveTextDocument((document) => this.met(document)),
      workspace.onDidChangeWorkspaceFolders(() => {
        for (const client of this.clients.values()) if (!client.owns(client.folder.uri)) this.drop(client);
        this.begin();
      }),
      workspace.onDidChangeConfiguration((event) => {
        for (const client of this.clients.values()) {
          const { folder } = client;
          if ([settings.path, settings.environment, settings.file].some((name) => event.affectsConfiguration(name, folder.uri))) {
            client.restart();
          }
        }
      }),
    ];
  }

  /** Starts what the workspace needs at once. */
  async begin() {
    await Promise.all((vscode.workspace.workspaceFolders ?? []).map((folder) => this.look(folder)));
    for (const document of vscode.workspace.textDocuments) this.met(document);
  }

  async look(folder) {
    const found = await vscode.workspace.findFiles(new vscode.RelativePattern(folder, "**/b2c.json"), "**/node_modules/**", 1);
    // It may be gone meanwhile.
    const outermost = folderOf(folder.uri);
    if (found.length > 0 && outermost) this.serve(outermost);
  }

  met(document) {
    const folder = folderOf(document.uri);
    if (folder && !this.clients.has(folder.uri.toString()) && isOurs(document)) this.serve(folder);
  }

  /** The client of a folder, started if there is none yet. */
  serve(folder) {
    const key = folder.uri.toString();
    let client = this.clients.get(key);
    if (!client) {
      client = new Client(folder, this.output);
      this.clients.set(key, client);
      this.scenarios ??= new Scenarios((uri) => this.clientOf(uri));
      client.scenariosChanged.event(() => this.scenarios.refresh(client));
      vscode.commands.executeCommand("setContext", "b2c.isActive", true);
      client.start();
    }
    return client;
  }

  async drop(client) {
    this.clients.delete(client.folder.uri.toString());
    this.scenarios.remove(client);
    await client.dispose();
  }

  clientOf(uri) {
    const folder = folderOf(uri);
    if (!folder) throw new Error("Open a policy or a scenario of a folder that is open in VS Code first.");
    return this.serve(folder);
  }

  // Commands

  commands() {
    const table = {
      "b2c.run": (from) => this.report("b2c.run", "Running the scenario", from),
      "b2c.trace": (from) => this.trace(from),
      "b2c.explore": (from) => this.report("b2c.explore", "Exploring the policy", from),
      "b2c.reach": (from) => this.reach(from),
      "b2c.openReport": () => this.reports.open(),
      "b2c.startServer": (uri) => this.mock.start(uri instanceof vscode.Uri ? uri : undefined),
      "b2c.stopServer": () => this.mock.stop(),
      "b2c.openInspector": () => this.mock.open("inspector"),
      "b2c.restart": () => Promise.all([...this.clients.values()].map((client) => client.restart())),
    };
    return Object.entries(table).map(([name, run]) =>
      vscode.commands.registerCommand(name, async (...words) => {
        try {
          return await run(...words);
        } catch (error) {
          if (!(error instanceof ResponseError && error.isDropped)) this.complain(error.message);
          return undefined;
        }
      }));
  }

  /** Several lines are the server's text for a terminal: the first is shown, all of them in the output. */
  complain(text) {
    const [line, ...more] = text.split("\n");
    if (more.length === 0) return vscode.window.showErrorMessage(line);
    this.output.appendLine(text);
    return offer(line, this.output);
  }

  /** The server's argument: of a lens as the server made it, of a menu the file, else the file in the editor. */
  argument(from) {
    if (from && !(from instanceof vscode.Uri)) return from;
    const uri = from ?? vscode.window.activeTextEditor?.document.uri;
    if (!uri) throw new Error("Open the policy or the scenario first.");
    return { uri: uri.toString() };
  }

  /** The answer of the server to one of its commands, with progress that can be cancelled. */
  execute(command, title, argument) {
    const client = this.clientOf(vscode.Uri.parse(argument.uri ?? argument.uris[0]));
    return vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      (_, token) => client.request("workspace/executeCommand", { command, arguments: [argument] }, token));
  }

  async report(command, title, from) {
    const report = await this.execute(command, title, this.argument(from));
    this.reports.show(command, report);
    return report;
  }

  async trace(from) {
    const argument = this.argument(from);
    if (argument === from) return this.report("b2c.trace", "Tracing the sign-in", argument);
    const person = await vscode.window.showInputBox({
      prompt: "Who signs in? Leave it empty for a person that the policy suits.", placeHolder: "ada",
    });
    if (person === undefined) return undefined;
    return this.report("b2c.trace", "Tracing the sign-in", { ...argument, ...(person && { person }) });
  }

  async reach(argument) {
    const { title, scripts } = await this.execute("b2c.reach", "Searching the scripts", argument);
    const items = scripts.map(({ uri, name }) => {
      const file = vscode.Uri.parse(uri);
      return { label: name, description: vscode.workspace.asRelativePath(file), uri: file };
    });
    const chosen = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
    if (chosen) await vscode.window.showTextDocument(chosen.uri);
  }

  async end() {
    await Promise.all([this.mock.stop(), ...[...this.clients.values()].map((client) => client.dispose())]);
    for (const subscription of this.subscriptions) subscription.dispose();
    this.scenarios?.dispose();
    this.output.dispose();
  }
}

let session;

exports.activate = async () => {
  session = new Session();
  await session.begin();
};

exports.deactivate = () => session?.end();
