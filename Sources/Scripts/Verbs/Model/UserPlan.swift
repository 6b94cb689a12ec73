import Determinism
import Exchanges
import JSON

/// What the person at the browser does, read from `user`.
public struct UserPlan: Hashable, Sendable {
    /// The actions in order.
    public var actions: [UserMove]

    /// Reads `user`. Everything is filled in now except the values of `fill`: a code is in the inbox only once the page
    /// has sent it, so the browser fills those in when the action runs.
    public static func read(_ value: JSONValue, in scope: any ValueScope) async throws(UserPlanError) -> UserPlan {
        var value = value
        do throws(ValueError) {
            if value.stringValue != nil { value = try await Interpolation.resolve(value, in: scope) }
        } catch {
            throw .value(error)
        }
        switch value {
        case .string(let name):
            return UserPlan(actions: [.person(name)])
        case .array(let elements):
            var actions: [UserMove] = []
            for (index, element) in elements.enumerated() {
                actions.append(try await move(element, at: JSONPointer.root.appending(index), in: scope))
            }
            return UserPlan(actions: actions)
        default:
            throw .malformed(
                MalformedValue("`user` must be a person's name or a list of actions, not \(Wording.kind(value))"))
        }
    }

    private static func move(
        _ element: JSONValue, at pointer: JSONPointer, in scope: any ValueScope
    ) async throws(UserPlanError) -> UserMove {
        var early = element
        let fill = element["fill"]
        if case .object(var object) = element {
            object["fill"] = nil
            early = .object(object)
        }
        let filled: JSONValue
        do throws(ValueError) {
            filled = try await Interpolation.resolve(early, in: scope)
        } catch {
            var error = error
            error.pointer = JSONPointer(tokens: pointer.tokens + error.pointer.tokens)
            throw .value(error)
        }
        do throws(MalformedValue) {
            return try read(filled, fill: fill, at: pointer)
        } catch {
            throw .malformed(error)
        }
    }

    private static func read(
        _ value: JSONValue, fill: JSONValue?, at pointer: JSONPointer
    ) throws(MalformedValue) -> UserMove {
        if case .string(let name) = value { return .person(name) }
        let reader = FilledObject(value, at: pointer, called: "user action")
        try reader.allow(["on", "as", "press", "window", "wait", "barrier", "repeat", "optional"])
        if let fill, fill.objectValue == nil {
            throw reader.fault("`fill` must be an object of fields and values", at: "fill")
        }
        var window: WindowMove?
        if let word = try reader.text("window") {
            guard let known = WindowMove(rawValue: word) else {
                throw reader.fault("`\(word)` is nothing that can happen to a window", at: "window")
            }
            window = known
        }
        var action = PageAction { $0.pointer = pointer }
        action.on = reader.value("on")
        action.person = try reader.text("as")
        action.fill = fill?.objectValue ?? JSONObject()
        action.press = try reader.text("press")
        action.window = window
        action.wait = try reader.span("wait")
        action.barrier = try reader.text("barrier")
        action.repeatCount = try reader.count("repeat", from: 1) ?? 1
        action.optional = try reader.flag("optional") ?? false
        return .action(action)
    }
}

/// Why `user` cannot be used.
public enum UserPlanError: Error, Hashable, Sendable {
    /// A `{{...}}` has no value.
    case value(ValueError)
    /// A value is not what it must be.
    case malformed(MalformedValue)
}

/// One element of `user`.
public enum UserMove: Hashable, Sendable {
    /// Acts as this person until the flow ends.
    case person(String)
    /// One action.
    case action(PageAction)

    /// Presses a button or link, or chooses a provider, at whatever page shows.
    public static func press(_ button: String) -> UserMove { .action(PageAction { $0.press = button }) }

    /// The element as a script writes it.
    public var json: JSONValue {
        switch self {
        case .person(let name): .string(name)
        case .action(let action): .object(action.json)
        }
    }
}

/// One action at a page: `on`, `wait`, `as`, `fill`, `press`, `window` in this order.
public struct PageAction: Hashable, Sendable {
    /// The action's place within `user`.
    public var pointer = JSONPointer.root
    /// The page that must be showing: its name, or a matcher over the page record; `nil` for any.
    public var on: JSONValue?
    /// The person from whose record the page is filled.
    public var person: String?
    /// Field to value, over the person's; values may hold `{{...}}`, filled in when the action runs.
    public var fill = JSONObject()
    /// What to press; `nil` for the main button when something was filled; `none` for nothing.
    public var press: String?
    /// What happens to the window.
    public var window: WindowMove?
    /// How long the page stays open first.
    public var wait: TimeSpan?
    /// The barrier to wait at.
    public var barrier: String?
    /// How often the action is done.
    public var repeatCount = 1
    /// Whether it may stay undone: it is passed over where another page shows, and the flow may end before it.
    public var optional = false

    /// An action whose members differ from their defaults where `change` says so.
    public init(_ change: (inout PageAction) -> Void) { change(&self) }

    /// The action as a script writes it.
    public var json: JSONObject {
        var object = JSONObject()
        object["on"] = on
        object["wait"] = wait.map { .string($0.iso8601) }
        object["as"] = person.map { .string($0) }
        if !fill.isEmpty { object["fill"] = .object(fill) }
        object["press"] = press.map { .string($0) }
        object["window"] = window.map { .string($0.rawValue) }
        object["barrier"] = barrier.map { .string($0) }
        if repeatCount != 1 { object["repeat"] = .integer(Int64(repeatCount)) }
        if optional { object["optional"] = true }
        return object
    }

    /// Why a page is not the one that `on` asks for; empty when it is.
    public func mismatches(page record: JSONValue) -> [Mismatch] {
        switch on {
        case nil: []
        case .string(let name)?: Matcher.mismatches(record["name"], expected: .string(name), at: "/name")
        case let matcher?: Matcher.mismatches(record, expected: matcher)
        }
    }
}

/// What can happen to a browser window.
public enum WindowMove: String, CaseIterable, Sendable {
    case close, dismiss, back, reload, background, foreground

    /// What it means, one sentence.
    public var doc: String {
        switch self {
        case .close: "The window is closed with its own button; the app hears that the user cancelled."
        case .dismiss: "The sheet is swiped away; the app hears that the user cancelled."
        case .back: "The browser's Back is pressed."
        case .reload: "The page is loaded again."
        case .background: "The app or browser goes to the background."
        case .foreground: "The app or browser comes back to the foreground."
        }
    }
}
