import JSON

/// A value of a script that turned out wrong when it was filled in and used.
public struct MalformedValue: Error, Hashable, Sendable, CustomStringConvertible {
    /// The place, relative to the value that was read.
    public var pointer: JSONPointer
    /// What is wrong, without a full stop.
    public var message: String

    /// A finding about the value at `pointer`.
    public init(_ message: String, at pointer: JSONPointer = .root) {
        self.message = message
        self.pointer = pointer
    }

    public var description: String {
        pointer.tokens.isEmpty ? message : "\(pointer): \(message)"
    }
}
