import B2CProtocol
import Determinism
import JSON
import Journeys
import TrustFramework

/// What a person types into the fields of a page: the usual values, which keep the rules of the fields and agree with
/// one another, and others that the policy distinguishes.
struct FieldValues {
    let cast: TestActors
    let person: TestPerson
    let place: PathState
    let form: HostedForm
    /// The technical profiles that the page calls when it is posted.
    let called: [ProfileHandle]

    private var policy: ResolvedPolicy { cast.policy }
    private var now: Timestamp { place.now }

    func claim(_ field: PageField) -> ClaimTypeHandle? { policy.claimType(field.id) }

    // MARK: Proofs

    /// Who makes the code of a field; `nil` where it is for no code.
    func source(_ field: PageField) -> CodeFields.Source? {
        guard !field.isDisplayControl, let claim = claim(field) else { return nil }
        return cast.codes.source(of: claim, called: called)
    }

    /// Whether a field asks for the password that the account has.
    func asksForPassword(_ field: PageField) -> Bool {
        guard field.isPassword else { return false }
        if form.kind == .signIn || sameID(field.id, "oldPassword") { return true }
        guard let claim = claim(field) else { return false }
        return cast.codes.isPassword(claim, called: called) || cast.purpose.asksExistingPassword(claim)
    }

    // MARK: Usual values

    /// The usual values of fields, in their order. A password that is chosen is repeated as it is.
    func usual(_ fields: [PageField]) -> [String] {
        var values = fields.map { usual($0) }
        let new = fields.indices.filter { fields[$0].isPassword && !asksForPassword(fields[$0]) }
        if let first = new.first {
            let passwords = new.map { values[$0] } + [values[first]]
            let common = passwords.first { text in new.allSatisfy { cast.fieldRules.keeps(text, fields[$0], now) } }
            for index in new { values[index] = common ?? values[index] }
        }
        return values
    }

    /// Whether a name, address or number is the second person's, and somebody else is at the page.
    private func isAnothers(_ text: String) -> Bool {
        person.name != TestPeople.second.name && TestPeople.secondNames.contains(text.lowercased())
    }

    /// The usual value of a field.
    func usual(_ field: PageField) -> String {
        if let given = field.prefilled, !given.isEmpty, field.isReadOnly || !isAnothers(given) { return given }
        if let source = source(field) { return cast.codes.code(source, of: person, at: place) ?? "" }
        let type = claim(field).map { policy[$0] }
        if let option = field.options.first(where: { !$0.value.isEmpty }) {
            var wanted = type.map { cast.classes.values(of: $0) } ?? []
            // A number goes with its country.
            if cast.purposes.of(field) == .country, let country = person.text("country") { wanted.append(country) }
            return wanted.first { value in field.options.contains { $0.value == value } } ?? option.value
        }
        let usual = onRecord(field, type)
        let rules = cast.fieldRules
        guard !rules.keeps(usual, field, now) else { return usual }
        return Self.candidates(person).first { rules.keeps($0, field, now) }
            ?? rules.built(field).first { rules.keeps($0, field, now) } ?? usual
    }

    private static func candidates(_ person: TestPerson) -> [String] {
        [
            person.text("email"), person.text("username"), person.text("givenName"), person.text("phone"), "2079460000",
            "1234", "12345", "123456", "12345678", "123456789", "12345678901", "AB123456", "A1", "ABC", "abcdefgh",
            "GB",
            "SW1A 1AA", "1990-05-17", "17/05/1990", "true", "Password-1843", "https://example.test",
        ].compactMap(\.self)
    }

    /// What the person's record has for a field, else what the policy compares the claim with, else a value of its type.
    private func onRecord(_ field: PageField, _ type: ClaimType?) -> String {
        let id = field.id.lowercased()
        if field.isPassword || id.contains("password") {
            let isNew = id.contains("new") || id.contains("reenter") || id.contains("confirm")
            return isNew
                ? person.text("newPassword") ?? TestPeople.newPassword : person.text("password") ?? "Password-1843"
        }
        let known = type.map { cast.values.of($0.handle, for: person.name) } ?? []
        switch cast.purposes.of(field) {
        case .phone where known.isEmpty, .number where known.isEmpty: return person.text("phone") ?? "+442079460009"
        case .phone, .number, .subject, .birthDate, nil: break
        case let purpose?: return person.text(purpose.key) ?? ""
        }
        guard let type else { return "text" }
        if let literal = cast.classes.values(of: type).first ?? known.first { return literal }
        return [.int, .long].contains(type.dataType) ? "7" : type.dataType.example?.stringValue ?? "text"
    }
}

// MARK: Other values

extension FieldValues {
    /// Further values that the policy distinguishes.
    func others(_ field: PageField, than value: String) -> [String] {
        let claim = claim(field)
        var known = claim.map { cast.classes.values(of: policy[$0]) } ?? []
        if let claim {
            known += cast.values.of(claim, for: person.name)
            // What the journey has so far is compared as it is.
            for other in cast.values.partners[claim] ?? [] where !cast.values.secrets.contains(other) {
                if let text = place.journey.claims[other]?.text { known.append(text) }
            }
            if cast.values.partners[claim] != nil { known.append("other") }
        }
        var seen: Set<String> = []
        known = known.filter { seen.insert($0).inserted }
        let options = field.options.map(\.value).filter { !$0.isEmpty }
        let wanted = options.isEmpty ? known : options.count <= 4 ? options : known.filter { options.contains($0) }
        return wanted.filter { $0 != value }
    }

    /// Texts of the lengths at both sides of what a predicate allows.
    func lengths(_ field: PageField) -> [String] {
        let predicates = field.inputValidation?.groups.flatMap(\.predicates) ?? []
        var found: [Int] = []
        for predicate in predicates where predicate.method == .isLengthRange {
            for (name, beyond) in [("Minimum", -1), ("Maximum", 1)] {
                guard let parameter = predicate.parameters.first(where: { sameID($0.name, name) }),
                    let length = Int(parameter.value.filter { !$0.isWhitespace }), (1...1024).contains(length)
                else { continue }
                found += [length, length + beyond].filter { $0 > 0 && !found.contains($0) }
            }
        }
        return found.map { length in
            var text = "aB3!"
            while text.count < length { text += "aB3!" }
            return String(text.prefix(length))
        }
    }
}
