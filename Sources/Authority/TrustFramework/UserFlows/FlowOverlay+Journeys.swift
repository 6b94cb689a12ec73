import B2CProtocol
import Diagnostics

/// The journeys, step by step.
extension FlowOverlay {
    static let localAccount = "localAccountAuthentication"
    static let resetJourney = "PasswordReset-InFlow"

    var journeyID: String {
        switch settings.type {
        case .signUpOrSignIn: "SignUpOrSignIn"
        case .signIn: "SignIn"
        case .signUp: "SignUp"
        case .profileEditing: "ProfileEdit"
        case .passwordReset: "PasswordReset"
        case .ropc: "ResourceOwnerPasswordCredentials"
        case .custom: ""
        }
    }

    mutating func addJourneys() {
        var steps = StepList(make("type"))
        switch settings.type {
        case .signUpOrSignIn, .signIn:
            addSignInSteps(to: &steps)
            addSocialSteps(to: &steps)
            addForcedReset(to: &steps)
            steps.run("ReadUser", "AAD-UserReadUsingObjectId")
            addSecondFactorSteps(to: &steps)
        case .signUp:
            addSignUpSteps(to: &steps)
            addSocialSteps(to: &steps)
            steps.run("ReadUser", "AAD-UserReadUsingObjectId")
            addSecondFactorSteps(to: &steps)
        case .profileEditing:
            addSignInSteps(to: &steps)
            addSocialSteps(to: &steps)
            addForcedReset(to: &steps)
            steps.run("ReadUser", "AAD-UserReadUsingObjectId")
            addSecondFactorSteps(to: &steps)
            steps.run("EditProfile", "SelfAsserted-ProfileUpdate")
        case .passwordReset:
            steps.run("PasswordResetUsingEmailAddress", discoveryProfile)
            addSecondFactorSteps(to: &steps)
            steps.run("NewCredentials", "LocalAccountWritePasswordUsingObjectId")
            steps.run("ReadUser", "AAD-UserReadUsingObjectId")
        case .ropc:
            steps.run("ResourceOwnerFlow", "ResourceOwnerPasswordCredentials-OAUTH2")
            steps.run("ReadUser", "AAD-UserReadUsingObjectId")
        case .custom: break
        }
        steps.add(.sendClaims, issuer: "JwtIssuer")
        var journey = JourneyElement(id: journeyID, location: make("type").location)
        journey.nonInteractive = settings.type == .ropc ? true : nil
        journey.steps = steps.steps
        document.userJourneys = [journey]
        if resetsInFlow { document.subJourneys = [inFlowReset()] }
    }

    /// The combined page, and what was chosen on it.
    private func addSignInSteps(to steps: inout StepList) {
        var targets = providers.map { (id: $0.exchange, profile: Self.profileID($0)) }
        if resetsInFlow { targets.append((Self.forgotPasswordExchange, "ForgotPassword")) }
        let local = usesIdentifier ? "LocalAccountSigninExchange" : "LocalAccountSigninEmailExchange"
        steps.add(
            .combinedSignInAndSignUp, content: "api.signuporsignin",
            exchanges: [steps.make.exchange(local, signInProfile)], targets: targets.map(\.id), local: local)
        var exchanges = targets.map { steps.make.exchange($0.id, $0.profile) }
        if settings.type == .signUpOrSignIn {
            exchanges.append(steps.make.exchange(Self.signUpExchange, signUpProfile))
        }
        if !exchanges.isEmpty {
            steps.add(.claimsExchange, skip: [.present("objectId")], exchanges: exchanges)
        }
        if resetsInFlow {
            steps.add(.invokeSubJourney, skip: [.absent("isForgotPassword")], subJourney: Self.resetJourney)
        }
    }

    /// The sign-up page at once, or a page to choose between it and the providers.
    private func addSignUpSteps(to steps: inout StepList) {
        guard !providers.isEmpty else {
            steps.run(Self.signUpExchange, signUpProfile)
            return
        }
        var targets = providers.map { (id: $0.exchange, profile: Self.profileID($0)) }
        targets.append((Self.signUpExchange, signUpProfile))
        steps.add(.claimsProviderSelection, content: "api.idpselections.signup", targets: targets.map(\.id))
        steps.add(.claimsExchange, exchanges: targets.map { steps.make.exchange($0.id, $0.profile) })
    }

    /// Finds the account of somebody who came from a provider, or creates it after asking for the attributes.
    private func addSocialSteps(to steps: inout StepList) {
        guard !providers.isEmpty else { return }
        let local = ElementBuilder.Condition.equal("authenticationSource", Self.localAccount)
        switch settings.type {
        case .signUpOrSignIn:
            steps.run("ReadSocialUser", "AAD-UserReadUsingAlternativeSecurityId-NoError", skip: [local])
        case .signUp: break
        default:
            // These flows create nobody: somebody unknown is an error.
            steps.run("ReadSocialUser", "AAD-UserReadUsingAlternativeSecurityId", skip: [local])
            return
        }
        if attributes.isEmpty {
            steps.run(
                "WriteSocialUser", "AAD-UserWriteUsingAlternativeSecurityId", skip: [.present("objectId")])
        } else {
            steps.run("SelfAsserted-Social", "SelfAsserted-Social", skip: [.present("objectId")])
        }
    }

    private func addForcedReset(to steps: inout StepList) {
        guard settings.forcedReset else { return }
        steps.run(
            "ForcedPasswordReset", "LocalAccountWritePasswordUsingObjectId", skip: [.absent("passwordExpired")])
    }

    private func inFlowReset() -> JourneyElement {
        var steps = StepList(make("forgotPassword"))
        steps.run("PasswordResetUsingEmailAddress", discoveryProfile)
        steps.run("NewCredentials", "LocalAccountWritePasswordUsingObjectId")
        var journey = JourneyElement(id: Self.resetJourney, location: make("forgotPassword").location)
        journey.subJourneyType = .call
        journey.steps = steps.steps
        return journey
    }

    // MARK: Relying party

    mutating func addRelyingParty() {
        let make = make()
        var party = RelyingPartyElement(location: make.location)
        party.defaultUserJourney = make.reference(journeyID)
        party.behaviors = behaviors()
        var profile = make.profile("PolicyProfile")
        profile.displayName = "PolicyProfile"
        profile.protocol = ProtocolElement(name: .openIdConnect, handler: nil, location: make.location)
        profile.outputClaims = outputClaims()
        profile.subjectNaming = SubjectNamingInfoElement(
            claimType: "sub", nameQualifier: nil, spNameQualifier: nil, format: nil, spProvidedID: nil,
            excludeAsClaim: nil, location: self.make("tokens/subject").location)
        party.profiles = [profile]
        document.relyingParty = party
    }

    private func outputClaims() -> [ClaimReferenceElement] {
        let subject = make("tokens/subject")
        var outputs: [ClaimReferenceElement] = []
        switch settings.tokens.subject {
        case .objectId: outputs.append(subject.claim("sub", value: "{Claim:objectId}", always: true))
        case .notSupported:
            outputs.append(subject.claim("sub", value: "Not supported currently. Use oid claim.", always: true))
        }
        for name in claims {
            if name == "tenantId" {
                outputs.append(make("claims").claim(name, value: "{Policy:TenantObjectId}", always: true))
            } else {
                outputs.append(make("claims").claim(name))
            }
        }
        if settings.tokens.policyClaim == .tfp {
            outputs.append(
                make("tokens/policyClaim").claim("trustFrameworkPolicy", value: "{policy}", always: true))
        }
        return outputs
    }

    private mutating func behaviors() -> UserJourneyBehaviorsElement {
        var behaviors = UserJourneyBehaviorsElement(location: make("session").location)
        switch settings.session.scope {
        case .tenant: behaviors.scope = .tenant
        case .application: behaviors.scope = .application
        case .policy: behaviors.scope = .policy
        case .suppressed: behaviors.scope = .suppressed
        }
        if let span = settings.keepSignedIn {
            let day: Int64 = 86_400_000
            let days = span.milliseconds / day
            if span.milliseconds % day == 0, (1...90).contains(days) {
                if hasSignInPage { behaviors.keepAliveInDays = Int(days) }
            } else {
                refuse("keepSignedIn is a number of whole days from P1D to P90D", at: "keepSignedIn")
            }
        }
        behaviors.enforceIdTokenHintOnLogout = settings.session.requireIdTokenInLogout ? true : nil
        behaviors.sessionExpiryType = settings.session.rolling ? .rolling : .absolute
        behaviors.sessionExpiryInSeconds = Int(clamping: settings.session.lifetime.milliseconds / 1000)
        return behaviors
    }
}
