import Verbs

extension ClientError {
    /// This error as a call throws it.
    func asThrown() -> ClientError {
        var error = self
        error.thrown = true
        return error
    }

    /// A call that the app's library does not have, or not in its configuration.
    static func notOffered(by library: String, _ reason: String) -> ClientError {
        ClientError(.configuration, domain: "b2c", code: "notOffered", description: "\(library): \(reason).")
    }
}
