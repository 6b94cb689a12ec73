import Diagnostics
import JSON
import TrustFramework
import Validation

extension Exploration {
    /// What is wrong with the policy as far as was seen, by place. Each finding has the shortest path that shows it.
    public var findings: [Finding] {
        let diagnostics =
            incomplete() + unreached() + stuck() + noticed() + skippedFactor() + lostClaims() + neverIssued()
        return (diagnostics + invariantFindings(invariants)).inSourceOrder.map { Finding($0) }
    }

    private var party: SourceLocation { policy.relyingParty.location }

    func told(_ trail: Int) -> String { path(trail).filter { !$0.isEmpty }.joined(separator: "; ") }

    private func diagnostic(
        _ severity: Severity, _ rule: String, _ message: String, path trail: Int? = nil, remedy: String? = nil,
        at location: SourceLocation?
    ) -> Diagnostic {
        let path = trail.map { "Path: \(told($0))." }
        let text = [remedy, path].compactMap(\.self).joined(separator: " ")
        return Diagnostic(severity, rule: rule, message, remedy: text.isEmpty ? nil : text, at: location)
    }

    /// That an exploration was cut: what it does not report may still be there.
    private func incomplete() -> [Diagnostic] {
        guard let cut else { return [] }
        return [
            diagnostic(
                .advice, "B2C-EXP-024", "not everything was explored: cut by \(cut), \(unvisited) states are left",
                remedy: advice ?? "Raise --states, --depth or --time.", at: party)
        ]
    }

    /// Steps, precondition sides and profiles that no path reaches. An exploration that was cut has not seen everything,
    /// so it does not say what cannot be reached.
    private func unreached() -> [Diagnostic] {
        guard cut == nil else { return [] }
        var found: [Diagnostic] = []
        var silent: Set<ProfileHandle> = []
        for journey in coverage.journeys() {
            for step in policy[journey].steps {
                let key = Coverage.StepKey(journey: journey, order: step.order)
                let place = "step \(step.order) (\(step.type.rawValue)) of \(policy[journey].id)"
                guard coverage.ran.contains(key) else {
                    found.append(
                        diagnostic(.warning, "B2C-EXP-001", "no path runs \(place)", at: step.location))
                    silent.formUnion(step.exchanges.map(\.profile))
                    continue
                }
                for (index, precondition) in step.preconditions.enumerated()
                where coverage.held[key]?.contains(index) != true {
                    found.append(
                        diagnostic(
                            .warning, "B2C-EXP-002",
                            "no path skips \(place) by its precondition \(index + 1): \(words(precondition))",
                            at: precondition.location))
                }
                for exchange in step.exchanges where !coverage.profiles.contains(exchange.profile) {
                    guard !silent.contains(exchange.profile), policy[exchange.profile].enabled == .always else {
                        continue
                    }
                    silent.insert(exchange.profile)
                    found.append(
                        diagnostic(
                            .warning, "B2C-EXP-003",
                            "no path runs technical profile \(policy[exchange.profile].id) of \(place)",
                            at: exchange.location))
                }
            }
        }
        for profile in policy.profiles where coverage.profiles.contains(profile.handle) {
            for validation in profile.validationProfiles where !coverage.profiles.contains(validation.profile) {
                found.append(
                    diagnostic(
                        .warning, "B2C-EXP-004",
                        "no path runs validation technical profile \(policy[validation.profile].id) of \(profile.id)",
                        at: validation.location))
            }
        }
        return found
    }

    private func words(_ precondition: Precondition) -> String {
        let names = precondition.claims.map { policy[$0].id }.joined(separator: " and ")
        switch precondition.type {
        case .claimsExist: return precondition.executeActionsIf ? "\(names) exists" : "\(names) does not exist"
        case .claimEquals:
            return "\(names) \(precondition.executeActionsIf ? "equals" : "differs from") \(precondition.value ?? "")"
        }
    }

    private func stuck() -> [Diagnostic] {
        guard cut == nil else { return [] }
        return pages.filter { !$0.isLeft }.map { page in
            let refusals = page.refusals.prefix(3).map { "\"\($0)\"" }.joined(separator: ", ")
            return diagnostic(
                .error, "B2C-EXP-005",
                "nobody can leave page \(page.name)" + (refusals.isEmpty ? "" : ": it answers \(refusals)"),
                path: page.trail, at: page.location ?? party)
        }
    }

    private func noticed() -> [Diagnostic] {
        notices.map { notice in
            switch notice.kind {
            case .forged:
                diagnostic(
                    .error, "B2C-EXP-006", "\(notice.subject) is accepted", path: notice.trail,
                    remedy: "Check it in a validation technical profile.", at: party)
            case .unverified:
                diagnostic(
                    .error, "B2C-EXP-007",
                    "claim \(notice.subject) of a token holds an e-mail address that nobody verified",
                    path: notice.trail, remedy: "Verify the address, or issue another claim.", at: party)
            case .disabled:
                diagnostic(
                    .error, "B2C-EXP-008", "\(notice.subject) gets a token", path: notice.trail,
                    remedy: "Read accountEnabled and assert that it is true.", at: party)
            case .disabledSocial:
                diagnostic(
                    .warning, "B2C-EXP-018", "\(notice.subject) gets a token", path: notice.trail,
                    remedy: "Read accountEnabled with the account and assert that it is true.", at: party)
            case .unproved:
                diagnostic(
                    .error, "B2C-EXP-019", "somebody who has proved nothing gets a token of an account that exists",
                    path: notice.trail, remedy: "Ask for the password, or for a code sent to the address.", at: party)
            case .factorForgotten:
                diagnostic(
                    .warning, "B2C-EXP-022",
                    "page \(notice.subject) asks for a number again that was proved when the account was made",
                    path: notice.trail, remedy: "Write the number to the directory and read it at the next sign-in.",
                    at: party)
            case .madeAgain:
                diagnostic(
                    .error, "B2C-EXP-023",
                    "somebody who comes again from \(notice.subject) gets a further account", path: notice.trail,
                    remedy: "Write the identity (alternativeSecurityId, userIdentities) and read the account by it.",
                    at: party)
            case .overwritten:
                diagnostic(
                    .error, "B2C-EXP-009", "a sign-up changes the password of an account that exists already",
                    path: notice.trail,
                    remedy: "Set RaiseErrorIfClaimsPrincipalAlreadyExists where the account is written.", at: party)
            case .exception:
                diagnostic(
                    .error, "B2C-EXP-010", "ordinary input ends the journey: \(notice.subject)", path: notice.trail,
                    at: party)
            case .writtenThoughFailed:
                diagnostic(
                    .warning, "B2C-EXP-011", "an account is written though the journey then fails: \(notice.subject)",
                    path: notice.trail, remedy: "Call the service before the account is written.", at: party)
            case .writtenThoughRefused:
                diagnostic(
                    .warning, "B2C-EXP-012", "page \(notice.subject) refuses after the directory has been written",
                    path: notice.trail, remedy: "Write the account in the last validation technical profile.", at: party
                )
            case .notSimulated:
                diagnostic(
                    .advice, "B2C-EXP-013", "not explored further: \(notice.subject)", path: notice.trail, at: party)
            }
        }
    }

    /// A second factor that some paths prove, and a path that reaches a token without.
    var bareToken: (factor: String, trail: Int)? {
        let fresh = issues.filter { !$0.hasSession }
        guard let factor = fresh.lazy.flatMap({ $0.facts.factors.sorted() }).first,
            let bare = fresh.first(where: { $0.facts.factors.isEmpty })
        else { return nil }
        return (factor, bare.trail)
    }

    private func skippedFactor() -> [Diagnostic] {
        guard let (factor, trail) = bareToken else { return [] }
        return [
            diagnostic(
                .error, "B2C-EXP-014", "a path reaches a token without \(factor), which other paths need", path: trail,
                at: party)
        ]
    }

    /// Claims that the first token of an account has and the next one has not.
    var claimsLost: [(name: String, trail: Int)] {
        var found: [(name: String, trail: Int)] = []
        var known: Set<String> = []
        for issue in issues where issue.isAgain && !issue.hasSession && !issue.facts.isFaulted && !issue.facts.hasGap {
            guard let after = starts[issue.start].after else { continue }
            guard issues[after].facts.providers == issue.facts.providers else { continue }
            for name in issues[after].claims.keys where issue.claims[name] == nil && known.insert(name).inserted {
                found.append((name, issue.trail))
            }
        }
        return found
    }

    private func lostClaims() -> [Diagnostic] {
        claimsLost.map { lost in
            diagnostic(
                .warning, "B2C-EXP-015",
                "claim \(lost.name) is in the first token of an account and not in the next one", path: lost.trail,
                remedy: "Write it to the directory and read it at the next sign-in.", at: party)
        }
    }

    private func neverIssued() -> [Diagnostic] {
        guard cut == nil, !issues.isEmpty else { return cut == nil ? nobody() : [] }
        let names = Set(issues.flatMap(\.claims.keys))
        return policy.relyingParty.outputClaims.filter { !names.contains($0.wireName) && $0.defaultValue == nil }
            .compactMap {
                claim in
                if let subject = policy.relyingParty.subjectNaming, sameID(subject.claimType, claim.wireName) {
                    return nil
                }
                return diagnostic(
                    .warning, "B2C-EXP-016", "no path issues claim \(claim.wireName)",
                    remedy: "No technical profile that runs gives \(policy[claim.claim].id) a value.",
                    at: claim.location)
            }
    }

    private func nobody() -> [Diagnostic] {
        [diagnostic(.error, "B2C-EXP-017", "no path reaches a token", at: party)]
    }
}
