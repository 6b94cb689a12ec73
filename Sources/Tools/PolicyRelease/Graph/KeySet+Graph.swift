import Determinism
import JSON

extension KeySet {
    /// Reads a trustFrameworkKeySet of Microsoft Graph; `nil`: it has no id.
    init?(_ json: JSONValue) {
        guard let id = json["id"]?.stringValue else { return nil }
        self.init(id: id, keys: (json["keys"]?.arrayValue ?? []).compactMap { PolicyKey($0) })
    }
}

extension PolicyKey {
    /// Reads a trustFrameworkKey of Microsoft Graph; `nil`: it has no `kid`. The service writes `kty` in any letter case and
    /// numbers as numbers or texts.
    init?(_ json: JSONValue) {
        guard let kid = json["kid"]?.stringValue else { return nil }
        let type = json["kty"]?.stringValue?.lowercased()
        self.init(
            kid: kid, use: json["use"]?.stringValue.flatMap { Use(rawValue: $0.lowercased()) },
            kind: type == "rsa" ? .rsa : type == "oct" ? .secret : nil, activates: Self.time(json["nbf"]),
            expires: Self.time(json["exp"]), isEnabled: json["status"]?.stringValue?.lowercased() != "disabled",
            hasCertificate: json["x5c"]?.arrayValue?.isEmpty == false)
    }

    /// Seconds since 1970; 0 is the absence of a time.
    private static func time(_ value: JSONValue?) -> Timestamp? {
        let seconds = value?.intValue ?? value?.stringValue.flatMap { Int64($0) } ?? 0
        return seconds > 0 ? Timestamp(seconds: seconds) : nil
    }
}
