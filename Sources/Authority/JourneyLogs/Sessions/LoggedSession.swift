import JSON

/// An orchestration step that ran or was skipped.
public struct LoggedStep: Sendable {
    /// Id of the policy, or of the sub-journey.
    public var journey: String
    public var order: Int
    public var ran: Bool
    /// The preconditions that skipped it, in words.
    public var because: String
    public var items: [LoggedSession.Item]
    /// All claims after it.
    public var claims: JSONObject
    /// Content definition of a page that was shown in it.
    public var contentDefinition: String?
    /// Technical profile of that page, as the state names it.
    public var page: String?
    /// Whether it did nothing but begin a sub-journey.
    public var invokesSubJourney = false
    /// Whether the journey went on after it. The last step of a journey that failed or waits did not end.
    public var isFinished: Bool
}

/// What a session did, step by step, as far as its log says.
public struct LoggedSession: Sendable {
    /// A technical profile or a claims transformation that ran.
    public struct Item: Sendable {
        public enum Kind: Sendable { case profile, validation, transformation }
        public var kind: Kind
        public var id: String
        /// Name of the handler: `AzureActiveDirectoryProvider`. Empty if the log does not say it.
        public var handler: String
        public var input = JSONObject()
        public var output = JSONObject()
        /// Address of the service that it called.
        public var url: String?
        /// Names under which a provider or service returned claims, and the claims they became.
        public var received: [(partner: String, claim: String)] = []
        public var error: RecorderException?
        /// What the page showed of the error, if the log says so.
        public var shownError: String?
        /// Whether the person got a message and tried again.
        public var isRetried = false
        /// Whether the log says that the provider or service was called.
        var isCalled = false
    }

    /// How it ended.
    public enum End: Sendable, Hashable {
        /// An answer with tokens or a code was sent.
        case token
        /// An error was sent to the app, or shown.
        case error(String)
        /// It waits for the person.
        case waiting
        /// The log breaks off.
        case unknown
    }

    /// An exception, and where it was raised.
    public struct Raised: Sendable {
        public var exception: RecorderException
        public var step: Int
        /// The technical profile or claims transformation that ran.
        public var element: String?
        /// Whether the person could go on: the page showed a message.
        public var isHandled: Bool

        /// What the person saw, or else what it says first.
        public var text: String { exception.text }
    }

    public private(set) var steps: [LoggedStep] = []
    public private(set) var end: End = .waiting
    public private(set) var raised: [Raised] = []
    /// Names of clips, handlers and records that are not known, with how often they occur.
    public private(set) var unknown: [(what: String, count: Int)] = []
    /// Claims at the end.
    public private(set) var claims = JSONObject()
    /// Client id of the app.
    public private(set) var clientID: String?
    /// Language of the journey.
    public private(set) var culture: String?
    /// The request of the app as the log has it: `ClientId`, `RedirectUri`, `Scope`, `AdditionalParameters` and others.
    public private(set) var request: JSONObject?
    /// Claims exchanges that the person chose, in order.
    public private(set) var chosen: [String] = []

    private let policy: String
    private var unknownPlaces: [String: Int] = [:]
    private var journeys: [(name: String, caller: Int)] = []
    private var current: LoggedStep?
    private var places = ItemPlaces()
    private var handler: (name: String, isPredicate: Bool)?
    private var pendingSubJourney: String?
    private var newRequest = false
    /// Items of the step before the request under way.
    private var itemsBefore = 0
    /// What may have skipped the step under way.
    private var because: [SkipReason] = []
    private var page: (profile: String, step: Int)?

    /// What the request under way did so far that says how it ends.
    private var underWay = Progress()

    private struct Progress {
        /// Exceptions before it.
        var raisedBefore = 0
        /// Whether its page shows a message.
        var isRefused = false
        /// Whether tokens or claims for the app were made.
        var hasToken = false
        /// Whether the person has to do something next: on a page, or at an identity provider.
        var isAwaited = false
        /// Whether an answer was sent.
        var isAnswered = false
        /// Whether a step began in it.
        var hasStep = false
        /// Whether clips of it are missing.
        var isPartial = false
        /// The text of the error that it ends with; empty if the log does not have it.
        var failure: String?
        /// What the page shows, as the state has it.
        var pageText: String?
    }

    /// The name of a sub-journey whose record has none.
    public static let unnamedSubJourney = "sub-journey"

    /// - Parameter journey: Id of the policy's journey. Without it steps bear the id of the policy.
    public init(_ session: LogSession, journey: String? = nil) {
        policy = journey ?? session.policyID ?? "without a name"
        journeys = [(policy, 0)]
        for request in session.requests {
            newRequest = request.message.headers?.eventInstance == "Event:AUTH"
            handler = nil
            underWay = Progress(raisedBefore: raised.count)
            underWay.isPartial = request.isPartial
            itemsBefore = current?.items.count ?? 0
            for clip in request.message.clips { read(clip) }
            endRequest()
        }
        if underWay.isRefused { keepRefusal() }
        finish(isFinished: end == .token)
    }

    /// How a request ends follows from the state of the journey: whether there is a token, an error, or a page that waits. The
    /// handler that sends an answer is the same for all of them.
    private mutating func endRequest() {
        if let failure = underWay.failure {
            let text = raised.count > underWay.raisedBefore ? raised.last?.text ?? "" : ""
            end = .error(text.isEmpty ? failure : text)
        } else if underWay.isAwaited || underWay.isRefused {
            end = .waiting
        } else if underWay.hasToken || isOver {
            end = .token
        } else if underWay.isPartial {
            end = .unknown
        }
    }

    /// The person left with the message of the last attempt, so it is how the session ends.
    private mutating func keepRefusal() {
        for index in (current?.items.indices ?? 0..<0) where index >= itemsBefore {
            current?.items[index].isRetried = false
        }
    }

    /// Whether the answer was that of a step that calls nothing and shows nothing: the one that sends the claims.
    private var isOver: Bool {
        underWay.isAnswered && underWay.hasStep && current?.ran == true && current?.items.isEmpty == true
    }

    private mutating func noteUnknown(_ what: String) {
        if let index = unknownPlaces[what] {
            unknown[index].count += 1
        } else {
            unknownPlaces[what] = unknown.count
            unknown.append((what, 1))
        }
    }

    /// Where the items of the step under way are, by what is asked for again and again.
    private struct ItemPlaces {
        /// The last one that is not a claims transformation.
        var profile: Int?
        /// The last technical profile of an id.
        var profiles: [String: Int] = [:]
        /// The last item that received a claim from a provider or a service.
        var receivers: [String: Int] = [:]
        /// What claims transformations made of a claim.
        var results: [String: Set<JSONValue>] = [:]

        mutating func add(_ item: Item, at index: Int) {
            guard item.kind == .transformation else {
                (profile, profiles[item.id]) = (index, index)
                return
            }
            for member in item.output.members { results[member.key, default: []].insert(member.value) }
        }
    }

    private mutating func append(_ item: Item) {
        guard let index = current?.items.count else { return }
        places.add(item, at: index)
        current?.items.append(item)
    }

    // MARK: Clips

    private mutating func read(_ clip: RecorderClip) {
        switch clip {
        case .headers: break
        case .transition(let transition):
            if transition.isFailure { underWay.failure = underWay.failure ?? transition.stateName ?? "" }
        case .predicate(let name): begin(name, isPredicate: true)
        case .action(let name): begin(name, isPredicate: false)
        case .handlerResult(let result):
            read(result)
            handler = nil
        case .fatalException(let exception, _):
            raise(exception)
            underWay.failure = exception.text
        case .unknown(let value):
            noteUnknown("clip \(value["Kind"]?.stringValue ?? value.typeName)")
        }
    }

    private mutating func begin(_ name: String, isPredicate: Bool) {
        handler = (RecorderHandler.short(name), isPredicate)
        if !RecorderHandler.isKnown(name) { noteUnknown("handler \(name)") }
    }

    private mutating func read(_ result: RecorderResult) {
        let name = handler?.name ?? ""
        if let statebag = result.statebag {
            clientID = clientID ?? statebag[RecorderStatebag.Key.clientID]
            culture = statebag[RecorderStatebag.Key.culture] ?? culture
            if request == nil, let id = statebag[RecorderStatebag.Key.initialMessage],
                let text = statebag["MSG(\(id))"]
            {
                request = (try? JSONParser.parse(text))?.objectValue
            }
            if let order = statebag.step {
                let isManager = name == "OrchestrationManager"
                // Claims beside the order of the next step are those with which the step before it ended.
                if isManager, let claims = statebag.claims { change(claims) }
                orchestrate(order, isManager: isManager)
            }
            if let text = statebag[RecorderStatebag.Key.currentProfile], let colon = text.lastIndex(of: ":") {
                let order = Int(text[text.index(after: colon)...]) ?? 0
                page = (String(text[..<colon]), order)
                // A log that begins within a journey.
                if current == nil, steps.isEmpty, order > 0 { orchestrate(order, isManager: false) }
            }
            for entity in [
                statebag[RecorderStatebag.Key.targetEntity], statebag.apiResult?["claimsexchange"]?.stringValue,
            ] {
                if let entity, !entity.isEmpty, chosen.last != entity { chosen.append(entity) }
            }
            readState(statebag)
            if let definition = statebag[RecorderStatebag.Key.contentDefinition] {
                current?.contentDefinition = definition
                if let page, page.step == current?.order { current?.page = page.profile }
                underWay.isAwaited = true
            }
        }
        if let record = result.record {
            for entry in record.entries { read(entry, in: name) }
        }
        if let claims = result.statebag?.claims { change(claims) }
        if let exception = result.exception { raise(exception, isOfPage: true) }
        switch name {
        case "ShouldOrchestrationStepBeInvokedHandler":
            if result.predicateResult == false { current?.ran = false }
        case "PresentationTokenGenerationHandler", "SendClaimsHandler", "SendRelyingPartyResponseHandler":
            if result.result != false, result.predicateResult != false { underWay.hasToken = true }
        case "SendResponseHandler":
            if result.result != false { underWay.isAnswered = true }
        case "SendErrorHandler":
            underWay.failure = underWay.failure ?? ""
        case "SendRetryHandler":
            underWay.isRefused = true
            if let last = raised.indices.last { raised[last].isHandled = true }
            for index in (current?.items.indices ?? 0..<0) where index >= itemsBefore {
                if current?.items[index].kind != .profile { current?.items[index].isRetried = true }
            }
        default: break
        }
    }

    /// What the state says of how the request ends.
    private mutating func readState(_ statebag: RecorderStatebag) {
        if let state = statebag[RecorderStatebag.Key.machineState] {
            if state == "Complete" { underWay.hasToken = true }
            // Set when the next page is made; the first clips of a request repeat it.
            if state == "AwaitingNextStep" { underWay.hasToken = false }
        }
        if statebag.entries.contains(where: { Self.tokens.contains($0.key) }) { underWay.hasToken = true }
        // The key also names the message under way by its number.
        if let text = statebag[RecorderStatebag.Key.currentMessage], text.contains(" ") { underWay.pageText = text }
        guard let result = statebag.apiResult else { return }
        if result["IsCancelled"] == true {
            underWay.failure =
                underWay.failure ?? "AADB2C90091: The user has cancelled entering self-asserted information."
        } else if result["IsErrored"] == true {
            let words = [result["code"]?.stringValue, result["desc"]?.stringValue].compactMap { $0 }
            underWay.failure = underWay.failure ?? words.filter { !$0.isEmpty }.joined(separator: ": ")
        }
    }

    private static let tokens: Set<String> = ["id_token", "access_token", "refresh_token"]

    // MARK: Steps

    private mutating func orchestrate(_ order: Int, isManager: Bool) {
        if let current, current.order == order, pendingSubJourney == nil, !(newRequest && order <= 1) || !isManager {
            return
        }
        if current == nil, order == 0 {
            newRequest = false
            return
        }
        if current?.order == 0, !isManager {
            current?.order = order
            return
        }
        let last = current?.order ?? 0
        finish(isFinished: true)
        itemsBefore = 0
        if let sub = pendingSubJourney {
            journeys.append((sub, last))
            pendingSubJourney = nil
        } else if newRequest, order <= 1 {
            // The app asks again within the same correlation id.
            journeys = [(policy, 0)]
            end = .waiting
        } else if journeys.count > 1, let caller = journeys.last?.caller, order == caller + 1, order != last + 1 {
            journeys.removeLast()
        }
        newRequest = false
        guard order > 0 else { return }
        // An error before it was not the end.
        end = .waiting
        (underWay.isAwaited, underWay.hasToken, underWay.hasStep) = (false, false, true)
        places = ItemPlaces()
        because = []
        current = LoggedStep(
            journey: journeys.last?.name ?? policy, order: order, ran: true, because: "", items: [], claims: claims,
            contentDefinition: nil, isFinished: false)
    }

    private mutating func finish(isFinished: Bool) {
        guard var step = current else { return }
        step.claims = claims
        step.isFinished = isFinished
        steps.append(step)
        current = nil
    }

    // MARK: Records

    private mutating func read(_ entry: RecorderRecord.Entry, in handler: String) {
        switch entry.key {
        case "ApiUiManagerInfo": underWay.isAwaited = true
        case "SendErrorTechnicalProfile", "SendingRequest", "Response", "OAuth1RequestInfo",
            "MappingPartnerTypeForClaim", "CurrentStep", "Id", "Result":
            break
        case "JourneyCompleted": underWay.hasToken = true
        case "EnabledForUserJourneysTrue", "EnabledForUserJourneysFalse", "HomeRealmDiscovery", "PreconditionList",
            "Precondition", "SkippingStep":
            decide(entry)
        case "InitiatingClaimsExchange":
            guard let profile = entry.value["TechnicalProfileId"]?.stringValue else { return }
            add(
                Item(
                    kind: .profile, id: profile, handler: entry.value["ProtocolProviderType"]?.stringValue ?? ""))
        case "InitiatingBackendClaimsExchange":
            exchange(entry.value)
        case "GettingClaims":
            for inner in entry.value.entries { readClaims(inner) }
        case "MappingFromPartnerClaimType", "MappingToPartnerClaimType", "MappingDefaultValueForClaim",
            "RequestEndpointUrl":
            readClaims(entry)
        case "Validation":
            for inner in entry.value.entries {
                switch inner.key {
                case "ValidationTechnicalProfile": validate(inner.value)
                case "Exception": raise(inner.value, isOfPage: true)
                case "SubmittedBy", "ProtocolProviderType", "TechnicalProfileEnabled": break
                default: noteUnknown("record Validation/\(inner.key)")
                }
            }
        case "InputClaimsTransformation", "OutputClaimsTransformation", "PersistedClaimsTransformation":
            for inner in entry.value.entries {
                if inner.key == "ClaimsTransformation" { transform(inner.value) } else { readClaims(inner) }
            }
        case "Exception":
            raise(entry.value)
        case "DisplayControlAction":
            let before = (items: current?.items.count ?? 0, raised: raised.count)
            // What an action of a display control refuses the person can try again.
            defer {
                for index in before.raised..<max(before.raised, raised.count) { raised[index].isHandled = true }
                for index in before.items..<max(before.items, current?.items.count ?? 0)
                where current?.items[index].error != nil {
                    current?.items[index].isRetried = true
                }
            }
            if case .plain(.array(let profiles)) = entry.value {
                for profile in profiles { if let record = RecorderRecord(profile) { validate(.record(record)) } }
            }
            for inner in entry.value.entries where inner.key == "ValidationTechnicalProfile" { validate(inner.value) }
        case "SubJourneyInvoked":
            pendingSubJourney =
                entry.value["SubJourneyId"]?.stringValue ?? entry.value["SubJourney"]?.stringValue
                ?? Self.unnamedSubJourney
            current?.invokesSubJourney = true
        default:
            noteUnknown("record \(entry.key)")
        }
    }

    /// Reads why a step is skipped. The reasons are before or around the number of the step, at any depth.
    private mutating func decide(_ entry: RecorderRecord.Entry) {
        switch entry.key {
        case "Precondition":
            if let found = SkipReason(entry.value, claims) { because.append(found) }
        case "EnabledForUserJourneysFalse":
            for inner in entry.value.entries where inner.key == "TechnicalProfileEnabled" {
                guard let profile = inner.value["TechnicalProfile"]?.stringValue else { continue }
                let rule = inner.value["EnabledRule"]?.stringValue.map { " (\($0))" } ?? ""
                because.append(SkipReason(text: "\(profile) is not enabled\(rule)", holds: true))
            }
            for inner in entry.value.entries where inner.key != "TechnicalProfileEnabled" { decide(inner) }
        case "SkippingStep":
            if case .plain(let number) = entry.value,
                let order = number.intValue ?? number.stringValue.flatMap({ Int64($0) }), current?.order != Int(order)
            {
                orchestrate(Int(clamping: order), isManager: false)
            }
            current?.ran = false
            // Which of several decided is known where the claims are.
            let holding = because.filter(\.holds)
            current?.because = (holding.isEmpty ? because : holding).map(\.text).joined(separator: "; ")
            for inner in entry.value.entries { decide(inner) }
        default: for inner in entry.value.entries { decide(inner) }
        }
    }

    private mutating func add(_ item: Item) {
        if let last = current?.items.last, last.kind == item.kind, last.id == item.id, last.output.isEmpty,
            last.error == nil
        {
            return
        }
        append(item)
    }

    private mutating func exchange(_ value: RecorderRecord.Value) {
        guard let profile = value["TechnicalProfileId"]?.stringValue else { return }
        let handler = value["ProtocolProviderType"]?.stringValue ?? ""
        // The step's exchange was announced before; a second entry about it says who answers. Input transformations may have
        // changed claims in between.
        if let index = places.profiles[profile], current?.items[index].isCalled == false {
            if current?.items[index].handler.isEmpty == true { current?.items[index].handler = handler }
            current?.items[index].isCalled = true
            return
        }
        var item = Item(kind: .profile, id: profile, handler: handler)
        item.isCalled = true
        add(item)
    }

    private mutating func readClaims(_ entry: RecorderRecord.Entry) {
        guard let index = places.profile else {
            if entry.key == "InitiatingBackendClaimsExchange" { exchange(entry.value) }
            return
        }
        switch entry.key {
        case "InitiatingBackendClaimsExchange": exchange(entry.value)
        case "RequestEndpointUrl", "ValidationRequestUrl":
            if case .plain(let url) = entry.value { current?.items[index].url = url.stringValue }
        case "MappingFromPartnerClaimType":
            guard let partner = entry.value["PartnerClaimType"]?.stringValue,
                let claim = entry.value["PolicyClaimType"]?.stringValue
            else { return }
            current?.items[index].received.append((partner, claim))
            places.receivers[claim] = index
        case "MappingToPartnerClaimType":
            guard let claim = entry.value["PolicyClaimType"]?.stringValue else { return }
            current?.items[index].input[claim] = claims[claim]
        case "MappingDefaultValueForClaim", "MappingPartnerTypeForClaim", "TechnicalProfileId", "ValidationResult",
            "ErrorResponseReceived", "SubmittedBy", "ProtocolProviderType", "TechnicalProfileEnabled":
            break
        default: noteUnknown("record \(entry.key)")
        }
    }

    private mutating func validate(_ value: RecorderRecord.Value) {
        guard let profile = value["TechnicalProfileId"]?.stringValue else { return }
        // A log that begins within a journey does not say which step it is.
        if current == nil, steps.isEmpty {
            current = LoggedStep(
                journey: policy, order: 0, ran: true, because: "", items: [], claims: claims, contentDefinition: nil,
                isFinished: false)
        }
        if let page, places.profiles[page.profile] == nil, page.step == current?.order {
            add(Item(kind: .profile, id: page.profile, handler: ""))
        }
        append(Item(kind: .validation, id: profile, handler: value["ProtocolProviderType"]?.stringValue ?? ""))
        for inner in value.entries {
            switch inner.key {
            case "Exception": raise(inner.value)
            case "OutputClaimsTransformation", "InputClaimsTransformation":
                for entry in inner.value.entries where entry.key == "ClaimsTransformation" { transform(entry.value) }
            case "GettingClaims":
                for entry in inner.value.entries where entry.key != "InitiatingBackendClaimsExchange" {
                    readClaims(entry)
                }
            default: readClaims(inner)
            }
        }
    }

    private mutating func transform(_ value: RecorderRecord.Value) {
        guard let id = value["Id"]?.stringValue else { return }
        var item = Item(kind: .transformation, id: id, handler: "")
        for entry in value.entries {
            switch entry.key {
            case "InputClaim":
                if let claim = entry.value["PolicyClaimType"]?.stringValue { item.input[claim] = entry.value["Value"] }
            case "InputParameter":
                if let name = entry.value["Id"]?.stringValue {
                    item.input["\(name) (parameter)"] = entry.value["Value"]
                }
            case "Result":
                if let claim = entry.value["PolicyClaimType"]?.stringValue { item.output[claim] = entry.value["Value"] }
            case "Exception": raise(entry.value)
            case "Id": break
            default: noteUnknown("record ClaimsTransformation/\(entry.key)")
            }
        }
        append(item)
    }

    /// Claims that changed are the output of what ran last and does not say otherwise.
    private mutating func change(_ after: JSONObject) {
        let last = (current?.items.count ?? 0) - 1
        for member in after.members where last >= 0 && claims[member.key] != member.value {
            if places.results[member.key]?.contains(member.value) == true { continue }
            let index = places.receivers[member.key] ?? places.profile ?? last
            current?.items[index].output[member.key] = member.value
        }
        claims = after
    }

    private mutating func raise(_ value: RecorderRecord.Value, isOfPage: Bool = false) {
        guard case .plain(.object(let object)) = value else { return }
        raise(RecorderException(object), isOfPage: isOfPage)
    }

    /// - Parameter isOfPage: Whether the answer to the page has it, not a technical profile.
    private mutating func raise(_ exception: RecorderException, isOfPage: Bool = false) {
        var exception = exception
        if let text = underWay.pageText, exception.texts.first != text {
            exception = RecorderException(message: text, inner: exception)
        }
        let index = owner(of: exception)
        if let index, isOfPage || underWay.pageText != nil {
            current?.items[index].shownError = underWay.pageText ?? exception.text
        }
        let element = index.flatMap { current?.items[$0].id }
        if raised.count > underWay.raisedBefore, let last = raised.last {
            // The same exception is recorded by each handler that it passes.
            if last.exception.texts.contains(exception.text) { return }
            // What the page makes of the failure of a validation technical profile comes after it.
            if let index, element == last.element, exception.chain.count == 1 {
                exception = RecorderException(message: exception.message, data: exception.data, inner: last.exception)
                current?.items[index].error = exception
                raised[raised.count - 1].exception = exception
                return
            }
        }
        if let index { current?.items[index].error = exception }
        let isAtPage = index == nil && page?.step == current?.order
        raised.append(
            Raised(
                exception: exception, step: current?.order ?? 0, element: element ?? (isAtPage ? page?.profile : nil),
                isHandled: false))
    }

    /// The item that raised an exception: the one that it names, else what ran last in this request, else the page that was
    /// answered.
    private func owner(of exception: RecorderException) -> Int? {
        guard let items = current?.items, !items.isEmpty else { return nil }
        for cause in exception.chain {
            guard let named = cause.data?["TechnicalProfileId"]?.stringValue else { continue }
            if let index = items.indices.last(where: { $0 >= itemsBefore && items[$0].id == named }) { return index }
        }
        if items.count > itemsBefore { return items.count - 1 }
        guard let page, page.step == current?.order else { return items.count - 1 }
        return places.profiles[page.profile]
    }
}

/// Why a step is skipped.
private struct SkipReason {
    let text: String
    /// Whether it holds for the claims that the log has shown.
    let holds: Bool

    init(text: String, holds: Bool) {
        self.text = text
        self.holds = holds
    }

    /// - Parameter value: A `Precondition` with its claim types and, of an equality, the value after them.
    init?(_ value: RecorderRecord.Value, _ claims: JSONObject) {
        let names = ["Values", "Claims", "ClaimTypes"].lazy.compactMap { value[$0]?.arrayValue }.first ?? []
        let words = names.compactMap(\.stringValue)
        guard let first = words.first else { return nil }
        let type = value["Type"]
        let isEquality = type?.intValue == 1 || type?.stringValue == "ClaimEquals" || type?.stringValue == "1"
        let wanted = value["ExecuteActionsIf"].map { $0.boolValue ?? ($0.stringValue?.lowercased() != "false") } ?? true
        if isEquality {
            let other = words.dropFirst().joined(separator: " ")
            text = "\(first) \(wanted ? "equals" : "differs from") \(other)"
            let found = claims[first].map { $0.stringValue ?? JSONWriter.compact($0) }
            // A claim without a value is not compared.
            holds = found.map { ($0.lowercased() == other.lowercased()) == wanted } ?? false
        } else {
            let verb = (wanted ? ["exists", "exist"] : ["does not exist", "do not exist"])[words.count == 1 ? 0 : 1]
            text = words.joined(separator: " and ") + " " + verb
            holds = words.allSatisfy { claims[$0] != nil } == wanted
        }
    }
}
