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
