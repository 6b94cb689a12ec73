import Determinism
import Exchanges
import JSON
import TenantFiles

/// Who was at the browser, with everything that is theirs replaced: e-mail addresses, names, numbers, passwords, object
/// ids. Equal values have equal stand-ins, so it stays visible that two requests were about the same person.
struct People {
    /// Somebody of the capture.
    struct CapturedPerson {
        /// What the tenant file says of them, without what their number gives them.
        var record = UserRecord()
        var hasEmail = false
        var hasUsername = false
        var hasPhone = false
        /// Conditional access let nobody in.
        var isRisky = false
        var usesAuthenticator = false
        /// The app that shows codes was set up in the capture.
        var setsUpAuthenticator = false
        /// They made their account in the capture.
        var hasSignedUp = false
        /// Something of theirs was posted already.
        var hasActed = false
        /// The password that was accepted first, as captured; it never leaves this type.
        var password: String?
        /// The one that was set later.
        var newPassword: String?
        var setsNewPassword = false
        /// Where the script is by now, they have set it.
        var hasNewPassword = false
        /// They typed a password that the capture does not show.
        var usesPassword = false
        /// Name in the tenant file.
        var name: String { record.name }
        /// The password where the script is by now, as captured.
        var currentPassword: String? { hasNewPassword ? newPassword : password }

        /// Whether they have an account at a provider.
        func uses(_ provider: String) -> Bool { record.providers.contains { $0.provider == provider } }
    }

    private(set) var all: [CapturedPerson] = []
    private var names: [String: Int] = [:]
    private var emails: [String: String] = [:]
    /// How often each stand-in stands for an address.
    private var standIns: [String: Int] = [:]
    /// The first person with an object id.
    private var owners: [String: Int] = [:]
    /// People with an object id, and the first without.
    private var told: Set<Int> = []
    private var firstUntold = 0
    /// Values by attribute, numbered in the order in which they came.
    private var attributeValues: [String: [JSONValue: Int]] = [:]
    private var wrongPasswords = StandInRegister()
    private var guids = StandInRegister(foldsCase: true)
    private var keptGUIDs: Set<String> = []
    /// The words of all values in lower case.
    private var words: Set<String> = []
    /// Some value has none.
    private var hasWordless = false
    /// Values that stay as they are, in lower case.
    var constants: Set<String> = []
    /// Whether what consists of digits is replaced by digits: the pages of policies check their fields.
    var keepsNumbers = false

    subscript(index: Int) -> CapturedPerson {
        get { all[index] }
        set {
            for place in [\CapturedPerson.password, \CapturedPerson.newPassword]
            where all[index][keyPath: place] != newValue[keyPath: place] {
                if let password = newValue[keyPath: place] { know(password) }
            }
            all[index] = newValue
        }
    }

    // MARK: Who

    /// The person with a sign-in name: an e-mail address, a telephone number or a user name.
    mutating func person(signInName: String) -> Int {
        let key = Self.trimmed(signInName).lowercased()
        if let known = names[key] { return known }
        let index = make()
        names[key] = index
        know(key)
        if key.contains("@") {
            setStandIn("\(all[index].name)@example.com", for: key)
            all[index].hasEmail = true
        } else if key.first == "+" || (key.count >= 7 && key.allSatisfy { $0.isNumber || $0 == " " || $0 == "-" }) {
            all[index].hasPhone = true
        } else {
            all[index].hasUsername = true
        }
        return index
    }

    /// The person that a token is about: by object id, else by address, else the one given, else somebody new.
    mutating func person(of claims: JSONObject?, orElse known: Int?) -> Int {
        let (id, address) = Self.identity(claims)
        if let id, known == nil, let index = owners[id] { return index }
        let index: Int
        if let known {
            index = known
        } else if let address, address.contains("@") {
            index = person(signInName: address)
        } else if claims == nil, !all.isEmpty {
            index = 0
        } else {
            index = make()
            setStandIn(email(of: index), for: email(of: index))
            all[index].hasEmail = true
        }
        note(tokenOf: index, claims)
        if let address { link(address, to: index) }
        return index
    }

    /// The person that a token is about whose request names nobody: by object id, else by address. A stranger is the first
    /// person that no token has named yet, else somebody new.
    mutating func person(ofToken claims: JSONObject?) -> Int {
        let (id, address) = Self.identity(claims)
        if let id, let index = owners[id] { return index }
        guard id != nil || address != nil else { return person(of: nil, orElse: nil) }
        if let address, let index = names[Self.trimmed(address).lowercased()] {
            return person(of: claims, orElse: index)
        }
        while told.contains(firstUntold) { firstUntold += 1 }
        return person(of: claims, orElse: all.indices.contains(firstUntold) ? firstUntold : nil)
    }

    /// The object id and the address in the claims of a token.
    private static func identity(_ claims: JSONObject?) -> (id: String?, address: String?) {
        (
            claims?["oid"]?.stringValue ?? claims?["sub"]?.stringValue,
            claims?["emails"]?[0]?.stringValue ?? claims?["email"]?.stringValue
        )
    }

    /// Notes whose a token is, by its object id.
    mutating func note(tokenOf index: Int, _ claims: JSONObject?) {
        guard let id = Self.identity(claims).id else { return }
        owners[id] = min(owners[id] ?? index, index)
        told.insert(index)
    }

    /// Lets an address stand for somebody who is known already.
    mutating func link(_ address: String, to index: Int) {
        let key = Self.trimmed(address).lowercased()
        guard key.contains("@"), names[key] == nil else { return }
        names[key] = index
        know(key)
        let own = "\(all[index].name)@example.com"
        setStandIn(standIns[own] != nil ? "also.\(own)" : own, for: key)
        all[index].hasEmail = true
    }

    /// Whether an address is that of somebody who is known.
    func has(address: String, _ index: Int) -> Bool { names[Self.trimmed(address).lowercased()] == index }

    /// Lets a user name stand for somebody who is known already.
    mutating func link(userName: String, to index: Int) {
        let key = Self.trimmed(userName).lowercased()
        guard !key.isEmpty, names[key] == nil else { return }
        names[key] = index
        know(key)
        all[index].hasUsername = true
    }

    private mutating func setStandIn(_ text: String, for key: String) {
        know(key)
        if let old = emails.updateValue(text, forKey: key), let count = standIns[old] {
            standIns[old] = count > 1 ? count - 1 : nil
        }
        standIns[text, default: 0] += 1
    }

    private mutating func make() -> Int {
        all.append(CapturedPerson(record: UserRecord { $0.name = "person\(all.count + 1)" }))
        return all.count - 1
    }

    // MARK: Stand-ins

    func email(of index: Int) -> String { "\(all[index].name)@example.com" }
    func password(of index: Int) -> String { "Imported-Pass-\(index + 1)" }
    func newPassword(of index: Int) -> String { "Imported-New-Pass-\(index + 1)" }

    /// A stand-in for a password that was refused.
    mutating func wrongPassword(_ captured: String) -> String {
        wrongPasswords.standIn(for: captured) { "Wrong-Pass-\($0)" }
    }

    /// A stand-in for the value of an attribute. Switches are not personal and stay.
    mutating func attribute(_ name: String, _ value: JSONValue) -> JSONValue {
        switch value {
        case .bool, .null: return value
        case .string(let text) where text.isEmpty || constants.contains(text.lowercased()): return value
        default: break
        }
        let index = attributeValues[name]?[value] ?? attributeValues[name]?.count ?? 0
        attributeValues[name, default: [:]][value] = index
        if let text = value.stringValue { know(text) }
        switch value {
        case .integer, .number: return .integer(Int64(index + 1))
        case .string(let text) where text.contains("@"): return .string(scrubbed(text))
        case .string(let text): return .string(standIn(name, text, index))
        default: return .string("\(Self.label(name)) \(index + 1)")
        }
    }

    /// A value of the capture with what replaces it.
    struct StandIn {
        var value: String
        var text: String
        /// The attribute that has the value; `nil` for names to sign in with, identifiers and passwords.
        var claim: String?
        /// Whether it is the name of a person, or a part of one.
        var isName: Bool { ["displayName", "givenName", "surname"].contains(claim) }
    }

    private mutating func know(_ value: String) {
        let found = Self.words(value)
        words.formUnion(found)
        hasWordless = hasWordless || found.isEmpty && !value.isEmpty
    }

    private static func words(_ text: String) -> [String] {
        text.split { !$0.isLetter && !$0.isNumber }.map { $0.map { $0.lowercased() }.joined() }
    }

    /// Whether a text may have one of the values in it: all that have words need not be looked for in a text without them.
    func mayOccur(in text: String) -> Bool { hasWordless || Self.words(text).contains(where: words.contains) }

    /// All values that have stand-ins.
    var replacements: [StandIn] {
        var found: [StandIn] = []
        for (claim, values) in attributeValues.sorted(by: { $0.key < $1.key }) {
            for (value, index) in values.sorted(by: { $0.value < $1.value }) {
                guard let text = value.stringValue, !text.contains("@"), !Self.isMadeUp(text) else { continue }
                found.append(StandIn(value: text, text: standIn(claim, text, index), claim: claim))
            }
        }
        for (value, text) in emails.sorted(by: { $0.key < $1.key }) { found.append(StandIn(value: value, text: text)) }
        for (value, index) in names.sorted(by: { $0.key < $1.key }) where !value.contains("@") && !value.isEmpty {
            found.append(StandIn(value: value, text: all[index].hasPhone ? phone(of: index) : "user\(index + 1)"))
        }
        for (value, text) in guids.all { found.append(StandIn(value: value, text: text)) }
        for (index, person) in all.enumerated() {
            if let old = person.password { found.append(StandIn(value: old, text: password(of: index))) }
            if let new = person.newPassword { found.append(StandIn(value: new, text: newPassword(of: index))) }
        }
        return found
    }

    private func standIn(_ name: String, _ text: String, _ index: Int) -> String {
        guard keepsNumbers, text.allSatisfy({ $0.isASCII && $0.isNumber }) else {
            return "\(Self.label(name)) \(index + 1)"
        }
        let digits = String(index + 1)
        return digits.count < text.count
            ? "1" + String(repeating: "0", count: text.count - digits.count - 1) + digits : digits
    }

    private static func isMadeUp(_ text: String) -> Bool { CapturedTenant.unseen.stringValue == text }

    private func phone(of index: Int) -> String { "+1425555\(String(10_000 + index + 100).suffix(4))" }

    private static func label(_ name: String) -> String {
        if let known = UserFlowAttribute.named(name) { return known.name == "displayName" ? "Name" : known.label }
        return name.hasPrefix(UserFlowAttribute.customPrefix) ? String(name.dropFirst(10)) : name
    }

    /// Ids that are not replaced, such as those of apps and of the tenant.
    mutating func keep(guid: String) { keptGUIDs.insert(guid.lowercased()) }

    /// A text with addresses and GUIDs replaced, and without anything that looks like a token.
    mutating func scrubbed(_ text: String) -> String {
        var result = ""
        var word = ""
        func isWord(_ character: Character) -> Bool {
            character.isLetter || character.isNumber || "._%+-@".contains(character)
        }
        for character in text {
            if isWord(character) {
                word.append(character)
            } else {
                result += scrubbedWord(word)
                result.append(character)
                word = ""
            }
        }
        return result + scrubbedWord(word)
    }

    private mutating func scrubbedWord(_ word: String) -> String {
        if let at = word.firstIndex(of: "@"), at != word.startIndex, word[at...].contains(".") {
            let key = word.lowercased()
            if emails[key] == nil {
                if key.hasSuffix("@example.com"), key.hasPrefix("person") { return word }
                let text = names[key].map { email(of: $0) } ?? "someone\(emails.count + 1)@example.com"
                setStandIn(text, for: key)
            }
            return emails[key] ?? "someone@example.com"
        }
        if word.count == 36, GUID(word) != nil {
            let key = word.lowercased()
            if keptGUIDs.contains(key) { return word }
            if guids[key] == nil { know(key) }
            return guids.standIn(for: word) { GUID.derived(from: "imported id \($0)").description }
        }
        return word.count > 100 ? "REMOVED" : word
    }

    private static func trimmed(_ text: String) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    // MARK: The tenant file

    /// The entries of `users`.
    var records: [UserRecord] {
        all.enumerated().map { index, person in
            var record = person.record
            if person.hasEmail { record.email = email(of: index) }
            if person.hasUsername { record.username = "user\(index + 1)" }
            if person.hasPhone { record.phone = phone(of: index) }
            if record.providers.isEmpty || person.password != nil || person.usesPassword {
                record.password = password(of: index)
            }
            if person.setsNewPassword { record.newPassword = newPassword(of: index) }
            // Any secret will do: the app that shows the codes is the person's own.
            if person.usesAuthenticator, !person.setsUpAuthenticator {
                record.totpSecret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
            }
            if person.isRisky { record.attributes["risk"] = "high" }
            return record
        }
    }
}
