import Diagnostics

extension ProtocolName {
    /// Whether apps that speak it get what no OAuth library reads, such as SAML assertions.
    public var isForeignToOAuth: Bool {
        switch self {
        case .saml2, .wsFed, .wsTrust: true
        default: false
        }
    }
}

extension ResolvedPolicy {
    /// What of the relying party is not simulated, with its place: a protocol that is none of OAuth's. `nil` where apps
    /// speak OpenID Connect.
    public var foreignParty: (what: String, location: SourceLocation)? {
        let party = relyingParty
        guard party.protocolName.isForeignToOAuth else { return nil }
        let issuer = self[party.defaultJourney].steps.compactMap(\.issuer).map { self[$0] }
            .first { $0.handler == .jwtIssuer }
        let mismatch = issuer.map { ", whose issuer \($0.id) makes JWTs" } ?? ""
        return ("a relying party that speaks \(party.protocolName.rawValue)\(mismatch)", party.location)
    }
}
