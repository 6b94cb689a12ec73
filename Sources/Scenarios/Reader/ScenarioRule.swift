/// The rules of scenario files beyond their shape. Their ids are stable; `b2c explain` prints what they mean.
public enum ScenarioRule: String, CaseIterable, Sendable {
    case unknownName = "B2C-SCN-020"
    case unreadableTemplate = "B2C-SCN-021"
    case undefinedValue = "B2C-SCN-022"
    case usedTooEarly = "B2C-SCN-023"
    case notInEveryCase = "B2C-SCN-024"
    case leadsNowhere = "B2C-SCN-025"
    case circularValue = "B2C-SCN-026"
    case templateNotPossible = "B2C-SCN-027"
    case duplicateID = "B2C-SCN-030"
    case takenName = "B2C-SCN-031"
    case unfitStep = "B2C-SCN-032"
    case barrierAlone = "B2C-SCN-033"
    case copiesAlone = "B2C-SCN-034"
    case unfitModifier = "B2C-SCN-035"
    case noApp = "B2C-SCN-036"
    case nothingToDo = "B2C-SCN-037"
    case contradictoryFaults = "B2C-SCN-040"
    case faultWithoutEffect = "B2C-SCN-041"
    case faultsCancelOut = "B2C-SCN-042"
    case unknownResult = "B2C-SCN-050"
    case contradictoryExpectation = "B2C-SCN-051"
    case regularExpression = "B2C-SCN-052"
    case mixedCounts = "B2C-SCN-053"
    case unknownField = "B2C-SCN-060"
    case unknownButton = "B2C-SCN-061"
    case noTenantFile = "B2C-SCN-070"
    case undeclaredVariable = "B2C-SCN-090"
    case missingInput = "B2C-SCN-091"

    /// What the rule demands, one or two sentences.
    public var doc: String {
        switch self {
        case .unknownName:
            "A policy, app, person, API, provider, client, host, case or step that is named must exist."
        case .unreadableTemplate: "A text with {{ must hold a name and }}, or {{{{ where braces themselves are meant."
        case .undefinedValue: "A name in {{...}} must be a root, a variable, a case value or the id of a step."
        case .usedTooEarly: "The outcome of a step exists only once it has run: {{id/...}} stands in later steps."
        case .notInEveryCase:
            "A value must exist in every case in which it is used: each case sets it, and the step it comes from runs."
        case .leadsNowhere: "The part of a value that {{name/pointer}} asks for must be able to exist."
        case .circularValue: "A case value or variable must not be made of itself."
        case .templateNotPossible: "What decides the order of steps must be known before the first runs."
        case .duplicateID: "The id of a step stands once in a scenario."
        case .takenName: "Roots of values, variables, case values and ids of steps have different names."
        case .unfitStep:
            "resume needs an earlier step that may end pending, from one that visits the authorize endpoint."
        case .barrierAlone: "A barrier stands inside parallel, in more than one branch."
        case .copiesAlone: "copies stands at the elements of parallel."
        case .unfitModifier: "A modifier must have a part in the step's verb."
        case .noApp: "Where the tenant has several apps, the scenario or the step says which one acts."
        case .nothingToDo: "A scenario and a group have steps."
        case .contradictoryFaults:
            "Two fault rules with the same match, neither with times or skip, contradict each other."
        case .faultWithoutEffect: "A fault rule has an effect."
        case .faultsCancelOut: "A rule that keeps the real answer away cannot rewrite it too."
        case .unknownResult: "What is expected of a result must be a member that the verb's result has."
        case .contradictoryExpectation: "A step ends in a result, in an error or pending: one of the three."
        case .regularExpression: "A regular expression must be one that can be used."
        case .mixedCounts: "An object beside a log either tests the number of all records or counts them by kind."
        case .unknownField: "fill names fields by their purpose or by an id that pages use."
        case .unknownButton: "press names a button by its purpose, a provider or an id that pages use."
        case .noTenantFile: "The tenant file must exist."
        case .undeclaredVariable: "A variable that is given on the command line is declared by a scenario that runs."
        case .missingInput: "A variable without default, a secret and a name of the environment must be given."
        }
    }
}
