import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON

extension WorkforceAuthority {
    /// Finds the endpoint that a request is for.
    mutating func respond(to call: WorkforceCall) -> WorkforceDraft {
        if let draft = InstanceDiscovery.draft(for: call.request, random: &random, at: call.now) { return draft }
        if let draft = userRealm(call) { return draft }
        guard let address = B2CAddress.parse(call.request.url), address.form == .query else {
            return notFound(call, "a directory tenant has no address \(call.request.url.path)")
        }
        guard let audience = configuration.audience(address.tenantSegment) else {
            return failed(call, .unknownTenant(address.tenantSegment), asJSON: address.endpoint != .authorize)
        }
        let place = WorkforcePlace(audience: audience, segment: address.tenantSegment)
        switch address.endpoint {
        case .discovery: return discovery(call, place)
        case .keys: return keys(call)
        case .authorize: return authorize(call, place)
        case .token: return token(call, place)
        case .logout: return logout(call)
        case .workforcePage("login"): return signInPosted(call)
        case .workforcePage("consent"): return consentPosted(call)
        default: return notFound(call, "a directory tenant has no endpoint \(call.request.url.path)")
        }
    }

    func notFound(_ call: WorkforceCall, _ why: String) -> WorkforceDraft {
        WorkforceDraft(
            status: 404, headers: WorkforceDraft.fields(call),
            body: .html(PlainPage.message(title: "404", text: "There is nothing here.")),
            refusal: why)
    }

    /// An error that goes to no redirect URI: a page for browsers, JSON for others. That the page comes with status 400
    /// is inferred.
    func failed(_ call: WorkforceCall, _ error: WorkforceError, asJSON: Bool) -> WorkforceDraft {
        if asJSON {
            return WorkforceDraft(
                status: error.status, headers: WorkforceDraft.fields(call), body: .json(error.json(call)),
                refusal: error.why)
        }
        return WorkforceDraft(
            status: 400, headers: WorkforceDraft.fields(call),
            body: .html(
                PlainPage.message(title: "Sign-in did not work", text: error.description(call))),
            refusal: error.why)
    }

    // MARK: documents

    private func discovery(_ call: WorkforceCall, _ place: WorkforcePlace) -> WorkforceDraft {
        // The service writes its main name whatever alias was asked.
        let host = configuration.tenant.host
        let document = WorkforceDocuments.discovery(
            base: "https://\(host)/\(place.audience.segment)",
            issuer: "https://\(host)/\(place.audience.issuerSegment)/v2.0")
        return WorkforceDraft(headers: WorkforceDraft.documentFields(call), body: .json(document))
    }

    private func keys(_ call: WorkforceCall) -> WorkforceDraft {
        WorkforceDraft(
            headers: WorkforceDraft.documentFields(call),
            body: .json(WorkforceDocuments.keys(configuration.signingRing)))
    }

    /// Whether a user name's domain is managed here: `/common/userrealm/{user}?api-version=1.0`.
    private func userRealm(_ call: WorkforceCall) -> WorkforceDraft? {
        let parts = call.request.url.path.split(separator: "/")
            .map { PercentCoding.decode(String($0), plusIsSpace: false) }
        guard parts.count >= 2, parts[1].lowercased() == "userrealm" else { return nil }
        let user = parts.count > 2 ? parts[2] : call.query["user"] ?? ""
        let domain = user.split(separator: "@").last.map(String.init) ?? ""
        let isKnown =
            domain.lowercased() == configuration.tenant.domain.lowercased()
            || configuration.people.contains { person in
                person.userPrincipalName.lowercased().hasSuffix("@" + domain.lowercased())
            }
        var body: JSONObject = ["ver": "1.0", "account_type": isKnown && !domain.isEmpty ? "Managed" : "Unknown"]
        if isKnown, !domain.isEmpty { body["domain_name"] = .string(domain) }
        body["cloud_instance_name"] = "microsoftonline.com"
        body["cloud_audience_urn"] = "urn:federation:MicrosoftOnline"
        return WorkforceDraft(headers: WorkforceDraft.fields(call), body: .json(body))
    }
}

/// The authority part of a request's address.
struct WorkforcePlace: Sendable {
    var audience: WorkforceAudience
    /// As the address writes it.
    var segment: String
}
