#!/usr/bin/env node
"use strict";

// What `mock-server` writes, for the test of the command that starts it.

if (process.argv.some((word) => word.endsWith("/wrong.json"))) {
  console.error("wrong.json:1:1: error: `name` is missing\n  1 | {}\n    | ^");
  process.exit(2);
}
console.error(`Tenant ${process.argv.slice(2).join(" ")}\ninspector http://localhost:9401/_b2c/`);
console.log("mock-server ready: http://localhost:9400");
setInterval(() => {}, 1000);
