"use strict";

const vscode = require("vscode");

/**
 * Shows an error with buttons.
 *
 * @param {vscode.OutputChannel} output What the last button shows.
 * @param {Record<string, Function>} [actions] What the other buttons do, by their titles.
 */
async function offer(text, output, actions = {}) {
  const all = { ...actions, "Show output": () => output.show() };
  const chosen = await vscode.window.showErrorMessage(text, ...Object.keys(all));
  all[chosen]?.();
}

/** Why a program does not start, with the setting that names the program. */
function notStarted(program, error, setting) {
  if (error.code !== "ENOENT") return `${program} does not start: ${error.message}`;
  return `${program} was not found. Install b2c-harness, or name the program in the setting ${setting}.`;
}

module.exports = { notStarted, offer };
