import JSON

/// Something that people, apps, services or the directory would notice after a policy was changed, seen by running one
/// script with both.
public struct NoticedChange: Sendable, Hashable {
    /// Who notices it.
    public enum Observer: String, Sendable, Hashable, CaseIterable {
        /// Pages and messages.
        case person
        /// Tokens and errors.
        case app
        /// Requests to RESTful APIs and identity providers.
        case service
        /// What is written to accounts.
        case directory
    }

    public var place: NoticedPlace
    /// What was there before; `nil`: nothing.
    public var old: JSONValue?
    public var new: JSONValue?
    /// The step that shows it.
    public var step = 0
    /// What of an expectation holds before and not afterwards; `nil` where the rest of the outcome says it, or nothing
    /// does.
    public var expectation: JSONObject?
    /// What else differs because the two go separate ways from here.
    public var followed: [NoticedChange] = []

    public var party: Observer { place.party }

    /// Whether another change is the same one, seen of somebody else: of what has a place of its own the value may differ.
    public func isAlike(_ other: NoticedChange) -> Bool {
        guard place == other.place else { return false }
        if place == .end { return old == other.old && new == other.new }
        if place == .pages { return parting == other.parting }
        if isList, other.isList {
            return Set(gone) == Set(other.gone) && Set(further) == Set(other.further)
        }
        return (old == nil) == (other.old == nil) && (new == nil) == (other.new == nil)
    }

    /// Adds what follows from the same change elsewhere.
    public mutating func follow(_ other: NoticedChange) {
        for change in other.followed where !followed.contains(where: { $0.isAlike(change) }) { followed.append(change) }
    }

    /// Of pages: the first one that only the old list has at its place or later, and the first one that only the new list
    /// has. What comes after them depends on them.
    public var parting: [String?] {
        let (before, after) = (Self.names(old), Self.names(new))
        let common = zip(before, after).prefix { $0 == $1 }.count
        func first(_ list: [String], _ other: [String]) -> String? {
            list.dropFirst(common).first.flatMap { other.dropFirst(common).contains($0) ? nil : $0 }
        }
        let parts = [first(before, after), first(after, before)]
        // The same pages in another order, or one of them more than once.
        return parts.allSatisfy { $0 == nil }
            ? [before.dropFirst(common).first, after.dropFirst(common).first] : parts
    }

    fileprivate static func names(_ list: JSONValue?) -> [String] {
        list?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    /// Whether lists are compared: pages, fields, calls.
    public var isList: Bool { old?.arrayValue != nil && new?.arrayValue != nil }

    /// What a list no longer has.
    public var gone: [String] { Self.rest(old, new) }

    /// The entries that the new list has in addition.
    public var further: [String] { Self.rest(new, old) }

    private static func rest(_ list: JSONValue?, _ other: JSONValue?) -> [String] {
        var taken = names(other)
        return names(list).filter { name in
            guard let place = taken.firstIndex(of: name) else { return true }
            taken.remove(at: place)
            return false
        }
    }

    /// Finds what a page shows besides its record.
    public typealias PageFacts = (JSONValue) -> [(NoticedPlace.Detail, JSONValue)]

    /// What differs between two runs of a script. Both have to have kept all outcomes. Ids, times, codes and tokens do not
    /// count.
    ///
    /// - Parameters:
    ///   - renamed: What the new policy calls a technical profile or an exchange of the old one.
    ///   - facts: What a page of each shows besides its record.
    ///   - isWrite: Whether a technical profile writes to the directory.
    public static func between(
        _ old: ScenarioReport, _ new: ScenarioReport, renamed: (String) -> String = { $0 },
        facts: (old: PageFacts, new: PageFacts) = ({ _ in [] }, { _ in [] }), isWrite: (String) -> Bool
    ) -> [NoticedChange] {
        var changes: [NoticedChange] = []
        for index in 0..<max(old.steps.count, new.steps.count) {
            let one = NoticedStep(
                old.steps.dropFirst(index).first, renamed: renamed, facts: facts.old, isWrite: isWrite)
            let other = NoticedStep(
                new.steps.dropFirst(index).first, renamed: { $0 }, facts: facts.new, isWrite: isWrite)
            let (found, isApart) = one.changes(to: other)
            for var change in found where !changes.contains(where: { $0.isAlike(change) }) {
                change.step = index
                for place in change.followed.indices { change.followed[place].step = index }
                changes.append(change)
            }
            // What follows other pages or another end has nothing to be compared with.
            if isApart { break }
        }
        return changes
    }
}

/// What is noticed of one step.
private struct NoticedStep {
    /// Something that comes in an order: a page, a message, a call, a write.
    struct Item {
        /// What a list of all of them shows.
        var id: String
        var owner: NoticedPlace.Owner
        var facts = NoticedFacts()
        /// What finds its record in the outcome.
        var matcher = JSONObject()

        subscript(detail: NoticedPlace.Detail) -> JSONValue? {
            get { facts[.detail(detail, of: owner)] }
            set { facts[.detail(detail, of: owner)] = newValue }
        }

        /// A record of this kind with a detail as it is here; `nil`: no record of the outcome has it.
        func matcher(_ detail: NoticedPlace.Detail) -> JSONValue? {
            func object(_ name: String, _ value: JSONValue) -> JSONValue { .object(JSONObject([(name, value)])) }
            let value = self[detail] ?? ["$exists": false]
            let pattern: JSONValue
            switch detail {
            case .member(let name): pattern = object(name, value)
            case .field(let id, let member): pattern = object("fields", object(id, object(member, value)))
            case .parameter(let name, let part): pattern = object(part, object(name, value))
            case .attribute(let name): pattern = object("in", object(name, value))
            case .claim, .header, .lifetime, .template, .layout, .keepMeSignedIn: return nil
            }
            return JSONValue.object(matcher).merging(patch: pattern)
        }
    }

    /// What is listed, with the member of an expectation that has its records.
    private static let lists: [(place: NoticedPlace, log: String)] = [
        (.pages, "pages"), (.messages, "messages"), (.calls, "requests"), (.writes, "trace"),
    ]

    private var items: [NoticedPlace: [Item]] = [:]
    private(set) var end = ""
    private var tokens = NoticedFacts()
    private var error = NoticedFacts()

    init(
        _ report: StepReport?, renamed: (String) -> String, facts: NoticedChange.PageFacts,
        isWrite: (String) -> Bool
    ) {
        guard let report else {
            end = "nothing: an earlier step failed"
            return
        }
        let outcome = report.outcome ?? .null
        func records(_ log: String) -> [JSONValue] { outcome[log]?.arrayValue ?? [] }
        items[.pages] = records("pages").map { page in
            var item = Self.page(page, renamed)
            for (detail, value) in facts(page) { item[detail] = value }
            return item
        }
        items[.messages] = records("messages").map { Self.message($0) }
        items[.calls] = records("requests").filter { Self.isCall($0) }.map { Self.call($0) }
        items[.writes] = records("trace").compactMap { entry in
            guard let profile = entry["profile"]?.stringValue, isWrite(profile) else { return nil }
            var item = Item(id: "write", owner: .account, matcher: ["profile": .string(profile)])
            for (name, value) in entry["in"]?.objectValue?.members ?? [] {
                let isSecret = name.lowercased().contains("password") && name != "passwordPolicies"
                item[.attribute(name)] = isSecret ? "<password>" : Kinds.reduced(value)
            }
            return item
        }
        ending(outcome, report, renamed)
    }

    private mutating func ending(_ outcome: JSONValue, _ report: StepReport, _ renamed: (String) -> String) {
        if let result = outcome["result"], result != .null {
            end = Self.end(result, report.verb)
            // What the response of the token endpoint says beside the tokens.
            for request in outcome["requests"]?.arrayValue ?? []
            where request["endpoint"] == "token" && request["from"] == "client" {
                for name in ["token_type", "expires_in", "refresh_token_expires_in", "scope"] {
                    tokens[.detail(.member(name), of: .tokenResponse)] = request["response", "json", name]
                }
            }
            for (token, owner) in [("idToken", NoticedPlace.Owner.idToken), ("accessToken", .accessToken)] {
                for (name, value) in result[token, "claims"]?.objectValue?.members ?? [] {
                    guard !Self.volatile.contains(name) else { continue }
                    tokens[.detail(.claim(name), of: owner)] = Kinds.reduced(value)
                }
                if let from = result[token, "claims", "iat"]?.intValue,
                    let to = result[token, "claims", "exp"]?.intValue
                {
                    let (span, isTooLong) = to.subtractingReportingOverflow(from)
                    tokens[.detail(.lifetime, of: owner)] = isTooLong ? "too many" : .integer(span)
                }
                for name in ["alg", "kid"] {
                    tokens[.detail(.header(name), of: owner)] = result[token, "header", name]
                }
            }
        } else if let failed = outcome["error"]?.objectValue {
            end = "an error"
            for name in ["kind", "b2cCode", "oauthError", "oauthSubError", "description"] {
                guard let value = failed[name], value != .null else { continue }
                let text = value.stringValue.map { String($0.prefix { !$0.isNewline }) }
                error[.detail(.member(name), of: .error)] = text.map { .string(Kinds.reduced($0)) } ?? value
            }
        } else if let page = outcome["pending", "page"]?.objectValue {
            end = "no answer: the page \(page["name"]?.stringValue ?? "") stays"
            if let text = page["error"]?.stringValue { end += " with the error \"\(Kinds.reduced(text))\"" }
        } else if let problem = report.problems.first {
            let line = Kinds.reduced(String(problem.prefix { !$0.isNewline }))
            // Some name pages and buttons.
            end = "no answer: " + line.replacing(/"([^"]+)"/) { "\"\(renamed(String($0.output.1)))\"" }
        } else {
            end = "no answer"
        }
    }

    /// How a step without an error ends.
    private static func end(_ result: JSONValue, _ verb: String) -> String {
        if let page = result["page", "name"]?.stringValue { return "the page \(page)" }
        guard verb == "open" || verb == "signOut" else { return "a token" }
        return result["status"]?.intValue.map { "status \($0)" } ?? "done"
    }

    private static let volatile: Set<String> = [
        "exp", "iat", "nbf", "auth_time", "nonce", "at_hash", "c_hash", "s_hash", "sid", "jti",
    ]

    private static func page(_ page: JSONValue, _ renamed: (String) -> String) -> Item {
        let name = page["name"]?.stringValue ?? "page"
        let profile = page["technicalProfile"]?.stringValue
        let id = profile.map { "\(name) (\(renamed($0)))" } ?? name
        var item = Item(id: id, owner: .page(id), matcher: ["name": .string(name)])
        if let profile { item.matcher["technicalProfile"] = .string(profile) }
        for member in ["title", "heading", "text", "error", "b2cCode", "locale", "status"] {
            if let value = page[member], value != .null, value != "" { item[.member(member)] = Kinds.reduced(value) }
        }
        item[.member("buttons")] =
            page["buttons"]?.arrayValue.map { buttons in
                .array(buttons.map { button in button.stringValue.map { .string(renamed($0)) } ?? button })
            } ?? page["buttons"]
        let fields = page["fields"]?.objectValue ?? JSONObject()
        if !fields.isEmpty { item[.member("fields")] = .array(fields.keys.map { .string($0) }) }
        for (id, field) in fields.members {
            for (name, value) in field.objectValue?.members ?? [] where name != "value" && value != .null {
                item[.field(id: id, member: name)] = Kinds.reduced(value)
            }
        }
        return item
    }

    private static func message(_ message: JSONValue) -> Item {
        let code = message["code"]?.stringValue ?? ""
        func text(_ name: String) -> JSONValue? {
            message[name]?.stringValue.map { text in
                .string(Kinds.reduced(code.isEmpty ? text : text.replacing(code, with: "<code>")))
            }
        }
        let id = message["kind"]?.stringValue ?? "message"
        var item = Item(id: id, owner: .message(id))
        item.matcher["kind"] = message["kind"]
        item[.member("to")] = message["to"]
        for name in ["subject", "text"] { item[.member(name)] = text(name) }
        return item
    }

    /// Whether a RESTful API or an identity provider is asked, by the authority or by a redirect of it.
    private static func isCall(_ request: JSONValue) -> Bool {
        let isOfAuthority = request["from"] == "authority"
        switch request["endpoint"]?.stringValue {
        case "rest": return isOfAuthority
        case "provider": return isOfAuthority || request["method"] == "GET"
        default: return false
        }
    }

    /// Parameters of a provider's requests that differ from sign-in to sign-in, and secrets.
    private static let drawn: Set<String> = [
        "state", "nonce", "code", "code_challenge", "code_verifier", "access_token", "client_secret",
        "client_assertion", "id_token",
    ]

    private static func call(_ request: JSONValue) -> Item {
        let url = request["url"]?.stringValue ?? ""
        let start = String(url.prefix { $0 != "?" })
        let id = "\(request["method"]?.stringValue ?? "") \(start)"
        var item = Item(id: id, owner: .call(id))
        item.matcher = [
            "from": request["from"] ?? "authority", "method": request["method"] ?? "GET",
            "url": ["$startsWith": .string(start)],
        ]
        for part in ["query", "json", "form"] {
            for (name, value) in request[part]?.objectValue?.members ?? []
            where request["endpoint"] != "provider" || !drawn.contains(name) {
                item[.parameter(name, in: part)] = Kinds.reduced(value)
            }
        }
        if let authorization = request["headers", "authorization"]?.stringValue {
            item[.member("authorization")] = .string(String(authorization.prefix { $0 != " " }))
        }
        return item
    }

    // MARK: Comparing

    /// What differs. Where the two go separate ways, by other pages or another end, one change says so and has what follows
    /// from it: what both did before is compared, and nothing else.
    func changes(to other: NoticedStep) -> (changes: [NoticedChange], isApart: Bool) {
        func ids(_ step: NoticedStep) -> [String] { step.items[.pages, default: []].map(\.id) }
        let hasOtherPages = ids(self) != ids(other)
        let isApart = hasOtherPages || end != other.end
        let lists = Self.lists.map { place, log in
            Self.changes(
                of: place, log: log, old: items[place] ?? [], new: other.items[place] ?? [], isApart: isApart)
        }
        var (changes, list) = (lists.flatMap(\.items), lists.compactMap(\.list))
        if end != other.end {
            list.insert(
                NoticedChange(place: .end, old: .string(end), new: .string(other.end)), at: hasOtherPages ? 1 : 0)
        } else {
            let more = Self.changes(tokens, to: other.tokens) + Self.changes(error, to: other.error)
            if isApart { list += more } else { changes += more }
        }
        guard isApart else { return (list + changes, false) }
        var parting = list.removeFirst()
        parting.followed = list
        return (changes + [parting], true)
    }

    /// Items in an order: which there are, then what those hold that both have.
    ///
    /// - Parameters:
    ///   - log: The member of an expectation that has their records.
    ///   - isApart: Only the items before the first difference are the same ones.
    private static func changes(
        of list: NoticedPlace, log: String, old: [Item], new: [Item], isApart: Bool
    ) -> (list: NoticedChange?, items: [NoticedChange]) {
        var whole: NoticedChange?
        let difference = new.map(\.id).difference(from: old.map(\.id))
        if !difference.isEmpty {
            func names(_ items: [Item]) -> JSONValue { .array(items.map { .string($0.id) }) }
            var change = NoticedChange(place: list, old: names(old), new: names(new))
            // How often each is there, where that differs; else the order.
            var elements: [JSONValue] = []
            for item in old + new {
                let count = old.count { $0.id == item.id }
                guard count != new.count(where: { $0.id == item.id }) else { continue }
                let element = times(item.matcher, .integer(Int64(count)))
                if !elements.contains(element) { elements.append(element) }
            }
            if elements.isEmpty { elements = old.map { .object($0.matcher) } }
            change.expectation = JSONObject([(log, .array(elements))])
            whole = change
        }
        let common = zip(old, new).prefix { $0.id == $1.id }.count
        // Removals come from the end, insertions from the front.
        var (before, after) = (old, new)
        for case .remove(let offset, _, _) in difference { before.remove(at: offset) }
        for case .insert(let offset, _, _) in difference.reversed() { after.remove(at: offset) }
        var changes: [NoticedChange] = []
        for (one, other) in zip(before, after).prefix(isApart ? common : .max) {
            changes += Self.changes(one.facts, to: other.facts).map { found in
                var change = found
                guard case .detail(let detail, _) = found.place, var matcher = one.matcher(detail) else {
                    return change
                }
                if detail == .member("fields") {
                    // A list of names is an object in the record.
                    let had = Set(NoticedChange.names(found.old))
                    let has = Set(NoticedChange.names(found.new))
                    var fields = JSONObject()
                    for name in had.subtracting(has).sorted() { fields[name] = ["$exists": true] }
                    for name in has.subtracting(had).sorted() { fields[name] = ["$exists": false] }
                    guard !fields.isEmpty else { return change }
                    matcher = JSONValue.object(one.matcher).merging(patch: ["fields": .object(fields)])
                }
                change.expectation = JSONObject([(log, [times(matcher.objectValue ?? JSONObject(), ["$gte": 1])])])
                return change
            }
        }
        return (whole, changes)
    }

    private static func times(_ matcher: JSONObject, _ count: JSONValue) -> JSONValue {
        var element = matcher
        element["$times"] = count
        return .object(element)
    }

    private static func changes(_ old: NoticedFacts, to new: NoticedFacts) -> [NoticedChange] {
        func fields(_ facts: NoticedFacts) -> Set<[String]> {
            Set(facts.places.compactMap { if case .detail(.field, _) = $0 { $0.group } else { nil } })
        }
        // A field that is new or gone is in the list of fields.
        let ofOne = fields(old).symmetricDifference(fields(new))
        let places = old.places + new.places.filter { old[$0] == nil }
        return places.compactMap { place in
            guard old[place] != new[place], !ofOne.contains(place.group ?? []) else { return nil }
            return NoticedChange(place: place, old: old[place], new: new[place])
        }
    }
}
