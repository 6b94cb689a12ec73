import JSON

/// The content of a `HandlerResult` clip: how a predicate or an action ended, and what it changed.
public struct RecorderResult: Hashable, Sendable {
    /// Whether the handler succeeded.
    public var result: Bool?
    /// Of a predicate, whether its action runs. In the log it is the text `True` or `False`.
    public var predicateResult: Bool?
    /// What changed in the state of the journey.
    public var statebag: RecorderStatebag?
    /// What the handler did.
    public var record: RecorderRecord?
    /// Why it failed.
    public var exception: RecorderException?
    /// Other members.
    public var other: JSONObject

    public init(
        result: Bool? = true, predicateResult: Bool? = nil, statebag: RecorderStatebag? = nil,
        record: RecorderRecord? = nil, exception: RecorderException? = nil, other: JSONObject = JSONObject()
    ) {
        self.result = result
        self.predicateResult = predicateResult
        self.statebag = statebag
        self.record = record
        self.exception = exception
        self.other = other
    }

    init(_ content: JSONObject) {
        var rest = RestOfObject(content)
        result = rest.take("Result", \.boolValue)
        predicateResult = rest.take("PredicateResult") { value in
            switch value.stringValue {
            case "True": true
            case "False": false
            default: nil
            }
        }
        record = rest.take("RecorderRecord") { RecorderRecord($0) }
        exception = rest.take("Exception") { $0.objectValue.map { RecorderException($0) } }
        statebag = rest.take("Statebag") { $0.objectValue.map { RecorderStatebag($0) } }
        other = rest.object
    }

    var json: JSONObject {
        var object = JSONObject()
        object["Result"] = result.map { .bool($0) }
        object["RecorderRecord"] = record.map(\.json)
        object["Exception"] = exception.map { .object($0.json) }
        object["Statebag"] = statebag.map { .object($0.json) }
        object["PredicateResult"] = predicateResult.map { .string($0 ? "True" : "False") }
        return object.followed(by: other)
    }
}

/// An exception as a handler recorded it.
public struct RecorderException: Hashable, Sendable {
    /// `Handled` or another word.
    public var kind: String?
    /// The .NET error number in hexadecimal digits: `80131500`.
    public var hResult: String?
    /// What went wrong.
    public var message: String?
    /// `IsPolicySpecificError`, headers and others.
    public var data: JSONObject?
    /// What caused it.
    public var inner: [RecorderException]
    /// Other members.
    public var other: JSONObject

    /// The number of exceptions without one of their own.
    public static let generalHResult = "80131500"

    public init(
        kind: String? = "Handled", hResult: String? = generalHResult, message: String?,
        data: JSONObject? = ["IsPolicySpecificError": false], inner: RecorderException? = nil,
        other: JSONObject = JSONObject()
    ) {
        self.kind = kind
        self.hResult = hResult
        self.message = message
        self.data = data
        self.inner = inner.map { [$0] } ?? []
        self.other = other
    }

    init(_ content: JSONObject) {
        var rest = RestOfObject(content)
        kind = rest.text("Kind")
        hResult = rest.text("HResult")
        message = rest.text("Message")
        data = rest.take("Data") { value in
            guard case .object(var data) = value else { return nil }
            data["$type"] = nil
            return data
        }
        inner = rest.take("Exception") { $0.objectValue.map { [RecorderException($0)] } } ?? []
        other = rest.object
    }

    var json: JSONObject {
        var object = JSONObject()
        object["Kind"] = kind.map { .string($0) }
        object["HResult"] = hResult.map { .string($0) }
        object["Message"] = message.map { .string($0) }
        object["Data"] = data.map { .object($0) }
        object["Exception"] = inner.first.map { .object($0.json) }
        return object.followed(by: other)
    }

    /// The exception and its causes, outermost first.
    public var chain: [RecorderException] { [self] + (cause?.chain ?? []) }

    /// The cause, under any of the names that logs have for it.
    private var cause: RecorderException? {
        if let first = inner.first { return first }
        let nested = other["InnerException"] ?? other["InnerExceptions"]?[0]
        return nested?.objectValue.map { RecorderException($0) }
    }

    /// What the exception and its causes say, the text that the person sees first: what a service wrote for them
    /// (`userMessage`), else the outermost text that does more than announce the next.
    public var texts: [String] {
        var found: [String] = []
        func add(_ text: String?) {
            if let text, !text.isEmpty, !found.contains(text) { found.append(text) }
        }
        let chain = chain
        for exception in chain { add(exception.userMessage) }
        for exception in chain where !exception.isEnvelope { add(exception.message) }
        for exception in chain { add(exception.message) }
        return found
    }

    /// The first of ``texts``; empty if there is none.
    public var text: String { texts.first ?? "" }

    /// What a service wrote for the person: a member of its own, or of the service's answer within the message.
    private var userMessage: String? {
        var own = other
        for name in ["InnerException", "InnerExceptions"] { own[name] = nil }
        let places: [JSONValue?] = [data.map { .object($0) }, .object(own), message.map { .string($0) }]
        return places.lazy.compactMap { $0.flatMap { Self.userMessage(in: $0, depth: 3) } }.first
    }

    private static func userMessage(in value: JSONValue, depth: Int) -> String? {
        switch value {
        case .object(let object):
            if let text = object.members.first(where: { $0.key.lowercased() == "usermessage" })?.value.stringValue {
                return text
            }
            guard depth > 0 else { return nil }
            return object.members.lazy.compactMap { userMessage(in: $0.value, depth: depth - 1) }.first
        case .string(let text):
            guard depth > 0, let start = text.firstIndex(of: "{"), let end = text.lastIndex(of: "}"), start < end,
                let answer = try? JSONParser.parse(String(text[start...end]))
            else { return nil }
            return userMessage(in: answer, depth: depth - 1)
        default: return nil
        }
    }

    /// Whether the message only says that something failed; its cause says what.
    private var isEnvelope: Bool {
        guard cause != nil, let message else { return false }
        return message.firstMatch(
            of:
                /^(An error (has )?occurred|Exception of type|One or more errors|The operation failed|Unhandled exception)/
                .ignoresCase()) != nil
    }
}

/// A part of the state of a journey: what one handler changed.
public struct RecorderStatebag: Hashable, Sendable {
    /// An item with its time.
    public struct Entry: Hashable, Sendable {
        /// `ORCH_CS`, `CTP`, `TAGE` and others; see ``RecorderStatebag/Key``.
        public var key: String
        public var value: String
        /// When it was set, ISO 8601 with seven digits of a second.
        public var created: String
        /// Whether it stays for later requests.
        public var isPersisted: Bool
        /// Of a token, its kind: `OAuth2`, `Jwt`.
        public var token: String?

        public init(
            _ key: String, _ value: String, created: String, isPersisted: Bool = true, token: String? = nil
        ) {
            self.key = key
            self.value = value
            self.created = created
            self.isPersisted = isPersisted
            self.token = token
        }

        init?(key: String, _ value: JSONValue) {
            guard case .object(var object) = value else { return nil }
            object["$type"] = nil
            guard let text = object["v"]?.stringValue, object["k"]?.stringValue == key,
                let created = object["c"]?.stringValue, let isPersisted = object["p"]?.boolValue,
                object.members.allSatisfy({ ["c", "k", "v", "p", "t"].contains($0.key) })
            else { return nil }
            self.init(key, text, created: created, isPersisted: isPersisted)
            if let member = object["t"] {
                guard let token = member.stringValue else { return nil }
                self.token = token
            }
        }

        var json: JSONObject {
            var object: JSONObject = [
                "c": .string(created), "k": .string(key), "v": .string(value), "p": .bool(isPersisted),
            ]
            object["t"] = token.map { .string($0) }
            return object
        }
    }

    /// Keys of entries that a reader needs.
    public enum Key {
        /// Order of the current orchestration step; 0 before the first, from 1 again in a sub-journey.
        public static let step = "ORCH_CS"
        /// Index of the step among those that were visited.
        public static let index = "ORCH_IDX"
        /// Technical profile and step of the page: `SelfAsserted-LocalAccountSignin-Email:1`.
        public static let currentProfile = "CTP"
        /// Claims exchange that was chosen.
        public static let targetEntity = "TAGE"
        /// Content definition of the page.
        public static let contentDefinition = "EID"
        /// State of the state machine.
        public static let machineState = "MACHSTATE"
        /// Language of the journey.
        public static let culture = "JC"
        /// Client id of the app.
        public static let clientID = "CLIENTID"
        /// The request that the journey began with.
        public static let initialMessage = "IMESSAGE"
        /// The request of now.
        public static let currentMessage = "CMESSAGE"
    }

    /// Entries in order.
    public var entries: [Entry]
    /// Names of complex items, a list in one text.
    public var complexItems: String?
    /// All claims of the journey at that moment, `Complex-CLMS`; values of other types than text as JSON has them.
    public var claims: JSONObject?
    /// How a page post or a call ended, `Complex-API_RESULT`.
    public var apiResult: JSONObject?
    /// Members of another form.
    public var other: JSONObject

    public init(
        entries: [Entry] = [], complexItems: String? = nil, claims: JSONObject? = nil, apiResult: JSONObject? = nil,
        other: JSONObject = JSONObject()
    ) {
        self.entries = entries
        self.complexItems = complexItems
        self.claims = claims
        self.apiResult = apiResult
        self.other = other
    }

    init(_ content: JSONObject) {
        self.init()
        for (key, value) in content.members where key != "$type" {
            switch (key, value) {
            case ("ComplexItems", .string(let text)): complexItems = text
            case ("Complex-CLMS", .object(var claims)):
                claims["$type"] = nil
                self.claims = claims
            case ("Complex-API_RESULT", .object(var result)):
                result["$type"] = nil
                apiResult = result
            default:
                if let entry = Entry(key: key, value) { entries.append(entry) } else { other[key] = value }
            }
        }
    }

    var json: JSONObject {
        var object = JSONObject()
        for entry in entries { object[entry.key] = .object(entry.json) }
        object["ComplexItems"] = complexItems.map { .string($0) }
        object["Complex-CLMS"] = claims.map { .object($0) }
        object["Complex-API_RESULT"] = apiResult.map { .object($0) }
        return object.followed(by: other)
    }

    /// The value of the entry with a key.
    public subscript(key: String) -> String? { entries.last { $0.key == key }?.value }

    /// Order of the current orchestration step.
    public var step: Int? { self[Key.step].flatMap { Int($0) } }
}
