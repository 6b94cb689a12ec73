import Determinism
import JSON

/// One answer of a REST stub.
public struct RestReply: SettingsRecord {
    /// HTTP status.
    public var status: Int
    /// Header fields.
    public var headers: JSONObject
    /// Body as JSON.
    public var json: JSONValue?
    /// Body as text.
    public var body: String?

    public init(
        status: Int = 200,
        headers: JSONObject = JSONObject(),
        json: JSONValue? = nil,
        body: String? = nil
    ) {
        self.status = status
        self.headers = headers
        self.json = json
        self.body = body
    }

    static let title = "reply"
    static let summary = "One answer of a REST stub."
    static let initial = RestReply()
    static let settings: [Setting<RestReply>] = {
        var table = SettingsTable<RestReply>()
        table.add(
            "status", \.status, .integer(100...599),
            "HTTP status.")
        table.add(
            "headers", \.headers, .headerMap,
            "Header fields.")
        table.add(
            "json", \.json, .optionalJSON,
            "Body as JSON.")
        table.add(
            "body", \.body, .optionalText,
            "Body as text.")
        return table.rows
    }()
}

/// Answers to calls that a policy makes.
public struct RestStub: SettingsRecord {
    /// The name in the tenant file.
    public var name: String
    /// Matcher over the request record.
    public var match: JSONValue
    /// The answer, or a list of answers of which the last repeats.
    public var reply: [RestReply]
    /// Time until the answer.
    public var delay: TimeSpan
    /// The call goes to the real service.
    public var passThrough: Bool

    public init(
        name: String = "",
        match: JSONValue = JSONValue.object(JSONObject()),
        reply: [RestReply] = [RestReply()],
        delay: TimeSpan = .zero,
        passThrough: Bool = false
    ) {
        self.name = name
        self.match = match
        self.reply = reply
        self.delay = delay
        self.passThrough = passThrough
    }

    static let title = "REST stub"
    static let summary = "Answers to calls that a policy makes."
    static let initial = RestStub()
    static let settings: [Setting<RestStub>] = {
        var table = SettingsTable<RestStub>()
        table.add(
            "match", \.match, .json,
            "Matcher over the request record.",
            default: "every call")
        table.add(
            "reply", \.reply, .oneOrMore(),
            "The answer, or a list of answers of which the last repeats.")
        table.add(
            "delay", \.delay, .span,
            "Time until the answer.")
        table.add(
            "passThrough", \.passThrough, .bool,
            "The call goes to the real service.")
        return table.rows
    }()
}
