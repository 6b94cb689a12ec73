/// One of the numbered errors of Azure AD B2C, with what it means and where it shows.
///
/// The numbers, the order of the inserted values and the OAuth errors are Microsoft's (Microsoft docs: error-codes, and
/// answers recorded from live tenants). Messages that clients, tests and logs compare are the service's own, to the
/// letter; all other texts are this project's own. Where nobody has recorded the OAuth error it is inferred from the kind
/// of the error.
public struct B2CErrorCode: Hashable, Sendable {
    /// The digits after `AADB2C`, such as `90118`.
    public let number: String
    /// How many values the message takes.
    public let inserts: Int
    /// The `error` of the OAuth answer (RFC 6749 section 4.1.2.1 and 5.2); `nil` for codes that only a page shows.
    public let oauthError: String?
    /// Where the error shows.
    public let delivery: B2CErrorDelivery
    /// The message, with `{0}`, `{1}` ... where values go.
    public let template: String
    /// Other messages of the same code, which the service sends in some cases.
    public var variants: [String] = []
    /// What the code says, one sentence.
    public let meaning: String
    /// Its usual cause.
    public let cause: String
    /// What to do.
    public let remedy: String
    /// Whether and where the mock authority produces it.
    public let production: B2CErrorProduction

    /// The code as messages write it, such as `AADB2C90118`.
    public var id: String { "AADB2C\(number)" }

    /// The message with the values in their places; places without a value stay empty.
    public func message(_ values: [String] = []) -> String { Self.fill(template, values) }

    /// The variant of the message at that place in `variants`, with the values in their places.
    public func message(variant: Int, _ values: [String]) -> String {
        Self.fill(variants.indices.contains(variant) ? variants[variant] : template, values)
    }

    private static func fill(_ template: String, _ values: [String]) -> String {
        var text = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "{") {
            text += rest[..<open]
            rest = rest[rest.index(after: open)...]
            guard let close = rest.firstIndex(of: "}"), let place = Int(rest[..<close]) else {
                text += "{"
                continue
            }
            if values.indices.contains(place) { text += values[place] }
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }

    /// The code of that name: `AADB2C90118` or `90118`, in any letter case. `nil` when the table lacks it.
    public static func named(_ name: String) -> B2CErrorCode? {
        let upper = name.uppercased()
        return byNumber[upper.hasPrefix("AADB2C") ? String(upper.dropFirst(6)) : upper]
    }

    /// For look-ups only; never iterated.
    private static let byNumber: [String: B2CErrorCode] = Dictionary(
        all.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
}

extension B2CErrorCode: CustomStringConvertible {
    public var description: String { id }
}

/// Whether and where the mock authority produces a code.
public enum B2CErrorProduction: Sendable, Hashable {
    /// By itself: the endpoint or page, and its cause.
    case mock(String)
    /// Never by itself, since what happens there has no setting; only where a fault rule asks for the code.
    case faultRule
    /// Never by itself, since recordings show another end of the same situation: which one. A fault rule may ask for
    /// the code.
    case elsewhere(String)
    /// It belongs to something that is not simulated: what.
    case notSimulated(String)

    /// One line for people.
    public var text: String {
        switch self {
        case .mock(let place): place
        case .faultRule: "by a fault rule only"
        case .elsewhere(let what): "by a fault rule only: \(what)"
        case .notSimulated(let what): "never: \(what) is not simulated"
        }
    }
}

/// Where an error of B2C shows.
public enum B2CErrorDelivery: String, Sendable, Hashable, CaseIterable {
    /// At the app, in the parameters of the redirect URI.
    case redirect
    /// On a page of the B2C host: the error page, or the page being filled in.
    case page
    /// In the JSON of the token endpoint, HTTP status 400.
    case json
    /// A fault of the policy: on the error page, or at the app as `server_error`.
    case config
}

/// The table of codes under the name the documentation uses.
public enum AADB2C {
    /// Every code, by number.
    public static var all: [B2CErrorCode] { B2CErrorCode.all }

    /// The code of that name: `AADB2C90118` or `90118`, in any letter case.
    public static func named(_ name: String) -> B2CErrorCode? { B2CErrorCode.named(name) }

    /// The first code that a text names, whether the table has it or not: `AADB2C90118`.
    public static func firstCode(in text: String) -> String? {
        let bytes = Array(text.utf8)
        let mark = Array("AADB2C".utf8)
        guard bytes.count > mark.count else { return nil }
        for start in 0...(bytes.count - mark.count) where bytes[start..<(start + mark.count)] == mark[...] {
            let digits = bytes[(start + mark.count)...].prefix { (48...57).contains($0) }
            if !digits.isEmpty { return "AADB2C" + String(decoding: digits, as: UTF8.self) }
        }
        return nil
    }
}
