import HTTPMessages
import TrustFramework

/// Codes that a policy sends by a web API of its own choice. The simulated person reads them like codes that the
/// service sends: the request that carries the code is a message to the address in it.
enum OwnMessages {
    /// The message that a call to a web API stands for; `nil` where the call carries no code, or no address.
    static func message(in request: RequestMessage, _ call: ProfileCall, _ codes: OneTimeCodes) -> OutboxMessage? {
        let texts = call.inputs.entries.compactMap(\.value.text)
        guard let found = code(in: request, call, codes) else { return nil }
        let addresses = ([found.address].compactMap(\.self) + texts).flatMap(Self.addresses)
        guard let address = addresses.first else { return nil }
        return OutboxMessage(
            kind: address.contains("@") ? .email : .sms, to: address,
            text: "\(call.profile.id) sends the code \(found.code).", code: found.code, at: call.journey.now)
    }

    /// A code that was generated and is in the request, else an input claim that is named after a code and looks like one.
    private static func code(
        in request: RequestMessage, _ call: ProfileCall, _ codes: OneTimeCodes
    ) -> (code: String, address: String?)? {
        let living = codes.living(at: call.journey.now)
        if !living.isEmpty {
            let content = request.text + " " + request.url.description
            if let found = living.first(where: { content.contains($0.code) }) { return (found.code, found.address) }
        }
        for entry in call.inputs.entries {
            guard let text = entry.value.text, (4...10).contains(text.utf8.count),
                text.utf8.contains(where: { (48...57).contains($0) }),
                text.utf8.allSatisfy({ (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) })
            else { continue }
            let names = [entry.name, entry.claim.map { call.journey.policy[$0].id } ?? ""].map { $0.lowercased() }
            let words = ["otp", "verificationcode", "onetime", "passcode", "pincode", "securitycode"]
            if names.contains(where: { name in name == "code" || words.contains { name.contains($0) } }) {
                return (text, nil)
            }
        }
        return nil
    }

    /// E-mail addresses and phone numbers: a text that is one, else those inside it.
    private static func addresses(_ text: String) -> [String] {
        let parts = text.split { $0.isWhitespace || "\",;:<>()[]{}'".contains($0) }.map(String.init)
        return parts.filter { part in
            FieldRules.isAddress(part)
                || part.hasPrefix("+") && (8...16).contains(part.utf8.count) && part.dropFirst().allSatisfy(\.isNumber)
        }
    }
}
