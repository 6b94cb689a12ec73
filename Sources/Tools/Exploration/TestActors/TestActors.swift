import Determinism
import Journeys
import TrustFramework

/// Who comes to a policy, and what people, services and requests give it: everything that an exploration tries.
final class TestActors {
    let policy: ResolvedPolicy
    let roster: TestPeople
    let classes: ClaimClasses
    let values: ValueClasses
    let requests: RequestClasses
    let purpose: PolicyGoals
    let codes: CodeFields
    let fieldRules: KnownRules
    let purposes: ClaimPurposes

    /// - Parameters:
    ///   - tenant: The tenant's short name.
    ///   - trims: The default `trimsPreconditionValues`.
    init(_ policy: ResolvedPolicy, tenant: String, trims: Bool, now: Timestamp) {
        self.policy = policy
        classes = ClaimClasses(policy, trims: trims)
        values = ValueClasses(policy, now: now, trims: trims)
        let answers = FormAnswers(policy: policy)
        purposes = answers.purposes
        requests = RequestClasses(policy: policy, values: values, purposes: purposes)
        roster = TestPeople(policy: policy, tenantName: tenant, values: values, purposes: purposes)
        purpose = PolicyGoals(policy)
        codes = CodeFields(policy: policy, values: values)
        fieldRules = KnownRules(answers)
    }

    /// What is not tried, with the elements of the policy that need it.
    var untried: [Untried] { values.untried + roster.untried + requests.untried }

    /// How people sign in: by pages, or with the password grant where no page may be shown.
    var entry: JourneyEntry { policy[policy.relyingParty.defaultJourney].nonInteractive ? .password : .signIn }
}
