/// What a target must be able to do for a scenario.
public enum Capability: String, CaseIterable, Sendable {
    case clock, settings, directory, protocolFaults, inbox, trace, mint, virtualTime, browserRequests

    /// What it means, one sentence.
    public var doc: String {
        switch self {
        case .clock: "True time can be moved on."
        case .settings: "Settings of the authority, its providers or the APIs can be changed."
        case .directory: "People in the directory can be created, changed, deleted and looked at."
        case .protocolFaults: "The authority's own answers, and its calls to others, can be interfered with."
        case .inbox: "Codes sent to a person can be read."
        case .trace: "It reports what a journey did, and why."
        case .mint: "Tokens can be signed with the tenant's keys."
        case .virtualTime: "Waiting takes no real time."
        case .browserRequests: "What the browser sends and receives can be seen and changed."
        }
    }
}

/// A capability that a scenario needs, and the place that needs it.
public struct CapabilityNeed: Hashable, Sendable {
    /// What is needed.
    public var capability: Capability
    /// The step's or the key's place in the script.
    public var pointer: String
    /// The step in words: its name, id or number; or the key.
    public var place: String
    /// Why, as the end of "needs ... because it ...".
    public var reason: String
}
