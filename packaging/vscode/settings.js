"use strict";

const os = require("node:os");
const path = require("node:path");
const vscode = require("vscode");

const settings = { path: "b2c.path", server: "b2c.mockServerPath", environment: "b2c.environment", file: "b2c.settings" };

/** A path as people write it in settings; a bare name is left to the PATH. */
function expanded(text, folder) {
  const written = text.replace(/\$\{workspaceFolder\}/g, () => folder.uri.fsPath).replace(/^~(?=[\\/])/, () => os.homedir());
  return /[\\/]/.test(written) ? path.resolve(folder.uri.fsPath, written) : written;
}

/** What the settings say for a folder of the workspace. */
function programs(folder) {
  const all = vscode.workspace.getConfiguration(undefined, folder.uri);
  const text = (name) => (all.get(name) ?? "").trim();
  const b2c = expanded(text(settings.path) || "b2c", folder);
  // Both programs are installed in one folder.
  const beside = /[\\/]/.test(b2c) ? path.join(path.dirname(b2c), "mock-server") : "mock-server";
  const file = text(settings.file);
  return {
    b2c,
    mockServer: text(settings.server) ? expanded(text(settings.server), folder) : beside,
    environment: text(settings.environment),
    settingsFile: file && path.resolve(folder.uri.fsPath, expanded(file, folder)),
  };
}

module.exports = { programs, settings };
