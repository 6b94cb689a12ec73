import JSON

/// What a journey did and why, from the `trace` log of an outcome, for reading.
public struct TraceText: Sendable {
    private let style: Style

    /// A writer with or without colours.
    public init(style: Style) {
        self.style = style
    }

    /// The log as lines: each orchestration step with the profiles and transformations that ran in it above it, in the
    /// order in which they ran, and what it added to the claims.
    public func text(_ trace: [JSONValue]) -> String {
        var lines: [String] = []
        var waiting: [String] = []
        var before = JSONObject()
        var journey: String?
        for record in trace {
            if record["transformation"] != nil {
                waiting += transformation(record)
            } else if record["profile"] != nil {
                waiting += profile(record)
            } else {
                if let name = record["journey"]?.stringValue, name != journey {
                    journey = name
                    lines.append(style.bold("journey \(name)"))
                    before = JSONObject()
                }
                lines += step(record)
                lines += waiting
                lines += changes(from: before, to: record["claims"]?.objectValue ?? JSONObject())
                before = record["claims"]?.objectValue ?? before
                waiting = []
            }
        }
        // A journey that failed or waits has left no record of its last step.
        if !waiting.isEmpty { lines += [style.yellow("  a step that was not finished")] + waiting }
        return lines.isEmpty ? "no journey ran\n" : lines.joined(separator: "\n") + "\n"
    }

    private func step(_ record: JSONValue) -> [String] {
        let ran = record["ran"]?.boolValue ?? true
        let number = record["step"]?.intValue.map { String($0) } ?? "?"
        let kind = record["stepType"]?.stringValue ?? ""
        let because = record["because"]?.stringValue.map { ": \(Shown.text($0))" } ?? ""
        return ["  step \(number) \(kind) " + (ran ? style.green("ran") : style.yellow("skipped")) + because]
    }

    private func profile(_ record: JSONValue) -> [String] {
        let name = record["profile"]?.stringValue ?? ""
        let handler = record["handler"]?.stringValue.map { " (\($0))" } ?? ""
        let validation = record["validation"]?.boolValue == true ? ", as validation" : ""
        let skipped = record["skipped"]?.stringValue.map { ", left out: \(Shown.text($0))" } ?? ""
        var lines = ["    profile \(style.bold(name))\(style.dim(handler))\(validation)\(skipped)"]
        lines += claims("in ", record["in"])
        lines += claims("out", record["out"])
        if let error = record["error"]?.stringValue {
            lines.append("      " + style.red("failed: \(Shown.text(error))"))
        }
        return lines
    }

    private func transformation(_ record: JSONValue) -> [String] {
        let name = record["transformation"]?.stringValue ?? ""
        let method = record["method"]?.stringValue.map { " (\($0))" } ?? ""
        return ["    transformation \(name)\(style.dim(method))"] + claims("in ", record["in"])
            + claims("out", record["out"])
    }

    private func claims(_ word: String, _ value: JSONValue?) -> [String] {
        guard case .object(let object)? = value, !object.isEmpty else { return [] }
        return object.members.enumerated().map { index, member in
            "      \(style.dim(index == 0 ? word : "   ")) \(member.key) = \(Shown.value(member.value, limit: 120))"
        }
    }

    private func changes(from before: JSONObject, to after: JSONObject) -> [String] {
        var lines: [String] = []
        for (name, value) in after.members where before[name] != value {
            lines.append(
                "    \(style.green(before[name] == nil ? "+" : "~")) \(name) = \(Shown.value(value, limit: 120))")
        }
        for (name, _) in before.members where after[name] == nil { lines.append("    \(style.red("-")) \(name)") }
        return lines
    }
}
