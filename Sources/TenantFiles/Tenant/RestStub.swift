import Determinism
import JSON
import Records

/// One answer of a REST stub.
public struct RestReply: TenantRecord {
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

    package static let title = "reply"
    package static let summary = "One answer of a REST stub."
    package static let initial = RestReply()
    package static let settings: [Setting<RestReply>] = {
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
public struct RestStub: TenantRecord {
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

    package static let title = "REST stub"
    package static let summary = "Answers to calls that a policy makes."
    package static let initial = RestStub()
    package static let settings: [Setting<RestStub>] = {
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
