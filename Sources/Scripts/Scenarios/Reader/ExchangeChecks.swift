import Exchanges
import JSON
import Verbs

extension KnownNames: NameTable {}

extension FaultChecks {
    /// Checks every list of a script.
    static func run(_ context: ReadContext) {
        let checks = FaultChecks(context.findings, names: context.names)
        checks.check(context.root["faults"], at: JSONPointer(tokens: ["faults"]))
        for name in context.cases {
            checks.check(context.root["cases"]?[name]?["faults"], at: JSONPointer(tokens: ["cases", name, "faults"]))
        }
        for step in context.allSteps { checks.check(step.faults, at: step.pointer.appending("faults")) }
    }
}

extension RestMatchChecks {
    /// Checks every patch of a script.
    static func run(_ context: ReadContext) {
        var patches = [JSONPointer(tokens: ["configure"])]
        patches += context.cases.map { JSONPointer(tokens: ["cases", $0, "configure"]) }
        patches += context.allSteps.filter { $0.verb == .configure }.map {
            $0.pointer.appending(Verb.configure.rawValue)
        }
        for pointer in patches {
            guard let patch = context.root.value(at: pointer) else { continue }
            check(patch, at: pointer, context.findings, names: context.names)
        }
    }
}
