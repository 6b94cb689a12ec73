import JSON

/// What a step showed of the service, as single facts by place: claims, codes, page fields, header fields, members of
/// discovery documents. What differs from run to run by nature (times, ids, tokens) is reduced to its kind.
struct StepFacts {
    private(set) var facts = JSONObject()

    private let leavesOutBrowsers: Bool

    /// - Parameters:
    ///   - outcome: The step's outcome document.
    ///   - leavesOutBrowsers: Requests of browsers do not count as facts.
    init(_ outcome: JSONValue, leavesOutBrowsers: Bool = false) {
        self.leavesOutBrowsers = leavesOutBrowsers
        for token in ["idToken", "accessToken"] {
            for part in ["header", "claims"] { add("result/\(token)/\(part)", outcome["result", token, part]) }
        }
        for name in ["status", "b2cCode", "b2cMessage", "scopes", "json", "account"] {
            add("result/\(name)", outcome["result"]?[name])
        }
        add("error", outcome["error"])
        add("pending/reason", outcome["pending"]?["reason"])
        add("pending/page/name", outcome["pending"]?["page"]?["name"])
        requests(outcome["requests"]?.arrayValue ?? [])
        pages(outcome["pages"]?.arrayValue ?? [])
    }

    private mutating func add(_ place: String, _ value: JSONValue?) {
        switch value {
        case nil: return
        case .object(let object)?:
            for (key, member) in object.members { add("\(place)/\(key)", member) }
        case .array(let elements)?:
            // Lists of scopes, modes and the like have no meaning in their order.
            let texts = elements.map { JSONWriter.compact(Kinds.reduced($0)) }
            facts[place] = .string(texts.sorted().joined(separator: ", "))
        case let value?:
            facts[place] = Kinds.reduced(value)
        }
    }

    // MARK: Requests

    private mutating func requests(_ records: [JSONValue]) {
        var counts: [String: Int] = [:]
        for record in records {
            let endpoint = record["endpoint"]?.stringValue ?? "other"
            // A real tenant does not report its own calls.
            let from = record["from"]?.stringValue
            guard from != "authority", endpoint != "callback", !(leavesOutBrowsers && from == "browser") else {
                continue
            }
            counts[endpoint, default: 0] += 1
            let place = "requests/\(endpoint)/\(counts[endpoint] ?? 1)"
            let response = record["response"]
            add("\(place)/status", response?["status"])
            add("\(place)/networkError", response?["networkError"])
            for (name, value) in response?["headers"]?.objectValue?.members ?? [] {
                header(name, value, place)
            }
            guard let json = response?["json"] else { continue }
            add("\(place)/json", json)
        }
    }

    /// Of most fields the value counts, of cookies names and attributes, of addresses nothing but that they are there.
    private mutating func header(_ name: String, _ value: JSONValue, _ place: String) {
        switch name {
        case "date", "content-length", "server", "connection", "transfer-encoding", "keep-alive", "content-encoding",
            "vary", "location":
            return
        case "set-cookie":
            for cookie in value.arrayValue ?? [value] { self.cookie(cookie.stringValue ?? "", place) }
        default:
            facts["\(place)/headers/\(name)"] = Kinds.reduced(value)
        }
    }

    private mutating func cookie(_ text: String, _ place: String) {
        let parts = text.split(separator: ";").map { part in
            String(part.drop { $0 == " " })
        }
        guard let first = parts.first, let equals = first.firstIndex(of: "=") else { return }
        let attributes = parts.dropFirst().map { part in
            let name = part.prefix { $0 != "=" }.lowercased()
            return name == "expires" || name == "max-age" ? name : part.lowercased()
        }
        // The cache cookie has the transaction in its name.
        let name = first[..<equals].prefix { $0 != "|" }
        let isDeleted = first.index(after: equals) == first.endIndex
        facts["\(place)/cookies/\(name)"] = .string(
            (isDeleted ? ["deleted"] : []).joined() + attributes.sorted().joined(separator: "; "))
    }

    // MARK: Pages

    private mutating func pages(_ records: [JSONValue]) {
        for (index, page) in records.enumerated() {
            let place = "pages/\(index + 1)"
            for name in ["name", "title", "error", "b2cCode", "locale"] { add("\(place)/\(name)", page[name]) }
            add("\(place)/buttons", page["buttons"])
            for (id, field) in page["fields"]?.objectValue?.members ?? [] {
                for name in ["label", "required", "readOnly", "options"] {
                    add("\(place)/fields/\(id)/\(name)", field[name])
                }
            }
        }
    }
}

/// Reduces what no two runs have in common to its kind.
enum Kinds {
    static func reduced(_ value: JSONValue) -> JSONValue {
        value.mappingLeaves { value, _ in
            switch value {
            case .integer(let number): number > 1_000_000_000 ? "<time>" : value
            case .string(let text): .string(reduced(text))
            default: value
            }
        }
    }

    static func reduced(_ text: String) -> String {
        if text.hasPrefix("eyJ"), text.count(where: { $0 == "." }) == 2 { return "<token>" }
        if text.utf8.count > 60, !text.contains(" "), !text.contains("://") { return "<opaque>" }
        var result = ""
        var word = ""
        func flush() {
            result += kind(word) ?? word
            word = ""
        }
        for character in text {
            if character.isASCII, character.isHexDigit || character == "-" || character == ":" {
                word.append(character)
            } else {
                flush()
                result.append(character)
            }
        }
        flush()
        return result
    }

    private static func kind(_ word: String) -> String? {
        let parts = word.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8.count)
        if parts == [8, 4, 4, 4, 12] { return "<id>" }
        if parts == [4, 2, 2], word.allSatisfy({ $0.isNumber || $0 == "-" }) { return "<day>" }
        let clock = word.split(separator: ":", omittingEmptySubsequences: false)
        if clock.count == 3, clock.allSatisfy({ $0.utf8.count == 2 && $0.allSatisfy(\.isNumber) }) { return "<clock>" }
        return nil
    }
}
