import B2CProtocol
import HTTPMessages
import JSON
import Journeys
import TrustFramework

/// What comes of an act: answers of posts become what the page's script makes of them; then the state is taken up if it
/// is new.
extension Explorer {
    mutating func settle(_ place: inout PathState, _ from: PathState, _ act: Act) {
        if case .answer(let answer) = place.stop {
            guard let page = place.page else { return }
            guard answer.status == "200" else { return refused(&place, answer, by: page) }
            let pending = place.pending
            place.pending = .nothing
            switch pending {
            case .nothing: return
            case .sent, .captcha: place.stop = .page(page)
            case .verified(let address, let field, _, let forged):
                guard verified(&place, address, field: field, forged: forged, by: act, at: page) else { return }
            case .leave(let leave):
                guard mayLeave(place, leave, at: page) else { return }
                if let again = leave.again {
                    place.pending = .leave(AwaitedAnswer.Leave(proves: leave.proves))
                    place.stop = advance(&place, .submitted(FormItems(parsing: again)), at: .page(page))
                    return settle(&place, from, act)
                }
                self.leave(page, &place, leave)
            }
        }
        if case .page(let page) = from.stop {
            switch act.event {
            case .chose, .signUp: result.leave(page.name)
            default: break
            }
        }
        arrive(&place, from, act)
    }

    /// The same after an event that was repeated.
    mutating func settleRepeated(_ place: inout PathState, _ from: PathState, _ act: Act) {
        guard case .answer(let answer) = place.stop, answer.status != "200", let page = place.page else {
            return settle(&place, from, act)
        }
        result.refuse(page.name, answer.message ?? answer.code?.id ?? answer.status)
        place.pending = .nothing
        place.stop = .page(page)
        // What a page refuses is not taken.
        place.facts.witness = from.facts.witness
        visit(place)
    }

    // MARK: Pages

    private mutating func refused(_ place: inout PathState, _ answer: PageAnswer, by page: Page) {
        rules.refused(answer, by: page, place, &result)
        // Nothing but counters has changed: the person is where they were.
        guard place.facts.isWrittenThoughRefused else { return }
        place.pending = .nothing
        place.stop = .page(page)
        visit(place)
    }

    /// A page has taken a code.
    ///
    /// - Returns: Whether the path goes on.
    private mutating func verified(
        _ place: inout PathState, _ address: String, field: String, forged: AwaitedAnswer.Forgery?, by act: Act,
        at page: Page
    ) -> Bool {
        if let forged {
            rules.tookForged(forged.rawValue, at: page, place, &result)
            return false
        }
        guard place.facts.detour != .exhausted else {
            result.outlast(page.name, place.trail)
            return false
        }
        place.facts.proved.insert(address.lowercased())
        place.facts.verified.insert(field)
        prove(&place.facts)
        rules.proved(&place, by: act.event)
        place.stop = .page(page)
        return true
    }

    /// Whether a path goes on behind a page that has taken what was posted.
    private mutating func mayLeave(_ place: PathState, _ leave: AwaitedAnswer.Leave, at page: Page) -> Bool {
        if let forged = leave.forged {
            rules.tookForged("\(forged) at page \(page.name)", at: page, place, &result)
            return false
        }
        if place.facts.detour == .exhausted {
            result.outlast(page.name, place.trail)
            return false
        }
        guard mayMove() else {
            result.unvisited += 1
            return false
        }
        return true
    }

    private mutating func leave(_ page: Page, _ place: inout PathState, _ leave: AwaitedAnswer.Leave) {
        if let proves = leave.proves { place.facts.proved.insert(proves.lowercased()) }
        place.facts.done = []
        result.leave(page.name)
        place.stop = advance(&place, .confirmed(rememberMe: leave.remembers), at: .answer(.accepted))
        place.page = nil
    }

    // MARK: Stops

    /// A journey has stopped.
    private mutating func arrive(_ place: inout PathState, _ from: PathState, _ act: Act) {
        switch place.stop {
        case .page(let page):
            // A service that answers meanwhile does not change the page.
            let old: Page? = if case .page(let shown) = from.stop { shown } else { from.page }
            if old.map({ $0.name == page.name && $0.step == page.step }) != true { place.facts.done = [] }
            hold(.page, place, ["page": .string(page.name)])
            rules.showed(page, place, &result)
        case .issue(let issuance): return issue(issuance, place)
        case .failed(let failure): return fail(failure, place, act)
        case .refused, .answer: return
        case .callout(let request, _):
            let call: JSONObject = [
                "method": .string(request.method), "url": .string(request.url.description),
                "profile": .string(request.profile ?? ""),
            ]
            hold(.call, place, ["call": .object(call)])
        case .provider: break
        }
        visit(place)
    }

    private mutating func issue(_ issuance: Issuance, _ place: PathState) {
        let start = result.starts[place.start]
        let claims = JSONObject(issuance.claims.map { ($0.name, $0.value) })
        var issue = Exploration.Issue(
            trail: place.trail, start: place.start, claims: claims, facts: place.facts, tenancy: place.tenancy,
            session: issuance.session?.id, isAgain: start.after != nil, hasSession: start.session != nil)
        issue.hasSubject = issuance.subject != nil
        issue.refresh = issuance.refresh
        issue.owner = start.owner(of: issuance.objectID)
        // Invariants are about people who come, not about what an app does later.
        if start.refresh != nil { return result.renewals.append(Exploration.Renewal(issue)) }
        hold(.token, place, ["claims": .object(claims)])
        if result.issues.contains(where: {
            $0.start == issue.start && $0.facts == issue.facts && $0.claims == issue.claims
        }) {
            return
        }
        result.issues.append(issue)
        rules.issued(issuance, as: issue, place, &result)
    }

    private mutating func fail(_ failure: JourneyFailure, _ place: PathState, _ act: Act) {
        if result.starts[place.start].refresh != nil {
            result.renewals.append(Exploration.Renewal(place, failure, rules.refreshFailure(failure)))
        } else {
            result.failures += 1
            if !result.ends.contains(where: { $0.text == failure.text }) {
                result.ends.append((place.trail, failure.text))
            }
            var error: JSONObject = ["text": .string(failure.text)]
            if let code = failure.code { error["code"] = .string(code.id) }
            hold(.failure, place, ["error": .object(error)])
        }
        rules.failed(failure, after: act.event, place, &result)
    }
}
