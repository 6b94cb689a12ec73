/// How a text relates to another one, in words that say nothing of what is in either.
public enum TextRelation {
    /// - Returns: `nil` if both are unrelated and of one length.
    public static func words(_ text: String, to other: String) -> String? {
        let (here, there) = (text.lowercased(), other.lowercased())
        let (length, otherLength) = (here.count, there.count)
        if here == there { return text == other ? nil : "the same in other letter case" }
        if here.isEmpty { return "empty" }
        if there.isEmpty { return "\(length) characters, none in the log" }
        if there.hasPrefix(here) { return "the first \(length) of its \(otherLength) characters" }
        if there.hasSuffix(here) { return "the last \(length) of its \(otherLength) characters" }
        if there.contains(here) { return "\(length) of its \(otherLength) characters" }
        if here.contains(there) { return "the same with \(length - otherLength) more characters" }
        return length == otherLength ? nil : "\(length) characters, \(otherLength) in the log"
    }
}
