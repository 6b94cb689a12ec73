import Markup

extension JourneyGraph {
    /// The journeys as a Mermaid flow chart, for Markdown that renders it.
    public var mermaid: String {
        var lines = ["flowchart TD"]
        for (index, chart) in charts.enumerated() {
            lines.append("  subgraph j\(index)[\"\(Self.text("\(chart.id): \(chart.kind)"))\"]")
            lines.append("    direction TB")
            lines += Self.lines(chart, prefix: "j\(index)")
            lines.append("  end")
        }
        for (index, chart) in charts.enumerated() {
            for step in chart.steps where step.type == "InvokeSubJourney" {
                for (other, target) in charts.enumerated() where sameID(target.id, step.detail) {
                    lines.append("  j\(index)s\(step.order) -.-> j\(other)")
                }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func lines(_ chart: Chart, prefix: String) -> [String] {
        var lines: [String] = []
        for (place, step) in chart.steps.enumerated() {
            let node = "\(prefix)s\(step.order)"
            let title = "<b>\(step.order) \(step.type)</b>" + (step.detail.isEmpty ? "" : "<br/>\(text(step.detail))")
            let shape = step.type == "SendClaims" ? ("([\"", "\"])") : ("[\"", "\"]")
            lines.append("    \(node)\(shape.0)\(title)\(shape.1)")
            for (number, box) in step.boxes.enumerated() {
                let id = "\(node)b\(number)"
                let all = ([box.handler.isEmpty ? box.profile : "\(box.profile) · \(box.handler)"] + box.lines).map(
                    text)
                lines.append("    \(id)[/\"\(all.joined(separator: "<br/>"))\"/]")
                let label = box.exchange.isEmpty ? "" : "|\"\(text(box.exchange))\"|"
                lines.append("    \(node) ---\(label) \(id)")
            }
            let last = place + 1 >= chart.steps.count
            let next = last ? nil : "\(prefix)s\(chart.steps[place + 1].order)"
            guard let next else { continue }
            if !step.skippedWhen.isEmpty, place > 0 {
                let before = "\(prefix)s\(chart.steps[place - 1].order)"
                lines.append(
                    "    \(before) -. \"without \(step.order): \(text(step.skippedWhen.joined(separator: ", or ")))\" .-> \(next)"
                )
            }
            if step.type != "SendClaims" { lines.append("    \(node) --> \(next)") }
        }
        return lines
    }

    private static func text(_ text: String) -> String {
        HTMLEntities.escaped(text, .less).replacing("\"", with: "#quot;")
    }
}
