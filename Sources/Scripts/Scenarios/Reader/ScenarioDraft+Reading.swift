import Diagnostics
import JSON
import Verbs

extension ScenarioDraft {
    /// The scenario, checked as the reader of files checks it.
    ///
    /// - Parameters:
    ///   - file: The name in findings, and for the draws of random values. Paths start from its folder.
    ///   - acceptsAnything: Expectations that cannot fail are taken.
    /// - Throws: ``InvalidInput`` with everything that is wrong, at its place in the text of ``json``.
    public func scenario(
        file: String, tenants: TenantLibrary, acceptsAnything: Bool = false
    ) throws(InvalidInput) -> Scenario {
        try ScenarioReader.read(
            JSONDocument(file: file, value: .object(json)), tenants: tenants, acceptsAnything: acceptsAnything)
    }
}
