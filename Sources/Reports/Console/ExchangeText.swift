import JSON

/// A record of the `requests` log in a few lines: what was asked, what came back, and why.
struct ExchangeText {
    let lines: [String]

    init(_ record: JSONValue, style: Style) {
        let number = Self.word(record["number"]) ?? "?"
        let from = record["from"]?.stringValue.map { "\($0) " } ?? ""
        let method = record["method"]?.stringValue ?? ""
        var lines = [
            style.cyan("exchange \(number)") + ": \(from)\(method) \(Self.address(record)) -> \(Self.outcome(record))"
        ]
        func add(_ name: String, _ value: JSONValue?) {
            guard let value, !Self.isEmpty(value) else { return }
            lines.append("  \(style.dim(name)) \(Shown.value(value, limit: 400))")
        }
        add("query", Self.shortened(record["query"]))
        add("form", Self.shortened(record["form"]))
        add("json", record["json"])
        let response = record["response"]
        add("location", response?["location"]?["url"] ?? response?["location"])
        if response?["json"] != nil {
            add("answer", response?["json"])
        } else if let status = response?["status"]?.intValue, status >= 400 {
            add("answer", response?["body"])
        }
        if let refusal = record["refusal"]?.stringValue { lines.append("  \(style.dim("why")) \(Shown.text(refusal))") }
        if record["altered"]?.boolValue == true { lines.append("  a fault rule of the script touched it") }
        if let blocked = record["blocked"]?.stringValue { lines.append("  blocked by the browser: \(blocked)") }
        self.lines = lines
    }

    /// The URL without its query, which has a line of its own.
    private static func address(_ record: JSONValue) -> String {
        let url = record["url"]?.stringValue ?? ""
        return Shown.text(url.firstIndex { $0 == "?" || $0 == "#" }.map { String(url[..<$0]) } ?? url)
    }

    private static func outcome(_ record: JSONValue) -> String {
        if let status = record["response", "status"]?.intValue { return String(status) }
        if let word = record["response", "networkError"]?.stringValue { return "no answer (\(word))" }
        return "no answer"
    }

    /// Parameters with long values cut, so that all names stay in sight.
    private static func shortened(_ value: JSONValue?) -> JSONValue? {
        guard case .object(let object)? = value else { return value }
        return .object(
            JSONObject(
                object.members.map { name, value in
                    guard case .string(let text) = value else { return (name, value) }
                    return (name, .string(Shown.text(text, limit: 80)))
                }))
    }

    private static func isEmpty(_ value: JSONValue) -> Bool {
        switch value {
        case .null: true
        case .string(let text): text.isEmpty
        case .array(let elements): elements.isEmpty
        case .object(let object): object.isEmpty
        default: false
        }
    }

    private static func word(_ value: JSONValue?) -> String? {
        value?.stringValue ?? value?.intValue.map { String($0) }
    }
}
