import B2CProtocol
import Diagnostics
import HTTPMessages
import JOSE
import JSON
import TenantFiles

/// Checks discovery documents and key sets that lie in a project or were fetched for it.
public enum DiscoverySubject {
    static func findings(_ project: Project) -> [Finding] {
        project.files(.discovery).flatMap { $0.document.map { findings(document: $0) } ?? [] }
            + project.files(.keySet).flatMap { $0.document.map { findings(keys: $0) } ?? [] }
    }

    private static let required = ["issuer", "authorization_endpoint", "token_endpoint", "jwks_uri"]
    private static let endpoints = [
        "authorization_endpoint", "token_endpoint", "end_session_endpoint", "jwks_uri", "userinfo_endpoint",
    ]

    /// What is wrong with a discovery document.
    ///
    /// - Parameters:
    ///   - address: The URL it was read from, where that is known.
    ///   - tenant: The tenant that it should be of.
    public static func findings(
        document: JSONDocument, address: WebURL? = nil, tenant: Tenant? = nil
    ) -> [Finding] {
        let root = document.root
        func place(_ member: String) -> SourceLocation {
            document.location(of: root[member] == nil ? .root : JSONPointer(tokens: [member]))
        }
        var all = members(root, at: place)
        let parts = endpointParts(root, at: place, &all)
        if let address { all += differences(parts, from: address, at: place) }
        all += differences(parts, at: place)
        if let issuer = root["issuer"]?.stringValue {
            all += findings(issuer: issuer, at: place("issuer"), address: address)
            all += findings(issuer: issuer, tenant: tenant, at: place("issuer"))
        }
        if let tenant { all += findings(policyOf: parts, tenant: tenant, at: place) }
        return all + offers(root, at: place)
    }

    /// Required members that are missing or are not texts, and an answer that is an error.
    private static func members(_ root: JSONValue, at place: (String) -> SourceLocation) -> [Finding] {
        var all: [Finding] = []
        for member in required {
            guard root[member]?.stringValue?.isEmpty != false else { continue }
            let near = nearestName(member, among: root.objectValue?.keys ?? [])
            all.append(
                Finding(
                    "B2C-DISC-001",
                    root[member] == nil ? "`\(member)` is missing" : "`\(member)` is not text",
                    remedy: near.map { "Did you mean `\($0)`?" }, at: place(member)))
        }
        if let error = root["error"]?.stringValue {
            all.append(
                Finding(
                    "B2C-DISC-001", "this is an error answer: \(error)",
                    remedy: "Look at policy and tenant in its URL.",
                    at: place("error")))
        }
        return all
    }

    /// An endpoint of the document and what its address names, in lower case.
    private struct EndpointParts {
        let member: String
        let host: String
        let tenant: String
        let policy: String
    }

    private static func endpointParts(
        _ root: JSONValue, at place: (String) -> SourceLocation, _ all: inout [Finding]
    ) -> [EndpointParts] {
        var parts: [EndpointParts] = []
        for member in endpoints {
            guard let text = root[member]?.stringValue else { continue }
            guard let url = WebURL(text), let host = url.host, url.scheme == "https" else {
                all.append(Finding("B2C-DISC-002", "\"\(text)\" is not an https URL", at: place(member)))
                continue
            }
            if let address = B2CAddress.parse(url) {
                parts.append(
                    EndpointParts(
                        member: member, host: host, tenant: address.tenantSegment.lowercased(),
                        policy: address.policy?.lowercased() ?? ""))
            }
        }
        return parts
    }

    /// Endpoints of another host or policy than the address that was asked. The tenant may be a domain there and a GUID
    /// in the endpoints.
    private static func differences(
        _ parts: [EndpointParts], from address: WebURL, at place: (String) -> SourceLocation
    ) -> [Finding] {
        guard let host = address.host, let asked = B2CAddress.parse(address) else { return [] }
        return parts.compactMap { part in
            difference(
                part,
                [
                    part.host == host ? nil : "host \(part.host), and \(host) was asked",
                    asked.policy == nil || part.policy == asked.policy?.lowercased()
                        ? nil : "policy \(part.policy), and \(asked.policy ?? "") was asked for",
                ], at: place)
        }
    }

    /// Endpoints that differ from the first one.
    private static func differences(
        _ parts: [EndpointParts], at place: (String) -> SourceLocation
    ) -> [Finding] {
        guard let first = parts.first else { return [] }
        return parts.dropFirst().compactMap { part in
            difference(
                part,
                [
                    part.host == first.host ? nil : "host \(part.host) instead of \(first.host)",
                    part.tenant == first.tenant ? nil : "tenant \(part.tenant) instead of \(first.tenant)",
                    part.policy == first.policy ? nil : "policy \(part.policy) instead of \(first.policy)",
                ], at: place)
        }
    }

    private static func difference(
        _ part: EndpointParts, _ differences: [String?], at place: (String) -> SourceLocation
    ) -> Finding? {
        let differences = differences.compactMap { $0 }
        guard !differences.isEmpty else { return nil }
        return Finding(
            "B2C-DISC-004", "`\(part.member)` has \(differences.joined(separator: " and "))", at: place(part.member))
    }

    /// Whether the tenant file has the policy of the endpoints.
    private static func findings(
        policyOf parts: [EndpointParts], tenant: Tenant, at place: (String) -> SourceLocation
    ) -> [Finding] {
        guard let policy = parts.lazy.map(\.policy).first(where: { !$0.isEmpty }), tenant.policy(id: policy) == nil
        else { return [] }
        let ids = tenant.policies.map(\.id)
        return [
            Finding(
                "B2C-DISC-004", "the tenant file has no policy \"\(policy)\"",
                remedy: nearestName(policy, among: ids).map { "Did you mean \"\($0)\"?" }
                    ?? "It has \(namesList(ids)).",
                at: place(parts[0].member))
        ]
    }

    /// What every app of today needs and the policy does not offer.
    private static func offers(_ root: JSONValue, at place: (String) -> SourceLocation) -> [Finding] {
        var all: [Finding] = []
        for (member, wanted, what) in [
            ("id_token_signing_alg_values_supported", "RS256", "sign with"),
            ("scopes_supported", "openid", "offer the scope"),
        ] {
            guard let list = root[member]?.arrayValue?.compactMap(\.stringValue), !list.contains(wanted) else {
                continue
            }
            all.append(
                Finding(
                    "B2C-DISC-009", "the policy does not \(what) \(wanted)",
                    remedy: "Given: \(namesList(list)).", at: place(member)))
        }
        let types = root["response_types_supported"]?.arrayValue?.compactMap(\.stringValue)
        if let types, !types.contains("code") {
            all.append(
                Finding(
                    "B2C-DISC-009", "the policy does not offer the response type code",
                    remedy: "Offered: \(namesList(types)).", at: place("response_types_supported")))
        }
        return all
    }

    /// Whether a host is this machine: a mock authority, which stands for any host of a tenant.
    static func isLoopback(_ host: String) -> Bool { ["localhost", "127.0.0.1", "[::1]"].contains(host) }

    /// Whether the issuer is of the tenant that the tenant file describes.
    private static func findings(issuer: String, tenant: Tenant?, at place: SourceLocation) -> [Finding] {
        guard let tenant, let form = IssuerURLForm(issuer) else { return [] }
        let (host, id): (String, String) =
            switch form {
            case .tenant(let host, let id): (host, id)
            case .policy(let host, let id, _): (host, id)
            }
        var all: [Finding] = []
        if !RedirectURIs.sameGUID(tenant.id.description, id) {
            all.append(
                Finding(
                    "B2C-DISC-003", "the issuer is of tenant \(id); \(tenant.name) is \(tenant.id.description)",
                    at: place))
        }
        if !isLoopback(host), !tenant.hosts.contains(where: { $0.asciiLowercased == host }) {
            all.append(
                Finding(
                    "B2C-DISC-003", "the issuer is of the host \(host); the tenant has \(namesList(tenant.hosts))",
                    at: place))
        }
        return all
    }

    /// The two forms of an issuer.
    enum IssuerURLForm: Equatable {
        case tenant(host: String, tenant: String)
        case policy(host: String, tenant: String, policy: String)

        init?(_ issuer: String) {
            guard let url = WebURL(issuer), let host = url.host, url.scheme == "https", url.query == nil else {
                return nil
            }
            let parts = url.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            if parts.count == 4, parts[2] == "v2.0", parts[3].isEmpty, RedirectURIs.isGUID(parts[1]) {
                self = .tenant(host: host, tenant: parts[1])
            } else if parts.count == 6, parts[1] == "tfp", parts[4] == "v2.0", parts[5].isEmpty,
                RedirectURIs.isGUID(parts[2])
            {
                self = .policy(host: host, tenant: parts[2], policy: parts[3])
            } else {
                return nil
            }
        }
    }

    private static func findings(issuer: String, at place: SourceLocation, address: WebURL?) -> [Finding] {
        guard let form = IssuerURLForm(issuer) else {
            let slash = issuer.hasSuffix("/") ? nil : IssuerURLForm(issuer + "/").map { _ in issuer + "/" }
            return [
                Finding(
                    "B2C-DISC-003",
                    "\"\(issuer)\" is neither https://HOST/GUID/v2.0/ nor https://HOST/tfp/GUID/POLICY/v2.0/",
                    remedy: slash.map { "Write \"\($0)\"." }, at: place, corrected: slash)
            ]
        }
        guard let address, case .tenant = form else { return [] }
        let expected = issuer + ".well-known/openid-configuration"
        guard address.description != expected else { return [] }
        return [
            Finding(
                "B2C-DISC-005", "the issuer's own document would be at \(expected)",
                remedy: "Set the issuer of the policy to the tfp form for clients that compare.", at: place)
        ]
    }

    /// What is wrong with a key set.
    public static func findings(keys document: JSONDocument) -> [Finding] {
        var all: [Finding] = []
        let list = document.root["keys"]?.arrayValue ?? []
        var seen: Set<String> = []
        for (index, value) in list.enumerated() {
            let pointer = JSONPointer(tokens: ["keys", String(index)])
            func place(_ member: String? = nil) -> SourceLocation {
                guard let member, value[member] != nil else { return document.location(of: pointer) }
                return document.location(of: pointer.appending(member))
            }
            if value["d"] != nil {
                all.append(
                    Finding(
                        "B2C-DISC-007", "this is a private key",
                        remedy: "Replace it by a new one, and publish n and e.",
                        at: document.location(of: pointer.appending("d"), key: true)))
            }
            guard let kid = value["kid"]?.stringValue else {
                all.append(Finding("B2C-DISC-006", "the key has no kid", at: place()))
                continue
            }
            if !seen.insert(kid).inserted {
                all.append(Finding("B2C-DISC-008", "a second key \"\(kid)\"", at: place("kid")))
            }
            if JWK(json: value)?.pem == nil {
                all.append(
                    Finding(
                        "B2C-DISC-006", "the key \"\(kid)\" cannot be used to verify RS256",
                        remedy: "It needs kty RSA, e and n in base64url.", at: place("kty")))
            }
        }
        if list.isEmpty {
            all.append(
                Finding("B2C-DISC-006", "there is no key in the set", at: document.location(of: .root)))
        }
        return all
    }
}
