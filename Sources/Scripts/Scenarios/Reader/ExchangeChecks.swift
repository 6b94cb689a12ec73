import Exchanges
import JSON
import Verbs

extension KnownNames: NameTable {}

extension FaultChecks {
    /// Checks every list of a script.
    static func run(_ context: ReadContext) {
        let checks = FaultChecks(context.findings, names: context.names)
        for list in context.walk.all(.faults) { checks.check(list.value, at: list.pointer) }
    }
}

extension RestMatchChecks {
    /// Checks every patch of a script.
    static func run(_ context: ReadContext) {
        for patch in context.walk.all(.configure) {
            check(patch.value, at: patch.pointer, context.findings, names: context.names)
        }
    }
}
