import B2CProtocol
import TrustFramework

/// The stages of a technical profile around its handler (Microsoft docs: technicalprofiles): enabled, session look-up,
/// input transformations, input claims, action, persisted claims, output claims, output transformations, session.
extension Journey {
    mutating func tell(
        _ frame: inout ProfileFrame, _ told: FrameInput, in tenancy: inout Tenancy, _ turn: inout Turn
    ) -> Move {
        let profile = turn.policy[frame.profile]
        do throws(ProfileFailure) {
            if frame.checksHint { return try checkHint(of: profile, told, &frame, &turn) }
            switch told {
            case .started:
                return try start(profile, &frame, in: &tenancy, &turn)
            case .child:
                return .succeeded
            case .event(let event):
                if frame.memory.expectsClaims, let exchange = turn.exchange { frame.exchange = exchange }
                guard frame.memory != .none, let handler = Handlers.conversing(profile.handler) else {
                    return .refuse(.misfit("technical profile \(profile.id) waits for nothing"))
                }
                let call = try self.call(profile, page: frame.page, turn)
                let move = try handler.resume(event, from: frame.memory, call, random: &random)
                return try carry(move, of: call, &frame, &turn)
            }
        } catch {
            let move = fail(profile, with: error, frame, &turn)
            release(frame.held, of: profile, isDone: false, turn)
            return move
        }
    }

    private mutating func start(
        _ profile: TechnicalProfile, _ frame: inout ProfileFrame, in tenancy: inout Tenancy, _ turn: inout Turn
    ) throws(ProfileFailure) -> Move {
        guard isEnabled(profile, turn) else {
            note(profile, validation: frame.validation, skipped: .disabled, &turn)
            return .succeeded
        }
        if !frame.validation, let out = sessionHit(profile, &turn) {
            note(profile, validation: false, out: out, skipped: .session, &turn)
            return .succeeded
        }
        try requireSimulated(profile)
        try transform(profile.inputTransformations, for: profile, page: frame.page, &turn)
        frame.held = hold(profile, turn)
        let call = try self.call(profile, page: frame.page, turn)
        if let handler = Handlers.immediate(profile.handler) {
            let returned = try handler.run(call, in: &tenancy, codes: &codes, random: &random)
            return try finish(call, returning: returned, frame, &turn)
        }
        if let handler = Handlers.conversing(profile.handler) {
            let move = try handler.begin(call, random: &random)
            if profile.handler == .rest, case .ask(.callout(let request, _), _) = move,
                let message = OwnMessages.message(in: request, call, codes)
            {
                tenancy.outbox.send(message)
            }
            return try carry(move, of: call, &frame, &turn)
        }
        throw .notSimulated(
            "technical profile \(profile.id) of kind \(profile.handler.name)", at: profile.location)
    }

    /// What of a profile is not simulated ends the journey here.
    func requireSimulated(_ profile: TechnicalProfile) throws(ProfileFailure) {
        if let refusal = profile.refusal { throw .notSimulated(refusal.what, at: refusal.location) }
    }

    private mutating func carry(
        _ move: HandlerMove, of call: ProfileCall, _ frame: inout ProfileFrame, _ turn: inout Turn
    ) throws(ProfileFailure) -> Move {
        switch move {
        case .done(let returned):
            return try finish(call, returning: returned, frame, &turn)
        case .ask(let stop, let memory):
            if case .provider = stop, turn.request.prompt == "none", sessionEntry(call.profile, turn) == nil {
                throw .ending(.interactionRequired("an identity provider must be asked"))
            }
            if case .provider = stop, !mayAsk(turn) {
                throw .ending(.pageWithoutBrowser("identity provider \(call.profile.id)"))
            }
            frame.memory = memory
            return .wait(stop)
        case .refuse(let detail):
            return .refuse(.misfit(detail))
        }
    }

    private mutating func finish(
        _ call: ProfileCall, returning returned: PartnerClaims, _ frame: ProfileFrame, _ turn: inout Turn
    ) throws(ProfileFailure) -> Move {
        let profile = call.profile
        var out = deliver(returned, for: profile, turn)
        for item in frame.held
        where profile.outputClaims.contains(where: { $0.claim == item.claim })
            && !out.contains(where: { $0.claim == item.claim })
        {
            out.append(TracedClaim(item.claim, item.value, from: .default))
        }
        if profile.handler == .passwordSignIn || profile.handler.isFederation
            || returned["newClaimsPrincipalCreated"]?.booleanValue == true
        {
            sso.authenticatedAt = turn.now
            if profile.handler.isFederation { sso.identityProvider = profile.id }
        }
        let record = turn.trace.count
        note(
            profile, validation: frame.validation, in: call, held: frame.held, out: out, exchange: frame.exchange, &turn
        )
        do throws(ProfileFailure) {
            try transform(profile.outputTransformations, for: profile, page: frame.page, &turn)
        } catch {
            // The profile's own record says so, in place of another one.
            if case .profile(var entry) = turn.trace[record] {
                entry.error = error.text
                entry.failure = error.name
                turn.trace[record] = .profile(entry)
            }
            throw error.recorded
        }
        if !frame.validation { persistSession(profile, turn) }
        release(frame.held, of: profile, isDone: true, turn)
        return .succeeded
    }

    private func fail(
        _ profile: TechnicalProfile, with error: ProfileFailure, _ frame: ProfileFrame, _ turn: inout Turn
    ) -> Move {
        var failure = error
        if failure.profile == nil { failure.profile = frame.profile }
        // The app's error about a web API names the step.
        if [.c90075, .c90261].contains(failure.code), failure.inserts.count > 1, failure.inserts[1].isEmpty {
            failure.inserts[1] = String(step)
        }
        // The policy's own text replaces the message of a missing or existing account (recorded).
        if [.c99001, .c99002].contains(failure.code), let key = failure.messageKey {
            failure.ownMessage = profile.metadata[key]
        }
        if !failure.isRecorded {
            let call = try? self.call(profile, page: frame.page, turn)
            note(
                profile, validation: frame.validation, in: call, held: frame.held,
                exchange: turn.exchange ?? frame.exchange, failure: failure, &turn)
        }
        return .failed(failure)
    }

    /// `EnabledForUserJourneys` (Microsoft docs: technicalprofiles).
    func isEnabled(_ profile: TechnicalProfile, _ turn: Turn) -> Bool {
        profile.isEnabled(in: turn.policy) { claims[$0] }
    }

    /// Gathers what a handler gets.
    func call(_ profile: TechnicalProfile, page: ProfileHandle?, _ turn: Turn) throws(ProfileFailure) -> ProfileCall {
        var inputs = PartnerClaims()
        for claim in profile.inputClaims {
            guard let value = value(of: claim, for: profile, turn) else {
                // Another claim with the same name on the other side may supply the value, as oldPassword does for
                // password.
                if claim.required, !profile.inputClaims.contains(where: { stands($0, for: claim, of: profile, turn) }) {
                    throw ProfileFailure(
                        code: .c90037, message: "A required claim is missing: \(turn.policy[claim.claim].id)",
                        detail: "input claim \(turn.policy[claim.claim].id) of \(profile.id) is required")
                }
                continue
            }
            inputs.append(claim.wireName, value, claim: claim.claim)
        }
        var persisted = PartnerClaims()
        for claim in profile.persistedClaims {
            guard let value = value(of: claim, for: profile, turn) else { continue }
            persisted.append(claim.wireName, value, claim: claim.claim)
        }
        return ProfileCall(
            profile: profile, inputs: inputs, persisted: persisted, bag: claims, journey: turn.call, page: page)
    }

    /// Whether a claim has a value and goes under the same name as another.
    private func stands(
        _ other: ProfileClaim, for claim: ProfileClaim, of profile: TechnicalProfile, _ turn: Turn
    ) -> Bool {
        other.claim != claim.claim && sameID(other.wireName, claim.wireName)
            && value(of: other, for: profile, turn) != nil
    }

    /// The value of an input or persisted claim: the bag's, else the default; the default first where it says so.
    /// Resolvers work where the profile's metadata allow them.
    func value(of claim: ProfileClaim, for profile: TechnicalProfile, _ turn: Turn) -> ClaimValue? {
        if !claim.alwaysUseDefaultValue, let value = claims[claim.claim] { return value }
        guard let standard = claim.defaultValue else { return claims[claim.claim] }
        let type = turn.policy[claim.claim].dataType
        guard standard.utf8.contains(UInt8(ascii: "{")), profile.resolvesClaims else {
            return ClaimValue(standard, as: type)
        }
        let text = Resolvers.fill(standard, bag: claims, call: turn.call, profile: profile)
        return text.isEmpty ? nil : ClaimValue(text, as: type)
    }

    /// Puts what a handler returned into the bag, as the output claims say, and returns what it put there.
    @discardableResult
    mutating func deliver(
        _ returned: PartnerClaims, for profile: TechnicalProfile, _ turn: Turn
    ) -> [TracedClaim] {
        var out: [TracedClaim] = []
        for output in profile.outputClaims {
            let type = turn.policy[output.claim].dataType
            var value: ClaimValue?
            var origin = ClaimOrigin.answer
            if !output.alwaysUseDefaultValue || output.defaultValue == nil {
                value = returned[output.wireName]?.converted(to: type)
            }
            if value == nil, let standard = output.defaultValue,
                output.alwaysUseDefaultValue || claims[output.claim] == nil
            {
                if let token = returned[standard] {
                    // A default such as {oauth2:access_token} names what the provider's token answer held.
                    value = token.converted(to: type)
                } else if standard.utf8.contains(UInt8(ascii: "{")), profile.resolvesClaims {
                    let text = Resolvers.fill(standard, bag: claims, call: turn.call, profile: profile)
                    value = text.isEmpty ? nil : ClaimValue(text, as: type)
                    origin = .default
                } else if !standard.hasPrefix("{oauth2:") {
                    value = ClaimValue(standard, as: type)
                    origin = .default
                }
            }
            guard let value else { continue }
            claims[output.claim] = value
            out.append(TracedClaim(output.claim, value, from: origin))
        }
        return out
    }

    /// Runs claims transformations in order.
    mutating func transform(
        _ list: [TransformationHandle], for profile: TechnicalProfile, page: ProfileHandle?, _ turn: inout Turn
    ) throws(ProfileFailure) {
        for handle in list {
            let transformation = turn.policy[handle]
            var run = TransformationCall(
                transformation: transformation, profile: profile, page: page, bag: claims, journey: turn.call,
                random: random)
            let before = transformation.inputClaims.compactMap { claim in
                claims[claim.claim].map { TracedClaim(claim.claim, $0, from: .bag) }
            }
            do throws(ProfileFailure) {
                try Transformations.run(&run)
            } catch {
                random = run.random
                note(transformation, of: profile, in: before, out: [], &turn)
                throw error
            }
            random = run.random
            claims = run.bag
            let after = transformation.outputClaims.compactMap { claim in
                claims[claim.claim].map { TracedClaim(claim.claim, $0, from: .answer) }
            }
            note(transformation, of: profile, in: before, out: after, &turn)
        }
    }

    private func note(
        _ transformation: ClaimsTransformation, of profile: TechnicalProfile,
        in before: [TracedClaim], out after: [TracedClaim], _ turn: inout Turn
    ) {
        turn.trace.append(
            .transformation(
                TraceEntry.TransformationTrace(
                    step: step, profile: profile.id, transformation: transformation.id, method: transformation.method,
                    in: TracedClaims(before, in: turn.policy), out: TracedClaims(after, in: turn.policy))))
    }

    /// Writes the record of a profile, when it is done.
    func note(
        _ profile: TechnicalProfile, validation: Bool, in call: ProfileCall? = nil, held: [HeldClaim] = [],
        out: [TracedClaim] = [], exchange: String? = nil, failure: ProfileFailure? = nil,
        skipped: TraceEntry.ProfileTrace.Skip? = nil, _ turn: inout Turn
    ) {
        var given: [TracedClaim] = []
        for entry in (call?.inputs.entries ?? []) + (call?.persisted.entries ?? []) {
            guard let claim = entry.claim, !given.contains(where: { $0.claim == claim }) else { continue }
            let isDefault = call?.bag[claim] == nil || held.contains { $0.claim == claim }
            given.append(TracedClaim(claim, entry.value, from: isDefault ? .default : .bag))
        }
        turn.trace.append(
            .profile(
                TraceEntry.ProfileTrace(
                    step: step, profile: profile.id, handler: profile.handler.name, validation: validation,
                    in: TracedClaims(given, in: turn.policy), out: TracedClaims(out, in: turn.policy),
                    exchange: exchange, error: failure?.text, failure: failure?.name, skipped: skipped)))
    }
}

extension TechnicalProfile {
    /// Whether `EnabledForUserJourneys` lets the profile take part with these claims.
    ///
    /// - Parameter value: The value of a claim; `nil` is absence.
    public func isEnabled(in policy: ResolvedPolicy, value: (ClaimTypeHandle) -> ClaimValue?) -> Bool {
        func named() -> ClaimValue? {
            metadata["ClaimTypeOnWhichToEnable"].flatMap { policy.claimType($0) }.flatMap(value)
        }
        switch enabled {
        case .true, .always: return true
        case .false, .never: return false
        case .onClaimsExistence: return named() != nil
        case .onItemExistence, .onItemAbsence:
            let contains = (named()?.listValue ?? []).contains(metadata["ClaimValueOnWhichToEnable"] ?? "")
            return contains == (enabled == .onItemExistence)
        }
    }
}

extension JourneyFailure {
    /// `prompt=none`, and somebody would have to do something.
    static func interactionRequired(_ detail: String) -> JourneyFailure {
        JourneyFailure(
            .redirect(error: OAuthErrorName.interactionRequired), code: .c90077, inserts: ["None"],
            detail: "prompt=none: \(detail)")
    }

    /// A page in a journey that no browser takes part in.
    static func pageWithoutBrowser(_ what: String) -> JourneyFailure {
        JourneyFailure(
            .redirect(error: OAuthErrorName.serverError), code: .c90037,
            detail: "\(what) needs a browser, and this journey has none")
    }
}
