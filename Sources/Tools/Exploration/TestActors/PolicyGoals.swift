import TrustFramework

/// What a policy uses its claims for.
///
/// It follows from what the policy does with a claim: its data type and input type, the attribute it is written to, who
/// reads it. The name of a claim says nothing.
struct PolicyGoals: Sendable {
    /// Claims that are written as an account's password, or are compared with one that is.
    private(set) var newPasswords: Set<ClaimTypeHandle> = []
    /// Claims that a technical profile signs in with as the password.
    private(set) var checkedPasswords: Set<ClaimTypeHandle> = []
    /// Claims that something reads: a profile, a transformation, a precondition, the token.
    private(set) var read: Set<ClaimTypeHandle> = []
    /// Claims that a precondition, an assertion or a comparison reads.
    private(set) var deciding: Set<ClaimTypeHandle> = []
    /// Claims that display controls take.
    private(set) var controlled: Set<ClaimTypeHandle> = []
    /// RESTful profiles that get what a person enters as a secret, and refuse what is wrong.
    private var checkers: Set<ProfileHandle> = []
    /// Comparisons of what a person enters with a secret that the policy or a service has.
    private(set) var comparisons: Set<TransformationHandle> = []
    private let policy: ResolvedPolicy

    init(_ policy: ResolvedPolicy) {
        self.policy = policy
        for profile in policy.profiles { take(profile) }
        for transformation in policy.transformations { take(transformation) }
        for journey in policy.journeys {
            for step in journey.steps { take(step.preconditions) }
        }
        for control in policy.displayControls {
            // The control itself takes what is entered in it, a code above all.
            read.formUnion(control.displayClaims.map(\.claim))
            controlled.formUnion(control.displayClaims.map(\.claim))
            read.formUnion(control.inputClaims.map(\.claim))
            for action in control.actions { for item in action.profiles { take(item.preconditions) } }
        }
        for claim in policy.relyingParty.outputClaims { read.insert(claim.claim) }
        if let subject = policy.relyingParty.subjectNaming, let claim = policy.claimType(subject.claimType) {
            read.insert(claim)
        }
        enteredTwice()
        comparedWithNewPasswords()
        findSecrets()
    }

    // MARK: Secrets that a service checks

    /// Whether a RESTful profile checks a secret that the person enters: the service decides whether it is right.
    func checksSecret(_ profile: TechnicalProfile) -> Bool { checkers.contains(profile.handle) }

    /// What a person enters is a secret where it is the one password of a page, or where nothing but a service or a comparison
    /// takes it: it is not a name, is not written, and is in no token.
    private mutating func findSecrets() {
        let fields = enteredSecrets()
        guard !fields.isEmpty else { return }
        let taken = takenElsewhere()
        var answers: Set<ClaimTypeHandle> = []
        for profile in policy.profiles where [.rest, .oneTimePassword].contains(profile.handler) {
            answers.formUnion(profile.outputClaims.map(\.claim))
        }
        for transformation in policy.transformations
        where ["createrandomstring", "guidandrandomgenerator"].contains(transformation.method.lowercased()) {
            answers.formUnion(transformation.outputClaims.map(\.claim))
        }
        for (field, isPassword) in fields {
            let forms = derived(from: field)
            guard isPassword || taken.isDisjoint(with: forms) else { continue }
            for profile in policy.profiles where profile.handler == .rest {
                if profile.inputClaims.contains(where: { forms.contains($0.claim) }) { checkers.insert(profile.handle) }
            }
            for transformation in policy.transformations
            where ["assertstringclaimsareequal", "compareclaims"].contains(transformation.method.lowercased()) {
                let inputs = transformation.inputClaims.map(\.claim)
                if inputs.contains(where: forms.contains), inputs.contains(where: answers.contains) {
                    comparisons.insert(transformation.handle)
                }
            }
        }
    }

    /// Fields in which somebody may enter a secret, and whether it is a password. Two passwords on a page are a new one.
    private func enteredSecrets() -> [ClaimTypeHandle: Bool] {
        var fields: [ClaimTypeHandle: Bool] = [:]
        for profile in policy.profiles where profile.handler == .selfAsserted {
            let claims = profile.outputClaims.map(\.claim)
            let passwords = claims.filter { policy[$0].userInputType == .password }
            for claim in claims where policy[claim].enumeration.isEmpty {
                switch policy[claim].userInputType {
                case .password where passwords.count == 1: fields[claim] = true
                case .textBox: fields[claim] = fields[claim] ?? false
                default: continue
                }
            }
        }
        return fields
    }

    /// Claims that name or describe somebody: keys, attributes, claims of the token.
    private func takenElsewhere() -> Set<ClaimTypeHandle> {
        var taken = Set(policy.relyingParty.outputClaims.map(\.claim))
        for profile in policy.profiles {
            taken.formUnion(profile.persistedClaims.map(\.claim))
            switch profile.handler {
            case .selfAsserted, .rest, .claimsTransformation: continue
            default: taken.formUnion(profile.inputClaims.map(\.claim))
            }
        }
        return taken
    }

    /// A claim and everything that claims transformations make of it.
    private func derived(from claim: ClaimTypeHandle) -> Set<ClaimTypeHandle> {
        var found: Set<ClaimTypeHandle> = [claim]
        for _ in 0..<4 {
            for transformation in policy.transformations
            where !Self.isComparison(transformation)
                && transformation.inputClaims.contains(where: { found.contains($0.claim) })
            {
                found.formUnion(transformation.outputClaims.map(\.claim))
            }
        }
        return found
    }

    /// A page with two password fields takes a new password, unless something signs in with one of them.
    private mutating func enteredTwice() {
        for profile in policy.profiles where profile.handler == .selfAsserted {
            let passwords = profile.outputClaims.map(\.claim).filter { policy[$0].userInputType == .password }
            if passwords.count > 1, checkedPasswords.isDisjoint(with: passwords) { newPasswords.formUnion(passwords) }
        }
    }

    private mutating func take(_ profile: TechnicalProfile) {
        let isSelfAsserted = profile.handler == .selfAsserted
        for input in profile.inputClaims {
            // A page reads an input claim to show it, which uses nothing.
            if !isSelfAsserted { read.insert(input.claim) }
            if profile.handler == .passwordSignIn, sameID(input.wireName, "password") {
                checkedPasswords.insert(input.claim)
            }
        }
        for persisted in profile.persistedClaims {
            read.insert(persisted.claim)
            if profile.handler == .directory, sameID(persisted.wireName, "password") {
                newPasswords.insert(persisted.claim)
            }
        }
        for validation in profile.validationProfiles { take(validation.preconditions) }
        for key in ["ClaimTypeOnWhichToEnable", "ItemExistenceClaim"] {
            if let claim = profile.metadata[key].flatMap({ policy.claimType($0) }) {
                read.insert(claim)
                deciding.insert(claim)
            }
        }
    }

    private mutating func take(_ transformation: ClaimsTransformation) {
        let decides = Self.isAssertion(transformation) || Self.isComparison(transformation)
        for input in transformation.inputClaims {
            read.insert(input.claim)
            if decides { deciding.insert(input.claim) }
        }
    }

    private mutating func take(_ preconditions: [Precondition]) {
        for claim in preconditions.flatMap(\.claims) {
            read.insert(claim)
            deciding.insert(claim)
        }
    }

    private mutating func comparedWithNewPasswords() {
        for transformation in policy.transformations where Self.isAssertion(transformation) {
            let claims = transformation.inputClaims.map(\.claim)
            if claims.contains(where: newPasswords.contains) { newPasswords.formUnion(claims) }
        }
    }

    /// Whether a transformation refuses by its result.
    static func isAssertion(_ transformation: ClaimsTransformation) -> Bool {
        transformation.method.lowercased().hasPrefix("assert")
    }

    static func isComparison(_ transformation: ClaimsTransformation) -> Bool {
        let method = transformation.method.lowercased()
        return ["compare", "setclaimsif", "isterms", "doesclaimexist", "stringcollectioncontains"].contains {
            method.hasPrefix($0)
        }
    }

    /// Whether a password field asks for the password that the account has: nothing writes what is entered there. The
    /// service itself compares the field `reenterPassword` with the new password.
    func asksExistingPassword(_ claim: ClaimTypeHandle) -> Bool {
        let type = policy[claim]
        guard type.userInputType == .password else { return false }
        if checkedPasswords.contains(claim), !newPasswords.contains(claim) { return true }
        return !newPasswords.contains(claim) && !sameID(type.id, "reenterPassword")
    }

    /// Whether a technical profile can refuse what a person or a service gives it.
    func refuses(_ profile: TechnicalProfile) -> Bool {
        let asserts = (profile.inputTransformations + profile.outputTransformations).contains {
            Self.isAssertion(policy[$0])
        }
        if asserts { return true }
        switch profile.handler {
        case .rest, .passwordSignIn, .oneTimePassword: return true
        case .directory:
            return profile.metadata.bool("RaiseErrorIfClaimsPrincipalDoesNotExist", default: false)
                || profile.metadata.bool("RaiseErrorIfClaimsPrincipalAlreadyExists", default: false)
        default: return false
        }
    }

    /// Whether a page asks for nothing but consent: it has no field, or only boxes and choices.
    func asksConsentOnly(_ profile: TechnicalProfile) -> Bool {
        guard profile.handler == .selfAsserted else { return false }
        let shown = profile.displayClaims.compactMap { claim -> ClaimTypeHandle? in
            if case .claim(let handle) = claim.target { return handle }
            return nil
        }
        guard shown.count == profile.displayClaims.count else { return false }
        let fields = shown.isEmpty ? profile.outputClaims.filter { $0.defaultValue == nil }.map(\.claim) : shown
        let kinds = fields.compactMap { policy[$0].userInputType }
        return !kinds.isEmpty
            && kinds.allSatisfy { [.checkboxMultiSelect, .radioSingleSelect, .paragraph, .readonly].contains($0) }
            && kinds.contains { $0 != .readonly }
            && profile.validationProfiles.allSatisfy { policy[$0.profile].handler != .passwordSignIn }
    }

    /// What kind of directory attribute an address or number is written to.
    enum Address: Sendable { case signInName, secondFactor, contact }

    /// The kind of attribute that a value is written to; `nil` if the attribute is neither name nor address.
    static func address(_ attribute: String, value: String) -> Address? {
        let name = attribute.lowercased()
        let isNumber = value.hasPrefix("+") || value.allSatisfy(\.isNumber)
        if name.hasPrefix("signinnames.") {
            if name == "signinnames.username" { return nil }
            return value.contains("@") || name == "signinnames.phonenumber" ? .signInName : nil
        }
        if name == "strongauthenticationphonenumber" { return isNumber ? .secondFactor : nil }
        if name == "strongauthenticationemailaddress" { return .secondFactor }
        if name == "userprincipalname" { return nil }
        return value.contains("@") ? .contact : nil
    }

    /// Names under which a provider gives what the person can change there (OpenID Connect Core, 5.7: only `sub` and `iss`
    /// identify a person).
    static let changeable: Set<String> = [
        "email", "mail", "emails", "upn", "preferred_username", "unique_name", "name", "given_name", "family_name",
        "first_name", "last_name", "nickname", "login", "username", "screen_name", "phone_number", "displayname",
    ]
}
