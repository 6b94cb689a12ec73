import HTTPMessages
import JOSE

/// User name and password of an `Authorization: Basic` header (RFC 7617; RFC 6749 section 2.3.1 for clients).
public struct BasicCredentials: Hashable, Sendable {
    public var user: String
    public var password: String

    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    /// Reads the value of the header; `nil` for another scheme or a malformed value. Both parts are form-decoded, as
    /// OAuth clients encode them.
    public init?(_ header: String?) {
        guard let header, header.lowercased().hasPrefix("basic "),
            let bytes = Base64.decode(String(header.dropFirst(6).drop { $0 == " " }))
        else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let colon = text.firstIndex(of: ":") else { return nil }
        user = PercentCoding.decode(String(text[..<colon]), plusIsSpace: true)
        password = PercentCoding.decode(String(text[text.index(after: colon)...]), plusIsSpace: true)
    }

    /// The value of the header.
    public var header: String {
        let text = "\(PercentCoding.encodeComponent(user)):\(PercentCoding.encodeComponent(password))"
        return "Basic \(Base64.encode(Array(text.utf8)))"
    }
}
