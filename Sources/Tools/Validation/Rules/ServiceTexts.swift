import JSON

/// What the service says when an upload is refused, as people published it in issues on GitHub, to be found again in a
/// text that somebody pasted.
///
/// A template is the service's wording with holes: `«...»` stands for an id, a name or a number, `...` for words that
/// differ from message to message.
public struct ServiceText: Sendable, Hashable {
    /// The wording with holes.
    public var template: String
    /// The rules that it is about.
    public var rules: [String]

    private init(template: String, rules: [String]) {
        self.template = template
        self.rules = rules
    }

    /// A text of the rules for policies with these numbers.
    private init(template: String, policy numbers: Int...) {
        self.init(
            template: template,
            rules: numbers.map { "B2C-POL-" + String(repeating: "0", count: 3 - String($0).count) + String($0) })
    }

    /// Every known text: those of the rules, then those that belong to several rules or say little.
    public static let all: [ServiceText] = {
        let own = Rules.all.flatMap { rule in rule.serviceTexts.map { ServiceText(template: $0, rules: [rule.id]) } }
        return own + others
    }()

    private static let others: [ServiceText] = [
        ServiceText(template: "file contains invalid XML", policy: 1),
        ServiceText(template: "The policy being uploaded is not XML or is not correctly formatted", policy: 1),
        ServiceText(template: "Schema validation error found at line «L» col «C»", policy: 2),
        ServiceText(
            template: "The element '«E»' in namespace '«N»' has invalid child element '«F»'", policy: 2),
        ServiceText(template: "The element '«E»' in namespace '«N»' cannot contain text", policy: 2),
        ServiceText(template: "has incomplete content. List of possible elements expected", policy: 2),
        ServiceText(template: "The Enumeration constraint failed", policy: 4),
        ServiceText(template: "The Pattern constraint failed", policy: 3),
        ServiceText(
            template: "Policy with 'policyId': «P» cannot be found in the directory", policy: 6),
        ServiceText(
            template: "Policy '«P»' ... is not allowed to inherit from the specified base policy",
            policy: 6),
        ServiceText(
            template: "TenantId in the policy xml '«a»' is not same as the one in login tenant", policy: 7),
        ServiceText(
            template: "already has a policy with id \"«P»\". Another policy with the same id cannot be stored",
            policy: 11),
        ServiceText(
            template: "There is a duplicate key sequence '«K»'", policy: 14, 15, 16),
        ServiceText(template: "makes a reference to ClaimType with id \"«c»\"", policy: 20),
        ServiceText(template: "makes a reference to TechnicalProfile with id \"«c»\"", policy: 21),
        ServiceText(template: "makes a reference to ClaimsTransformation with id \"«c»\"", policy: 22),
        ServiceText(
            template: "makes a reference to «E» with id \"«c»\" but neither the policy nor any of its base policies",
            policy: 23, 24, 25),
        ServiceText(
            template: "does not have CryptographicKey referenced by storageReferenceId \"«k»\"",
            policy: 26),
        ServiceText(
            template: "was expected to have step with order \"«N»\" but it was not found", policy: 30),
        ServiceText(
            template: "is followed by a claims provider selection step and must be a claims exchange",
            policy: 31),
        ServiceText(
            template: "with «M» claims exchanges. It must be preceded by a claims provider selection",
            policy: 32),
        ServiceText(
            template:
                "Claim type \"«c»\" is the input claim of technical profile \"«T»\" ... but it is not an output claim in any of the previous steps",
            policy: 38),
        ServiceText(
            template: "The InputClaims mismatched in ClaimsTransformation with id \"«id»\"",
            policy: 44, 45),
        ServiceText(
            template: "The OutputClaims mismatched in ClaimsTransformation with id \"«id»\"",
            policy: 44, 45),
        ServiceText(
            template: "The InputParameters mismatched in ClaimsTransformation with id \"«id»\"",
            policy: 44, 45),
        ServiceText(
            template: "were declared in the Policy but were not expected by the TransformMethod",
            policy: 44, 45),
        ServiceText(template: "Input string was not in a correct format", policy: 46, 47),
        ServiceText(
            template:
                "Output claim type \"«c»\" specified in the technical profile with id \"«T»\" ... does not specify a UserInputType or a DefaultValue",
            policy: 55),
        ServiceText(
            template: "Output Claim '«a»' is not supported in Azure Active Directory Provider technical profile",
            policy: 58),
        ServiceText(template: "Persisted Claim '«x»' is not supported in", policy: 58),
        ServiceText(
            template: "A required Metadata item with key \"ApplicationObjectId\" was not found",
            policy: 59),
        ServiceText(
            template: "DisableStrongPassword is required in Technical Profile '«T»'", policy: 60),
        ServiceText(
            template: "defines an invalid value \"«v»\" for the metadata item \"client_id", policy: 61),
        ServiceText(
            template: "Profile '«T»' uses an insecure authentication mode", policy: 64, 79),
        ServiceText(
            template:
                "Claim type \"«c»\" is the output claim of the relying party's technical profile, but it is not an output claim in any of the steps",
            policy: 70),
        ServiceText(
            template: "The element specified by id '«urn»' cannot be found in the element factory cache",
            policy: 73),
        ServiceText(template: "Object reference not set to an instance of an object", policy: 2),
    ]

    /// The texts that are in `text`, whatever ids, names and line breaks are in it. Of two that are about the same rules
    /// the longer one is kept.
    public static func found(in text: String) -> [ServiceText] {
        let words = folded(text)
        var found: [ServiceText] = []
        for candidate in all where candidate.matches(words) {
            let known = found.firstIndex { Set(candidate.rules).isSubset(of: $0.rules) || $0.rules == candidate.rules }
            guard let known else {
                found.append(candidate)
                continue
            }
            if found[known].rules == candidate.rules, candidate.template.utf8.count > found[known].template.utf8.count {
                found[known] = candidate
            }
        }
        // A schema error names the element too, and a reference to a claim type is also one to "some element".
        let kinds = ["B2C-POL-020", "B2C-POL-021", "B2C-POL-022"]
        if found.contains(where: { $0.rules.contains(where: kinds.contains) }) {
            found.removeAll { $0.rules.contains("B2C-POL-023") }
        }
        return found
    }

    /// Whether every fixed piece is in the text, one after another and not too far apart.
    private func matches(_ text: [UInt8]) -> Bool {
        let pieces = pieces
        guard let first = pieces.first else { return false }
        var start = 0
        while let at = ByteSearch.first(first.text, in: text, from: start) {
            var end = at + first.text.count
            var holds = true
            for piece in pieces.dropFirst() {
                // No farther: a piece that is never in the text would be looked for to its end behind each place.
                let last = min(end + piece.reach + piece.text.count, text.count)
                guard let next = ByteSearch.first(piece.text, in: text, from: end, upTo: last) else {
                    holds = false
                    break
                }
                end = next + piece.text.count
            }
            if holds { return true }
            start = at + 1
        }
        return false
    }

    /// The fixed pieces of the template, each with how many bytes may be before it: an id is short, `...` may be a
    /// sentence.
    private var pieces: [(text: [UInt8], reach: Int)] {
        var pieces: [(text: [UInt8], reach: Int)] = []
        var current = ""
        var reach = 0
        func close(_ next: Int) {
            let text = Self.folded(current)
            if !text.isEmpty { pieces.append((text, reach)) }
            current = ""
            reach = next
        }
        var rest = template[...]
        while let character = rest.first {
            if character == "«" {
                close(400)
                rest = rest.drop { $0 != "»" }.dropFirst()
            } else if rest.hasPrefix("...") {
                close(2000)
                rest = rest.dropFirst(3)
            } else {
                current.append(character)
                rest = rest.dropFirst()
            }
        }
        close(0)
        return pieces
    }

    /// Lower case; every run of white space and quotation marks is one blank, since consoles, mails and JSON each write
    /// them their own way.
    private static func folded(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            switch scalar {
            case " ", "\t", "\n", "\r", "\u{A0}", "\"", "'", "`", "\\", "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}":
                if bytes.last != 0x20 { bytes.append(0x20) }
            case "A"..."Z": bytes.append(UInt8(scalar.value) + 32)
            default: bytes.append(contentsOf: Array(String(scalar).utf8))
            }
        }
        var slice = bytes[...]
        while slice.first == 0x20 { slice = slice.dropFirst() }
        while slice.last == 0x20 { slice = slice.dropLast() }
        return Array(slice)
    }
}
