import HTTPMessages
import JSON

/// Header fields that a step writes and that another of its parameters would fill too.
public enum WrittenHeaders {
    /// Why the parameters of a step contradict each other; `nil` if they do not.
    ///
    /// - Parameter parameters: as written, or with every `{{...}}` filled in.
    public static func clash(_ verb: Verb, _ parameters: JSONValue) -> String? {
        guard let (name, key, isSet) = source(verb, parameters), isSet, writes(name, parameters) else { return nil }
        return "`headers` has `\(name)`, and `\(key)` sets it too; remove one of them"
    }

    private static func source(_ verb: Verb, _ parameters: JSONValue) -> (name: String, key: String, isSet: Bool)? {
        switch verb {
        case .callApi: ("Authorization", "token", parameters["token"].map { !$0.isNull } ?? false)
        case .http: ("Cookie", "cookies", parameters["cookies"]?.boolValue ?? false)
        default: nil
        }
    }

    /// Whether `headers` has a field, in any letter case; `null` says that the field is not sent.
    public static func writes(_ name: String, _ parameters: JSONValue) -> Bool {
        (parameters["headers"]?.objectValue?.keys ?? []).contains { $0.lowercased() == name.lowercased() }
    }
}
