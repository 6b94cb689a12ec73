"use strict";

const vscode = require("vscode");

// Positions need no arithmetic: VS Code counts lines from 0 and UTF-16 units, as the protocol does with `utf-16`.

/** The values of the protocol's `SymbolKind` begin with 1, those of VS Code with 0; `CompletionItemKind` too. */
const FIRST_KIND = 1;
const SNIPPET = 2;
/** An `InsertTextMode`: the text is indented already. */
const AS_IS = 1;
const SEVERITIES = [
  vscode.DiagnosticSeverity.Error, vscode.DiagnosticSeverity.Error, vscode.DiagnosticSeverity.Warning,
  vscode.DiagnosticSeverity.Information, vscode.DiagnosticSeverity.Hint,
];
const FOLDS = {
  comment: vscode.FoldingRangeKind.Comment, imports: vscode.FoldingRangeKind.Imports, region: vscode.FoldingRangeKind.Region,
};

const position = ({ line, character }) => new vscode.Position(line, character);
const range = ({ start, end }) => new vscode.Range(position(start), position(end));
const uri = (text) => vscode.Uri.parse(text);
const location = (from) => new vscode.Location(uri(from.uri), range(from.range));
const list = (items, convert) => (items ?? []).map(convert);

// To the server

const fromPosition = ({ line, character }) => ({ line, character });
const fromRange = ({ start, end }) => ({ start: fromPosition(start), end: fromPosition(end) });

/** A diagnostic as the server sent it, which has more than VS Code keeps. */
const original = new WeakMap();

function fromDiagnostic(shown) {
  const code = typeof shown.code === "object" ? shown.code.value : shown.code;
  return original.get(shown) ?? {
    range: fromRange(shown.range), message: shown.message, severity: shown.severity + 1, source: shown.source, code,
  };
}

// From the server

function diagnostic(from) {
  const made = new vscode.Diagnostic(range(from.range), from.message, SEVERITIES[from.severity ?? 1]);
  made.source = from.source;
  made.code = from.codeDescription ? { value: from.code, target: uri(from.codeDescription.href) } : from.code;
  made.tags = from.tags;
  made.relatedInformation = from.relatedInformation?.map(
    (other) => new vscode.DiagnosticRelatedInformation(location(other.location), other.message));
  original.set(made, from);
  return made;
}

/** A hover's or a completion's text: plain, Markdown, or both in a list. */
function markdown(from) {
  if (from === undefined || from === null) return undefined;
  if (Array.isArray(from)) return new vscode.MarkdownString(from.map((part) => markdown(part).value).join("\n\n"));
  const made = new vscode.MarkdownString();
  if (typeof from === "string") return made.appendMarkdown(from);
  if (from.language) return made.appendCodeblock(from.value, from.language);
  return from.kind === "plaintext" ? made.appendText(from.value) : made.appendMarkdown(from.value);
}

const hover = (from) => from && new vscode.Hover(markdown(from.contents), from.range && range(from.range));

/** One location, several, or links to them. */
function locations(from) {
  return list(Array.isArray(from) ? from : from ? [from] : [], (one) =>
    one.targetUri
      ? {
        targetUri: uri(one.targetUri), targetRange: range(one.targetRange),
        targetSelectionRange: range(one.targetSelectionRange),
        originSelectionRange: one.originSelectionRange && range(one.originSelectionRange),
      }
      : location(one));
}

const highlight = (from) =>
  new vscode.DocumentHighlight(range(from.range), (from.kind ?? vscode.DocumentHighlightKind.Text + 1) - 1);

const textEdit = (from) => new vscode.TextEdit(range(from.range), from.newText);

function workspaceEdit(from) {
  const made = new vscode.WorkspaceEdit();
  const replace = (target, edits) => made.set(target, edits.map(textEdit));
  if (from.documentChanges) {
    for (const change of from.documentChanges) {
      if (change.kind === "create") made.createFile(uri(change.uri), change.options);
      else if (change.kind === "rename") made.renameFile(uri(change.oldUri), uri(change.newUri), change.options);
      else if (change.kind === "delete") made.deleteFile(uri(change.uri), change.options);
      else replace(uri(change.textDocument.uri), change.edits);
    }
  } else {
    for (const [name, edits] of Object.entries(from.changes ?? {})) replace(uri(name), edits);
  }
  return made;
}

const command = (from) => from && { title: from.title, command: from.command, arguments: from.arguments };

function completion(from) {
  const label = from.labelDetails ? { label: from.label, ...from.labelDetails } : from.label;
  const made = new vscode.CompletionItem(label, from.kind === undefined ? undefined : from.kind - FIRST_KIND);
  const text = from.textEdit?.newText ?? from.insertText ?? from.label;
  made.insertText = from.insertTextFormat === SNIPPET ? new vscode.SnippetString(text) : text;
  if (from.textEdit) {
    made.range = from.textEdit.range
      ? range(from.textEdit.range)
      : { inserting: range(from.textEdit.insert), replacing: range(from.textEdit.replace) };
  }
  for (const name of ["detail", "sortText", "filterText", "preselect", "commitCharacters", "tags"]) {
    if (from[name] !== undefined) made[name] = from[name];
  }
  made.keepWhitespace = from.insertTextMode === AS_IS;
  made.documentation = markdown(from.documentation);
  made.additionalTextEdits = from.additionalTextEdits?.map(textEdit);
  made.command = command(from.command);
  return made;
}

function action(from) {
  // A command alone, as older servers answer.
  if (typeof from.command === "string") return command(from);
  const made = new vscode.CodeAction(from.title, from.kind === undefined ? undefined : actionKind(from.kind));
  made.edit = from.edit && workspaceEdit(from.edit);
  made.command = command(from.command);
  made.diagnostics = from.diagnostics?.map(diagnostic);
  made.isPreferred = from.isPreferred;
  made.disabled = from.disabled;
  return made;
}

const actionKind = (text) =>
  text.split(".").filter(Boolean).reduce((kind, part) => kind.append(part), vscode.CodeActionKind.Empty);

const lens = (from) => new vscode.CodeLens(range(from.range), command(from.command));

const fold = (from) => new vscode.FoldingRange(from.startLine, from.endLine, FOLDS[from.kind]);

/** A symbol of a document, as a tree or, of older servers, one of a list. */
function documentSymbol(from) {
  if (from.location) return symbol(from);
  const whole = range(from.range);
  const name = range(from.selectionRange);
  // VS Code refuses all of them if one is not inside.
  const made = new vscode.DocumentSymbol(
    from.name || " ", from.detail ?? "", from.kind - FIRST_KIND, whole, whole.contains(name) ? name : whole);
  made.tags = from.tags;
  made.children = list(from.children, documentSymbol);
  return made;
}

const symbol = (from) =>
  new vscode.SymbolInformation(from.name, from.kind - FIRST_KIND, from.containerName ?? "", location(from.location));

function link(from) {
  const made = new vscode.DocumentLink(range(from.range), from.target && uri(from.target));
  made.tooltip = from.tooltip;
  return made;
}

module.exports = {
  action, completion, diagnostic, documentSymbol, fold, fromDiagnostic, fromPosition, fromRange, highlight, hover, lens, link, list,
  locations, position, range, symbol, textEdit, uri, workspaceEdit,
};
