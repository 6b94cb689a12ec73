import JSON

/// Which steps need to know the app that acts.
enum ClientNeed {
    static func exists(in step: Step) -> Bool {
        switch step.verb {
        case .resume: false
        case .http: step.parameters["endpoint"] != nil || step.parameters["cookies"] == .bool(true)
        case .inspect:
            ["cache", "cookies", "storage"].contains(
                step.parameters.stringValue ?? step.parameters["what"]?.stringValue ?? "")
        case .restart:
            ["app", "browser", "device"].contains(
                step.parameters.stringValue ?? step.parameters["what"]?.stringValue ?? "")
        case .importCache, .open: true
        case .configure: step.parameters["device"] != nil || step.parameters["browser"] != nil
        default: step.verb.isAppVerb
        }
    }
}
