import Determinism
import Diagnostics
import JSON

/// `keys.json`: the key sets that a tenant must have, and where their secrets are. It holds no secret.
public struct KeyManifest: Sendable {
    /// What a set holds.
    public enum KeyType: String, CaseIterable, Sendable {
        case rsa, secret, certificate
    }

    /// Where a key comes from when it is sent.
    public enum Source: Hashable, Sendable {
        /// A variable of the environment; for a certificate it holds the base64 form of the file.
        case environment(String, password: String?)
        /// A file, relative to the manifest's folder; `password` names a variable of the environment.
        case file(String, password: String?)
        /// The service draws it. Nobody sees it.
        case generate
    }

    /// A date, or a span from the deployment.
    public enum Moment: Hashable, Sendable {
        case instant(Timestamp)
        case span(TimeSpan)

        public init?(_ text: String) {
            if let instant = Timestamp(rfc3339: text) {
                self = .instant(instant)
            } else if let span = KeyManifest.span(text) {
                self = .span(span)
            } else {
                return nil
            }
        }

        public func moment(from now: Timestamp) -> Timestamp {
            switch self {
            case .instant(let instant): instant
            case .span(let span): now + span
            }
        }
    }

    /// A key set.
    public struct Entry: Hashable, Sendable {
        /// With the prefix `B2C_1A_`.
        public var id: String
        public var type: KeyType
        /// `nil`: a certificate, whose use the service decides.
        public var use: PolicyKey.Use?
        public var source: Source
        /// When the first key of the set becomes active; `nil`: at once.
        public var activates: Moment?
        /// When a key ends; `nil`: never. A certificate has its own dates.
        public var expires: Moment?
        /// How long before the set has no active key its rotation is due.
        public var rotateBefore: TimeSpan
        /// The place of its name.
        public var location: SourceLocation

        public init(
            id: String, type: KeyType, use: PolicyKey.Use?, source: Source, activates: Moment? = nil,
            expires: Moment? = nil, rotateBefore: TimeSpan = .days(30), location: SourceLocation
        ) {
            self.id = "B2C_1A_" + KeySet.bare(id)
            self.type = type
            self.use = use
            self.source = source
            self.activates = activates
            self.expires = expires
            self.rotateBefore = rotateBefore
            self.location = location
        }

        /// What it gives to the elements that refer to it.
        public var requirement: KeyRequirement {
            let form: KeyRequirement.Form =
                switch type {
                case .rsa: .rsa
                case .secret: .secret
                case .certificate: .certificate
                }
            return KeyRequirement(form, use)
        }
    }

    /// In the order of the file.
    public var entries: [Entry]

    public init(entries: [Entry]) { self.entries = entries }

    /// The entry of a name, with or without the prefix `B2C_1A_`.
    public func entry(_ name: String) -> Entry? { entries.first { KeySet.isSame($0.id, name) } }

    /// A span such as `90m`, `12h`, `30d`, `8w`, or an ISO 8601 duration such as `P30D`; `nil`: it is neither.
    public static func span(_ text: String) -> TimeSpan? {
        guard let unit = text.last, let number = Int64(text.dropLast()), number > 0 else {
            return TimeSpan(iso8601: text).flatMap { $0 > .zero ? $0 : nil }
        }
        switch unit {
        case "m": return .minutes(number)
        case "h": return .hours(number)
        case "d": return .days(number)
        case "w": return .days(7) * number
        default: return nil
        }
    }
}
