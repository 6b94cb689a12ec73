import Determinism
import JSON
import Journeys
import TrustFramework

/// The ways in which somebody who got a token comes again after something has happened: with other requests, after an
/// administrator, after a while, with a refresh token, or as another person in the same browser.
struct ReturnVisits {
    struct ReturnVisit {
        /// Whether the person has the session of the first visit.
        var keepsSession: Bool
        /// What happens, after the person's name.
        var words: String
        var change: (inout Explorer.Start) -> Void
    }

    let cast: TestActors
    let person: TestPerson
    /// The accounts that the person has by now.
    let accounts: [Account]

    private typealias AdministratorAct = (act: Directory.AdministratorAct, words: String)

    /// - Parameter bringsSecond: Whether the second person comes in this kind of session too.
    func withSession(bringsSecond: Bool) -> [ReturnVisit] {
        var visits: [ReturnVisit] = []
        func add(_ words: String, _ change: @escaping (inout Explorer.Start) -> Void) {
            visits.append(ReturnVisit(keepsSession: true, words: words, change: change))
        }
        for prompt in ["login", "none"] {
            add("comes again with the session and prompt \(prompt)") {
                $0.request.parameters.append(RequestClass.RequestParameter(name: "prompt", value: prompt))
                $0.request.words = "with prompt \(prompt)"
                $0.request.isFaulty = prompt == "none"
            }
        }
        for (act, words) in administratorActs {
            add("comes again with the session after an administrator \(words)") { [accounts] in
                $0.administer(accounts, act)
            }
        }
        for span in waits {
            add("comes again with the session after \(Self.words(span))") { $0.now = $0.now + span }
        }
        if bringsSecond, !accounts.isEmpty {
            let second = TestPeople.second
            let request = cast.requests.usual(for: second)
            add("leaves, and \(second.name), \(second.words), comes in the same browser") {
                $0.giveWay(to: second, request: request)
            }
        }
        return visits
    }

    /// - Parameter refresh: What the refresh token stands for.
    func withToken(_ refresh: RefreshIdentity) -> [ReturnVisit] {
        var visits: [ReturnVisit] = []
        func add(_ words: String, _ change: @escaping (inout Explorer.Start) -> Void) {
            visits.append(
                ReturnVisit(keepsSession: false, words: words) {
                    $0.entry = .refresh
                    $0.refresh = refresh
                    change(&$0)
                })
        }
        add("uses the refresh token") { _ in }
        if cast.policy.relyingParty.journey(endpoint: "UserInfo") != nil {
            add("asks for user info") { $0.entry = .userInfo }
        }
        add("uses the refresh token after an hour") { $0.now = $0.now + .hours(1) }
        var acts = administratorActs
        if !acts.isEmpty { acts.append((.revoke, "revoked it")) }
        for (act, words) in acts {
            add("uses the refresh token after an administrator \(words)") { [accounts] in
                $0.administer(accounts, act)
            }
        }
        return visits
    }

    /// What an administrator does to an account between two visits, with words: also values of attributes that the policy
    /// distinguishes.
    private var administratorActs: [AdministratorAct] {
        guard !accounts.isEmpty else { return [] }
        var acts: [AdministratorAct] = [
            (.disable, "disabled the account"), (.delete, "deleted the account"),
            (.resetPassword("Password-1860"), "reset the password"),
        ]
        for attribute in cast.roster.attributes.prefix(4) {
            let value = attribute.value.replacing(ValueClasses.local, with: person.name)
            acts.append((.set(attribute.name, .text(value)), "set \(attribute.name) to \(value)"))
        }
        return acts
    }

    /// How long people stay away, where the policy can notice it: beyond the lifetimes of sessions that it sets.
    private var waits: [TimeSpan] {
        let policy = cast.policy
        var spans: [TimeSpan] = [.hours(1)]
        let minutes =
            [policy.relyingParty.authenticationRequirements?.timeToLive].compactMap(\.self)
            + cast.values.reach.profiles.compactMap { policy[$0].authenticationRequirements?.timeToLive }
        for minute in minutes {
            let span = TimeSpan.minutes(Int64(minute) + 1)
            if !spans.contains(span) { spans.append(span) }
        }
        let lifetime = TimeSpan.seconds(Int64(policy.sessionBehavior.expiryInSeconds) + 60)
        if !spans.contains(lifetime) { spans.append(lifetime) }
        return Array(spans.prefix(4))
    }

    private static func words(_ span: TimeSpan) -> String {
        let minutes = span.wholeSeconds / 60
        return minutes == 60 ? "an hour" : "\(minutes) minutes"
    }
}
