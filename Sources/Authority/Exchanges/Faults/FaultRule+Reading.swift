import Diagnostics
import JSON

/// Rules in another document than a script: the body of a control call.
extension FaultRule {
    /// The shape of a list of rules. It refers to others by their names in ``ExchangeShapes``.
    public static var listShape: Shape { FaultShapes.list }

    /// Whether it is for the handing over of callbacks, which happens on the app's side of the wire.
    public var isForCallbacks: Bool { to != nil || Self.isForCallbacks(match) }

    /// Reads the rules at a place of a document, in which nothing is left to be filled in.
    ///
    /// - Throws: Everything that is wrong with them.
    public static func rules(
        in document: JSONDocument, at pointer: JSONPointer
    ) throws(InvalidInput) -> [FaultRule] {
        var value: JSONValue? = document.root
        for token in pointer.tokens { value = value?[token] }
        let list = value ?? .array([])
        let findings = Findings(document: document)
        let checker = ShapeChecker(
            document: document, named: ExchangeShapes.named, allowTemplates: false, rulePrefix: "B2C-SCN")
        findings.add(checker.check(list, at: pointer, as: listShape))
        findings.nextCheck()
        FaultChecks(findings).check(list, at: pointer)
        guard !findings.all.hasErrors else { throw InvalidInput(diagnostics: findings.all.inSourceOrder) }
        do throws(MalformedValue) {
            return try rules(from: list, at: pointer)
        } catch {
            let place = JSONPointer(tokens: pointer.tokens + error.pointer.tokens)
            throw InvalidInput(
                diagnostics: [
                    document.finding(
                        rule: ScenarioRule.faultWithoutEffect.rawValue, error.message, at: place)
                ])
        }
    }
}
