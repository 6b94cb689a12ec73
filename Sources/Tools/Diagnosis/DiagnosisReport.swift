import JSON

extension Diagnosis {
    /// A part of what is printed: a title with labelled lines.
    package struct Section: Sendable {
        package var title: String
        package var facts: [(label: String, text: String)]
    }

    /// What was looked for, for texts in which nothing was found.
    package static let lookedFor =
        "codes (AADB2C, AADSTS, IDX, IDW, numbers of MSAL for iOS), OAuth errors, addresses of authorities and redirect"
        + " URIs, tokens, answers in JSON, log lines of MSAL for iOS, Android, JS and .NET, the wording of"
        + " \(Cause.played.count) reported bugs, and \(Cause.all.count - Cause.played.count) other errors"

    /// All of it for people.
    package var sections: [Section] { sections(without: []) }

    /// All of it for people, without the causes of these ids, which are explained elsewhere.
    package func sections(without explained: [String]) -> [Section] {
        let causes = causes.filter { $0.cause.script != nil || !explained.contains($0.cause.id) }
        var sections: [Section] = []
        if !facts.isEmpty || !notes.isEmpty {
            var lines = facts.map { fact in
                (label: fact.label, text: fact.text + (fact.line.map { $0 > 1 ? "  (line \($0))" : "" } ?? ""))
            }
            lines += notes.map { ("note", $0) }
            sections.append(Section(title: kind, facts: lines))
        }
        for (index, likely) in causes.enumerated() { sections.append(section(index + 1, likely)) }
        return sections
    }

    private func section(_ number: Int, _ likely: Likely) -> Section {
        var lines: [(label: String, text: String)] = []
        for (index, seen) in likely.evidence.enumerated() {
            lines.append((index == 0 ? "seen" : "", "line \(seen.line): \(seen.text)"))
        }
        if !likely.isSure, !likely.lookFor.isEmpty {
            lines.append(("look for", likely.lookFor.joined(separator: "; ")))
        }
        for (index, check) in likely.cause.checks.enumerated() { lines.append((index == 0 ? "check" : "", check)) }
        lines.append(("fix", likely.cause.fix))
        if let script = likely.cause.script {
            lines.append(("try it", "b2c explain \(likely.cause.id) --write"))
            lines.append(("", "b2c run \(script)"))
        }
        return Section(
            title: "\(number). \(likely.cause.id) (\(likely.certainty.rawValue))  \(likely.cause.cause)", facts: lines)
    }

    /// All of it for programs; docs/explain.md lists the members.
    package var json: JSONObject {
        var root: JSONObject = ["kind": .string(kind)]
        root.append(
            "facts",
            .array(
                facts.map { fact in
                    var object: JSONObject = ["label": .string(fact.label), "text": .string(fact.text)]
                    if let line = fact.line { object.append("line", .integer(Int64(line))) }
                    return .object(object)
                }))
        root.append("codes", .array(codes.map { .string($0) }))
        root.append("numbers", .array(numbers.map { .integer(Int64($0)) }))
        root.append("errors", .array(oauthErrors.map { .string($0) }))
        root.append("tokens", .array(tokens))
        root.append("causes", .array(causes.map { .object(Self.json($0)) }))
        root.append("notes", .array(notes.map { .string($0) }))
        return root
    }

    private static func json(_ likely: Likely) -> JSONObject {
        [
            "id": .string(likely.cause.id), "cause": .string(likely.cause.cause),
            "score": .integer(Int64(likely.score)),
            "certainty": .string(likely.certainty.rawValue), "sure": .bool(likely.isSure),
            "evidence": .array(likely.evidence.map { ["line": .integer(Int64($0.line)), "text": .string($0.text)] }),
            "lookFor": .array(likely.lookFor.map { .string($0) }),
            "checks": .array(likely.cause.checks.map { .string($0) }), "fix": .string(likely.cause.fix),
            "script": likely.cause.script.map { .string($0) } ?? .null,
            "run": likely.cause.script.map { .string("b2c run \($0)") } ?? .null,
        ]
    }
}
