import Diagnostics
import TrustFramework

/// Something that an exploration does not try, with the element of the policy that needs it. What rests on it is not
/// decided: it may be reachable though no path reached it.
public struct Untried: Sendable, Hashable {
    /// The element of the policy, such as `claims transformation HashCode`.
    public var element: String
    /// What would have to be tried, such as `input for which Hash gives the value that is compared`.
    public var what: String
    public var location: SourceLocation?
    /// The claims whose values depend on it; empty where it is not about claims.
    var claims: [ClaimTypeHandle]

    /// One line: `claims transformation HashCode at Base.xml:12: input for which ...`.
    public var words: String {
        let place = location.map { location in " at \(location.file)" + (location.line.map { ":\($0)" } ?? "") } ?? ""
        return "\(element)\(place): \(what)"
    }

    init(_ element: String, _ what: String, claims: [ClaimTypeHandle] = [], at location: SourceLocation?) {
        self.element = element
        self.what = what
        self.claims = claims
        self.location = location
    }
}
