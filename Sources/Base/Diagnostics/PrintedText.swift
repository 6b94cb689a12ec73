/// A CI service that reads commands out of what a job prints.
package enum LogService: Sendable, CaseIterable {
    /// GitHub Actions: a line that begins with `::`, and `##[` anywhere in a line.
    case gitHub
    /// Azure Pipelines: `##vso[` and `##[` anywhere in a line.
    case azure

    /// The variable that says that a job of this service runs.
    package var variable: String {
        switch self {
        case .gitHub: "GITHUB_ACTIONS"
        case .azure: "TF_BUILD"
        }
    }

    /// The services that read what this process prints.
    ///
    /// - Parameter environment: The value of a variable; `nil` where it is not set.
    package static func running(_ environment: (String) -> String?) -> Set<LogService> {
        Set(allCases.filter { !["", "0", "false"].contains(environment($0.variable)?.lowercased() ?? "") })
    }
}

/// What an output prints, made fit for its readers: a person, a terminal, and a CI service that obeys marks in a log.
///
/// Names, claims and file names come from outside and can contain such marks. The last character of a mark is spelt out,
/// so that a log shows what was meant and no service obeys it. A mark is found also where several texts make it up.
package struct PrintedText: Sendable {
    private let isTerminal: Bool
    private let services: Set<LogService>
    /// How much of `##vso` the line that is not complete yet ends with.
    private var matched = 0
    /// How the line that is not complete yet begins.
    private var start = Start.blank

    private enum Start { case blank, colon, other }

    /// The form of a text, which decides how a character is spelt out in it.
    private enum Form {
        case people, json, xml

        func spelt(_ scalar: Unicode.Scalar) -> String {
            let digits = String(scalar.value, radix: 16)
            switch self {
            case .people: return VisibleText.spelt(scalar)
            case .json: return "\\u" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
            case .xml: return "&#\(scalar.value);"
            }
        }

        /// The form of what programs read, by its beginning. A page has its data as JSON.
        init(of text: String) {
            let begin = text.utf8.drop { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }.prefix(15)
            switch begin.first {
            case UInt8(ascii: "{"), UInt8(ascii: "["): self = .json
            case UInt8(ascii: "<"): self = String(Substring(begin)).lowercased() == "<!doctype html>" ? .json : .xml
            default: self = .people
            }
        }
    }

    /// - Parameters:
    ///   - isTerminal: A terminal shows the text; it keeps colours.
    ///   - services: The services that read it.
    package init(isTerminal: Bool, services: Set<LogService>) {
        self.isTerminal = isTerminal
        self.services = services
    }

    /// A text for people: characters that nobody sees are spelt out, too.
    package mutating func people(_ text: String) -> String {
        broken(isTerminal ? VisibleText.forTerminal(text) : VisibleText.forFile(text), .people, services)
    }

    /// A text for programs, such as a report: in JSON and XML it keeps its meaning.
    package mutating func data(_ text: String) -> String {
        broken(isTerminal ? VisibleText.forTerminal(text) : text, Form(of: text), services)
    }

    /// Commands of our own for one of the services, which keep its marks at their beginning. What they contain is escaped
    /// by the rules of the service.
    package mutating func commands(_ text: String, of service: LogService) -> String {
        // `##[` is not a part of a command of GitHub's, and `::` not one of Azure's.
        broken(VisibleText.forFile(text), .people, services, own: service)
    }

    /// A text without the marks of any service.
    package static func withoutMarks(_ text: String) -> String {
        var printed = PrintedText(isTerminal: false, services: [.gitHub, .azure])
        return printed.broken(text, .people, printed.services)
    }

    private mutating func broken(
        _ text: String, _ form: Form, _ services: Set<LogService>, own: LogService? = nil
    ) -> String {
        guard !services.isEmpty else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            let endsMark =
                switch scalar {
                case "[": own != .azure && (matched == 2 || matched == 5)
                // The runner passes over blanks at the start of a line.
                case ":": own != .gitHub && services.contains(.gitHub) && start == .colon
                default: false
                }
            if endsMark { result += form.spelt(scalar) } else { result.unicodeScalars.append(scalar) }
            note(scalar)
        }
        return result
    }

    private mutating func note(_ scalar: Unicode.Scalar) {
        guard scalar != "\n", scalar != "\r" else {
            matched = 0
            start = .blank
            return
        }
        switch scalar {
        case "#": matched = matched == 1 || matched == 2 ? 2 : 1
        case "v" where matched == 2, "V" where matched == 2: matched = 3
        case "s" where matched == 3, "S" where matched == 3: matched = 4
        case "o" where matched == 4, "O" where matched == 4: matched = 5
        default: matched = 0
        }
        switch start {
        case .blank where scalar == ":": start = .colon
        case .blank where scalar.properties.isWhitespace: break
        default: start = .other
        }
    }
}
