#!/usr/bin/env node
"use strict";

require("./index.js").run("mock-server");
