import Diagnostics
import Exchanges
import JSON
import ScenarioRunner

/// Follows a run at a terminal: shows each step before it runs and takes short commands, which `help` lists.
///
/// What is shown is masked like every report. Reading and writing are handed in, so that a test can be the person.
public actor StepConsole: StepFollower {
    private let style: Style
    private let redaction: Redaction
    private let read: @Sendable () async -> String?
    private let write: @Sendable (String) -> Void
    private let showPage: @Sendable (_ html: String, _ number: String) async -> String

    /// The scenario that is followed: its title and file.
    private var scenario: (title: String, file: String)?
    private var walk: RedactionWalk?
    /// Exchanges that were there at the last pause.
    private var seen = 0
    /// Exchanges of the scenario so far, and those since the last pause.
    private var exchanges: [JSONValue] = []
    private var newest: ArraySlice<JSONValue> = []
    private var goesToEnd = false
    private var left = false
    private var changes = 0

    /// - Parameters:
    ///   - redaction: takes secrets out of what is shown.
    ///   - read: brings the next line; `nil` at the end of the input, which leaves the run.
    ///   - write: puts a piece of text out.
    ///   - showPage: shows a page in a browser and says so in one line.
    public init(
        style: Style, redaction: Redaction, read: @escaping @Sendable () async -> String?,
        write: @escaping @Sendable (String) -> Void,
        showPage: @escaping @Sendable (_ html: String, _ number: String) async -> String
    ) {
        self.style = style
        self.redaction = redaction
        self.read = read
        self.write = write
        self.showPage = showPage
    }

    /// Whether the person has left.
    public var hasLeft: Bool { left }

    /// Whether the person repeated, left out or changed something, so that another run would not be the same.
    public var hasChanged: Bool { changes > 0 }

    // MARK: Pauses

    public func pause(_ pause: StepPause) async -> StepOrder {
        if scenario?.title != pause.title || scenario?.file != pause.file { begin(pause) }
        exchanges = await pause.desk.exchanges()
        newest = exchanges[min(seen, exchanges.count)...]
        learn(pause)
        if goesToEnd, pause.moment != .failed {
            if pause.moment == .end { seen = exchanges.count }
            return .go
        }
        goesToEnd = false
        show(pause)
        let order = await ask(pause)
        seen = exchanges.count
        if order == .again || order == .skip { changes += 1 }
        if order == .leave { left = true }
        return order
    }

    private func begin(_ pause: StepPause) {
        scenario = (pause.title, pause.file)
        walk = redaction.walk(for: pause.file)
        seen = 0
        goesToEnd = false
        say(style.bold(masked(pause.title)) + style.dim("  \(Shown.text(pause.file))"))
    }

    private func learn(_ pause: StepPause) {
        guard walk != nil else { return }
        for exchange in newest { walk?.learn(exchange, []) }
        if let last = pause.last { walk?.learn(last) }
        walk?.finishLearning()
    }

    private func show(_ pause: StepPause) {
        if let last = pause.last { summary(last) }
        switch pause.moment {
        case .before:
            let client = pause.step.client.map { " by \($0)" } ?? ""
            let line = pause.step.location.line.map { ":\($0)" } ?? ""
            let head = "step \(pause.number) of \(pause.count)"
            say(
                "\n\(style.cyan(head))  \(style.bold(masked(pause.step.title))) \(pause.step.verb)\(client)"
                    + style.dim("  \(Shown.text(pause.step.location.file))\(line)"))
            let text = walk?.masked(pause.text, []) ?? pause.text
            for line in JSONWriter.pretty(text).split(separator: "\n").prefix(40) {
                say("  " + Shown.text(String(line), limit: 160))
            }
        case .failed:
            say("\n\(style.red("failed")): again repeats it, Enter ends the script")
        case .end:
            say("\n\(style.green("end")): every step has run; Enter ends the script, again repeats the last")
        }
    }

    /// What the last step did, in a line, and why it failed where it did.
    private func summary(_ step: StepReport) {
        let shown = walk?.masked(step) ?? step
        guard step.status == .failed else {
            let pages = (step.outcome?["pages"]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
            let requests = newest.count == 1 ? "1 exchange" : "\(newest.count) exchanges"
            let seen = pages.isEmpty ? "" : ", pages \(namesList(pages))"
            let status = step.status == .passed ? style.green("ok") : step.status.rawValue
            say("\(status)  \(Shown.text(shown.title)): \(requests)\(seen)")
            return
        }
        say("\(style.red("FAIL"))")
        for line in FailureText.lines(shown, style) { say("  \(line)") }
    }

    // MARK: Commands

    private func ask(_ pause: StepPause) async -> StepOrder {
        while true {
            write(style.bold("b2c> "))
            guard let line = await read() else {
                say("")
                return .leave
            }
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            let rest = words.count > 1 ? words[1].trimmed : ""
            let word = words.first?.lowercased() ?? ""
            guard let command = StepCommand.named(word) else {
                let near = nearestName(word, among: StepCommand.allCases.map(\.rawValue))
                say(
                    "there is no command \(Shown.text(word)); "
                        + (near.map { "did you mean \($0)?" } ?? "help lists them"))
                continue
            }
            if let order = await carryOut(command, rest, pause) { return order }
        }
    }

    private func carryOut(_ command: StepCommand, _ rest: String, _ pause: StepPause) async -> StepOrder? {
        switch command {
        case .continue: return .go
        case .run:
            goesToEnd = true
            return .go
        case .again:
            guard pause.last != nil else { return nothing("no step has run yet in this list") }
            return .again
        case .skip:
            guard pause.moment == .before else { return nothing("there is no step to leave out here") }
            return .skip
        case .quit: return .leave
        case .help: say(StepCommand.guide)
        case .wire: wire(rest)
        case .claims: claims(pause.last?.outcome)
        case .outcome: outcome(pause.last?.outcome, rest)
        case .trace:
            guard let outcome = pause.last?.outcome else { return nothing("no step has run yet in this list") }
            write(TraceText(style: style).text(TraceModel(outcome: walk?.masked(outcome, []) ?? outcome)))
        case .cache, .cookies: await inspect(command.rawValue, client: rest.isEmpty ? nil : rest, pause)
        case .users, .keys: await inspect(command.rawValue, client: nil, pause)
        case .inbox: await inspect("inbox", client: nil, pause)
        case .accounts: await accounts(client: rest.isEmpty ? nil : rest, pause)
        case .state: await state(pause)
        case .set: await set(rest, pause)
        case .configure: await configure(rest, pause)
        case .open: await openPage()
        }
        return nil
    }

    private func nothing(_ text: String) -> StepOrder? {
        say(text)
        return nil
    }

    /// The exchanges since the last pause in short, or one of the scenario whole.
    private func wire(_ number: String) {
        guard number.isEmpty else {
            guard let record = exchanges.last(where: { $0["number"]?.stringValue == number }) else {
                say(
                    "there is no exchange \(Shown.text(number)); the newest is \(exchanges.last?["number"]?.stringValue ?? "none")"
                )
                return
            }
            pretty(record)
            return
        }
        if newest.isEmpty { say("no exchange since the last pause; `wire 3` shows exchange 3") }
        for record in newest {
            for line in ExchangeText(walk?.masked(record, []) ?? record, style: style).lines { say(line) }
        }
    }

    /// Every token of an outcome, taken apart.
    private func claims(_ outcome: JSONValue?) {
        var found: [(name: String, token: JSONObject)] = []
        func look(_ value: JSONValue, _ name: String) {
            switch value {
            case .object(let object):
                if object["claims"]?.objectValue != nil, object["header"] != nil {
                    found.append((name, object))
                } else {
                    for (key, member) in object.members { look(member, key) }
                }
            case .array(let elements):
                for element in elements { look(element, name) }
            default: break
            }
        }
        for part in ["result", "error", "steps"] { if let value = outcome?[part] { look(value, part) } }
        if found.isEmpty { say("the last step brought no tokens") }
        for (name, token) in found {
            say(style.bold(name) + style.dim("  \(Shown.value(masked(token["header"] ?? .null), limit: 200))"))
            let claims = token["claims"]?.objectValue ?? JSONObject()
            let width = claims.keys.map(\.count).max() ?? 0
            for (key, value) in claims.members {
                let gap = String(repeating: " ", count: max(0, width - key.count))
                say("  \(Shown.text(key))\(gap)  \(Shown.value(masked(value, key), limit: 200))")
            }
        }
    }

    private func outcome(_ outcome: JSONValue?, _ pointer: String) {
        guard let outcome else {
            say("no step has run yet in this list")
            return
        }
        let text = pointer.isEmpty || pointer.hasPrefix("/") ? pointer : "/" + pointer
        guard let place = JSONPointer(text), let value = outcome.value(at: place) else {
            say("the outcome has nothing at \(Shown.text(text)); it has \(namesList(outcome.objectValue?.keys ?? []))")
            return
        }
        say(Shown.lines(walk?.masked(value, place.tokens) ?? value))
    }

    private func inspect(_ what: String, client: String?, _ pause: StepPause) async {
        switch await pause.desk.inspect(what, client: client) {
        case .success(let value): pretty(value)
        case .failure(let problem): say(masked(problem.text))
        }
    }

    private func accounts(client: String?, _ pause: StepPause) async {
        switch await pause.desk.inspect("cache", client: client) {
        case .success(let value):
            let accounts = value["accounts"]?.arrayValue ?? []
            if accounts.isEmpty { say("the cache holds no account") } else { pretty(.array(accounts)) }
        case .failure(let problem): say(masked(problem.text))
        }
    }

    private func state(_ pause: StepPause) async {
        let values = await pause.desk.values()
        say("\(style.dim("time")) \(pause.desk.now)")
        for (kind, object) in [("case", values.case), ("variable", values.variables)] {
            for (name, value) in object.members {
                say("\(style.dim(kind)) \(Shown.text(name)) = \(Shown.value(masked(value, name), limit: 200))")
            }
        }
        let ids = values.outcomes.keys
        say("\(style.dim("outcomes")) \(ids.isEmpty ? "none" : namesList(ids))")
        say("\(style.dim("exchanges")) \(exchanges.count)")
    }

    /// A value that is not JSON is text.
    private func set(_ text: String, _ pause: StepPause) async {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2 else {
            say("set NAME VALUE, such as: set host login.contoso.test, or set first/result/account null")
            return
        }
        let written = words[1].trimmed
        let value = (try? JSONParser.parse(written)) ?? .string(written)
        if let problem = await pause.desk.set(words[0], to: value) {
            say(problem.text)
        } else {
            changes += 1
            say("\(words[0]) = \(Shown.value(masked(value, words[0]), limit: 200))")
        }
    }

    private func configure(_ text: String, _ pause: StepPause) async {
        let patch: JSONValue
        do throws(InvalidInput) {
            patch = try JSONParser.parse(text)
        } catch {
            say("configure PATCH, such as: configure {\"device\": {\"network\": \"offline\"}}")
            return
        }
        if let problem = await pause.desk.configure(patch) {
            say(masked(problem.text))
        } else {
            changes += 1
            say("the tenant is changed from now on")
        }
    }

    /// The newest page that a server sent.
    private func openPage() async {
        let page = exchanges.last { record in
            let type = record["response"]?["headers"]?["content-type"]?.stringValue ?? ""
            // A redirect has a body too, which nobody sees.
            let isShown = record["response"]?["location"] == nil
            return isShown && type.hasPrefix("text/html") && record["response"]?["body"]?.stringValue?.isEmpty == false
        }
        guard let page, let html = page["response"]?["body"]?.stringValue else {
            say("no page has been shown yet")
            return
        }
        say(await showPage(masked(html), page["number"]?.stringValue ?? "0"))
    }

    // MARK: Text

    private func say(_ text: String) { write(text + "\n") }

    private func pretty(_ value: JSONValue) {
        walk?.learn(value, [])
        walk?.finishLearning()
        say(Shown.lines(walk?.masked(value, []) ?? value))
    }

    private func masked(_ text: String) -> String { walk?.masked(text) ?? text }

    private func masked(_ value: JSONValue, _ name: String = "") -> JSONValue {
        walk?.masked(value, name.isEmpty ? [] : [name]) ?? value
    }
}

extension Shown {
    /// A value on many lines, each without characters that would change the terminal.
    static func lines(_ value: JSONValue) -> String {
        JSONWriter.pretty(value).split(separator: "\n", omittingEmptySubsequences: false)
            .map { text(String($0), limit: 2000) }.joined(separator: "\n")
    }
}

extension String {
    /// Without blanks at its ends.
    fileprivate var trimmed: String {
        var text = self[...]
        while text.first == " " || text.first == "\t" { text = text.dropFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}
