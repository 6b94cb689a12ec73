import B2CProtocol
import Determinism
import JSON
import TrustFramework

/// What a script or the control interface asks of an authority outside the wire.
public enum ControlCommand: Sendable {
    /// The tenant has changed: its settings after the change, its policies read anew, and the patch itself (RFC 7396),
    /// whose `users` are changes of the directory. What was issued stays as it is.
    case configure(tenant: Tenant, policies: [ResolvedPolicy], patch: JSONValue)
    /// Make a token that no journey issued.
    case mint(MintOrder)
    /// Show state.
    case inspect(InspectedState)
    /// Forget journeys, grants, sessions and messages; the directory and the settings stay.
    case reset
    /// Refuse matching requests with an AADB2C code.
    case refuse(rule: JSONValue)
    /// Sign matching tokens with other claims.
    case claims(rule: JSONValue)
}

/// What `inspect` may show.
public enum InspectedState: String, Sendable, CaseIterable {
    case users, inbox, keys, sessions
}

/// The answer to a control command.
public enum ControlAnswer: Sendable, Hashable {
    case done
    case value(JSONValue)
    /// The command cannot be carried out, and why.
    case refused(String)
}
