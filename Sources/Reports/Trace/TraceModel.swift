import JSON

/// What journeys did, from the logs of an outcome, put in order for reading: the steps, in each what ran, and for every
/// claim where it came from.
public struct TraceModel: Sendable {
    /// A claim at a moment.
    public struct Claim: Sendable {
        public var name: String
        public var value: JSONValue
        /// The technical profile or transformation that put it there; `nil` where nothing in the trace did.
        public var from: String?
    }

    /// A call to a web API.
    public struct Call: Sendable {
        public var method: String
        public var url: String
        /// `200`, or why there was no answer.
        public var answer: String
        public var isGood: Bool
        public var sent: JSONValue?
        public var received: JSONValue?
    }

    /// A technical profile or a claims transformation that ran.
    public struct Item: Sendable {
        public var name: String
        /// Handler of a profile, method of a transformation.
        public var kind: String
        public var isTransformation: Bool
        public var isValidation: Bool
        /// Why a profile was left out or short-cut.
        public var skipped: String?
        public var error: String?
        public var input: [Claim]
        public var output: [Claim]
        public var call: Call?
        /// Order of the step that it ran in.
        var step: Int64?
    }

    /// A page that was shown.
    public struct Page: Sendable {
        public var name: String
        public var contentDefinition: String
        /// Ids of its fields.
        public var fields: [String]
    }

    /// How the bag changed in a step.
    public struct Change: Sendable {
        public enum Kind: Sendable { case added, changed, removed }
        public var kind: Kind
        public var claim: Claim
        /// Something in the step says the same: a profile or transformation that put it there.
        public var isShown: Bool
    }

    /// An orchestration step.
    public struct Step: Sendable {
        public var number: Int?
        public var type: String
        public var ran: Bool
        public var because: String
        /// Pages that the person met in it.
        public var pages: [Page]
        public var items: [Item]
        public var changes: [Change]
    }

    /// A walk through a journey.
    public struct Journey: Sendable {
        public var name: String
        public var steps: [Step]
    }

    public private(set) var journeys: [Journey] = []
    /// What ran in a step that was not finished.
    public private(set) var unfinished: [Item] = []
    /// Its order, where something in it tells.
    public private(set) var unfinishedStep: Int?
    /// The pages of that step.
    public private(set) var unfinishedPages: [Page] = []

    /// What put a claim there first with the value that it has.
    private var sources: [String: String] = [:]
    private var values: [String: JSONValue] = [:]
    private var bag = JSONObject()
    /// Pages not yet met on the way, with the order of their step.
    private var pages: ArraySlice<(step: Int64?, page: Page)> = []

    /// - Parameter outcome: Of a step, with its logs `trace` and `requests`.
    public init(outcome: JSONValue) {
        var calls = (outcome["requests"]?.arrayValue ?? []).filter { $0["endpoint"]?.stringValue == "rest" }[...]
        pages =
            (outcome["pages"]?.arrayValue ?? []).filter { $0["technicalProfile"]?.stringValue != nil }
            .map { ($0["step"]?.intValue, Self.page($0)) }[...]
        var waiting: [Item] = []
        for record in outcome["trace"]?.arrayValue ?? [] {
            if record["transformation"] != nil {
                waiting.append(item(record, name: "transformation", kind: "method"))
            } else if record["profile"] != nil {
                var item = item(record, name: "profile", kind: "handler")
                item.isTransformation = false
                if item.kind == "RestfulProvider", item.skipped == nil, let call = calls.popFirst() {
                    item.call = Self.call(call)
                }
                waiting.append(item)
            } else {
                finish(record, waiting)
                waiting = []
            }
        }
        unfinished = waiting
        unfinishedPages = pages.map(\.page)
        unfinishedStep = (waiting.last { $0.step != nil }?.step ?? pages.last?.step).map { Int($0) }
    }

    private static func page(_ record: JSONValue) -> Page {
        Page(
            name: record["name"]?.stringValue ?? "", contentDefinition: record["contentDefinition"]?.stringValue ?? "",
            fields: record["fields"]?.objectValue?.keys ?? [])
    }

    private mutating func item(_ record: JSONValue, name: String, kind: String) -> Item {
        let id = record[name]?.stringValue ?? ""
        let input = (record["in"]?.objectValue?.members ?? []).map {
            Claim(name: $0.key, value: $0.value, from: sources[$0.key].flatMap { $0 == id ? nil : $0 })
        }
        let skipped = record["skipped"]?.stringValue
        let output = (record["out"]?.objectValue?.members ?? []).map {
            Claim(name: $0.key, value: $0.value, from: nil)
        }
        for claim in output where sources[claim.name] == nil || values[claim.name] != claim.value {
            sources[claim.name] = skipped == "session" ? "the session of \(id)" : id
            values[claim.name] = claim.value
        }
        return Item(
            name: id, kind: record[kind]?.stringValue ?? "", isTransformation: true,
            isValidation: record["validation"]?.boolValue ?? false, skipped: skipped,
            error: record["error"]?.stringValue, input: input, output: output, call: nil,
            step: record["step"]?.intValue)
    }

    private static func call(_ record: JSONValue) -> Call {
        let status = record["response", "status"]?.intValue
        let error = record["response", "networkError"]?.stringValue
        return Call(
            method: record["method"]?.stringValue ?? "", url: record["url"]?.stringValue ?? "",
            answer: status.map { String($0) } ?? error.map { $0 == "other" ? "no answer" : $0 } ?? "no answer",
            isGood: status.map { (200..<300).contains($0) } ?? false,
            sent: record["json"] ?? record["form"], received: record["response", "json"])
    }

    private mutating func finish(_ record: JSONValue, _ items: [Item]) {
        let name = record["journey"]?.stringValue ?? ""
        let number = record["step"]?.intValue.map { Int($0) }
        // A called sub-journey keeps the bag; a journey that begins again does not.
        if journeys.last?.name != name {
            if number == 1, journeys.contains(where: { $0.name == name }) { bag = JSONObject() }
            journeys.append(Journey(name: name, steps: []))
        } else if number == 1, journeys.last?.steps.isEmpty == false {
            bag = JSONObject()
            journeys.append(Journey(name: name, steps: []))
        }
        let after = record["claims"]?.objectValue ?? bag
        var changes: [Change] = []
        for (key, value) in after.members where bag[key] != value {
            changes.append(
                Change(
                    kind: bag[key] == nil ? .added : .changed,
                    claim: Claim(name: key, value: value, from: sources[key]),
                    isShown: items.contains { $0.output.contains { $0.name == key && $0.value == value } }))
        }
        for (key, value) in bag.members where after[key] == nil {
            changes.append(Change(kind: .removed, claim: Claim(name: key, value: value, from: nil), isShown: false))
            sources[key] = nil
        }
        bag = after
        let ran = record["ran"]?.boolValue ?? true
        var met: [Page] = []
        while ran, let first = pages.first, first.step == record["step"]?.intValue {
            met.append(first.page)
            pages = pages.dropFirst()
        }
        journeys[journeys.count - 1].steps.append(
            Step(
                number: number, type: record["stepType"]?.stringValue ?? "", ran: ran,
                because: record["because"]?.stringValue ?? "", pages: met, items: items, changes: changes))
    }
}
