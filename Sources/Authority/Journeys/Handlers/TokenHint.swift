import B2CProtocol
import HTTPMessages
import JOSE
import JSON
import TrustFramework

/// How far the check of an `id_token_hint` has come whose issuer's keys are fetched.
public struct HintMemory: Sendable, Hashable, Codable {
    enum Stage: String, Sendable, Hashable, Codable {
        /// The OpenID configuration is asked for.
        case metadata
        case keys
    }

    var stage: Stage
}

extension TechnicalProfile {
    /// Where the issuer of an `id_token_hint` publishes its configuration. `nil` where a shared secret or the tenant's
    /// own keys verify the hint (Microsoft docs: id-token-hint).
    public var hintMetadata: String? {
        cryptographicKeys.contains { sameID($0.id, "client_secret") } ? nil : metadata["METADATA"]
    }
}

/// An `id_token_hint` that another issuer has signed: its OpenID configuration names issuer and keys. What needs no call
/// (presence, times, audience) has been checked before the journey began.
extension Journey {
    mutating func checkHint(
        of profile: TechnicalProfile, _ told: FrameInput, _ frame: inout ProfileFrame, _ turn: inout Turn
    ) throws(ProfileFailure) -> Move {
        switch (told, frame.memory) {
        case (.started, _):
            try requireSimulated(profile)
            return try fetch(profile.hintMetadata ?? "", as: .metadata, of: profile, &frame, turn)
        case (.event(.finished(let result)), .hint(let memory)):
            let document = try answer(result, memory.stage, profile)
            guard memory.stage == .keys else {
                try requireIssuer(document["issuer"]?.stringValue, profile, turn)
                return try fetch(document["jwks_uri"]?.stringValue ?? "", as: .keys, of: profile, &frame, turn)
            }
            let text = turn.request.query["id_token_hint"] ?? ""
            guard let keys = JWKSet(json: document), let token = JWS(compact: text) else {
                throw Self.hintFailure(.c90210, "the keys at METADATA of \(profile.id) cannot be read")
            }
            if case .failure(let error) = token.verify(in: keys) {
                throw Self.hintFailure(.c90233, "the signature of id_token_hint: \(error)")
            }
            note(profile, validation: false, &turn)
            return .succeeded
        default:
            return .refuse(.misfit("the keys of an id_token_hint are being fetched"))
        }
    }

    private func fetch(
        _ address: String, as stage: HintMemory.Stage, of profile: TechnicalProfile, _ frame: inout ProfileFrame,
        _ turn: Turn
    ) throws(ProfileFailure) -> Move {
        let tenant = turn.call.environment.tenantDomain
        guard let url = Resolvers.address(address.replacing("{tenant}", with: tenant)) else {
            let what = stage == .metadata ? "METADATA" : "jwks_uri of the document at METADATA"
            throw .policyFault(
                .c90023, [profile.id, "METADATA"], detail: "\(profile.id): \(what) is not an address: \(address)")
        }
        var request = RequestMessage.get(url)
        request.profile = profile.id
        frame.memory = .hint(HintMemory(stage: stage))
        return .wait(.callout(request, timeout: turn.call.environment.calloutTimeout))
    }

    private func answer(
        _ result: CalloutResult, _ stage: HintMemory.Stage, _ profile: TechnicalProfile
    ) throws(ProfileFailure) -> JSONValue {
        let what = stage == .metadata ? "the document at METADATA" : "the keys"
        switch result.outcome {
        case .failure(let error):
            throw Self.hintFailure(.c90210, "\(profile.id): \(what) cannot be fetched: \(error.description)")
        case .success(let response):
            guard (200..<300).contains(response.status), let json = response.json else {
                throw Self.hintFailure(
                    .c90210, "\(profile.id): the answer for \(what) has status \(response.status) or is not JSON")
            }
            return json
        }
    }

    private func requireIssuer(
        _ issuer: String?, _ profile: TechnicalProfile, _ turn: Turn
    ) throws(ProfileFailure) {
        // An issuer in the metadata of the profile goes before the document's; it was compared before.
        guard profile.metadata["issuer"] == nil else { return }
        let actual = turn.request.idTokenHint?["iss"]?.stringValue
        guard let issuer, issuer == actual else {
            throw Self.hintFailure(
                .c90232, "the issuer of id_token_hint is not \(issuer ?? "named by the document at METADATA")",
                [issuer ?? ""])
        }
    }

    private static func hintFailure(
        _ code: B2CErrorCode, _ detail: String, _ inserts: [String] = []
    ) -> ProfileFailure {
        .ending(
            JourneyFailure(
                .redirect(error: OAuthErrorName.invalidRequest), code: code, inserts: inserts, detail: detail))
    }
}
