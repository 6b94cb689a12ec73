import B2CProtocol
import Determinism
import JSON
import Journeys
import TenantFiles
import TrustFramework

/// What somebody types into a page whose fields their record does not know: values that keep the rules that the page and
/// the policy state. The same page and record give the same values.
public struct FormAnswers: Sendable {
    private let policy: ResolvedPolicy
    private let classes: ClaimClasses
    let purposes: ClaimPurposes
    private let providerName: @Sendable (TechnicalProfile) -> String?

    /// - Parameter providerName: The name that records of people have for the identity provider of a technical profile;
    ///   `nil` where that is not known.
    public init(
        policy: ResolvedPolicy, providerName: @escaping @Sendable (TechnicalProfile) -> String? = { _ in nil }
    ) {
        self.policy = policy
        self.providerName = providerName
        // A page drops white space around what somebody types, so only trimmed values can be entered.
        classes = ClaimClasses(policy, trims: true)
        purposes = ClaimPurposes(policy)
    }

    /// Values by field id, only of fields where something else is typed than the record says. Optional fields stay as
    /// they are until the page refuses.
    ///
    /// - Parameters:
    ///   - fields: The fields that can be typed into, those of display controls among them, without fields for codes.
    ///   - isSignIn: The page asks for an account that exists: name and password stay as the record says.
    ///   - usual: What the record says, by field id.
    ///   - attempt: How often the page has refused what was typed. Each time other values are tried where there are some.
    public func values(
        for fields: [PageField], isSignIn: Bool, usual: [String: String], record: UserRecord, attempt: Int,
        at now: Timestamp
    ) -> [String: String] {
        var values: [String: String] = [:]
        let setsPassword = !isSignIn && fields.contains { $0.inputType == .password && !Self.isOldPassword($0, fields) }
        for field in fields where field.inputType != .password && !field.isReadOnly {
            let known = usual[field.id].flatMap { $0.isEmpty ? nil : $0 }
            let isName = isSignIn || (setsPassword && purposes.of(field) != .email)
            let wanted = Question(
                field: field, usual: known, record: record, attempt: isName && known != nil ? 0 : attempt, now: now)
            if let value = value(wanted, opensAccount: setsPassword), value != usual[field.id] {
                values[field.id] = value
            }
        }
        if !isSignIn {
            let passwords = newPasswords(for: fields, usual: usual, record: record, attempt: attempt, at: now)
            values.merge(passwords) { $1 }
        }
        if attempt > 0 { repeatValues(in: fields, usual, now, &values) }
        return values
    }

    /// The code to type into a display control whose `VerifyCode` leaves the check to services of the policy's own: they
    /// have sent it past the inbox, and take what their stub takes. `nil` where the service of codes checks it.
    public func code(ofControl id: String) -> String? {
        guard let control = policy.displayControls.first(where: { sameID($0.id, id) }),
            let verify = control.actions.first(where: { sameID($0.id, "VerifyCode") })
        else { return nil }
        let handlers = verify.profiles.map { policy[$0.profile].handler }
        let checksCodes = handlers.contains { [.oneTimePassword, .azureMfa, .phoneFactor, .aadSspr].contains($0) }
        return checksCodes || !handlers.contains(.rest) ? nil : "123456"
    }

    /// Types the same into two fields that the policy wants to be equal.
    private func repeatValues(
        in fields: [PageField], _ usual: [String: String], _ now: Timestamp, _ values: inout [String: String]
    ) {
        for transformation in policy.transformations where sameID(transformation.method, "AssertStringClaimsAreEqual") {
            guard let first = transformation.input("inputClaim1"), let second = transformation.input("inputClaim2"),
                let model = fields.first(where: { sameID($0.id, policy[first].id) }),
                let copy = fields.first(where: { sameID($0.id, policy[second].id) }),
                let value = values[model.id] ?? usual[model.id] ?? model.prefilled, keeps(value, copy, now)
            else { continue }
            values[copy.id] = value
        }
    }

    /// What somebody would say of these claims, by claim type id: for claims that come with a request.
    public func values(of claims: [ClaimTypeHandle], for record: UserRecord) -> [String: String] {
        let fields = claims.map { PageField(id: policy[$0].id, isRequired: true) }
        var usual: [String: String] = [:]
        for field in fields { usual[field.id] = record.attributes[field.id]?.stringValue }
        let more = values(
            for: fields, isSignIn: false, usual: usual, record: record, attempt: 0, at: Timestamp(seconds: 0))
        return usual.merging(more) { $1 }
    }

    /// What somebody presses on a page that asks how to go on: the id of a choice, or `signUp` for the link to sign up.
    /// `nil` where they fill the page in.
    ///
    /// Somebody with an account at an identity provider signs in there if they have no account with a password, or if the
    /// page offers nothing else. Somebody without an account signs up. Everybody else signs in with their account.
    ///
    /// - Parameters:
    ///   - isForm: Whether the page can be filled in and sent.
    ///   - canSignUp: Whether the page has a link to sign up.
    public func choice(
        of choices: [PageChoice], orForm isForm: Bool = false, orSignUp canSignUp: Bool = false, record: UserRecord
    ) -> String? {
        let all = choices.map { (choice: $0, profile: profile(ofExchange: $0.id)) }
        let accounts = record.providers.map(\.provider)
        let known = all.first { isAccount($0.choice, $0.profile, accounts) }?.choice
        let local = all.filter { $0.profile?.handler.isFederation == false }
        let isLocal = isForm || canSignUp || !local.isEmpty
        if let known, !record.registered || record.password == nil || !isLocal { return known.id }
        let signUp = all.first { opensAccount($0.choice, $0.profile) }?.choice
        if !record.registered {
            // Where the page has buttons for signing up, they take the place of the link.
            if let signUp { return signUp.id }
            if canSignUp { return "signUp" }
        }
        if isForm { return nil }
        let signIn = local.first { $0.profile?.handler.showsPage == true && $0.choice != signUp }?.choice
        let first = choices.first { $0.displayType != "SignUpLink" } ?? choices.first
        return (signIn ?? known ?? local.first?.choice ?? first)?.id
    }

    private func profile(ofExchange id: String) -> TechnicalProfile? {
        policy.journeys.lazy.flatMap(\.steps).flatMap(\.selections).first { sameID($0.id, id) }.map {
            policy[$0.profile]
        }
    }

    private func isAccount(_ choice: PageChoice, _ profile: TechnicalProfile?, _ accounts: [String]) -> Bool {
        guard profile?.handler.isFederation != false else { return false }
        if let profile, let name = providerName(profile) { return accounts.contains { sameID($0, name) } }
        return accounts.contains { choice.id.lowercased().contains($0.lowercased()) }
    }

    /// Whether a choice leads to a page that makes an account.
    private func opensAccount(_ choice: PageChoice, _ profile: TechnicalProfile?) -> Bool {
        if choice.displayType == "SignUpLink" || choice.id.lowercased().contains("signup") { return true }
        guard let profile, profile.handler.showsPage else { return false }
        return profile.validationProfiles.contains { policy[$0.profile].makesAccounts }
    }

    /// The phone number for a page that wants one: the person's own, and another each time it is refused.
    public func phone(of record: UserRecord, attempt: Int) -> String {
        let own = record.phone ?? Self.standardPhone
        return attempt == 0 ? own : Self.other(own, attempt)
    }

    // MARK: Fields

    private struct Question {
        var field: PageField
        var usual: String?
        var record: UserRecord
        var attempt: Int
        var now: Timestamp

        var id: String { field.id.lowercased() }
        var prefilled: String? { field.prefilled.flatMap { $0.isEmpty ? nil : $0 } }
    }

    private func value(_ asked: Question, opensAccount: Bool) -> String? {
        let field = asked.field
        if !field.options.isEmpty { return option(asked) }
        let purpose = purposes.of(field)
        let asksForNew = asked.id.contains("new") && (purpose == .email || purpose == .phone)
        let wantsOther = asksForNew || (asked.attempt > 0 && (purpose == .phone || opensAccount))
        // The record has an address or a user name for a field that is called after a sign-in name.
        let wantsNumber = purpose == .phone && asked.usual?.contains(where: \.isLetter) == true
        let present = asked.usual ?? asked.prefilled
        if asked.attempt == 0 {
            if let present, keeps(present, field, asked.now), !asksForNew, !wantsNumber { return nil }
            if present == nil, !field.isRequired { return nil }
        }
        let candidates = candidates(asked, wantsOther: wantsOther)
        guard let first = candidates.first else { return nil }
        guard asked.attempt > 0, !wantsOther else { return first }
        // What the policy compares a claim with is the likeliest to be taken where another text was not.
        let literals = literals(of: field).filter { keeps($0, field, asked.now) && $0 != present }
        if asked.attempt <= literals.count { return literals[asked.attempt - 1] }
        return present == nil ? first : nil
    }

    private func literals(of field: PageField) -> [String] { type(of: field).map { classes.values(of: $0) } ?? [] }

    private func type(of field: PageField) -> ClaimType? { policy.claimType(field.id).map { policy[$0] } }

    private func option(_ asked: Question) -> String? {
        let values = asked.field.options.map(\.value).filter { !$0.isEmpty }
        let agreeing = values.filter { !Self.refusals.contains($0.lowercased()) }
        let present = asked.usual ?? asked.prefilled
        let isMultiple = asked.field.inputType == .checkboxMultiSelect
        if asked.attempt == 0 {
            if let present, keeps(present, asked.field, asked.now) { return nil }
            return asked.field.isRequired ? agreeing.first ?? values.first : nil
        }
        var others = agreeing + values.filter { !agreeing.contains($0) }
        others.removeAll { $0 == present }
        if isMultiple { others.insert(values.joined(separator: ","), at: 0) }
        return others.isEmpty ? nil : others[(asked.attempt - 1) % others.count]
    }

    /// Values of choices that say no.
    private static let refusals: Set<String> = [
        "false", "no", "n", "0", "none", "reject", "decline", "deny", "disagree", "donotaccept", "cancel",
    ]

    private func candidates(_ asked: Question, wantsOther: Bool) -> [String] {
        var all: [String] = []
        let named = named(asked)
        all += wantsOther ? named.map { Self.other($0, max(1, asked.attempt)) } : named
        if let usual = asked.usual, !wantsOther { all.append(usual) }
        if let type = type(of: asked.field) {
            all += classes.values(of: type)
            switch type.dataType {
            case .boolean: all.append("true")
            case .int, .long: all += ["7", "18", "1990"]
            case .date, .dateTime: all += Self.days(asked.field, asked.now)
            default: break
            }
        }
        if asked.field.inputType == .dateTimeDropdown { all += Self.days(asked.field, asked.now) }
        all += [
            "text", "Text", "Ada Lovelace", "7", "1234", "123456", "2079460000", "12345678", "A1", "GB", "SW1A 1AA",
        ]
        all += ["https://example.test", "1990-05-17", "17/05/1990", "true"]
        all += Self.built(asked.field)
        var seen: Set<String> = []
        return all.filter { !$0.isEmpty && seen.insert($0).inserted && keeps($0, asked.field, asked.now) }
    }

    /// What the record has for a field.
    private func named(_ asked: Question) -> [String] {
        let record = asked.record
        let purpose = purposes.of(asked.field)
        switch purpose {
        case .email: return [record.email ?? Self.standardAddress]
        case .phone:
            return purposes.forms(of: record.phone ?? Self.standardPhone, for: policy.claimType(asked.field.id))
        case .username, .signInName: return [record.username, record.email, record.name].compactMap(\.self)
        default: break
        }
        for (key, value) in record.attributes.members {
            let isMeant = purpose?.rawValue == key || asked.id.contains(key.lowercased())
            if isMeant, let text = value.stringValue { return [text] }
        }
        return []
    }

    private static let standardPhone = "+442079460009"
    private static let standardAddress = "person@example.test"

    /// Another address or number of the same form.
    private static func other(_ text: String, _ number: Int) -> String {
        if let at = text.firstIndex(of: "@") { return text[..<at] + "\(number + 1)" + text[at...] }
        guard let last = text.last, let digit = last.wholeNumberValue else { return text + "\(number + 1)" }
        return text.dropLast() + "\((digit + number) % 10)"
    }

    /// A date of birth, then the ends of the range that the page allows.
    private static func days(_ field: PageField, _ now: Timestamp) -> [String] {
        let today = String(now.rfc3339.prefix(10))
        let predicates = field.inputValidation?.groups.flatMap(\.predicates) ?? []
        let bounds = predicates.filter { $0.method == .isDateRange }.flatMap { predicate in
            ["Minimum", "Maximum"].compactMap { predicate.value(of: $0) }
        }
        return ["1990-05-17"] + bounds.map { sameID($0, "today") ? today : $0 } + [today]
    }

    // MARK: Passwords

    /// A new password, the same in every field that asks for it.
    private func newPasswords(
        for fields: [PageField], usual: [String: String], record: UserRecord, attempt: Int, at now: Timestamp
    ) -> [String: String] {
        let all = fields.filter { $0.inputType == .password && !$0.isReadOnly }
        let new = all.filter { !Self.isOldPassword($0, fields) }
        guard let first = new.first else { return [:] }
        var values: [String: String] = [:]
        let replaces = new.count < all.count || attempt > 0
        var candidates = [usual[first.id], record.newPassword, record.password].compactMap(\.self)
        candidates += Self.passwords + new.flatMap(Self.built)
        var seen: Set<String> = []
        candidates = candidates.filter {
            !$0.isEmpty && seen.insert($0).inserted && !(replaces && $0 == record.password)
        }
        let common = candidates.filter { text in new.allSatisfy { keeps(text, $0, now) } }
        for field in new {
            let own = common.isEmpty ? candidates.filter { keeps($0, field, now) } : common
            guard !own.isEmpty else { continue }
            let value = own[min(max(0, attempt - 1), own.count - 1)]
            if value != usual[field.id] { values[field.id] = value }
        }
        return values
    }

    private static let passwords = [
        "Password-1844", "Password-1845", "Passw0rd!", "Pa55-word", "1844", "184400", "18440000", "password",
    ]

    /// Whether a field asks for the password that the account has so far.
    private static func isOldPassword(_ field: PageField, _ fields: [PageField]) -> Bool {
        let id = field.id.lowercased()
        if ["old", "current", "existing"].contains(where: { id.hasPrefix($0) }) { return true }
        // A field with this plain name does too, unless it is the one that another repeats.
        guard id == "password", field.pattern == nil, field.inputValidation == nil else { return false }
        let others = fields.map { $0.id.lowercased() }.filter { $0 != id }
        return others.contains { $0.hasPrefix("new") }
            || !others.contains { $0.hasPrefix("reenter") || $0.hasPrefix("confirm") }
    }

    // MARK: Rules

    /// Texts made from the rules of a field: what its expressions describe, and characters of each set it wants.
    static func built(_ field: PageField) -> [String] {
        var texts = field.pattern.map { TextPattern.examples(of: $0) } ?? []
        let predicates = field.inputValidation?.groups.flatMap(\.predicates) ?? []
        var least = 0
        var most = 64
        var wanted = ""
        for predicate in predicates {
            switch predicate.method {
            case .isLengthRange:
                least = max(least, min(256, predicate.value(of: "Minimum").flatMap { Int($0) } ?? 0))
                most = min(most, max(1, predicate.value(of: "Maximum").flatMap { Int($0) } ?? most))
            case .matchesRegex:
                if let expression = predicate.value(of: "RegularExpression") {
                    texts += TextPattern.examples(of: expression)
                }
            case .includesCharacters:
                if let set = predicate.value(of: "CharacterSet"), let one = character(of: set) { wanted.append(one) }
            case .isDateRange: continue
            }
        }
        for length in [max(least, min(8, most)), least, most] {
            for filling in ["aB3", "3", "a", "B"] {
                var text = wanted
                while text.count < length { text += filling }
                texts.append(String(text.prefix(max(length, 1))))
            }
        }
        return texts
    }

    /// A character of a set, which is the inside of a character class.
    private static func character(of set: String) -> Character? {
        TextPattern.examples(of: "^[\(set)]$").first?.first ?? set.first
    }

    /// Whether a page takes a value, as far as its rules say.
    func keeps(_ text: String, _ field: PageField, _ now: Timestamp) -> Bool {
        if !field.options.isEmpty {
            let chosen =
                field.inputType == .checkboxMultiSelect ? text.split(separator: ",").map(String.init) : [text]
            return chosen.allSatisfy { value in field.options.contains { $0.value == value } }
        }
        if let type = type(of: field)?.dataType, ClaimValue(text, as: type) == nil { return false }
        if field.inputType == .emailBox, !text.contains("@") { return false }
        if let pattern = field.pattern, let rule = try? TextPattern(pattern), !rule.matches(text) { return false }
        return field.inputValidation?.groups.allSatisfy { group in
            let held = group.predicates.filter { $0.holds(text, now) }.count
            return (held >= group.matchAtLeast) != group.rejects
        } ?? true
    }
}

extension PagePredicate {
    /// A parameter by its name in any letter case, without spaces around it.
    fileprivate func value(of name: String) -> String? {
        parameters.first { sameID($0.name, name) }.map { parameter in
            let start = parameter.value.drop { $0.isWhitespace }
            return String(start.reversed().drop { $0.isWhitespace }.reversed())
        }
    }

    /// Whether the rule holds for a text. One that cannot be read does: the page is asked then.
    fileprivate func holds(_ text: String, _ now: Timestamp) -> Bool {
        switch method {
        case .isLengthRange:
            let least = value(of: "Minimum").flatMap { Int($0) } ?? 0
            let most = value(of: "Maximum").flatMap { Int($0) } ?? Int.max
            return text.utf16.count >= least && text.utf16.count <= most
        case .matchesRegex:
            guard let expression = value(of: "RegularExpression"), let rule = try? TextPattern(expression) else {
                return true
            }
            return rule.matches(text)
        case .includesCharacters:
            guard let set = parameters.first(where: { sameID($0.name, "CharacterSet") })?.value else { return true }
            if let rule = try? TextPattern("[\(set)]") { return rule.matches(text) }
            return text.contains { set.contains($0) }
        case .isDateRange:
            let today = String(now.rfc3339.prefix(10))
            func bound(_ name: String) -> String? { value(of: name).map { sameID($0, "today") ? today : $0 } }
            let day = String(text.prefix(10))
            return (bound("Minimum").map { day >= $0 } ?? true) && (bound("Maximum").map { day <= $0 } ?? true)
        }
    }
}
