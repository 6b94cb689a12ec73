import Exchanges
import JSON

/// What a verb returns, as a value.
///
/// One table says which members a result has, what they mean, how `expect` compares them and how they are written. The
/// schema, the check of expectations and of `{{...}}`, and the JSON of a report come from it. JSON is written when something
/// asks for it.
public protocol ResultRecord: Sendable {
    /// The members in the order in which they are written.
    static var members: [ResultMember<Self>] { get }
    /// The members as fields of a matcher, in the order in which they are documented.
    static var fields: [Field] { get }
    /// The record with everything filled in that takes time, such as reading a token or a body. Asked for once, before it
    /// is written.
    func whole() -> Self
}

extension ResultRecord {
    public static var fields: [Field] { members.filter(\.isCompared).map(\.field) }
    public func whole() -> Self { self }

    /// Whether what a path leads to is always present: in what contains it, and in the result.
    package static func presence(of path: ArraySlice<String>) -> (inOwner: Bool, always: Bool) {
        guard let name = path.first, let member = members.first(where: { $0.field.name == name }) else {
            return (false, false)
        }
        // An element of a list has a number for its name.
        let rest = path.dropFirst().drop { Int($0) != nil }
        guard !rest.isEmpty else { return (member.isAlwaysPresent, member.isAlwaysPresent) }
        guard let inner = member.part?.presence(of: rest) else { return (false, false) }
        return (inner.inOwner, inner.always && member.isAlwaysPresent)
    }

    /// The result as outcomes have it.
    public var json: JSONValue {
        let record = whole()
        var object = JSONObject()
        for member in Self.members {
            if let value = member.write(record) { object.append(member.field.name, value) }
        }
        return .object(object)
    }
}

/// One member of a result.
public struct ResultMember<Record>: Sendable {
    /// Its name, how `expect` compares it, and what it means.
    public let field: Field
    /// Whether `expect` compares it.
    package var isCompared = true
    /// Whether every such result has it.
    var isAlwaysPresent = false
    /// What it is, or what the elements of its list are, where that has members of its own.
    var part: (any ResultRecord.Type)?
    /// The value; `nil` where the result does not have it.
    let write: @Sendable (Record) -> JSONValue?

    /// The same member of a record that has this one as a part.
    func within<Outer>(_ outer: @escaping @Sendable (Outer) -> Record) -> ResultMember<Outer> {
        ResultMember<Outer>(field: field, isCompared: isCompared, isAlwaysPresent: isAlwaysPresent, part: part) {
            write(outer($0))
        }
    }
}

/// Collects the members of a result.
struct ResultTable<Record: ResultRecord> {
    private(set) var members: [ResultMember<Record>] = []

    /// Adds a member; it is absent where its value is `nil`.
    ///
    /// - Parameter isAlwaysPresent: Whether it never is.
    mutating func add<Value>(
        _ name: String, _ form: ResultForm<Value>, _ doc: String, isAlwaysPresent: Bool = false,
        value: @escaping @Sendable (Record) -> Value?
    ) {
        members.append(
            ResultMember(field: Field(name, form.shape, doc), isAlwaysPresent: isAlwaysPresent, part: form.part) {
                value($0).map(form.write)
            })
    }

    /// Adds a member that every such result has.
    mutating func add<Value>(
        _ name: String, _ form: ResultForm<Value>, _ doc: String, value: @escaping @Sendable (Record) -> Value
    ) {
        add(name, form, doc, isAlwaysPresent: true) { .some(value($0)) }
    }

    /// Adds a member that is written and read by `{{...}}`, and that no expectation compares.
    mutating func addUncompared(_ name: String, value: @escaping @Sendable (Record) -> JSONValue?) {
        members.append(ResultMember(field: Field(name, .any, ""), isCompared: false, write: value))
    }
}

/// How one kind of value is compared and written.
struct ResultForm<Value>: Sendable {
    let shape: Shape
    /// The record that the value is, or that the elements of a list are.
    var part: (any ResultRecord.Type)?
    let write: @Sendable (Value) -> JSONValue

    /// The same, or `null`.
    func orNull() -> ResultForm<Value?> {
        ResultForm<Value?>(shape: shape) { $0.map(write) ?? .null }
    }

    /// A list of such values.
    func list() -> ResultForm<[Value]> {
        ResultForm<[Value]>(shape: MatcherShapes.list(of: shape), part: part) { .array($0.map(write)) }
    }
}

extension ResultForm<String> {
    static var text: ResultForm { ResultForm(shape: MatcherShapes.text) { .string($0) } }
}

extension ResultForm<Bool> {
    static var flag: ResultForm { ResultForm(shape: MatcherShapes.flag) { .bool($0) } }
}

extension ResultForm<Int> {
    static var number: ResultForm { ResultForm(shape: MatcherShapes.number) { .integer(Int64($0)) } }
}

extension ResultForm<JSONObject> {
    /// An object whose members have free names.
    static var members: ResultForm { ResultForm(shape: MatcherShapes.members) { .object($0) } }
}

extension ResultForm<JSONValue> {
    /// A value that is JSON already.
    static func json(_ shape: Shape) -> ResultForm { ResultForm(shape: shape) { $0 } }
}

extension ResultForm where Value: ResultRecord {
    /// A record that several results have, by the name of its shape.
    static func part(_ name: String) -> ResultForm { ResultForm(shape: .ref(name), part: Value.self) { $0.json } }
}

/// Meanings of members that more than one result has.
enum ResultDocs {
    static let accounts = "The accounts; of `inspect` those of the cache."
    static let status = "HTTP status."
    static let url = "The URL at which the browser stopped."
}

/// What a verb returns that has nothing to say but that it succeeded.
package struct NoResult: ResultRecord {
    package init() {}

    package static var members: [ResultMember<NoResult>] { [] }
}

/// What outcomes have, whatever the verb.
package enum OutcomeMembers {
    /// Members of an outcome.
    package static let all = [
        "result", "error", "pending", "callback", "elapsed", "requests", "pages", "messages", "events", "trace",
        "steps",
    ]

    /// Members of the outcome of a verb. A group returns nothing and has no error of its own: its steps have.
    package static func of(_ verb: Verb) -> [String] {
        verb.isGroup ? all.filter { !["result", "error", "pending", "callback"].contains($0) } : all
    }
}
