import Determinism
import HTTPMessages
import JSON
import Journeys
import TrustFramework

/// Something beside the plain way through a policy. A path has at most one, so that each is tried everywhere and they do
/// not multiply.
enum Detour: Hashable, Sendable {
    /// The person waits until codes have expired.
    case waited
    /// A further code was asked for.
    case sentAgain
    /// Wrong codes or passwords until no more are taken, or as often as is tried.
    case exhausted
    /// The button was pressed twice: the page is posted again before it is left.
    case twice
    /// The person stays signed in.
    case kept
    /// A value of a length at the end of what a predicate allows, or just beyond.
    case length
    /// An administrator acted while the person was at a page.
    case administered(Directory.AdministratorAct)
    /// A provider handed over an address that another account has.
    case handedOver
}

/// What is known of a path beside the journey itself. Part of a state: two paths that reach the same place are one only
/// where they agree in this too.
struct PathFacts: Hashable, Sendable {
    /// Profiles that prove a second factor and have run.
    var factors: Set<String> = []
    /// Profiles that check a second factor and were the first proof of who the person is.
    var firstProofs: Set<String> = []
    /// Addresses and numbers that a code has proved, that the directory knew, or that a provider gave.
    var proved: Set<String> = []
    /// Of these, the ones that a provider handed over though another account has them.
    var handedOver: Set<String> = []
    /// Fields and display controls, by id, whose value a code has proved.
    var verified: Set<String> = []
    /// Identity providers that the person signed in at.
    var providers: Set<String> = []
    /// What the person chose in place of signing in, such as to change a phone number.
    var branches: Set<String> = []
    /// What is out of the ordinary on this path.
    var detour: Detour?
    /// The person has shown who they are: by the password, a code sent to the address, or at a provider.
    var isProved = false
    /// The person has shown it twice: the second time another secret stands for a second factor.
    var isProvedAgain = false
    /// The person has entered the name, address or number of somebody else.
    var namesAnother = false
    /// Profiles that have run and that invariants name.
    var ran: Set<String> = []
    /// A service failed, answered with an error, or a provider refused.
    var isFaulted = false
    /// A field that may be empty was.
    var hasGap = false
    /// The sign-up link was pressed.
    var signsUp = false
    /// An account was written.
    var hasWritten = false
    /// Which of the page's own actions have been done; empty again on the next page.
    var done: Set<String> = []
    /// Where claims came from, and what ran.
    var witness = PathEvidence()

    /// Whether a page that refuses now has written before. Of a page that is posted twice the second post meets what the
    /// first one wrote.
    var isWrittenThoughRefused: Bool { witness.wroteSincePost && detour != .twice }
}

/// What the person waits for after a post.
enum AwaitedAnswer: Hashable, Sendable {
    case nothing
    /// The page itself: it is left when the answer is good.
    case leave(Leave)
    /// A code was asked for.
    case sent
    /// A code was handed in, which proves an address.
    case verified(String, field: String, secret: String, forged: Forgery?)
    /// A captcha was answered.
    case captcha

    /// What was handed in that its owner did not have; a web API that is sent it refuses.
    var forged: String? {
        switch self {
        case .verified(_, _, let secret, .some): secret
        case .leave(let leave) where leave.forged != nil: leave.secret
        default: nil
        }
    }

    /// What somebody who is not entitled to it hands in.
    enum Forgery: String, Hashable, Sendable {
        case code = "a wrong code"
        case expired = "an expired code"
        case former = "a code in whose place another was sent"
    }

    /// How a page is left.
    struct Leave: Hashable, Sendable {
        /// What is proved when the page is left.
        var proves: String?
        /// What was handed in that must not be accepted, in words, and the text itself.
        var forged: String?
        var secret = ""
        /// The box to stay signed in is ticked.
        var remembers = false
        /// The form, encoded, that is posted once more before the page is left.
        var again: String?
    }
}

/// Something that can happen at a stop.
struct Act: Sendable {
    var event: JourneyEvent
    /// For a path, in words: `fills in email, password`.
    var words: String
    var pending = AwaitedAnswer.nothing
    var change: @Sendable (inout PathFacts) -> Void = { _ in }
    /// The same as a script's act, where a script can do it.
    var script: [ScriptAct] = []
    /// What happens in place of the event.
    var special: Special?

    /// What happens outside the journey.
    enum Special: Sendable {
        /// Time passes.
        case wait(TimeSpan)
        /// An administrator changes the person's account.
        case administer(Directory.AdministratorAct)
        /// The event happens so often, or until the page takes no more.
        case repeated(Int)
    }

    /// Whether the journey gets the event.
    var isPost: Bool {
        switch special {
        case nil, .repeated: true
        case .wait, .administer: false
        }
    }
}

/// One state that people can reach.
struct PathState: Sendable {
    var journey: Journey
    var tenancy: Tenancy
    var stop: JourneyStop
    var facts: PathFacts
    var pending: AwaitedAnswer
    /// The page that is open, when the stop is that of a post.
    var page: Page?
    /// Where it came from in the trail.
    var trail: Int
    /// Which of the starts it comes from.
    var start: Int
    /// The time at this place.
    var now: Timestamp

    /// Whether the journey is that of an account.
    func isOf(_ objectID: GUID, in policy: ResolvedPolicy) -> Bool {
        guard let claim = policy.claimType("objectId"), let text = journey.claims[claim]?.text else { return false }
        return sameID(text, objectID.description)
    }
}

extension Page {
    /// How a page is called in a path: its technical profile, else its content definition.
    var name: String { technicalProfile.isEmpty ? contentDefinition : technicalProfile }
}

/// A state up to what is drawn at random.
struct PlaceKey: Hashable, Sendable {
    var journey: Journey
    var accounts: [Account]
    var facts: PathFacts
    var pending: AwaitedAnswer
    var start: Int
    var now: Timestamp
    /// What the journey asked of a service, since two services may be asked from one frame.
    var asked: String
}
