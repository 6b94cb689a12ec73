import Determinism
import Exchanges
import HTTPMessages
import JSON
import TenantFiles
import TrustFramework

/// What a script or the control interface asks of an authority outside the wire.
public enum ControlCommand: Sendable {
    /// The tenant has changed: its settings after the change, its policies read again, and the patch itself (RFC 7396),
    /// whose `users` are changes of the directory. What was issued stays as it is.
    case configure(tenant: Tenant, policies: [ResolvedPolicy], patch: JSONValue)
    /// Make a token that no journey issued.
    case mint(MintOrder)
    /// Show state.
    case inspect(InspectedState)
    /// Show state a page at a time: rows from a place on, at most so many.
    case page(InspectedState, from: Int, limit: Int)
    /// Show one row of the users by its name; null where there is none.
    case user(String)
    /// End a single sign-on session, or all of them. Answered with how many there were.
    case endSessions(GUID?)
    /// Forget the messages that went out.
    case clearInbox
    /// Delete an account, also one that no person of the tenant file has.
    case removeAccount(GUID)
    /// Give an account that somebody made by signing up to a person of the tenant file.
    case adopt(objectID: GUID, name: String)
    /// The accounts and messages as a document that `restore` takes back.
    case export
    /// The directory and inbox of a document in place of what is there; journeys, grants and sessions are forgotten.
    case restore(JSONValue)
    /// Carry out commands on a copy, up to the first that is refused: nothing changes. The answer is that of the last.
    case rehearse([ControlCommand])
    /// Everything as it was at the beginning, with this tenant.
    case startAnew(tenant: Tenant, policies: [ResolvedPolicy])
    /// Forget journeys, grants, sessions and messages; the directory and the settings stay.
    case reset
    /// Refuse the request of one exchange, or sign the tokens of its answer with other claims: what a fault rule asks.
    /// Said before the request comes; forgotten once it is answered.
    case obey(PeerOrders, exchange: String)
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
