import B2CProtocol
import HTTPMessages
import TrustFramework

extension PageFrame {
    /// The page's handler on the wire.
    func api(_ turn: Turn) -> PageAPI {
        if selection != nil { return profile == nil ? .providerSelection : .combined }
        if let profile, turn.policy[profile].handler == .phoneFactor { return .phoneFactor }
        return .selfAsserted
    }
}

/// Hosted pages: opening, posts, leaving. Pages are the engine's own frame because they are left in two requests: the
/// post that is accepted, and the `confirmed` that goes on.
extension Journey {
    mutating func tell(
        _ frame: inout PageFrame, _ told: FrameInput, in tenancy: inout Tenancy, _ turn: inout Turn
    ) -> Move {
        let move: Move
        do throws(ProfileFailure) {
            switch told {
            case .started: move = try open(&frame, &turn)
            case .child(let result): move = try validated(&frame, result, &turn)
            case .event(let event): move = try handle(event, &frame, in: &tenancy, &turn)
            }
        } catch {
            move = .failed(error)
        }
        if case .done = move, let handle = frame.profile {
            release(frame.held, of: turn.policy[handle], isDone: frame.phase == .accepted, turn)
        }
        return move
    }

    // MARK: Opening

    private mutating func open(_ frame: inout PageFrame, _ turn: inout Turn) throws(ProfileFailure) -> Move {
        if let place = frame.selection, let move = try open(selection: place, &frame, &turn) { return move }
        if let handle = frame.profile {
            let profile = turn.policy[handle]
            guard isEnabled(profile, turn) else {
                note(profile, validation: false, skipped: .disabled, &turn)
                return .succeeded
            }
            if let out = sessionHit(profile, &turn) {
                note(profile, validation: false, out: out, skipped: .session, &turn)
                return .succeeded
            }
            try requireSimulated(profile)
            try requireBrowser("a page of technical profile \(profile.id)", turn)
            try transform(profile.inputTransformations, for: profile, page: handle, &turn)
            frame.held = hold(profile, turn)
            if profile.handler == .phoneFactor { try checkNumbers(profile, turn) }
        } else {
            try requireBrowser("the choice of an identity provider", turn)
        }
        frame.phase = .showing
        frame.before = claims
        frame.opened = claims
        return .wait(.page(try page(frame, turn)))
    }

    /// Whether a person can be asked: there is a browser, and no journey under way is declared `NonInteractive`.
    func mayAsk(_ turn: Turn) -> Bool {
        entry.isInteractive
            && !frames.contains {
                if case .steps(let frame) = $0 { turn.policy[frame.journey].nonInteractive } else { false }
            }
    }

    /// The claims exchange behind the sign-up link: that of `SignUpTarget`, if the step after the page has it and the
    /// link is not hidden.
    func signUpTarget(_ frame: PageFrame, _ turn: Turn) -> ClaimsExchangeID? {
        guard let place = frame.selection, let profile = frame.profile.map({ turn.policy[$0] }),
            let target = profile.metadata["SignUpTarget"],
            profile.metadata.bool("setting.showSignupLink", default: true)
        else { return nil }
        let steps = turn.policy[place.journey].steps
        guard steps.indices.contains(place.step + 1) else { return nil }
        return steps[place.step + 1].exchange(target)?.id
    }

    private func requireBrowser(_ what: String, _ turn: Turn) throws(ProfileFailure) {
        if !mayAsk(turn) { throw .ending(.pageWithoutBrowser(what)) }
        if turn.request.prompt == "none" { throw .ending(.interactionRequired("\(what) would be shown")) }
    }

    /// A selection step: what needs no page is decided here. `nil` means that the page is to be shown.
    private mutating func open(
        selection place: StepLocation, _ frame: inout PageFrame, _ turn: inout Turn
    ) throws(ProfileFailure) -> Move? {
        let step = turn.policy[place.journey].steps[place.step]
        if step.type == .combinedSignInAndSignUp {
            frame.profile = step.localSelection?.profile
            if let handle = frame.profile {
                let profile = turn.policy[handle]
                if isEnabled(profile, turn), let out = sessionHit(profile, &turn) {
                    note(profile, validation: false, out: out, skipped: .session, &turn)
                    return .succeeded
                }
            }
        }
        let targets = step.selections.filter {
            if case .exchange = $0.target { isEnabled(turn.policy[$0.profile], turn) } else { false }
        }
        if let known = targets.first(where: { sessionEntry(turn.policy[$0.profile], turn) != nil }) {
            chosen = known.id
            sso.used = true
            return .succeeded
        }
        if let hint = turn.request.domainHint, !hint.isEmpty,
            let hinted = targets.first(where: { target in
                turn.policy[target.profile].domains.contains { sameID($0, hint) }
            })
        {
            chosen = hinted.id
            return .succeeded
        }
        if step.type == .claimsProviderSelection {
            if targets.isEmpty {
                throw .policyFault(.c90051, [], detail: "step \(step.order) offers no enabled provider")
            }
            if targets.count == 1, step.displayOption == .doNotShowSingleProvider {
                chosen = targets[0].id
                return .succeeded
            }
        }
        return nil
    }

    // MARK: Events

    private mutating func handle(
        _ event: JourneyEvent, _ frame: inout PageFrame, in tenancy: inout Tenancy, _ turn: inout Turn
    ) throws(ProfileFailure) -> Move {
        switch event {
        case .submitted(let form):
            guard let handle = frame.profile else { return .refuse(.misfit("the page takes no posts")) }
            if frame.phase == .exhausted { return .wait(.answer(exhausted(frame, turn))) }
            if turn.policy[handle].handler == .phoneFactor {
                return postPhone(form, &frame, in: &tenancy, &turn)
            }
            switch form["request_type"] ?? "RESPONSE" {
            case "VERIFICATION_REQUEST": return try sendCode(form, &frame, in: &tenancy, &turn)
            case "VALIDATION_REQUEST": return checkCode(form, &frame, &turn)
            case "RESPONSE": return try submit(form, &frame, &turn)
            default: return .refuse(.misfit("request_type \(form["request_type"] ?? "") is unknown"))
            }
        case .action(let control, let name, let form):
            return try act(on: control, name: name, form, &frame, &turn)
        case .confirmed(let rememberMe):
            return try leave(&frame, rememberMe: rememberMe, &turn)
        case .chose(let exchange):
            return choose(exchange, frame, turn)
        case .signUp(let hint):
            guard let target = signUpTarget(frame, turn) else {
                return .refuse(.misfit("the page has no sign-up link"))
            }
            forget(frame, turn)
            chosen = target
            self.hint = hint.flatMap { $0.isEmpty ? nil : $0 }
            return .succeeded
        case .forgotPassword:
            return forgot(frame, turn)
        case .cancelled(let code, let description):
            return .end(.failed(cancelled(code, description: description, frame, turn)))
        case .reloaded:
            return .wait(.page(try page(frame, turn)))
        case .begin, .providerReturned, .finished:
            return .refuse(.misfit("a page is showing"))
        }
    }

    private mutating func choose(_ exchange: ClaimsExchangeID, _ frame: PageFrame, _ turn: Turn) -> Move {
        guard let place = frame.selection else { return .refuse(.misfit("the page offers no claims exchanges")) }
        let step = turn.policy[place.journey].steps[place.step]
        guard
            let selection = step.selections.first(where: {
                if case .exchange(let id, _) = $0.target { sameID(id, exchange) } else { false }
            }), isEnabled(turn.policy[selection.profile], turn)
        else {
            // The sign-up link of some pages is a claims exchange of the next step.
            if let target = signUpTarget(frame, turn), sameID(target, exchange) {
                forget(frame, turn)
                chosen = target
                return .succeeded
            }
            return .refuse(.misfit("the page offers no claims exchange \(exchange)"))
        }
        forget(frame, turn)
        chosen = selection.id
        return .succeeded
    }

    private mutating func forgot(_ frame: PageFrame, _ turn: Turn) -> Move {
        guard let handle = frame.profile, frame.selection != nil else {
            return .refuse(.misfit("the page has no link for a forgotten password"))
        }
        let metadata = turn.policy[handle].metadata
        if sameID(metadata["setting.forgotPasswordLinkLocation"] ?? "", "None") {
            return .refuse(.misfit("the link for a forgotten password is switched off"))
        }
        if let override = metadata["setting.forgotPasswordLinkOverride"] { return choose(override, frame, turn) }
        return .end(
            .failed(
                JourneyFailure(
                    .redirect(error: OAuthErrorName.accessDenied), code: .c90118,
                    detail: "the person forgot the password")))
    }

    /// Cancel, or a failure that the page's script reports. Scripts' codes were read from B2C's page script; which number
    /// each becomes is inferred.
    private func cancelled(
        _ code: String?, description: String?, _ frame: PageFrame, _ turn: Turn
    ) -> JourneyFailure {
        if frame.phase == .exhausted { return exhaustion(frame, turn) }
        let server = JourneyFailure.Kind.redirect(error: OAuthErrorName.serverError)
        let url = (try? page(frame, turn).templateURL) ?? ""
        switch code?.uppercased() {
        case "UX001", "UX003": return JourneyFailure(server, code: .c90206, detail: "the page did not start in time")
        case "UX002": return JourneyFailure(server, code: .c90149, inserts: [url], detail: "a page script is missing")
        case "UX004":
            return JourneyFailure(server, code: .c90047, inserts: [url], detail: "the template could not be loaded")
        case "UX005": return JourneyFailure(server, code: .c90002, inserts: [url], detail: "the template is not there")
        case "UX017": return JourneyFailure(server, code: .c90223, detail: "the template could not be sanitised")
        default:
            return JourneyFailure(
                .redirect(error: OAuthErrorName.accessDenied), code: .c90091,
                inserts: [description ?? "The user has cancelled entering self-asserted information"],
                detail: "the person cancelled")
        }
    }

    // MARK: Leaving

    private mutating func leave(
        _ frame: inout PageFrame, rememberMe: Bool, _ turn: inout Turn
    ) throws(ProfileFailure) -> Move {
        guard let handle = frame.profile else { return .refuse(.misfit("the page cannot be confirmed")) }
        let profile = turn.policy[handle]
        if frame.phase == .exhausted { return .end(.failed(exhaustion(frame, turn))) }
        guard frame.phase == .accepted else {
            return .end(
                .failed(
                    JourneyFailure(
                        .redirect(error: OAuthErrorName.serverError), code: .c90255, inserts: [profile.id],
                        detail: "the page was confirmed without an accepted post")))
        }
        if turn.call.environment.switches.outputTransformationsOnLeave {
            try transform(profile.outputTransformations, for: profile, page: handle, &turn)
        }
        keepOutputs(of: profile, frame, turn)
        if turn.call.environment.switches.outputTransformationsOnLeave { persistSession(profile, turn) }
        if frame.selection != nil, rememberMe, keepsSignedIn(profile, turn) {
            sso.keepSignedIn = true
            turn.call.keepSignedIn = true
        }
        for field in ShownFields(profile, isCombined: frame.selection != nil, turn.policy).fields
        where turn.policy[field.claim].userInputType == .password {
            claims[field.claim] = nil
        }
        hint = nil
        return .succeeded
    }

    /// Ends the life of claims that were written inside the page and are not its output: they are again what they were
    /// before it. What the session keeps is what goes on (inferred).
    mutating func keepOutputs(of profile: TechnicalProfile, _ frame: PageFrame, _ turn: Turn) {
        guard turn.call.environment.switches.innerClaimsEndWithPage, profile.handler == .selfAsserted,
            var outside = frame.opened
        else { return }
        for claim in turn.policy.claimsLeaving(profile) { outside[claim] = claims[claim] }
        claims = outside
    }

    /// The page is left by another way than its own button: nothing that it wrote goes on.
    private mutating func forget(_ frame: PageFrame, _ turn: Turn) {
        guard turn.call.environment.switches.innerClaimsEndWithPage, let outside = frame.opened else { return }
        claims = outside
    }

    /// Too many failed posts.
    func exhaustion(_ frame: PageFrame, _ turn: Turn) -> JourneyFailure {
        let isPhone = frame.api(turn) == .phoneFactor
        let isUnanswered = isPhone && frame.phone.isCalling
        let code: B2CErrorCode = isUnanswered ? .c90152 : isPhone ? .c90151 : .c90157
        return JourneyFailure(
            .redirect(error: code.oauthError ?? OAuthErrorName.serverError), code: code,
            detail: isUnanswered
                ? "nobody answered the call" : "the page was posted too often without success")
    }

    func exhausted(_ frame: PageFrame, _ turn: Turn) -> PageAnswer {
        let failure = exhaustion(frame, turn)
        return PageAnswer(status: "400", code: failure.code, message: failure.code?.message())
    }
}
