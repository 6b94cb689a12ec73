extension JSONValue {
    /// This value with a merge patch applied (RFC 7396): objects are merged member by member, `null` removes a member,
    /// anything else (arrays too) replaces.
    public func merging(patch: JSONValue) -> JSONValue {
        guard case .object(let changes) = patch else { return patch }
        var result = objectValue ?? JSONObject()
        for (key, change) in changes.members {
            if case .null = change {
                result[key] = nil
            } else if case .object = change {
                result[key] = (result[key] ?? .null).merging(patch: change)
            } else {
                result[key] = change
            }
        }
        return .object(result)
    }

    /// Whether both mean the same as JSON: numbers are compared by value (`1` equals `1.0`), the order of members does
    /// not count, the order of elements does.
    public func sameValue(as other: JSONValue) -> Bool {
        switch (self, other) {
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.sameValue(as: $1) }
        case (.object(let left), .object(let right)):
            left.count == right.count
                && left.members.allSatisfy { key, value in right[key].map { value.sameValue(as: $0) } ?? false }
        case (.integer(let whole), .number(let number)), (.number(let number), .integer(let whole)):
            // By exact value: a conversion of the integer to a double would make distinct large integers equal.
            Int64(exactly: number) == whole
        default: self == other
        }
    }

    /// The same value in the one form that all values have for which ``sameValue(as:)`` holds: for finding equal ones
    /// among many.
    public var ordered: JSONValue {
        switch self {
        case .array(let elements): .array(elements.map(\.ordered))
        case .object(let object):
            .object(JSONObject(object.members.sorted { $0.key < $1.key }.map { ($0.key, $0.value.ordered) }))
        case .number(let number): Int64(exactly: number).map(JSONValue.integer) ?? self
        default: self
        }
    }
}
