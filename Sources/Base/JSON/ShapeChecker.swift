import Diagnostics

/// Holds values against shapes and says everything that does not fit.
///
/// Rule ids are the prefix with a number: 001 wrong type, 002 unknown key, 003 missing key, 004 not one of the choices,
/// 005 not exactly one verb, 006 keys that exclude each other, 007 not built yet, 008 wrong format, 009 out of range,
/// 010 too much to check or a fault of the table itself. Numbers from 020 on are free for the module that owns the file.
public struct ShapeChecker: Sendable {
    let document: JSONDocument
    let named: [String: Shape]
    let allowTemplates: Bool
    let rulePrefix: String

    /// - Parameters:
    ///   - document: the file, for places.
    ///   - named: what `.ref` refers to.
    ///   - allowTemplates: a string that is one `{{...}}` may stand for any value but the whole file, and one that
    ///     holds a `{{...}}` for any text.
    ///   - rulePrefix: beginning of the rule ids, such as `B2C-SCN`.
    public init(document: JSONDocument, named: [String: Shape], allowTemplates: Bool, rulePrefix: String) {
        self.document = document
        self.named = named
        self.allowTemplates = allowTemplates
        self.rulePrefix = rulePrefix
    }

    /// All findings about a value of the document, in the order of the text; empty when it fits.
    public func check(_ value: JSONValue, at pointer: JSONPointer, as shape: Shape) -> [Diagnostic] {
        // Far more than a file needs; a hostile one could make alternatives multiply.
        var walk = ShapeWalk(
            named: named, allowTemplates: allowTemplates, path: pointer.tokens,
            stepLimit: 100_000 + 8 * document.source.bytes.count)
        walk.check(value, shape)
        if walk.isExhausted {
            walk.path = pointer.tokens
            walk.report(.table, "this is too entangled to be checked to its end", "Split it, or nest it less.")
        }
        return walk.findings.map { finding in
            document.finding(
                rule: "\(rulePrefix)-\(finding.rule.rawValue)", finding.message, remedy: finding.remedy,
                at: JSONPointer(tokens: finding.path), key: finding.isAboutKey)
        }.inSourceOrder
    }
}

/// What a check finds, before its place is looked up: most findings of alternatives are thrown away.
struct ShapeFinding {
    enum ShapeRule: String {
        case type = "001"
        case unknownKey = "002"
        case missingKey = "003"
        case choice = "004"
        case exactlyOne = "005"
        case exclusion = "006"
        case notBuiltYet = "007"
        case format = "008"
        case range = "009"
        case table = "010"
    }

    var rule: ShapeRule
    var path: [String]
    var isAboutKey = false
    var message: String
    var remedy: String?
}
