import Diagnostics
import JSON

/// Checks the matchers of REST stubs as those of fault rules are checked: both look at the record of a request.
public enum RestMatchChecks {
    /// What is wrong with the matchers in `rest` of a tenant.
    ///
    /// - Parameters:
    ///   - tenant: a tenant, or a patch over one.
    ///   - document: the file that contains it.
    ///   - pointer: its place there.
    public static func findings(
        _ tenant: JSONValue, in document: JSONDocument, at pointer: JSONPointer
    ) -> [Diagnostic] {
        let findings = Findings(document: document)
        check(tenant, at: pointer, findings)
        return findings.all
    }

    package static func check(
        _ tenant: JSONValue, at pointer: JSONPointer, _ findings: Findings, names: (any NameTable)? = nil
    ) {
        for (name, stub) in tenant["rest"]?.objectValue?.members ?? [] {
            guard let match = stub["match"], !match.isNull else { continue }
            let place = JSONPointer(tokens: pointer.tokens + ["rest", name, "match"])
            // The tenant's own check has the same value as any JSON.
            let checker = ShapeChecker(
                document: findings.document, named: ExchangeShapes.named, allowTemplates: true, rulePrefix: "B2C-SCN")
            let wrong = checker.check(match, at: place, as: .ref("request"))
            findings.add(wrong)
            guard wrong.isEmpty else { continue }
            Patterns.check(match, at: place, findings)
            MatcherChecks(findings, names: names).check(match, as: "request", at: place)
        }
    }
}
