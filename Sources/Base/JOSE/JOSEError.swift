/// What is wrong with a key or a signed token.
public enum JOSEError: Error, Hashable, Sendable {
    /// A key that cannot be read or is of a kind that is not supported, and why.
    case unsupportedKey(String)
    /// The header's `alg` is not the one expected.
    case unsupportedAlgorithm(String)
    /// No key of the set has the header's `kid`.
    case unknownKey(kid: String?)
    /// The signature is not that of this key over this token.
    case badSignature
}

extension JOSEError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unsupportedKey(let why): why
        case .unsupportedAlgorithm(let name): "the token is signed with \(name), expected RS256"
        case .unknownKey(let kid?): "no published key has the kid \(kid)"
        case .unknownKey(nil): "the token's header has no kid and none of the published keys fits"
        case .badSignature: "the signature does not fit the token"
        }
    }
}
