import HTTPMessages

/// What a request URL says: tenant, policy and endpoint, in any of the forms that B2C takes.
///
///     https://{host}/{tenant}/{policy}/oauth2/v2.0/authorize
///     https://{host}/{tenant}/oauth2/v2.0/authorize?p={policy}
///     https://{host}/tfp/{tenant}/{policy}/oauth2/v2.0/authorize     (also /te/)
public struct B2CAddress: Hashable, Sendable {
    /// The tenant as the URL writes it: domain, GUID or custom domain; empty for addresses without a tenant.
    public var tenantSegment: String
    /// The policy as the URL writes it; `nil` where it names none.
    public var policy: String?
    /// Which part of the address names the policy.
    public var form: AuthorityForm
    /// The endpoint.
    public var endpoint: AuthorityEndpoint

    public init(tenantSegment: String, policy: String?, form: AuthorityForm, endpoint: AuthorityEndpoint) {
        self.tenantSegment = tenantSegment
        self.policy = policy
        self.form = form
        self.endpoint = endpoint
    }

    /// Reads a request URL; the case of the fixed parts does not matter. `nil` if the path is not one of an endpoint.
    ///
    /// A policy in the path wins over the parameter `p`.
    public static func parse(_ url: WebURL) -> B2CAddress? {
        var segments = url.path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { PercentCoding.decode(String(Substring($0)), plusIsSpace: false) }
        if segments.first == "" { segments.removeFirst() }
        if segments.last == "" { segments.removeLast() }
        guard let first = segments.first else { return nil }
        if first.lowercased() == "static" {
            let rest = segments.dropFirst().joined(separator: "/")
            return B2CAddress(tenantSegment: "", policy: nil, form: .path, endpoint: .staticAsset(rest))
        }
        if first.lowercased() == "tfp" || first.lowercased() == "te" {
            guard segments.count > 3, let endpoint = AuthorityEndpoint.parse(segments[3...]) else { return nil }
            return B2CAddress(
                tenantSegment: segments[1], policy: segments[2], form: first.lowercased() == "te" ? .te : .tfp,
                endpoint: endpoint)
        }
        if segments.count > 1, let endpoint = AuthorityEndpoint.parse(segments[1...]) {
            return B2CAddress(
                tenantSegment: first, policy: policyParameter(url), form: .query, endpoint: endpoint)
        }
        if segments.count > 2, let endpoint = AuthorityEndpoint.parse(segments[2...]) {
            return B2CAddress(tenantSegment: first, policy: segments[1], form: .path, endpoint: endpoint)
        }
        return nil
    }

    /// The parameter `p`, its name in any letter case.
    private static func policyParameter(_ url: WebURL) -> String? {
        url.queryItems.items.first { $0.name.lowercased() == "p" && !$0.value.isEmpty }?.value
    }
}

/// The URLs of an authority.
public enum AuthorityURLs {
    /// The authority itself, as clients are configured with it: `https://{host}/tfp/{tenant}/{policy}`.
    public static func authority(
        host: String, tenantSegment: String, policy: String?, form: AuthorityForm
    ) -> String {
        let base = "https://\(host)/"
        guard let policy else { return base + tenantSegment }
        switch form {
        case .tfp: return base + "tfp/\(tenantSegment)/\(policy)"
        case .te: return base + "te/\(tenantSegment)/\(policy)"
        case .path: return base + "\(tenantSegment)/\(policy)"
        case .query: return base + "\(tenantSegment)?p=\(PercentCoding.encodeComponent(policy))"
        }
    }

    /// The URL of an endpoint. Letter case is kept; discovery documents write policies in lower case.
    ///
    /// - Parameter scheme: `http` only where a mock is asked in the clear.
    public static func endpoint(
        _ endpoint: AuthorityEndpoint, scheme: String = "https", host: String, tenantSegment: String,
        policy: String?, form: AuthorityForm
    ) -> String {
        let base = "\(scheme)://\(host)/"
        guard let policy else { return base + "\(tenantSegment)/\(endpoint.path)" }
        switch form {
        case .tfp: return base + "tfp/\(tenantSegment)/\(policy)/\(endpoint.path)"
        case .te: return base + "te/\(tenantSegment)/\(policy)/\(endpoint.path)"
        case .path: return base + "\(tenantSegment)/\(policy)/\(endpoint.path)"
        case .query: return base + "\(tenantSegment)/\(endpoint.path)?p=\(PercentCoding.encodeComponent(policy))"
        }
    }
}
