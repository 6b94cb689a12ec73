import Determinism
import JOSE
import Journeys
import TrustFramework

/// Where somebody proves who they are in a field: which code or password belongs there follows from what the policy does
/// with the claim, not from its name.
struct CodeFields {
    /// Who made the code that belongs into a field.
    enum Source: Sendable, Hashable {
        /// A code that a technical profile sent or generated.
        case sent
        /// The authenticator app of the person.
        case authenticator
        /// The policy itself: the claim has it.
        case own(ClaimTypeHandle)
        /// A web API, which checks it too.
        case service
    }

    let policy: ResolvedPolicy
    let values: ValueClasses

    /// Where the code of a field comes from; `nil` where the field is for no code.
    ///
    /// - Parameters:
    ///   - claim: The claim of the field.
    ///   - called: The technical profiles that the page calls with it.
    func source(of claim: ClaimTypeHandle, called: [ProfileHandle]) -> Source? {
        var names: Set<ClaimTypeHandle> = [claim]
        for handle in called {
            let profile = policy[handle]
            for transformation in profile.inputTransformations.map({ policy[$0] })
            where sameID(transformation.method, "CopyClaim")
                && names.contains(where: { transformation.input("inputClaim") == $0 })
            {
                names.formUnion(transformation.outputClaims.map(\.claim))
            }
            func takes(_ wire: String) -> Bool {
                profile.inputClaims.contains { names.contains($0.claim) && sameID($0.wireName, wire) }
            }
            let operation = (profile.metadata["Operation"] ?? "").lowercased()
            switch profile.handler {
            case .oneTimePassword where operation == "verifycode" && takes("otpToVerify"): return .sent
            case .aadSspr where operation == "verifycode" && takes("verificationCode"): return .sent
            case .azureMfa where operation == "verify" && takes("verificationCode"): return .sent
            case .azureMfa where operation == "verifyotp" && takes("otpCode"): return .authenticator
            default: continue
            }
        }
        for name in names.sorted() {
            if let secret = values.partners[name]?.first(where: { values.secrets.contains($0) }) { return .own(secret) }
        }
        return nil
    }

    /// Whether a field asks for the password that the account has: it is handed to the check of a password.
    func isPassword(_ claim: ClaimTypeHandle, called: [ProfileHandle]) -> Bool {
        called.contains { handle in
            policy[handle].handler == .passwordSignIn
                && policy[handle].inputClaims.contains { $0.claim == claim && sameID($0.wireName, "password") }
        }
    }

    /// The code that the person has for a field; `nil` where they have none. A code that goes to somebody else, whose name the
    /// person has entered, is not theirs.
    func code(_ source: Source, of person: TestPerson, at place: PathState) -> String? {
        switch source {
        case .sent: return Self.readable(place.journey.livingCodes(at: place.now), by: person)
        case .own(let claim): return place.facts.namesAnother ? nil : place.journey.claims[claim]?.text
        case .service: return place.facts.namesAnother ? nil : "123456"
        case .authenticator:
            let kept = place.tenancy.directory.objectIDs.lazy.compactMap { id in
                place.tenancy.directory[id]?.attributes.first { sameID($0.id, "strongAuthenticationAppSecretKey") }?
                    .value.text
            }.first
            guard let key = place.journey.authenticatorKey ?? kept, let secret = Base32.decode(key.uppercased()) else {
                return nil
            }
            return OneTimePassword.timeCode(secret: secret, at: place.now)
        }
    }

    /// The newest code that went to an address of the person: the second person reads what goes to her or to an unowned address,
    /// and nobody else does.
    static func readable(_ codes: [(code: String, address: String)], by person: TestPerson) -> String? {
        let isSecond = person.name == TestPeople.second.name
        return codes.first { item in
            let address = item.address.lowercased()
            let isSeconds = TestPeople.secondNames.contains(address)
            return isSecond ? isSeconds || address == PageActs.otherAddress : !isSeconds
        }?.code
    }

    /// A wrong code.
    static func wrong(_ right: String?) -> String { right == "000000" ? "111111" : "000000" }
}
