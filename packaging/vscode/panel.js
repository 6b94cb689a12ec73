"use strict";

const vscode = require("vscode");

/** For pages without a policy of their own; nothing of the network or of the disk is loaded. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
const TEXT_POLICY = "default-src 'none'; style-src 'unsafe-inline'";
/** VS Code scrolls to the target of a link inside the page, and drops the step to another address, by which reports show a scenario. */
const LINKS = `<script>
document.addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="#"]');
  if (!link || event.defaultPrevented) return;
  event.preventDefault();
  event.stopPropagation();
  location.hash = link.getAttribute("href");
});
</script>`;
/** In each page that `b2c run` writes. */
const RUN = "<title>b2c run report</title>";
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign]);
const meta = (policy) => `<meta http-equiv="Content-Security-Policy" content="${policy}">`;

/** The page of a report: its own, or its text. */
function page({ title, text = "", html }) {
  if (!html) {
    return `<!doctype html><html><head>${meta(TEXT_POLICY)}<title>${escaped(title)}</title></head>`
      + `<body><h1>${escaped(title)}</h1><pre>${escaped(text)}</pre></body></html>`;
  }
  const added = (/<meta\s[^>]*Content-Security-Policy/i.test(html) ? "" : meta(POLICY)) + LINKS;
  return /<head\b[^>]*>/i.test(html) ? html.replace(/<head\b[^>]*>/i, (head) => head + added) : added + html;
}

/** Shows reports beside the text, each kind in a panel of its own. */
class Reports {
  constructor() {
    this.panels = new Map();
    this.last = undefined;
  }

  /** @param {string} kind Reports of one kind follow each other in one panel. */
  show(kind, report) {
    this.last = { kind, report };
    let panel = this.panels.get(kind);
    if (!panel) {
      panel = vscode.window.createWebviewPanel(
        "b2c.report", report.title, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
        { retainContextWhenHidden: true, enableFindWidget: true });
      panel.onDidDispose(() => this.panels.delete(kind));
      this.panels.set(kind, panel);
    }
    panel.title = report.title;
    panel.webview.options = { enableScripts: Boolean(report.html), localResourceRoots: [] };
    panel.webview.html = page(report);
    panel.reveal(undefined, true);
  }

  /** The last report of this session, else the newest page that `b2c run` wrote. */
  async open() {
    if (this.last) return this.show(this.last.kind, this.last.report);
    const files = await vscode.workspace.findFiles("**/{.b2c,reports}/*.html", "**/node_modules/**", 100);
    const dated = await Promise.all(files.map(async (uri) => ({ uri, time: (await vscode.workspace.fs.stat(uri)).mtime })));
    for (const { uri } of dated.sort((one, other) => other.time - one.time)) {
      const html = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
      if (html.includes(RUN)) return this.show("b2c.run", { title: vscode.workspace.asRelativePath(uri), html });
    }
    throw new Error("There is no report yet: run a scenario, or trace a sign-in.");
  }

  dispose() {
    for (const panel of this.panels.values()) panel.dispose();
  }
}

module.exports = { Reports, page };
