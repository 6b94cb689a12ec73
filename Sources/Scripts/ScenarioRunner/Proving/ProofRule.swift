/// The rules of `b2c check --prove`. Their ids are stable; `b2c explain` prints what they mean.
public enum ProofRule: String, CaseIterable, Sendable {
    case expectationHolds = "B2C-PRV-001"
    case branchDecidesNothing = "B2C-PRV-002"
    case settingWithoutEffect = "B2C-PRV-003"
    case faultWithoutEffect = "B2C-PRV-004"
    case stepDoesNothing = "B2C-PRV-005"
    case personDoesNothing = "B2C-PRV-006"
    case nameNeverOccurs = "B2C-PRV-007"
    case markWithoutEffect = "B2C-PRV-008"
    case parameterWithoutEffect = "B2C-PRV-009"
    case unusedReason = "B2C-PRV-010"
    case changeNotExpected = "B2C-PRV-011"
    case notTried = "B2C-PRV-012"
    case failsUnchanged = "B2C-PRV-013"

    /// What the rule demands, one or two sentences.
    public var doc: String {
        switch self {
        case .expectationHolds:
            "An expectation fails for some outcome that the step could have had: some other value of the same kind at its"
                + " place, or none."
        case .branchDecidesNothing:
            "Each alternative of $any and each condition of $all changes the verdict for some outcome."
        case .settingWithoutEffect:
            "Without a setting, a variable's or a case's value, some request, page, event or outcome differs."
        case .faultWithoutEffect: "Without a fault rule, some request, page, event or outcome differs."
        case .stepDoesNothing:
            "A step has an expectation that can fail, or something that comes after it depends on it."
        case .personDoesNothing: "Without a person or an action of theirs, some page, request or outcome differs."
        case .nameNeverOccurs:
            "What must not be found is something that can be found: a name in a negative expectation occurs in some run,"
                + " or is a known word."
        case .markWithoutEffect:
            "Without `skip`, `expectedFailure`, `only`, `optional` or `repeat`, the verdict or an outcome differs."
        case .parameterWithoutEffect:
            "Without a parameter of a step, something differs besides the request that carries it."
        case .changeNotExpected:
            "Without a setting or a fault rule, or with another value, an expectation fails: that requests or pages differ is"
                + " not enough where nothing expects them."
        case .notTried:
            "What no run in this process can show is tried elsewhere or has a reason: a fault with `rate`, a step of `finally`"
                + " that puts something in order, a real tenant."
        case .failsUnchanged: "A scenario runs as expected before any line of it is changed."
        case .unusedReason: "A `proves` gives the reason for a finding of `--prove` that there is."
        }
    }
}
