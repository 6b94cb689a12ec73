/// The page around the data of ``HTMLReport``.
enum HTMLReportPage {
    /// Everything before the data.
    static let head = ##"""
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
        <title>b2c run report</title>
        <style>
        :root { --back: #fff; --text: #1b1f24; --soft: #57606a; --line: #d0d7de; --card: #f6f8fa; --good: #116329;
          --bad: #b3141d; --mark: #0550ae; --plus: #dafbe1; --minus: #ffebe9; }
        @media (prefers-color-scheme: dark) { :root { --back: #0d1117; --text: #e6edf3; --soft: #9da7b3; --line: #30363d;
          --card: #161b22; --good: #56d364; --bad: #ff8e86; --mark: #79c0ff; --plus: #12361f; --minus: #4a1a1d; } }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
        header, main { max-width: 1100px; margin: 0 auto; padding: 16px; }
        h1 { margin: 0 0 4px; font-size: 24px; } h2 { font-size: 18px; margin: 20px 0 8px; overflow-wrap: anywhere; }
        h3 { font-size: 15px; margin: 16px 0 6px; }
        .soft { color: var(--soft); } .good { color: var(--good); } .bad { color: var(--bad); }
        a { color: var(--mark); } a:focus-visible, summary:focus-visible, input:focus-visible, select:focus-visible,
        pre:focus-visible { outline: 2px solid var(--mark); outline-offset: 2px; }
        .bar { display: flex; flex-wrap: wrap; gap: 12px; margin: 12px 0; }
        .bar label { display: flex; flex-direction: column; font-size: 13px; color: var(--soft); flex: 1 1 140px; }
        input, select { font: inherit; color: var(--text); background: var(--back); border: 1px solid var(--soft);
          border-radius: 6px; padding: 6px 8px; width: 100%; min-height: 38px; }
        ul, ol { margin: 0; padding: 0; list-style: none; }
        #list li { border-top: 1px solid var(--line); padding: 8px 0; overflow-wrap: anywhere; content-visibility: auto;
          contain-intrinsic-size: auto 62px; }
        .state { display: inline-block; min-width: 64px; font-weight: 600; font-size: 13px; }
        pre { margin: 0; padding: 10px; background: var(--card); border: 1px solid var(--line); border-radius: 6px;
          overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; font: 13px/1.45 ui-monospace, monospace; }
        .step { border-left: 3px solid var(--line); padding: 2px 0 2px 12px; margin: 8px 0; }
        .step.failed { border-color: var(--bad); }
        .plus { background: var(--plus); } .minus { background: var(--minus); }
        .lanes, .arrow { display: grid; grid-template-columns: repeat(var(--n), 1fr); }
        .lanes span { font-size: 12px; font-weight: 600; text-align: center; overflow-wrap: anywhere; }
        .arrow span { border-bottom: 2px solid var(--mark); height: 8px; position: relative; }
        .arrow span::after { content: ""; position: absolute; bottom: -5px; border: 4px solid transparent; }
        .arrow .right::after { right: 0; border-left: 8px solid var(--mark); border-right: 0; }
        .arrow .left::after { left: 0; border-right: 8px solid var(--mark); border-left: 0; }
        details { border-top: 1px solid var(--line); padding: 6px 0; } summary { cursor: pointer; overflow-wrap: anywhere; }
        @media print { .bar, nav { display: none; } }
        </style>
        </head>
        <body>
        <header><h1>b2c run</h1><p id="facts" class="soft"></p></header>
        <main id="main"><noscript>This report needs JavaScript, which stays in this file.</noscript></main>
        <script type="application/json" id="data">
        """##

    /// Everything behind the data.
    static let tail = ##"""
        </script>
        <script>
        "use strict";
        const data = JSON.parse(document.getElementById("data").textContent);
        const report = data.report, main = document.getElementById("main");
        const good = new Set(["passed", "skipped", "expectedFailure", "flaky"]);
        const filter = { text: "", status: "", tag: "", folder: "" };
        function make(name, attributes, ...children) {
          const element = document.createElement(name);
          for (const [key, value] of Object.entries(attributes || {})) {
            if (key === "style") element.style.cssText = value; else element.setAttribute(key, value);
          }
          element.append(...children.filter((child) => child !== null && child !== undefined));
          return element;
        }
        const title = (s) => s.case === undefined ? s.name : s.name + " [" + s.case + "]";
        const folder = (s) => s.file.includes("/") ? s.file.slice(0, s.file.lastIndexOf("/")) : ".";
        const tint = (status) => status === "notRun" ? "soft" : good.has(status) ? "good" : "bad";
        const shown = (value) => typeof value === "string" ? value : JSON.stringify(value, null, 2);
        const block = (text, name) => make("pre", { tabindex: "0", class: name || "" }, text);
        document.getElementById("facts").append(
          make("strong", { class: report.result === "passed" ? "good" : "bad" }, report.result),
          " \u00b7 " + Object.entries(report.counts).filter(([, n]) => n > 0).map(([k, n]) => n + " " + k).join(", ")
          + " \u00b7 seed " + report.seed + " \u00b7 target " + report.target + " \u00b7 b2c " + data.version);
        const search = report.scenarios.map((s) => (title(s) + " " + s.file + " " + s.tags.join(" ") + " "
          + JSON.stringify(s.steps.map((t) => t.mismatches || t.problems || ""))).toLowerCase());

        function choice(label, key, values) {
          const select = make("select", {}, make("option", { value: "" }, "all"),
            ...[...new Set(values)].sort().map((v) => make("option", { value: v }, v)));
          select.value = filter[key];
          select.addEventListener("change", () => { filter[key] = select.value; fill(); });
          return make("label", {}, label, select);
        }
        function overview() {
          const box = make("input", { type: "search", id: "search" });
          box.value = filter.text;
          box.addEventListener("input", () => { filter.text = box.value; fill(); });
          main.replaceChildren(
            make("div", { class: "bar" }, make("label", {}, "Search (press /)", box),
              choice("Status", "status", report.scenarios.map((s) => s.result)),
              choice("Tag", "tag", report.scenarios.flatMap((s) => s.tags)),
              choice("Folder", "folder", report.scenarios.map(folder))),
            make("p", { id: "shown", class: "soft", role: "status" }), make("ul", { id: "list" }));
          fill();
        }
        function fill() {
          const text = filter.text.toLowerCase();
          const found = report.scenarios.map((s, i) => i).filter((i) => {
            const s = report.scenarios[i];
            return (!text || search[i].includes(text)) && (!filter.status || s.result === filter.status)
              && (!filter.tag || s.tags.includes(filter.tag)) && (!filter.folder || folder(s) === filter.folder);
          });
          // What failed stands first.
          found.sort((a, b) => good.has(report.scenarios[a].result) - good.has(report.scenarios[b].result) || a - b);
          document.getElementById("shown").textContent = found.length + " of " + report.scenarios.length + " scenarios";
          document.getElementById("list").replaceChildren(...found.map((i) => {
            const s = report.scenarios[i];
            return make("li", {}, make("span", { class: "state " + tint(s.result) }, s.result), " ",
              make("a", { href: "#s" + i }, title(s)), make("div", { class: "soft" }, s.file));
          }));
        }
        function difference(m) {
          return make("div", {}, make("p", {}, make("code", {}, m.pointer || "/"), " " + m.text),
            block("expected  " + shown(m.wanted), "plus"),
            block("actual    " + (m.found === undefined ? "(absent)" : shown(m.found)), "minus"));
        }
        function stepView(step, id) {
          const place = step.location;
          return make("li", { class: "step " + step.result, id },
            make("span", { class: "state " + tint(step.result) }, step.result), " ",
            make("a", { href: "#" + id }, step.title), make("div", { class: "soft" },
              [place.file, place.line, place.column].filter((x) => x !== undefined).join(":")),
            ...(step.problems || []).map((p) => make("p", { class: "bad" }, p)), ...(step.mismatches || []).map(difference),
            step.outcome === undefined ? null
              : make("details", {}, make("summary", {}, "Outcome of the step"), block(shown(step.outcome))),
            step.steps ? make("ol", {}, ...step.steps.map((t, i) => stepView(t, id + "." + i))) : null);
        }
        function receiver(r) {
          const name = r.endpoint || "";
          if (/^rest/i.test(name)) return "REST service";
          if (/provider/i.test(name)) return "identity provider";
          return /^(api|resource)/i.test(name) ? "API" : "authority";
        }
        const sender = (r) => r.from === "client" ? "app" : r.from || "app";
        function sequence(log) {
          const order = ["person", "app", "browser", "authority", "API", "identity provider", "REST service"];
          const used = [...new Set(log.flatMap((r) => [sender(r), receiver(r)]))];
          const rank = (name) => order.includes(name) ? order.indexOf(name) : order.length;
          const lanes = used.sort((a, b) => rank(a) - rank(b));
          const style = "--n:" + lanes.length;
          return make("section", {}, make("h3", {}, "Requests"),
            make("div", { class: "lanes", style, "aria-hidden": "true" }, ...lanes.map((l) => make("span", {}, l))),
            ...log.map((r) => {
              const a = lanes.indexOf(sender(r)), b = lanes.indexOf(receiver(r)), answer = r.response || {};
              const low = Math.min(a, b) + 1, high = Math.max(a, b) + 1;
              const line = make("span", { class: a <= b ? "right" : "left", style: "grid-column:" + low + "/" + (high + 1)
                + ";margin:0 calc(50% / " + (high - low + 1) + ")" });
              const end = answer.status === undefined ? answer.networkError || "no answer" : String(answer.status);
              return make("details", {}, make("summary", {}, "#" + r.number + " " + sender(r) + " to " + receiver(r)
                  + ": " + r.method + " " + (r.endpoint || r.url) + ", ",
                  make("strong", { class: answer.status < 400 ? "good" : "bad" }, end),
                  r.refusal ? make("div", { class: "bad" }, "never told to the app: " + r.refusal) : null,
                  make("div", { class: "arrow", style, "aria-hidden": "true" }, line)),
                make("h4", {}, "Request"), block(r.method + " " + r.url),
                ...["headers", "form"].filter((k) => r[k]).map((k) => block(k + "\n" + shown(r[k]))),
                make("h4", {}, "Response"), answer.headers ? block("headers\n" + shown(answer.headers)) : null,
                block(shown(answer.json === undefined ? answer.body || end : answer.json)),
                r.tokens ? block("tokens\n" + shown(r.tokens)) : null);
            }));
        }
        function scenarioView(index) {
          const s = report.scenarios[index], more = data.details[index];
          main.replaceChildren(...[make("nav", { "aria-label": "Report" }, make("a", { href: "#" }, "All scenarios")),
            make("h2", { tabindex: "-1" }, title(s)),
            make("p", { class: "soft" }, make("strong", { class: tint(s.result) }, s.result), " \u00b7 " + s.file
              + (s.tags.length ? " \u00b7 " + s.tags.join(", ") : "") + " \u00b7 " + s.elapsed + " s of its own clock"),
            s.reason ? make("p", {}, s.reason) : null, more ? block(more.failure) : null,
            make("h3", {}, "Steps"), make("ol", {}, ...s.steps.map((t, i) => stepView(t, "s" + index + "." + i))),
            more && more.log.length ? sequence(more.log) : null].filter((part) => part !== null));
        }
        function go() {
          const found = /^#s(\d+)((?:\.\d+)*)$/.exec(location.hash);
          if (!found || !report.scenarios[found[1]]) { overview(); return; }
          scenarioView(Number(found[1]));
          const step = found[2] ? document.getElementById(location.hash.slice(1)) : null;
          if (step) step.scrollIntoView(); else { scrollTo(0, 0); main.querySelector("h2").focus(); }
        }
        addEventListener("hashchange", go);
        addEventListener("keydown", (event) => {
          if (/^(INPUT|SELECT)$/.test(event.target.tagName)) return;
          if (event.key === "/" && document.getElementById("search")) {
            event.preventDefault();
            document.getElementById("search").focus();
          } else if (event.key === "Escape") location.hash = "";
        });
        go();
        </script>
        </body>
        </html>
        """##
}
