import HTTPMessages
import JSON
import Journeys
import TrustFramework

/// What is known of a path beside the journey itself. Part of a state: two paths that reach the same place are one only
/// where they agree in this too.
struct PathFacts: Hashable, Sendable {
    /// Profiles that prove a second factor and have run.
    var factors: Set<String> = []
    /// Addresses and numbers that a code has proved, that the directory knew, or that a provider gave.
    var proved: Set<String> = []
    /// Identity providers that the person signed in at.
    var providers: Set<String> = []
    /// The person has shown who they are: by the password, a code sent to the address, or at a provider.
    var isProved = false
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
}

/// What the person waits for after a post.
enum Pending: Hashable, Sendable {
    case nothing
    /// The page itself: it is left when the answer is good.
    case leave(proves: String?, forged: String?)
    /// A code was asked for.
    case sent
    /// A code was handed in.
    case verified(String, forged: Bool)
}

/// Something that can happen at a stop.
struct Act: Sendable {
    var event: JourneyEvent
    /// For a path, in words: `fills in email, password`.
    var words: String
    var pending = Pending.nothing
    var change: @Sendable (inout PathFacts) -> Void = { _ in }
    /// The same as a script's act, where a script can do it.
    var script: [ScriptAct] = []
}

/// What a script does for an act.
enum ScriptAct: Sendable {
    /// At a page: fields in their order, and what is pressed; `nil` presses the main button.
    case page(PageMark, fill: [(name: String, value: String)], press: String?)
    /// The code that was sent is entered at a page.
    case code(PageMark)
    /// The person is at an identity provider.
    case provider(profile: String, ProviderAnswer)
    /// A web API answers; without a status it does not.
    case call(profile: String, url: String, status: Int?, json: JSONValue)

    enum ProviderAnswer: Sendable, Hashable {
        case full, withoutAddress, refused
    }
}

/// How a script names a page.
enum PageMark: Sendable, Hashable {
    case technicalProfile(String)
    case contentDefinition(String)

    init(_ page: Page) {
        self =
            page.technicalProfile.isEmpty
            ? .contentDefinition(page.contentDefinition) : .technicalProfile(page.technicalProfile)
    }

    /// For the key `on` of an action.
    var json: JSONValue {
        switch self {
        case .technicalProfile(let id): ["technicalProfile": .string(id)]
        case .contentDefinition(let id): ["contentDefinition": .string(id)]
        }
    }
}

/// One state that people can reach.
struct Place: Sendable {
    var journey: Journey
    var tenancy: Tenancy
    var stop: JourneyStop
    var facts: PathFacts
    var pending: Pending
    /// The page that is open, when the stop is that of a post.
    var page: Page?
    /// Where it came from in the trail.
    var trail: Int
    /// Which of the starts it comes from.
    var start: Int
}

/// A state up to what is drawn at random.
struct PlaceKey: Hashable, Sendable {
    var journey: Journey
    var accounts: [Account]
    var facts: PathFacts
    var pending: Pending
    var start: Int
    /// What the journey asked of a service, since two services may be asked from one frame.
    var asked: String
}
