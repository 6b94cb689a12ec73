import JSON

/// The words of an error in which a sign-in ended.
enum SignInError {
    /// What the service says, else the kind of error; `nil` where the outcome has no error.
    static func text(of outcome: JSONValue) -> String? {
        guard let error = outcome["error"], !error.isNull else { return nil }
        let said = error["description"]?.stringValue
        // A library may hand the words over undecoded, with `+` for blanks. The callback has them decoded, so a `+` that
        // the service wrote stays.
        if let said, !said.contains(" "), said.contains("+") {
            for part in ["query", "fragment", "form"] {
                if let text = outcome["callback", part, "error_description"]?.stringValue { return text }
            }
            return said.replacing("+", with: " ")
        }
        return said ?? error["kind"]?.stringValue ?? "the sign-in failed"
    }
}
