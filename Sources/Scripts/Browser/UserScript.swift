import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import TenantFiles

/// A hidden frame with a page of an app, as the page after sign-out loads one for each app of the session.
public struct HiddenFrame: Sendable, Hashable {
    public var url: WebURL
    /// Whether it gets at the cookies and the storage that the app's own pages use.
    public var seesStorage: Bool

    public init(url: WebURL, seesStorage: Bool) {
        self.url = url
        self.seesStorage = seesStorage
    }
}

/// Who sits at the browser: a person of the tenant file, as far as filling pages needs to know them.
public struct Person: Sendable, Hashable {
    public var record: UserRecord

    public init(record: UserRecord) {
        self.record = record
    }

    public var name: String { record.name }
}

/// One member of a person's record that has changed because a page accepted it, such as a new `password`.
public struct RecordChange: Sendable, Hashable {
    /// The person's name in the tenant file.
    public var person: String
    /// `password` or `totpSecret`.
    public var member: String
    public var value: String
}

/// What a page record must look like for an action to go ahead: reasons why it does not.
public typealias PageTest = @Sendable (JSONValue) -> [String]

/// What to type into which field; known only when it is typed, since a code may have come in the meantime.
public enum FillValues: Sendable {
    case values([(field: String, value: JSONValue)])
    case problem(String)
}

/// One thing the person does (the scenario language's action). Order within: on, wait, as, fill, press, window.
public struct UserAction: Sendable {
    /// What must be showing, in words for a report.
    public var onText: String?
    public var on: PageTest?
    public var wait: TimeSpan?
    public var barrier: String?
    public var person: Person?
    public var fill: @Sendable () async -> FillValues
    public var press: String?
    public var window: String?
    public var repeatCount: Int
    /// Passed over where another page shows.
    public var optional: Bool

    public init(
        onText: String? = nil, on: PageTest? = nil, wait: TimeSpan? = nil, barrier: String? = nil,
        person: Person? = nil,
        fill: @escaping @Sendable () async -> FillValues = { .values([]) }, press: String? = nil, window: String? = nil,
        repeatCount: Int = 1, optional: Bool = false
    ) {
        self.onText = onText
        self.on = on
        self.wait = wait
        self.barrier = barrier
        self.person = person
        self.fill = fill
        self.press = press
        self.window = window
        self.repeatCount = repeatCount
        self.optional = optional
    }
}

/// How far a visit has come in a ``UserScript``.
public struct UserProgress: Sendable {
    /// What was done of one entry.
    public struct Done: Sendable, Hashable {
        /// How often the action was done whole.
        public var rounds = 0
        /// The flow ended with what was pressed, before the window's turn.
        public var endedBeforeWindow = false
    }

    private var entries: [Int: Done] = [:]

    public init() {}

    /// What was done of the entry at this index.
    public subscript(index: Int) -> Done { entries[index] ?? Done() }

    mutating func finish(_ index: Int) { entries[index, default: Done()].rounds += 1 }
    mutating func end(beforeWindowOf index: Int) { entries[index, default: Done()].endedBeforeWindow = true }
}

/// What a person does from now on, in order.
public struct UserScript: Sendable {
    public enum Entry: Sendable {
        /// Acts as this person until the flow ends.
        case person(Person)
        case action(UserAction)
    }

    public var entries: [Entry]

    public init(_ entries: [Entry]) {
        self.entries = entries
    }
}

/// Where the codes arrive that pages send out. The runner answers from the mock's outbox.
public protocol Mailbox: Sendable {
    /// The newest code sent to one of these addresses (e-mail address or phone number), or nil.
    func newestCode(to addresses: [String]) async -> String?
    /// The text of a captcha's picture, or nil if only a person can read it.
    func captcha(of challenge: String) async -> String?
}

/// What somebody does at a page where neither a script nor their record says it: for a caller that wants to see how a
/// policy goes on. Without it a person stops there.
public protocol PageAnswers: Sendable {
    /// What to type, by field id, where that is something else than the record says.
    ///
    /// - Parameters:
    ///   - fields: The fields that can be typed into, without those for codes.
    ///   - isSignIn: The page asks for an account that exists.
    ///   - usual: What the record says, by field id.
    ///   - attempt: How often the page has refused what was typed.
    func values(
        for fields: [PageField], isSignIn: Bool, usual: [String: String], record: UserRecord, attempt: Int,
        at now: Timestamp
    ) -> [String: String]
    /// What to press on a page that asks how to go on, before anything is typed: the id of a choice, or `signUp`. `nil`
    /// fills the page in, or stops where it has no fields.
    func choice(at page: PageOffer, record: UserRecord) -> String?
    /// The number to type on a phone page that knows none.
    func phone(of record: UserRecord, attempt: Int) -> String
    /// The code to type into a display control for which none has come, because a service sends and checks it. `nil`
    /// where the person needs the code that was sent.
    func code(ofControl id: String) -> String?
}

extension PageAnswers {
    public func code(ofControl id: String) -> String? { nil }
}

/// The ways on that a page offers.
public struct PageOffer: Sendable, Hashable {
    /// Buttons and links that choose a claims exchange.
    public var choices: [PageChoice]
    /// The page has a link to sign up.
    public var hasSignUpLink: Bool
    /// The page can be filled in and sent. If not, a choice or the link is the only way on.
    public var isForm: Bool

    public init(choices: [PageChoice], hasSignUpLink: Bool = false, isForm: Bool = false) {
        self.choices = choices
        self.hasSignUpLink = hasSignUpLink
        self.isForm = isForm
    }
}

/// One open tab or web session.
public struct TabID: Sendable, Hashable {
    public var number: Int

    public init(number: Int) {
        self.number = number
    }
}
