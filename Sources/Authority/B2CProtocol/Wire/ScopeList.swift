/// The scopes of a request or an answer, in order and without duplicates (RFC 6749 section 3.3).
public struct ScopeList: Hashable, Sendable, ExpressibleByArrayLiteral, CustomStringConvertible {
    /// The scopes.
    public private(set) var scopes: [String] = []

    /// The scopes that ask for no resource and that MSAL adds by itself (OpenID Connect Core 3.1.2.1 and 11).
    public static let reserved = ["openid", "profile", "offline_access"]

    /// Reads a list separated by blanks; several blanks count as one.
    public init(parsing text: String) {
        self.init(text.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) })
    }

    /// The scopes given; of equal ones the first stays.
    public init(_ scopes: [String] = []) {
        var known: Set<String> = []
        self.scopes = scopes.filter { known.insert($0).inserted }
    }

    public init(arrayLiteral elements: String...) {
        self.init(elements)
    }

    public var isEmpty: Bool { scopes.isEmpty }

    /// Whether the scope is there, letter case counted.
    public func contains(_ scope: String) -> Bool { scopes.contains(scope) }

    /// Whether the scope is there in any letter case, as clients compare what they were granted.
    public func containsIgnoringCase(_ scope: String) -> Bool {
        let wanted = scope.lowercased()
        return scopes.contains { $0.lowercased() == wanted }
    }

    /// Whether every scope of the other list is here, in any letter case.
    public func covers(_ other: ScopeList) -> Bool {
        let own = Set(scopes.map { $0.lowercased() })
        return other.scopes.allSatisfy { own.contains($0.lowercased()) }
    }

    /// These scopes, then those of the other list that are not here yet.
    public func union(_ other: ScopeList) -> ScopeList {
        ScopeList(scopes + other.scopes)
    }

    /// The scopes without the reserved ones, in any letter case.
    public var withoutReserved: ScopeList {
        ScopeList(scopes.filter { !Self.isReserved($0) })
    }

    /// Whether a scope is a reserved one, in any letter case.
    public static func isReserved(_ scope: String) -> Bool { reserved.contains(scope.lowercased()) }

    /// The first character of a text that RFC 6749 section 3.3 does not allow in scopes.
    public static func illegalCharacter(in text: String) -> Character? {
        text.first { character in
            guard let byte = character.asciiValue else { return true }
            return !(byte == 0x20 || byte == 0x21 || (0x23...0x5b).contains(byte) || (0x5d...0x7e).contains(byte))
        }
    }

    /// The list as it is sent.
    public var text: String { scopes.joined(separator: " ") }

    public var description: String { text }
}
