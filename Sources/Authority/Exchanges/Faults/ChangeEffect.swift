import JSON

/// What came of a change to a message, part by part: which parts changed it, and which left it as it was.
///
/// A part is one change within a rule, named by its pointer there: `/request/form/client_secret`.
public struct ChangeEffect: Hashable, Sendable {
    /// A part that left the message as it was.
    public struct Idle: Hashable, Sendable {
        /// The part's place within its rule.
        public var part: JSONPointer
        /// Why it changed nothing, without a full stop.
        public var reason: String

        public init(part: JSONPointer, reason: String) {
            self.part = part
            self.reason = reason
        }
    }

    /// The parts that changed the message.
    public private(set) var held: [JSONPointer] = []
    /// The parts that did not.
    public private(set) var idle: [Idle] = []

    public init() {}

    /// Whether anything changed.
    public var changes: Bool { !held.isEmpty }

    /// Notes a part that changed the message.
    public mutating func hold(_ part: JSONPointer) { held.append(part) }

    /// Notes a part that left the message as it was.
    public mutating func idle(_ part: JSONPointer, _ reason: String) {
        idle.append(Idle(part: part, reason: reason))
    }

    /// Notes one or the other.
    public mutating func note(_ part: JSONPointer, isChange: Bool, else reason: String) {
        if isChange { hold(part) } else { idle(part, reason) }
    }

    /// Takes over what came of another change.
    public mutating func add(_ other: ChangeEffect) {
        held += other.held
        idle += other.idle
    }

    // MARK: Patches

    /// Why setting something to what it is changes nothing.
    public static let already = "it has this value already"

    /// Why a patch without members changes nothing.
    public static let empty = "it is empty"

    /// Notes for each leaf of a merge patch (RFC 7396) whether it changes a value.
    ///
    /// - Parameter value: What the patch is laid over; `nil` where there is nothing.
    public mutating func merge(_ patch: JSONValue, over value: JSONValue?, at part: JSONPointer) {
        guard case .object(let members) = patch, !members.isEmpty else {
            let isEmpty = patch.objectValue != nil
            note(
                part, isChange: value.map { !Self.isSame(patch, $0) } ?? true,
                else: isEmpty ? Self.empty : Self.already)
            return
        }
        let target = value?.objectValue
        for (name, member) in members.members {
            let place = part.appending(name)
            if member.isNull {
                note(place, isChange: target?[name] != nil, else: Self.missing(name))
            } else {
                merge(member, over: target?[name], at: place)
            }
        }
    }

    /// Why removing something that is not there changes nothing.
    public static func missing(_ name: String) -> String { "there is no `\(name)` to remove" }

    /// The leaves of a merge patch: each may hold or not.
    public static func leaves(of patch: JSONValue, at part: JSONPointer) -> [JSONPointer] {
        guard case .object(let members) = patch, !members.isEmpty else { return [part] }
        return members.members.flatMap { leaves(of: $0.value, at: part.appending($0.key)) }
    }

    /// An empty object over an object changes nothing; everything else is compared as it is written.
    private static func isSame(_ patch: JSONValue, _ value: JSONValue) -> Bool {
        if patch.objectValue != nil { return value.objectValue != nil }
        return JSONWriter.compactBytes(patch) == JSONWriter.compactBytes(value)
    }
}

extension ChangeEffect {
    /// As a document: `{"held": [part], "idle": [{"part": ..., "reason": ...}]}`.
    public var json: JSONObject {
        [
            "held": .array(held.map { .string($0.description) }),
            "idle": .array(idle.map { ["part": .string($0.part.description), "reason": .string($0.reason)] }),
        ]
    }

    /// Reads such a document; what is not understood does not count.
    public init(json: JSONValue) {
        held = (json["held"]?.arrayValue ?? []).compactMap { $0.stringValue.flatMap { JSONPointer($0) } }
        for entry in json["idle"]?.arrayValue ?? [] {
            guard let part = entry["part"]?.stringValue.flatMap({ JSONPointer($0) }) else { continue }
            idle.append(Idle(part: part, reason: entry["reason"]?.stringValue ?? ""))
        }
    }
}
