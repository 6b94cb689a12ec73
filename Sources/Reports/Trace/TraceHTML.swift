import Diagnostics
import JSON

/// A trace as one HTML page that needs nothing beside it.
public struct TraceHTML: Sendable {
    /// What the page is about: title, and facts under it.
    public var title: String
    public var facts: [(name: String, value: String)]
    /// Claims of the token; `nil` when none was issued.
    public var token: JSONObject?
    /// Why there is none.
    public var failure: String?
    /// A drawing of the journey, SVG.
    public var drawing: String?

    public init(
        title: String, facts: [(name: String, value: String)] = [], token: JSONObject? = nil, failure: String? = nil,
        drawing: String? = nil
    ) {
        self.title = title
        self.facts = facts
        self.token = token
        self.failure = failure
        self.drawing = drawing
    }

    /// The page.
    public func text(_ trace: TraceModel) -> String {
        var body = "<h1>\(Self.escape(title))</h1>\n<dl class=\"facts\">"
        for fact in facts { body += "<dt>\(Self.escape(fact.name))</dt><dd>\(Self.escape(fact.value))</dd>" }
        body += "</dl>\n"
        if let failure { body += "<p class=\"failed\">\(Self.escape(failure))</p>\n" }
        if let token {
            body += "<h2>Claims of the token</h2>\n" + table(token.members.map { ($0.key, $0.value, nil) })
        }
        for journey in trace.journeys {
            body += "<h2>Journey \(Self.escape(journey.name))</h2>\n<ol class=\"steps\">\n"
            body += journey.steps.map(step).joined()
            body += "</ol>\n"
        }
        if !trace.unfinished.isEmpty || !trace.unfinishedPages.isEmpty {
            let name = trace.unfinishedStep.map { "Step \($0)" } ?? "A step that"
            body += "<h2>\(name) was not finished</h2>\n" + trace.unfinishedPages.map(page).joined()
            body += trace.unfinished.map(item).joined()
        }
        if let drawing { body += "<h2>The journeys of the policy</h2>\n<div class=\"drawing\">\(drawing)</div>\n" }
        return Self.page(title: title, body: body)
    }

    private func step(_ step: TraceModel.Step) -> String {
        let number = step.number.map { String($0) } ?? "?"
        var text = "<li class=\"\(step.ran ? "ran" : "skipped")\"><header><b>\(number)</b> \(Self.escape(step.type)) "
        text += "<em>\(step.ran ? "ran" : "skipped")</em>"
        if !step.because.isEmpty { text += " <span>\(Self.escape(step.because))</span>" }
        text += "</header>\n" + step.pages.map(page).joined() + step.items.map(item).joined()
        if !step.changes.isEmpty {
            text += "<details class=\"bag\" open><summary>Claims that changed</summary><table>"
            for change in step.changes {
                let mark = change.kind == .added ? "+" : change.kind == .changed ? "~" : "−"
                let value = change.kind == .removed ? "" : JSONWriter.compact(change.claim.value)
                text += "<tr><td class=\"mark\">\(mark)</td><th>\(Self.escape(change.claim.name))</th>"
                text += "<td><code>\(Self.escape(Self.cut(value)))</code></td>"
                text += "<td class=\"from\">\(change.claim.from.map { "from " + Self.escape($0) } ?? "")</td></tr>"
            }
            text += "</table></details>"
        }
        return text + "</li>\n"
    }

    private func page(_ page: TraceModel.Page) -> String {
        var text = "<p class=\"page\">page <b>\(Self.escape(page.name))</b> <small>"
        text += Self.escape(page.contentDefinition) + "</small>"
        if !page.fields.isEmpty { text += " with " + Self.escape(page.fields.joined(separator: ", ")) }
        return text + "</p>\n"
    }

    private func item(_ item: TraceModel.Item) -> String {
        let isBad = item.error != nil
        var text = "<section class=\"\(item.isTransformation ? "ct" : isBad ? "tp bad" : "tp")\"><h3>"
        text += "\(Self.escape(item.name)) <small>\(Self.escape(item.kind))"
        if item.isValidation { text += ", as validation" }
        if let skipped = item.skipped { text += ", omitted: \(Self.escape(skipped))" }
        text += "</small></h3>"
        if let error = item.error { text += "<p class=\"failed\">\(Self.escape(error))</p>" }
        if !item.input.isEmpty {
            text += "<h4>in</h4>" + table(item.input.map { ($0.name, $0.value, $0.from) })
        }
        if let call = item.call {
            text += "<p class=\"call\"><code>\(Self.escape(call.method)) \(Self.escape(call.url))</code> → "
            text += "<b class=\"\(call.isGood ? "good" : "failed")\">\(Self.escape(call.answer))</b></p>"
            for (name, value) in [("sent", call.sent), ("received", call.received)] {
                guard let value else { continue }
                text +=
                    "<details><summary>\(name)</summary><pre>\(Self.escape(JSONWriter.pretty(value)))</pre></details>"
            }
        }
        if !item.output.isEmpty {
            text += "<h4>out</h4>" + table(item.output.map { ($0.name, $0.value, nil) })
        }
        return text + "</section>\n"
    }

    private func table(_ rows: [(name: String, value: JSONValue, from: String?)]) -> String {
        var text = "<table>"
        for row in rows {
            text += "<tr><th>\(Self.escape(row.name))</th><td><code>"
            text += "\(Self.escape(Self.cut(JSONWriter.compact(row.value))))</code></td>"
            text += "<td class=\"from\">\(row.from.map { "from " + Self.escape($0) } ?? "")</td></tr>"
        }
        return text + "</table>\n"
    }

    private static func cut(_ text: String) -> String { text.count <= 300 ? text : text.prefix(300) + "…" }

    static func escape(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default:
                // Characters that hide, or turn the direction of reading round, have no place in a report.
                if VisibleText.isHidden(scalar), scalar != "\n", scalar != "\t" {
                    result += VisibleText.spelt(scalar)
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result
    }

    private static func page(title: String, body: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(escape(title))</title>
        <style>
        :root{--ink:#1d2733;--soft:#5b6472;--line:#d5dbe3;--back:#fbfcfd;--good:#2f8043;--bad:#b3261e;--tp:#3b6fb5;--ct:#7a5bb0;--warn:#8a5300}
        body{font:15px/1.45 system-ui,-apple-system,"Segoe UI",sans-serif;color:var(--ink);background:var(--back);max-width:1040px;margin:2rem auto;padding:0 1rem}
        h1{font-size:1.5rem;margin:0 0 .5rem}h2{font-size:1.15rem;margin:2rem 0 .6rem}h3{font-size:1rem;margin:.1rem 0}h4{font-size:.8rem;color:var(--soft);margin:.5rem 0 .1rem}
        small,.from,.facts dt{color:var(--soft);font-weight:400}.facts{display:grid;grid-template-columns:max-content 1fr;gap:.1rem .8rem;margin:0}.facts dd{margin:0}
        ol.steps{list-style:none;padding:0;margin:0}
        ol.steps>li{border-left:4px solid var(--good);padding:.4rem .9rem;margin:0 0 .8rem;background:#fff;box-shadow:0 1px 2px #0002}
        ol.steps>li.skipped{border-color:var(--line);color:var(--soft);background:none;box-shadow:none}
        header em{font-style:normal;color:var(--good)}.skipped header em{color:var(--warn)}
        section{border-left:3px solid var(--tp);padding:.2rem 0 .2rem .7rem;margin:.6rem 0}section.ct{border-color:var(--ct)}section.bad{border-color:var(--bad)}
        table{border-collapse:collapse;font-size:.87rem}th{text-align:left;font-weight:600;padding:.05rem .9rem .05rem 0;vertical-align:top;white-space:nowrap}td{padding:.05rem .9rem .05rem 0;vertical-align:top}
        code,pre{font:12.5px/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}pre{background:#f2f4f7;padding:.5rem;margin:.3rem 0;overflow:auto}
        .page{margin:.3rem 0;color:var(--soft)}.failed{color:var(--bad)}.good{color:var(--good)}.mark{color:var(--good);font-weight:700}.bag{margin-top:.5rem}summary{cursor:pointer;color:var(--soft);font-size:.85rem}.drawing{overflow:auto}
        </style>
        </head>
        <body>
        \(body)</body>
        </html>

        """
    }
}
