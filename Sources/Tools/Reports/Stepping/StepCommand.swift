/// What can be typed at a pause.
enum StepCommand: String, CaseIterable {
    case `continue`
    case run
    case again
    case skip
    case wire
    case claims
    case outcome
    case trace
    case cache
    case accounts
    case cookies
    case users
    case inbox
    case keys
    case state
    case set
    case configure
    case open
    case help
    case quit

    /// The command of a word, its short form included; nothing typed means going on.
    static func named(_ word: String) -> StepCommand? {
        switch word {
        case "", "c", "n", "next": .continue
        case "r": .run
        case "a": .again
        case "s": .skip
        case "w": .wire
        case "tokens": .claims
        case "o": .outcome
        case "h", "?": .help
        case "q", "exit": .quit
        default: StepCommand(rawValue: word)
        }
    }

    private var usage: String {
        switch self {
        case .continue: "Enter, c"
        case .run: "r, run"
        case .again: "a, again"
        case .skip: "s, skip"
        case .wire: "w, wire [NUMBER]"
        case .claims: "claims"
        case .outcome: "o, outcome [POINTER]"
        case .cache, .accounts, .cookies: "\(rawValue) [CLIENT]"
        case .set: "set NAME VALUE"
        case .configure: "configure PATCH"
        case .help: "h, help"
        case .quit: "q, quit"
        default: rawValue
        }
    }

    private var meaning: String {
        switch self {
        case .continue: "carry the step out"
        case .run: "run to the end of this script; a failure stops"
        case .again: "repeat the last step"
        case .skip: "leave the step out"
        case .wire: "the exchanges since the last pause, or one whole"
        case .claims: "the tokens of the last step with their claims"
        case .outcome: "the outcome of the last step, or a part: outcome /result/account"
        case .trace: "what the policy did in the last step"
        case .cache: "the library's token cache"
        case .accounts: "its accounts"
        case .cookies: "the browser's cookies"
        case .users: "the directory"
        case .inbox: "mails and text messages"
        case .keys: "the signing keys"
        case .state: "time, variables, outcomes that can be read"
        case .set: "change a variable, or a part of an outcome: set first/result/account null"
        case .configure: "lay a patch over the tenant file, as the verb does"
        case .open: "the page shown last, as a file in a browser"
        case .help: "this list"
        case .quit: "leave; the `finally` steps run"
        }
    }

    /// All commands, one a line.
    static var guide: String {
        let width = allCases.map(\.usage.count).max() ?? 0
        return allCases.map { command in
            "  " + command.usage + String(repeating: " ", count: width - command.usage.count + 2) + command.meaning
        }.joined(separator: "\n")
    }
}
