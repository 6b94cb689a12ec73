import Determinism
import HTTPMessages
import JSON

/// Checks an answer as the service does, in the order of the table: what keeps the rest from being read ends the check.
struct ExtensionAnswerCheck {
    private let call: ExtensionCall
    /// The body of the call.
    private let body: JSONValue
    private(set) var findings: [ExtensionFinding] = []
    private(set) var action: ExtensionAction?
    private(set) var members = JSONObject()

    /// The size at which an answer is too big; the service's own is not documented (inferred).
    private static let mostBytes = 65_536
    /// Of the claims (Microsoft docs: custom-claims-provider-reference).
    private static let mostClaimBytes = 3072

    init(_ call: ExtensionCall, body: JSONObject) {
        self.call = call
        self.body = .object(body)
    }

    /// Adds the finding of a row of the table.
    private mutating func find(_ id: String, _ values: String..., at pointer: JSONPointer? = nil) {
        let row = ExtensionTableRow.row(id, of: "answers")
        func filled(_ text: String) -> String {
            values.enumerated().reduce(text) { $0.replacing("{\($1.offset)}", with: $1.element) }
        }
        findings.append(
            ExtensionFinding(
                id: id, rule: row.rule, code: row.code.flatMap { Int($0) },
                name: row.code.flatMap { ExtensionTableRow.row($0, of: "service").name } ?? id,
                message: filled(row.message), remedy: filled(row.remedy), severity: row.severity, pointer: pointer,
                isInferred: row.inferred))
    }

    // MARK: the message

    mutating func read(_ attempts: [ExtensionAttempt], limit: TimeSpan) {
        guard let last = attempts.last else { return }
        guard let response = last.response else {
            let host = call.url.authority
            switch last.failure {
            case .timeout: return find("time-out", "\(limit.milliseconds)", "\(attempts.count)")
            case .tls: return find("certificate", host)
            case let failure: return find("connection", host, failure?.description ?? "no answer")
            }
        }
        if attempts.count > 1, let first = attempts.first, response.status < 500 {
            find("first-attempt", first.failure?.description ?? "\(first.response?.status ?? 0)")
        }
        if read(status: response), let root = object(response) { read(root) }
    }

    /// Whether the status allows the body to be read.
    private mutating func read(status response: ResponseMessage) -> Bool {
        switch response.status {
        case 200: return true
        case 401, 403: find("unauthorized", "\(response.status)")
        case 300..<400: find("redirect", response.headers["Location"] ?? "another address")
        case 404: find("not-found", call.url.path.isEmpty ? "/" : call.url.path)
        case 429: find("throttled")
        default: find("status", "\(response.status)")
        }
        return false
    }

    /// The body as an object.
    private mutating func object(_ response: ResponseMessage) -> JSONObject? {
        let text = response.text.drop { $0.isWhitespace }
        guard !text.isEmpty, text != "null" else {
            find("empty")
            return nil
        }
        let type = response.headers.mediaType
        guard type != "text/html", text.first != "<" else {
            find("html")
            return nil
        }
        guard type == "application/json" else {
            find("content-type", type ?? "missing")
            return nil
        }
        guard response.body.count <= Self.mostBytes else {
            find("too-big", "\(response.body.count)", "\(Self.mostBytes)")
            return nil
        }
        guard let root = response.json?.objectValue else {
            find("not-json", at: .root)
            return nil
        }
        return root
    }

    // MARK: data

    /// A member by its name in any letter case.
    private mutating func member(_ name: String, of object: JSONObject, at place: JSONPointer) -> JSONValue? {
        if let value = object[name] { return value }
        let other = object.members.first { $0.key.lowercased() == name.lowercased() }
        if let other { find("letter-case", other.key, name, at: place.appending(other.key)) }
        return other?.value
    }

    private mutating func read(_ root: JSONObject) {
        guard let data = member("data", of: root, at: .root)?.objectValue else {
            if let old = ["action", "version", "userMessage"].first(where: { root[$0] != nil }) {
                return find("b2c-answer", old, at: .root)
            }
            return find("data-type", "missing", call.event.responseDataType, at: .root)
        }
        for (object, place) in [(root, JSONPointer.root), (data, "/data")] where object["apiSchemaVersion"] != nil {
            return find("schema-version", at: place.appending("apiSchemaVersion"))
        }
        let type = member("@odata.type", of: data, at: "/data")?.stringValue
        let expected = call.event.responseDataType
        guard let type, type.lowercased() == expected.lowercased() else {
            return find("data-type", type ?? "missing", expected, at: "/data/@odata.type")
        }
        if type != expected { find("letter-case", type, expected, at: "/data/@odata.type") }
        let actions = member("actions", of: data, at: "/data")?.arrayValue ?? []
        guard actions.count == 1 else { return find("action-count", "\(actions.count)", at: "/data/actions") }
        readAction(actions[0].objectValue ?? [:])
        if call.event == .passwordSubmit {
            let nonce = data["nonce"]?.stringValue
            if nonce?.lowercased() != call.nonce.description {
                find("nonce", nonce == nil ? "missing" : "another one", at: "/data/nonce")
            }
        }
    }

    // MARK: the action

    private static let place: JSONPointer = "/data/actions/0"

    private mutating func readAction(_ object: JSONObject) {
        let place = Self.place.appending("@odata.type")
        let type = member("@odata.type", of: object, at: Self.place)?.stringValue ?? "without a type"
        let known = call.event.actions
        guard let action = known.first(where: { $0.type.lowercased() == type.lowercased() }) else {
            let names = known.map(\.type).joined(separator: ", ")
            return find("action-type", call.event.rawValue, type, names, at: place)
        }
        if action.type != type { find("letter-case", type, action.type, at: place) }
        self.action = action
        for name in action.members {
            let value = member(name, of: object, at: Self.place)
            members[name] = value
            read(name, value, of: action, at: Self.place.appending(name))
        }
    }

    private mutating func read(_ name: String, _ value: JSONValue?, of action: ExtensionAction, at place: JSONPointer) {
        switch name {
        case "title", "message":
            guard value?.stringValue?.isEmpty ?? true else { return }
            if action.members.contains("title") { return find("block-text", name, at: place) }
            find("action-member", name, "a text", at: place)
        case "claims": readClaims(value, at: place)
        case "failedClaims":
            guard let names = value?.arrayValue?.map({ $0.stringValue ?? "" }) else {
                return find("action-member", name, "a list of names", at: place)
            }
            let sent = body["data", "verifiedIdClaimsContext", "claims"]?.objectValue
            for name in names where sent?[name] == nil { find("failed-claims", name, at: place) }
        case "attributeErrors" where value == nil: break
        default:
            guard let object = value?.objectValue else { return find("action-member", name, "an object", at: place) }
            readAttributes(object, areErrors: name == "attributeErrors", at: place)
        }
    }

    private mutating func readClaims(_ value: JSONValue?, at place: JSONPointer) {
        guard let value, !value.isNull else { return find("claims-null", at: place) }
        guard let claims = value.objectValue else { return find("action-member", "claims", "an object", at: place) }
        for (name, value) in claims.members {
            let isText = ([value] + (value.arrayValue ?? [])).dropFirst(value.arrayValue == nil ? 0 : 1)
                .allSatisfy { $0.stringValue != nil }
            if name.allSatisfy(\.isWhitespace) {
                find("claim-name", at: place.appending(name))
            } else if !isText {
                let type = value.arrayValue == nil ? value.typeName : "array of other values"
                find("claim-type", name, type, at: place.appending(name))
            }
        }
        let size = JSONWriter.compactBytes(claims).count
        if size > Self.mostClaimBytes { find("claims-size", "\(size)", at: place) }
    }

    /// Attributes of the call with the types of the call. A call at the start does not have all attributes yet.
    private mutating func readAttributes(_ object: JSONObject, areErrors: Bool, at place: JSONPointer) {
        let sent = body["data", "userSignUpInfo", "attributes"]?.objectValue ?? [:]
        for (name, value) in object.members {
            let place = place.appending(name)
            let expected = areErrors ? "string" : sent[name]?["value"]?.typeName
            if let expected, value.typeName != expected || expected == "number" && value.intValue == nil {
                find("attribute-type", name, value.typeName, expected, at: place)
            } else if sent[name] == nil, call.event == .attributeCollectionSubmit {
                find("attribute-name", name, at: place)
            }
        }
    }
}
