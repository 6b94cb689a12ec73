"use strict";

const { spawn } = require("node:child_process");
const path = require("node:path");
const vscode = require("vscode");
const { notStarted, offer } = require("./messages");
const { programs, settings } = require("./settings");

const TENANTS = "**/{tenant,*.tenant,tenants/*}.json";
const EMBEDDED = "The embedded tenant";
/** A line of the server that names what is wrong. */
const WRONG = /^(?:mock-server: |.*\berror: ).*$/gm;
const PAGES = { "Open start page": "start", "Open inspector": "inspector" };

/** The `mock-server` that the person started: at most one. */
class MockServer {
  constructor() {
    this.output = vscode.window.createOutputChannel("B2C mock server");
    this.status = vscode.window.createStatusBarItem("b2c.mockServer", vscode.StatusBarAlignment.Left);
    Object.assign(this.status, { name: "B2C mock server", command: "b2c.openInspector" });
    this.last = Promise.resolve();
  }

  /** Starts and stops follow each other. */
  next(step) {
    const done = this.last.then(step);
    this.last = done.catch(() => {});
    return done;
  }

  /** @param {vscode.Uri} [chosen] The tenant file; without it the person chooses. */
  async start(chosen) {
    const tenant = chosen ?? await this.choose();
    if (tenant === undefined) return;
    const folder = (tenant && vscode.workspace.getWorkspaceFolder(tenant)) ?? vscode.workspace.workspaceFolders?.[0];
    if (!folder) throw new Error("Open the folder of the tenant file first.");
    await this.next(async () => {
      await this.end();
      this.launch(folder, tenant);
    });
  }

  launch(folder, tenant) {
    const { mockServer, environment, settingsFile } = programs(folder);
    const words = [
      ...(tenant ? ["--tenant", tenant.fsPath] : []), ...(environment ? ["--environment", environment] : []),
      ...(settingsFile ? ["--settings", settingsFile] : []), "--end-with-parent",
    ];
    this.output.clear();
    this.output.appendLine(`${mockServer} ${words.join(" ")}`);
    const child = spawn(mockServer, words, { cwd: folder.uri.fsPath, stdio: ["ignore", "pipe", "pipe"] });
    this.child = child;
    this.pages = {};
    let said = "";
    const read = (data) => {
      this.output.append(data.toString());
      if (this.pages.isShown || child !== this.child) return;
      said += data;
      const ready = /^mock-server ready: (\S+)$/m.exec(said)?.[1];
      const inspector = /^\s*inspector (\S+)$/m.exec(said)?.[1];
      // Each comes over a pipe of its own.
      if (ready && inspector) this.ready({ start: ready, inspector, isShown: true }, tenant);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("error", (error) => this.ended(child, notStarted(mockServer, error, settings.server)));
    // Not `exit`: then all output has been read.
    child.once("close", (code, signal) => {
      const why = this.pages.isShown ? undefined : said.match(WRONG)?.at(-1);
      this.ended(child, `The mock server ended (${signal ?? code})${why ? `: ${why}` : "."}`);
    });
    this.running(true);
  }

  async ready(pages, tenant) {
    this.pages = pages;
    this.status.text = `$(server) ${new URL(pages.start).host}`;
    this.status.tooltip = `B2C mock server: ${tenant ? path.basename(tenant.fsPath) : EMBEDDED}`;
    this.status.show();
    const chosen = await vscode.window.showInformationMessage(`The mock server is ready: ${pages.start}`, ...Object.keys(PAGES));
    if (chosen) this.open(PAGES[chosen]);
  }

  /** Opens a page of the server in the browser: `start` or `inspector`. */
  async open(page) {
    if (!this.pages?.[page]) throw new Error("The mock server is not running.");
    const address = await vscode.env.asExternalUri(vscode.Uri.parse(this.pages[page]));
    await vscode.env.openExternal(address);
  }

  stop() {
    return this.next(() => this.end());
  }

  async end() {
    const child = this.child;
    this.child = undefined;
    this.running(false);
    if (!child || child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const over = new Promise((resolve) => child.once("exit", resolve));
    child.kill();
    await over;
  }

  ended(child, why) {
    if (child !== this.child) return;
    this.child = undefined;
    this.running(false);
    offer(why, this.output);
  }

  running(isRunning) {
    vscode.commands.executeCommand("setContext", "b2c.serverRuns", isRunning);
    if (isRunning) return;
    this.pages = {};
    this.status.hide();
  }

  /** A tenant file of the workspace; `null` is the embedded tenant, `undefined` none. */
  async choose() {
    const files = await vscode.workspace.findFiles(TENANTS, "**/node_modules/**", 200);
    const items = files.map((uri) => ({ label: vscode.workspace.asRelativePath(uri), uri }));
    items.sort((one, other) => (one.label < other.label ? -1 : 1));
    const chosen = await vscode.window.showQuickPick(
      [...items, { label: EMBEDDED, uri: null }], { placeHolder: "The tenant file that the mock server serves" });
    return chosen?.uri;
  }

  async dispose() {
    await this.stop();
    this.output.dispose();
    this.status.dispose();
  }
}

module.exports = { MockServer };
