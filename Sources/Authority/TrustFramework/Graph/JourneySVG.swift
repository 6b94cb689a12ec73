import Markup

extension JourneyGraph {
    /// The journeys as one SVG drawing that stands alone: steps from top to bottom, what each runs to its right, and on
    /// the left the way past a step that may be left out.
    public var svg: String {
        var drawing = SVGDrawing()
        var y = 20
        for chart in charts { y = drawing.add(chart, at: y) + 36 }
        return drawing.document(height: y, title: policy)
    }
}

/// Boxes and lines of a drawing, with a layout of its own: three columns and a row a step.
private struct SVGDrawing {
    private var body: [String] = []
    private var width = 900

    // Pixels. A character of the sans-serif text is taken to be 7 wide, which is enough for every common font.
    private static let left = 360
    private static let stepWidth = 230
    private static let gap = 44
    private static let line = 17
    private static let character = 7

    mutating func add(_ chart: JourneyGraph.Chart, at top: Int) -> Int {
        body.append(
            "<text x=\"20\" y=\"\(top + 16)\" class=\"h\">\(Self.escape(chart.id))"
                + "<tspan class=\"dim\" dx=\"12\">\(Self.escape(chart.kind))</tspan></text>")
        var y = top + 44
        var previous: (bottom: Int, ends: Bool)?
        for step in chart.steps {
            let height = max(Self.height(step), 34)
            let middle = y + height / 2
            if let previous {
                // A step that sends claims ends the journey; only journeys that skip the step continue.
                let start = previous.ends ? previous.bottom + 14 : previous.bottom
                let x = Self.left + Self.stepWidth / 2
                arrow(from: (x, start), to: (x, y))
            }
            // Pages that show the drawing find a step by these.
            body.append("<g data-journey=\"\(Self.escape(chart.id))\" data-step=\"\(step.order)\">")
            box(step, y, height)
            body.append("</g>")
            skip(step, y, height)
            var boxY = y + (height - Self.boxesHeight(step)) / 2
            for item in step.boxes {
                boxY = self.item(item, from: (Self.left + Self.stepWidth, middle), at: boxY) + 8
            }
            previous = (y + height, step.type == "SendClaims")
            y += height + 30
        }
        return y - 30
    }

    private mutating func box(_ step: JourneyGraph.GraphStep, _ y: Int, _ height: Int) {
        let ends = step.type == "SendClaims"
        body.append(
            "<rect x=\"\(Self.left)\" y=\"\(y)\" width=\"\(Self.stepWidth)\" height=\"\(height)\" rx=\"\(ends ? height / 2 : 6)\" "
                + "class=\"\(ends ? "send" : step.skippedWhen.isEmpty ? "step" : "step may")\"/>")
        let lines = step.detail.isEmpty ? 1 : 2
        var text = y + height / 2 - (lines - 1) * Self.line / 2 + 5
        self.text("\(step.order)  \(step.type)", x: Self.left + 12, y: text, style: "b", width: Self.stepWidth - 20)
        if !step.detail.isEmpty {
            text += Self.line
            self.text(step.detail, x: Self.left + 12, y: text, style: "dim", width: Self.stepWidth - 20)
        }
    }

    /// The way past a step, with the conditions for it.
    private mutating func skip(_ step: JourneyGraph.GraphStep, _ y: Int, _ height: Int) {
        guard !step.skippedWhen.isEmpty else { return }
        let x = Self.left - 16
        let middle = Self.left + Self.stepWidth / 2
        body.append(
            "<path class=\"skip\" d=\"M\(middle) \(y - 22) H\(x) V\(y + height + 14) H\(middle - 6)\" marker-end=\"url(#s)\"/>"
        )
        var text = y + height / 2 - (step.skippedWhen.count - 1) * Self.line / 2 + 5
        for (index, words) in step.skippedWhen.enumerated() {
            let shown = Self.cut((index == 0 ? "skipped if " : "or ") + words, Self.left - 34)
            body.append(
                "<text x=\"\(x - 8)\" y=\"\(text)\" class=\"cond\" text-anchor=\"end\">\(Self.escape(shown))<title>\(Self.escape(words))</title></text>"
            )
            text += Self.line
        }
    }

    private mutating func item(_ item: JourneyGraph.Box, from: (x: Int, y: Int), at y: Int) -> Int {
        let x = Self.left + Self.stepWidth + Self.gap
        let lines = Self.lines(item)
        let longest = lines.map(\.count).max() ?? 0
        let boxWidth = min(560, longest * Self.character + 24)
        let height = lines.count * Self.line + 12
        body.append(
            "<path class=\"edge\" d=\"M\(from.x) \(from.y) C\(from.x + 22) \(from.y) \(x - 22) \(y + height / 2) \(x) \(y + height / 2)\"/>"
        )
        body.append("<rect x=\"\(x)\" y=\"\(y)\" width=\"\(boxWidth)\" height=\"\(height)\" rx=\"3\" class=\"tp\"/>")
        for (index, line) in lines.enumerated() {
            text(line, x: x + 12, y: y + 20 + index * Self.line, style: index == 0 ? "b" : "dim", width: boxWidth - 20)
        }
        width = max(width, x + boxWidth + 20)
        return y + height
    }

    private static func lines(_ item: JourneyGraph.Box) -> [String] {
        var lines = [item.profile]
        let about = [item.handler, item.exchange.isEmpty ? "" : "exchange \(item.exchange)"].filter { !$0.isEmpty }
        if !about.isEmpty { lines.append(about.joined(separator: " · ")) }
        return lines + item.lines
    }

    private static func boxesHeight(_ step: JourneyGraph.GraphStep) -> Int {
        step.boxes.map { lines($0).count * line + 12 + 8 }.reduce(0, +) - (step.boxes.isEmpty ? 0 : 8)
    }

    private static func height(_ step: JourneyGraph.GraphStep) -> Int {
        max(
            boxesHeight(step), (step.detail.isEmpty ? 1 : 2) * line + 16, step.skippedWhen.count * line + 16)
    }

    private mutating func arrow(from: (x: Int, y: Int), to: (x: Int, y: Int)) {
        body.append("<path class=\"edge\" d=\"M\(from.x) \(from.y) L\(to.x) \(to.y)\" marker-end=\"url(#a)\"/>")
    }

    private mutating func text(_ text: String, x: Int, y: Int, style: String, width: Int = 0) {
        let shown = width == 0 ? text : Self.cut(text, width)
        let title = shown == text ? "" : "<title>\(Self.escape(text))</title>"
        body.append("<text x=\"\(x)\" y=\"\(y)\" class=\"\(style)\">\(Self.escape(shown))\(title)</text>")
    }

    private static func cut(_ text: String, _ width: Int) -> String {
        let most = max(4, width / character)
        return text.count <= most ? text : text.prefix(most - 1) + "…"
    }

    private static func escape(_ text: String) -> String {
        XMLEntities.escaped(text, also: .quotes)
    }

    func document(height: Int, title: String) -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" role="img">
        <title>\(Self.escape(title))</title>
        <defs>
        <marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#5b6472"/></marker>
        <marker id="s" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#b06a00"/></marker>
        </defs>
        <style>
        text{font:13px system-ui,-apple-system,"Segoe UI",sans-serif;fill:#1d2733}
        .h{font-size:17px;font-weight:600}.b{font-weight:600}.dim{fill:#5b6472;font-size:12px;font-weight:400}.cond{fill:#8a5300;font-size:12px}
        .step{fill:#e8f0fb;stroke:#3b6fb5}.may{stroke-dasharray:5 3}.send{fill:#e5f4e8;stroke:#2f8043}.tp{fill:#fff;stroke:#9aa5b4}
        .edge{fill:none;stroke:#5b6472}.skip{fill:none;stroke:#b06a00;stroke-dasharray:5 3}
        </style>
        <rect width="100%" height="100%" fill="#fbfcfd"/>
        \(body.joined(separator: "\n"))
        </svg>

        """
    }
}
