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

    // MARK: On one screen

    /// The request, its answer, the reason, and the parameters that matter: two to four lines of so many columns.
    ///
    /// - Parameter subject: The words of the failure. A parameter matters if the subject, the reason or the answer
    ///   names it.
    static func brief(_ record: JSONValue, about subject: String, style: Style, width: Int) -> [String] {
        let number = word(record["number"]) ?? "?"
        let method = record["method"]?.stringValue ?? ""
        let (start, end) = ("exchange \(number): \(method) ", " -> \(outcome(record))")
        var url = address(record)
        for scheme in ["https://", "http://"] where url.hasPrefix(scheme) { url.removeFirst(scheme.count) }
        let room = max(20, width - start.unicodeScalars.count - end.unicodeScalars.count)
        var lines = [
            style.cyan("exchange \(number)") + ": \(method) " + Shown.middle(url, width: room)
                + (end.count > width / 2 ? Shown.text(end, limit: width / 2) : end)
        ]
        let reason = reason(record)
        // What the difference says already is not said again.
        if let reason, !subject.contains(reason.text) {
            lines.append("  \(style.dim(reason.name)) \(Shown.text(reason.text, limit: 2 * width - 20))")
        }
        let named = parameters(record, namedIn: "\(subject) \(reason?.text ?? "")")
        if !named.isEmpty {
            let text = named.map { "\(Shown.text($0.name)) \(Shown.text($0.value, limit: 40))" }.joined(separator: ", ")
            lines.append("  \(style.dim("sent")) \(Shown.text(text, limit: width - 10))")
        }
        if record["altered"]?.boolValue == true { lines.append("  a fault rule of the script changed it") }
        if let blocked = record["blocked"]?.stringValue {
            lines.append("  " + Shown.text("blocked by the browser: \(blocked)", limit: width - 5))
        }
        return lines
    }

    /// Why the other side answered as it did: the authority's own reason, else the error of the answer.
    private static func reason(_ record: JSONValue) -> (name: String, text: String)? {
        if let refusal = record["refusal"]?.stringValue { return ("why", refusal) }
        let response = record["response"]
        let places = [response?["json"], response?["location", "query"], response?["location", "fragment"]]
        for place in places {
            guard let error = place?["error"] else { continue }
            let code = error.stringValue ?? error["code"]?.stringValue ?? JSONWriter.compact(error)
            let text = place?["error_description"]?.stringValue ?? error["message"]?.stringValue
            return ("answer", text.map { "\(code): \($0)" } ?? code)
        }
        // A page's request: what it shows is in the body, and the status of HTTP is 200.
        if let message = response?["json", "message"]?.stringValue, response?["json", "status"]?.stringValue != "200" {
            return ("answer", message)
        }
        guard let status = response?["status"]?.intValue, status >= 400 else { return nil }
        return (response?["body"]?.stringValue).flatMap { $0.isEmpty ? nil : ("answer", $0) }
    }

    /// The parameters of the request that a text names, in the order of the request.
    private static func parameters(_ record: JSONValue, namedIn text: String) -> [(name: String, value: String)] {
        // Names are words of letters, digits, `_` and `-`, so that `code` is not found in `code_verifier`.
        let words = Set(
            text.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" || $0 == ".") }.map {
                $0.lowercased()
            })
        var found: [(name: String, value: String)] = []
        for place in ["query", "form", "json"] {
            for member in record[place]?.objectValue?.members ?? [] {
                let value = member.value.stringValue ?? JSONWriter.compact(member.value)
                // A short value is in many texts by chance.
                let isNamed = words.contains(member.key.lowercased()) || value.utf8.count >= 6 && text.contains(value)
                if isNamed, !value.isEmpty { found.append((member.key, value)) }
            }
        }
        return found
    }

    // MARK: Parts

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
