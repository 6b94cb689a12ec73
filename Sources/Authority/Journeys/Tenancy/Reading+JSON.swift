import Determinism
import JSON

extension JSONValue {
    /// The instant that a member names in RFC 3339; `nil` when it names none.
    public func instant(_ name: String) -> Timestamp? { self[name]?.stringValue.flatMap { Timestamp(rfc3339: $0) } }

    /// The identifier that a member holds; `nil` when it holds none.
    public func guid(_ name: String) -> GUID? { self[name]?.stringValue.flatMap { GUID($0) } }

    /// Something that was counted: a whole number from 0 to 2^53 - 1, beyond which JSON numbers are not safe
    /// everywhere. So counting on from it cannot overflow. `nil` if the member holds anything else.
    public func count(_ name: String) -> Int? {
        self[name]?.intValue.flatMap { (0..<(1 << 53)).contains($0) ? Int($0) : nil }
    }

    /// A member that may be absent or null, read by `read`. The outer value is `nil` when something is there that cannot
    /// be read.
    public func optional<Value>(_ name: String, _ read: (JSONValue) -> Value?) -> Value?? {
        guard let value = self[name], !value.isNull else { return .some(nil) }
        guard let known = read(value) else { return nil }
        return .some(known)
    }

    /// The elements of a member that is an array, each read by `read`; `nil` when one cannot be read.
    public func list<Value>(_ name: String, _ read: (JSONValue) -> Value?) -> [Value]? {
        guard let elements = self[name]?.arrayValue else { return nil }
        var values: [Value] = []
        for element in elements {
            guard let value = read(element) else { return nil }
            values.append(value)
        }
        return values
    }
}
