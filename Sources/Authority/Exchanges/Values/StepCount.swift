import JSON

/// A count given in a script, such as `repeat`, after everything was filled in.
public enum StepCount {
    /// The largest count that is accepted.
    public static let most: Int64 = 10_000

    /// Reads `repeat` or `copies`; `nil` stands for one.
    public static func read(_ value: JSONValue?, key: String) throws(MalformedValue) -> Int {
        guard let value else { return 1 }
        guard let count = value.intValue, count >= 1, count <= most else {
            throw MalformedValue("`\(key)` must be a number from 1 to \(most), not \(Wording.json(value))")
        }
        return Int(count)
    }
}
