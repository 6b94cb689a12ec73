import B2CProtocol
import JSON

/// What journeys did, from the logs of an outcome, put in order for reading: the steps, in each what ran, and for every
/// claim where it came from.
public struct TraceModel: Sendable {
    /// A claim at a moment.
    public struct Claim: Sendable {
        public var name: String
        public var value: JSONValue
        /// What put it there; `nil` if nothing in the trace did.
        public var from: ValueSource?
    }

    /// Where the value of a claim is from.
    public struct ValueSource: Sendable, Hashable {
        /// The technical profile or claims transformation that wrote it; `nil` if the step itself did.
        public var writer: String?
        public var origin: ClaimOrigin
        /// Order of the orchestration step.
        public var step: Int?
        /// The number of the exchange whose answer it was in.
        public var exchange: String?

        /// All of it, such as `from REST-Tier, step 2, exchange 6.1`.
        public var words: String {
            let name = writer.map { Shown.text($0) } ?? "the relying party"
            let start =
                switch origin {
                case .answer, .bag: "from \(name)"
                case .page: "from page \(name)"
                case .default: "from the default of \(name)"
                case .session: "from the session of \(name)"
                case .hint: "from id_token_hint"
                }
            return start + (step.map { ", step \($0)" } ?? "") + (exchange.map { ", exchange \(Shown.text($0))" } ?? "")
        }
    }

    /// A call to a web API.
    public struct APICall: Sendable {
        /// The number of the exchange.
        public var number: String
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
        public var call: APICall?
        /// Order of the step that it ran in.
        var step: Int64?
    }

    /// A page that was shown.
    public struct TracedPage: Sendable {
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
    public struct TracedStep: Sendable {
        public var number: Int?
        public var type: String
        public var ran: Bool
        public var because: String
        /// Pages that the person met in it.
        public var pages: [TracedPage]
        public var items: [Item]
        public var changes: [Change]
        /// The claims that it put into the token, by their names there.
        public var issued: [Claim]
    }

    /// A walk through a journey.
    public struct JourneyRun: Sendable {
        public var name: String
        public var steps: [TracedStep]
    }

    public private(set) var journeys: [JourneyRun] = []
    /// What ran in a step that was not finished.
    public private(set) var unfinished: [Item] = []
    /// Its order, where something in it shows that.
    public private(set) var unfinishedStep: Int?
    /// The pages of that step.
    public private(set) var unfinishedPages: [TracedPage] = []

    /// What put a claim there first with the value that it has, by the names of the policy.
    private(set) var sources: [String: (source: ValueSource, value: JSONValue)] = [:]
    /// The claims of the token that was issued last: their names in the policy by those in the token.
    private(set) var issued: [String: String] = [:]
    /// Calls to web APIs by the numbers of their exchanges.
    private let calls: [String: JSONValue]
    private var bag = JSONObject()
    /// Pages not yet met on the way, with the order of their step.
    private var pages: ArraySlice<(step: Int64?, page: TracedPage)> = []

    /// - Parameter outcome: Of a step, with its logs `trace` and `requests`.
    public init(outcome: JSONValue) {
        let requests = (outcome["requests"]?.arrayValue ?? []).filter { $0["endpoint"]?.stringValue == "rest" }
        calls = Dictionary(
            requests.compactMap { record in record["number"]?.stringValue.map { ($0, record) } },
            uniquingKeysWith: { _, last in last })
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
                item.call = record["exchange"]?.stringValue.flatMap { calls[$0] }.map { Self.call($0) }
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

    private static func page(_ record: JSONValue) -> TracedPage {
        TracedPage(
            name: record["name"]?.stringValue ?? "", contentDefinition: record["contentDefinition"]?.stringValue ?? "",
            fields: record["fields"]?.objectValue?.keys ?? [])
    }

    private mutating func item(_ record: JSONValue, name: String, kind: String) -> Item {
        let id = record[name]?.stringValue ?? ""
        let step = record["step"]?.intValue.map { Int($0) }
        let defaults = (record["defaults"]?.arrayValue ?? []).compactMap(\.stringValue)
        let input = (record["in"]?.objectValue?.members ?? []).map { name, value in
            var from = sources[name].flatMap { $0.source.writer == id || $0.value != value ? nil : $0.source }
            if defaults.contains(name) { from = ValueSource(writer: id, origin: .default, step: step) }
            return Claim(name: name, value: value, from: from)
        }
        let skipped = record["skipped"]?.stringValue
        var output = (record["out"]?.objectValue?.members ?? []).map {
            Claim(name: $0.key, value: $0.value, from: nil)
        }
        note(output, record, writer: id)
        // What the handler returned is under its name already; what it did not make says where it is from.
        for place in output.indices
        where ["bag", "default"].contains(record["origins", output[place].name]?.stringValue) {
            output[place].from = sources[output[place].name]?.source
        }
        return Item(
            name: id, kind: record[kind]?.stringValue ?? "", isTransformation: true,
            isValidation: record["validation"]?.boolValue ?? false, skipped: skipped,
            error: record["error"]?.stringValue, input: input, output: output, call: nil,
            step: record["step"]?.intValue)
    }

    /// Takes note of who wrote claims. A value that is there already stays with who wrote it first.
    private mutating func note(_ output: [Claim], _ record: JSONValue, writer: String?) {
        for claim in output where sources[claim.name]?.value != claim.value {
            let word = record["origins", claim.name]?.stringValue
            let origin = word.flatMap { ClaimOrigin(rawValue: $0) } ?? .answer
            guard origin != .bag else {
                sources[claim.name] = nil
                continue
            }
            let source = ValueSource(
                writer: writer, origin: origin, step: record["step"]?.intValue.map { Int($0) },
                exchange: origin == .answer ? record["exchange"]?.stringValue : nil)
            sources[claim.name] = (source, claim.value)
        }
    }

    private static func call(_ record: JSONValue) -> APICall {
        let status = record["response", "status"]?.intValue
        let error = record["response", "networkError"]?.stringValue
        return APICall(
            number: record["number"]?.stringValue ?? "", method: record["method"]?.stringValue ?? "",
            url: record["url"]?.stringValue ?? "",
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
            journeys.append(JourneyRun(name: name, steps: []))
        } else if number == 1, journeys.last?.steps.isEmpty == false {
            bag = JSONObject()
            journeys.append(JourneyRun(name: name, steps: []))
        }
        let after = record["claims"]?.objectValue ?? bag
        let written = (record["out"]?.objectValue?.members ?? []).map {
            Claim(name: $0.key, value: $0.value, from: nil)
        }
        note(written, record, writer: nil)
        if let names = record["issued"]?.objectValue {
            issued = Dictionary(
                names.members.compactMap { member in member.value.stringValue.map { (member.key, $0) } },
                uniquingKeysWith: { _, last in last })
        }
        var changes: [Change] = []
        for (key, value) in after.members where bag[key] != value {
            changes.append(
                Change(
                    kind: bag[key] == nil ? .added : .changed,
                    claim: Claim(name: key, value: value, from: sources[key]?.source),
                    isShown: items.contains { $0.output.contains { $0.name == key && $0.value == value } }))
        }
        for (key, value) in bag.members where after[key] == nil {
            changes.append(Change(kind: .removed, claim: Claim(name: key, value: value, from: nil), isShown: false))
            sources[key] = nil
        }
        let token = issued.sorted { $0.key < $1.key }.compactMap { name, claim in
            after[claim].map { Claim(name: name, value: $0, from: sources[claim]?.source) }
        }
        bag = after
        let ran = record["ran"]?.boolValue ?? true
        var met: [TracedPage] = []
        while ran, let first = pages.first, first.step == record["step"]?.intValue {
            met.append(first.page)
            pages = pages.dropFirst()
        }
        journeys[journeys.count - 1].steps.append(
            TracedStep(
                number: number, type: record["stepType"]?.stringValue ?? "", ran: ran,
                because: record["because"]?.stringValue ?? "", pages: met, items: items, changes: changes,
                issued: record["issued"] == nil ? [] : token))
    }
}
