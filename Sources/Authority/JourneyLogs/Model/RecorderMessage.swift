import JSON

/// What the journey recorder wrote about one request of the browser or of an API: the clips in the order in which they
/// happened.
///
/// ``init(_:)`` and ``json`` are inverse to each other: what is read is written again with the same values, also kinds
/// and members that are not known. A member keeps its value; within an object its place may change.
public struct RecorderMessage: Hashable, Sendable {
    /// The clips in order.
    public var clips: [RecorderClip]

    public init(clips: [RecorderClip] = []) {
        self.clips = clips
    }

    /// Reads a message, an array of `{ "Kind", "Content" }`. A single clip counts as an array of one.
    ///
    /// - Returns: `nil` if the value is neither an array nor a clip.
    public init?(_ value: JSONValue) {
        switch value {
        case .array(let elements): clips = elements.map { RecorderClip($0) }
        case .object where value["Kind"] != nil: clips = [RecorderClip(value)]
        default: return nil
        }
    }

    /// The message as the column `message` has it.
    public var json: JSONValue { .array(clips.map(\.json)) }

    /// The first headers.
    public var headers: RecorderHeaders? {
        for case .headers(let headers) in clips { return headers }
        return nil
    }
}

/// One entry of a message.
public enum RecorderClip: Hashable, Sendable {
    /// What the request was, always first.
    case headers(RecorderHeaders)
    /// An event reached the state machine.
    case transition(RecorderTransition)
    /// The class that decides whether the next action runs. Its ``RecorderResult`` follows.
    case predicate(String)
    /// The class that runs. Its ``RecorderResult`` follows.
    case action(String)
    /// How the predicate or the action before it ended.
    case handlerResult(RecorderResult)
    /// The request ended with an error that no handler took.
    case fatalException(RecorderException, time: String?)
    /// A clip of another kind, or without the content that its kind has. The value is the whole clip.
    case unknown(JSONValue)

    /// Reads a clip. What does not have the form of a known kind is ``unknown(_:)``.
    public init(_ value: JSONValue) {
        guard case .object(let object) = value, let kind = object["Kind"]?.stringValue,
            object.members.allSatisfy({ ["Kind", "Content", "$type"].contains($0.key) })
        else {
            self = .unknown(value)
            return
        }
        let content = object["Content"] ?? .null
        switch (kind, content) {
        case ("Headers", .object(let content)): self = .headers(RecorderHeaders(content))
        case ("Transition", .object(let content)): self = .transition(RecorderTransition(content))
        case ("Predicate", .string(let name)): self = .predicate(name)
        case ("Action", .string(let name)): self = .action(name)
        case ("HandlerResult", .object(let content)): self = .handlerResult(RecorderResult(content))
        case ("FatalException", .object(let content)):
            guard let exception = content["Exception"]?.objectValue else {
                self = .unknown(value)
                return
            }
            self = .fatalException(RecorderException(exception), time: content["Time"]?.stringValue)
        default: self = .unknown(value)
        }
    }

    /// The clip as the log has it.
    public var json: JSONValue {
        func clip(_ kind: String, _ content: JSONValue) -> JSONValue { ["Kind": .string(kind), "Content": content] }
        switch self {
        case .headers(let headers): return clip("Headers", .object(headers.json))
        case .transition(let transition): return clip("Transition", .object(transition.json))
        case .predicate(let name): return clip("Predicate", .string(name))
        case .action(let name): return clip("Action", .string(name))
        case .handlerResult(let result): return clip("HandlerResult", .object(result.json))
        case .fatalException(let exception, let time):
            var content: JSONObject = ["Exception": .object(exception.json)]
            content["Time"] = time.map { .string($0) }
            return clip("FatalException", .object(content))
        case .unknown(let value): return value
        }
    }

    /// The `Kind`, as far as the clip has one.
    public var kind: String? {
        switch self {
        case .headers: "Headers"
        case .transition: "Transition"
        case .predicate: "Predicate"
        case .action: "Action"
        case .handlerResult: "HandlerResult"
        case .fatalException: "FatalException"
        case .unknown(let value): value["Kind"]?.stringValue
        }
    }
}

/// The content of a `Headers` clip: what the request was.
public struct RecorderHeaders: Hashable, Sendable {
    /// `urn:journeyrecorder:applicationinsights`.
    public var endpoint: String?
    /// The same in all requests of a sign-in.
    public var correlationID: String?
    /// `Event:AUTH`, `Event:API`, `Event:SELFASSERTED`, `Event:ClaimsExchange`, `Event:METADATA` or `Event:TOKEN`.
    public var eventInstance: String?
    /// `contoso.onmicrosoft.com`.
    public var tenantID: String?
    /// `B2C_1A_signup_signin`.
    public var policyID: String?
    /// Other members: `CurrentOrchestrationStep`, `TargetEntity` and `ClaimsProviderProtocolProviderType` of older logs.
    public var other: JSONObject

    /// The endpoint of logs that Application Insights receives.
    public static let applicationInsights = "urn:journeyrecorder:applicationinsights"

    public init(
        endpoint: String? = applicationInsights, correlationID: String?, eventInstance: String?, tenantID: String?,
        policyID: String?, other: JSONObject = JSONObject()
    ) {
        self.endpoint = endpoint
        self.correlationID = correlationID
        self.eventInstance = eventInstance
        self.tenantID = tenantID
        self.policyID = policyID
        self.other = other
    }

    init(_ content: JSONObject) {
        var rest = RestOfObject(content)
        endpoint = rest.text("UserJourneyRecorderEndpoint")
        correlationID = rest.text("CorrelationId")
        eventInstance = rest.text("EventInstance")
        tenantID = rest.text("TenantId")
        policyID = rest.text("PolicyId")
        other = rest.object
    }

    var json: JSONObject {
        var object = JSONObject()
        object["UserJourneyRecorderEndpoint"] = endpoint.map { .string($0) }
        object["CorrelationId"] = correlationID.map { .string($0) }
        object["EventInstance"] = eventInstance.map { .string($0) }
        object["TenantId"] = tenantID.map { .string($0) }
        object["PolicyId"] = policyID.map { .string($0) }
        return object.followed(by: other)
    }
}

/// The content of a `Transition` clip: an event that reached the state machine.
public struct RecorderTransition: Hashable, Sendable {
    /// `AUTH`, `PreStep`, `ClaimsExchange`, `SELFASSERTED`, `Global` and others.
    public var eventName: String?
    /// `Initial`, `AwaitingNextStep`, or the class of the exception that ended the request.
    public var stateName: String?
    /// Other members.
    public var other: JSONObject

    public init(eventName: String?, stateName: String?, other: JSONObject = JSONObject()) {
        self.eventName = eventName
        self.stateName = stateName
        self.other = other
    }

    init(_ content: JSONObject) {
        var rest = RestOfObject(content)
        eventName = rest.text("EventName")
        stateName = rest.text("StateName")
        other = rest.object
    }

    var json: JSONObject {
        var object = JSONObject()
        object["EventName"] = eventName.map { .string($0) }
        object["StateName"] = stateName.map { .string($0) }
        return object.followed(by: other)
    }

    /// Whether the state is the class of an exception, such as `Microsoft.Cpim.Common.PolicyException`.
    public var isFailure: Bool { stateName?.hasSuffix("Exception") ?? false }
}

/// An object from which known members are taken; what remains is kept as it is. `$type` names a .NET class and has no
/// meaning for a reader.
struct RestOfObject {
    private(set) var object: JSONObject

    init(_ object: JSONObject) {
        self.object = object
        self.object["$type"] = nil
    }

    /// A member that is a text. A member of another type remains.
    mutating func text(_ key: String) -> String? {
        guard let text = object[key]?.stringValue else { return nil }
        object[key] = nil
        return text
    }

    /// A member that `read` understands. Another remains.
    mutating func take<Value>(_ key: String, _ read: (JSONValue) -> Value?) -> Value? {
        guard let member = object[key], let value = read(member) else { return nil }
        object[key] = nil
        return value
    }
}

extension JSONObject {
    /// The members of this object and then those of another.
    func followed(by other: JSONObject) -> JSONObject {
        var all = self
        for member in other.members { all[member.key] = member.value }
        return all
    }
}
