import Determinism
import Diagnostics

extension PolicyWriter {
    /// A policy as `b2c policy show` prints it: the merged file, only the parts that the relying party reaches, and above
    /// them in a comment what belongs to the flow but cannot be said in a policy.
    public static func show(_ policy: ResolvedPolicy) -> String {
        let lines = xml(policy.document.reachable()).split(separator: "\n", omittingEmptySubsequences: false)
        var header = XMLText()
        header.line("<!--")
        header.line("  \(policy.id), all files merged. Parts that nothing refers to are omitted.")
        for line in beside(policy) { header.line("  \(line)") }
        header.line("-->")
        return ([String(lines[0]), header.text.dropLast().description] + lines.dropFirst().map(String.init))
            .joined(separator: "\n")
    }

    /// The handlers of ours that a document names, with the profile of each: what an upload to a tenant would lose.
    public static func harnessParts(of document: PolicyDocument) -> [(profile: String, handler: String)] {
        document.technicalProfiles.compactMap { profile in
            guard let handler = profile.protocol?.handler, handler.hasPrefix(ProfileHandler.harnessPrefix) else {
                return nil
            }
            return (profile.id, handler)
        }
    }

    static func beside(_ policy: ResolvedPolicy) -> [String] {
        let own = policy.personality
        guard own.isUserFlow else { return [] }
        func limits(_ codes: Personality.CodeLimits) -> String {
            "\(codes.lifetime.iso8601), \(codes.maxTries) tries, again after \(codes.resendAfter.iso8601)"
        }
        return [
            "Beside the policy, as user flows of the service have it:",
            "claims of ID tokens in this order: \(own.idTokenClaimOrder.joined(separator: " "))",
            "claims of access tokens in this order: \(own.accessTokenClaimOrder.joined(separator: " "))",
            "keys: the key set \(own.keySet); header of refresh tokens: kid \(own.refreshTokenKeyID ?? "of the key")",
            "claims_supported goes on with: \(own.discoveryClaims.joined(separator: " "))",
            "codes by e-mail: \(limits(own.emailCodes))", "codes of the second factor: \(limits(own.mfaCodes))",
        ]
    }
}
