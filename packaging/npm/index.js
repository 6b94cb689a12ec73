"use strict";

const path = require("node:path");
const { spawn } = require("node:child_process");

/** The file of a program: `b2c` or `mock-server`. */
exports.path = (program) => {
  if (program !== "b2c" && program !== "mock-server") {
    throw new Error(`b2c-harness has no program ${JSON.stringify(program)}; it has b2c and mock-server`);
  }
  return path.join(__dirname, "bin", program);
};

/** Runs a program with this process's arguments, streams and signals, and ends as it ends. */
exports.run = (program) => {
  const child = spawn(exports.path(program), process.argv.slice(2), { stdio: "inherit" });
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    console.error(`${program} does not start: ${error.message}`);
    process.exit(127);
  });
  child.on("exit", (code, signal) => {
    for (const name of signals) process.removeAllListeners(name);
    if (signal) process.kill(process.pid, signal);
    else process.exit(code);
  });
};
