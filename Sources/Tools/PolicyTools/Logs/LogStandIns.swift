import Exchanges
import HTTPMessages
import JSON
import JourneyLogs
import TrustFramework

/// Stand-ins for personal data of a log in files that run: they have the form of what they replace, so that pages and
/// patterns accept them. The same value has the same stand-in everywhere, letter case aside.
package struct LogStandIns {
    /// Whether values stay as they are.
    let isOff: Bool
    /// Texts that the policy itself contains, in lower case: they say nothing about a person, and it compares with them.
    private let constants: Set<String>
    private var known = StandInRegister(foldsCase: true)
    /// The same by the texts as they were written.
    private var spellings: [String: String] = [:]
    /// What else is about people in the sessions: a message may have a value that no file needs.
    private var others: [String]
    /// Replaces what has a stand-in in longer texts; `nil` when more of it is known.
    private var mask: TextMask?

    /// - Parameters:
    ///   - story: What the texts are about.
    ///   - values: Further texts that stay as they are.
    init(_ policy: ResolvedPolicy, of story: LoggedSession, keeping values: [String], isOff: Bool) {
        self.isOff = isOff
        constants = Self.constants(policy).union(values.map { $0.lowercased() })
        others = Self.personal(story)
    }

    /// - Parameters:
    ///   - policies: Those whose texts stay as they are; none if they are not at hand.
    ///   - stories: What the texts are about.
    init(_ policies: [ResolvedPolicy], of stories: [LoggedSession]) {
        isOff = false
        constants = policies.reduce(into: []) { $0.formUnion(Self.constants($1)) }
        others = []
        // Also what no text has: another one that is made of the same sessions has the same stand-ins.
        for value in stories.flatMap(Self.personal) { _ = replaced(value) }
    }

    private static func personal(_ story: LoggedSession) -> [String] {
        story.values.filter { !LogMask.isTechnical($0.claim) }.flatMap { claim, value in
            [value] + LogMask.words(of: claim, value)
        }
    }

    /// Whether the policies contain a text.
    func isConstant(_ text: String) -> Bool { constants.contains(text.lowercased()) }

    /// The texts that a policy contains, in lower case.
    static func constants(_ policy: ResolvedPolicy) -> Set<String> {
        let document = policy.document
        var texts: [String] = []
        for journey in document.userJourneys + document.subJourneys {
            for condition in journey.steps.flatMap(\.preconditions) {
                texts += condition.values.dropFirst() + [condition.literal].compactMap { $0 }
            }
        }
        for profile in document.technicalProfiles {
            for validation in profile.validationProfiles {
                for condition in validation.preconditions { texts += condition.values.dropFirst() }
            }
            for claim in profile.inputClaims + profile.outputClaims + profile.persistedClaims {
                texts += [claim.defaultValue].compactMap { $0 }
            }
            texts += profile.metadata.map(\.value)
        }
        for transformation in document.buildingBlocks.claimsTransformations {
            for parameter in transformation.inputParameters { texts += [parameter.id, parameter.value] }
        }
        for type in document.buildingBlocks.claimTypes { texts += type.restriction?.enumeration.map(\.value) ?? [] }
        return Set(texts.map { $0.lowercased() })
    }

    /// JSON with a stand-in for each text, except those of the named members.
    mutating func replaced(_ value: JSONValue, besides kept: Set<String> = []) -> JSONValue {
        value.mappingLeaves(besides: kept) { value, _ in
            switch value {
            case .string(let text): .string(replaced(text))
            // A number of few digits, such as a count, is about nobody.
            case .integer(let number) where !isOff && number.magnitude >= 10_000:
                .integer(Int64(replaced(String(number))) ?? 0)
            case .integer, .number, .array, .object, .bool, .null: value
            }
        }
    }

    /// The stand-in of a value.
    mutating func replaced(_ text: String) -> String {
        let key = text.lowercased()
        if isOff || text.isEmpty || ["true", "false", "***"].contains(key) || constants.contains(key) { return text }
        let constants = constants
        let standIn = known.standIn(for: text, isUnique: true) { Self.make(text, number: $0, keeping: constants) }
        if spellings.updateValue(standIn, forKey: text) == nil { mask = nil }
        return standIn
    }

    /// A longer text with stand-ins for the values in it.
    mutating func replaced(in text: String) -> String {
        guard !isOff else { return text }
        for value in others where value.count > 2 { _ = replaced(value) }
        others = []
        let all = mask ?? TextMask(spellings.sorted { $0.key < $1.key }.flatMap(Self.patterns))
        mask = all
        return all.masked(text)
    }

    /// The forms in which a value can be in a message or in an address of a service.
    private static func patterns(_ value: String, _ standIn: String) -> [TextMask.Spelling] {
        guard value != standIn, value.count > 2 else { return [] }
        let isWhole = value.utf8.count < 4
        return [
            (value, standIn), (value.lowercased(), standIn.lowercased()), (value.uppercased(), standIn.uppercased()),
        ].flatMap { [$0, (PercentCoding.encodeComponent($0.0), PercentCoding.encodeComponent($0.1))] }.map {
            TextMask.Spelling($0, label: $1, isWhole: isWhole)
        }
    }

    private static func make(_ text: String, number: Int, keeping constants: Set<String>) -> String {
        if let parts = ContactText.address(text) {
            let domain = constants.contains(parts.domain.lowercased()) ? String(parts.domain) : "example.com"
            return "person\(number)@\(domain)"
        }
        if text.wholeMatch(of: /[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/) != nil {
            let digits = String(number)
            return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
        }
        // What depends on an age still does.
        if let date = text.prefixMatch(of: /([0-9]{4})-[0-9]{2}-[0-9]{2}/) {
            return "\(date.1)-01-01" + text[date.range.upperBound...]
        }
        var (letters, digits) = (number, number)
        var result = ""
        for (place, character) in text.enumerated() {
            if character.isLetter {
                let letter = Character(UnicodeScalar(UInt8(0x61 + (letters + place) % 26)))
                result += character.isUppercase ? letter.uppercased() : String(letter)
                letters = letters / 26 + number
            } else if character.isNumber {
                // The code of a country and a leading zero stay.
                if place < 3, text.hasPrefix("+") || character == "0" {
                    result.append(character)
                } else {
                    result += String((digits + place) % 10)
                    digits = digits / 10 + number
                }
            } else {
                result.append(character)
            }
        }
        return result
    }
}
