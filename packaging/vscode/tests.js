"use strict";

const vscode = require("vscode");
const convert = require("./convert");

/** What VS Code calls the results of a run; others are errors. */
const RESULTS = { passed: "passed", failed: "failed", skipped: "skipped" };

const shown = (value) => (value === undefined ? "nothing" : typeof value === "string" ? value : JSON.stringify(value, undefined, 2));
const caseID = (file, name) => `${file}#${name}`;

/** VS Code refuses two items with one id, such as cases of one name: the first is shown. */
function unique(items) {
  const ids = new Set();
  return items.filter(({ id }) => !ids.has(id) && ids.add(id));
}

/** The scenario files of the workspace and their cases, in VS Code's view of tests. */
class Scenarios {
  /** @param {(uri: vscode.Uri) => import("./client").Client} clientOf */
  constructor(clientOf) {
    this.clientOf = clientOf;
    this.controller = vscode.tests.createTestController("b2c", "B2C scenarios");
    this.controller.createRunProfile(
      "Run", vscode.TestRunProfileKind.Run, (request, token) => this.run(request, token), true);
    this.controller.refreshHandler = () => Promise.all([...this.items.keys()].map((client) => this.refresh(client)));
    /** The items of each client. */
    this.items = new Map();
    this.turn = 0;
  }

  /** Asks for the scenarios of a folder again. */
  async refresh(client) {
    const turn = ++this.turn;
    const known = this.items.get(client) ?? { turn, items: [] };
    this.items.set(client, { ...known, turn });
    const found = await client.ask("b2c/scenarios", {}, undefined, ({ scenarios }) => scenarios.map((one) => this.item(one)));
    // A later question has a newer answer, or the folder is gone.
    if (found && this.items.get(client)?.turn === turn) this.show(client, found);
  }

  remove(client) {
    this.items.delete(client);
    this.show();
  }

  show(client, items) {
    if (client) this.items.set(client, { ...this.items.get(client), items });
    const all = unique([...this.items.values()].flatMap((one) => one.items));
    this.controller.items.replace(all);
    // The menu offers to run these.
    vscode.commands.executeCommand("setContext", "b2c.scenarios", all.map(({ uri }) => uri.fsPath));
  }

  item({ uri, name, line, cases = [] }) {
    const file = convert.uri(uri);
    const make = (id, label, at = 0) => {
      const item = this.controller.createTestItem(id, label, file);
      item.range = new vscode.Range(at, 0, at, 0);
      return item;
    };
    const made = make(file.toString(), name, line);
    made.description = vscode.workspace.asRelativePath(file);
    made.children.replace(unique(cases.map((one) => make(caseID(made.id, one.name), one.name, one.line))));
    return made;
  }

  async run(request, token) {
    const run = this.controller.createTestRun(request);
    const excluded = new Set(request.exclude ?? []);
    const chosen = request.include ?? [...this.controller.items].map(([, item]) => item);
    for (const item of chosen) {
      if (excluded.has(item) || chosen.includes(item.parent)) continue;
      const cases = [...item.children].map(([, one]) => one);
      const wanted = cases.filter((one) => !excluded.has(one));
      // A file runs at once, unless a part of it was excluded.
      if (wanted.length === cases.length) await this.perform(run, item, token);
      else for (const one of wanted) await this.perform(run, one, token);
    }
    run.end();
  }

  /** Runs a file, or one case. */
  async perform(run, item, token) {
    const parts = item.children.size > 0 ? [...item.children].map(([, one]) => one) : [item];
    const end = (show) => parts.forEach(show);
    if (token.isCancellationRequested) return end((part) => run.skipped(part));
    end((part) => run.started(part));
    try {
      const report = await this.clientOf(item.uri).request("workspace/executeCommand", {
        command: "b2c.run",
        arguments: [{ uri: item.uri.toString(), ...(item.parent && { case: item.label }) }],
      }, token);
      run.appendOutput(`${report.text ?? ""}\n`.replace(/\r?\n/g, "\r\n"));
      const open = new Set(parts);
      for (const result of report.scenarios ?? []) {
        const of = this.target(item, result);
        if (!of) continue;
        open.delete(of);
        const how = RESULTS[result.result] ?? "errored";
        run[how](of, ...(how === "passed" || how === "skipped" ? [] : [messages(result, item)]));
      }
      for (const part of open) run.skipped(part);
    } catch (error) {
      end((part) => (token.isCancellationRequested ? run.skipped(part) : run.errored(part, new vscode.TestMessage(error.message))));
    }
  }

  /** The item that a result is about. */
  target(item, result) {
    const file = item.parent ?? item;
    if (convert.uri(result.uri).toString() !== file.id) return undefined;
    return result.case === undefined || result.case === null ? item : file.children.get(caseID(file.id, result.case));
  }

  dispose() {
    this.controller.dispose();
  }
}

function messages({ line, message, reason, differences = [] }, item) {
  const place = line === undefined || line === null ? item.range : new vscode.Range(line, 0, line, 0);
  const made = differences.map(({ pointer, text, expected, actual }) =>
    vscode.TestMessage.diff(text || `${pointer}: expected ${shown(expected)}, actual ${shown(actual)}`, shown(expected), shown(actual)));
  if (made.length === 0) made.push(new vscode.TestMessage(message || reason || "It failed."));
  for (const one of made) one.location = new vscode.Location(item.uri, place);
  return made;
}

module.exports = { Scenarios };
