import JSON

/// What a step does. A step has exactly one verb.
///
/// A verb is a record in this module and what it does in `ScenarioRunner/Verbs`; the table here names all of them.
public struct Verb: RawRepresentable, CaseIterable, Hashable, Sendable {
    /// The key in a step.
    public let rawValue: String
    /// What it takes and means.
    package let record: any VerbRecord.Type

    package init(_ record: any VerbRecord.Type) {
        rawValue = record.name
        self.record = record
    }

    /// The verb of a key; `nil` for a key that is not a verb.
    public init?(rawValue: String) {
        guard let verb = Self.byName[rawValue] else { return nil }
        self = verb
    }

    // The table of verbs.
    public static let createClient = Verb(CreateClient.self)
    public static let acquireToken = Verb(AcquireToken.self)
    public static let acquireTokenSilent = Verb(AcquireTokenSilent.self)
    public static let accounts = Verb(Accounts.self)
    public static let currentAccount = Verb(CurrentAccount.self)
    public static let removeAccount = Verb(RemoveAccount.self)
    public static let signOut = Verb(SignOut.self)
    public static let deviceInformation = Verb(DeviceInformation.self)
    public static let cancelInteraction = Verb(CancelInteraction.self)
    public static let deliver = Verb(Deliver.self)
    public static let callApi = Verb(CallAPI.self)
    public static let resume = Verb(Resume.self)
    public static let open = Verb(Open.self)
    public static let http = Verb(HTTP.self)
    public static let callExtension = Verb(CallExtension.self)
    public static let advanceClock = Verb(AdvanceClock.self)
    public static let configure = Verb(Configure.self)
    public static let mintToken = Verb(MintToken.self)
    public static let inspect = Verb(Inspect.self)
    public static let importCache = Verb(ImportCache.self)
    public static let restart = Verb(Restart.self)
    public static let steps = Verb(StepGroup.self)
    public static let parallel = Verb(ParallelGroup.self)
    public static let barrier = Verb(Barrier.self)

    /// All verbs in the order of the language reference.
    public static let allCases: [Verb] = [
        // The app.
        .createClient, .acquireToken, .acquireTokenSilent, .accounts, .currentAccount, .removeAccount, .signOut,
        .deviceInformation, .cancelInteraction, .deliver, .callApi, .resume,
        // The wire.
        .open, .http, .callExtension,
        // The world.
        .advanceClock, .configure, .mintToken, .inspect, .importCache, .restart,
        // Flow.
        .steps, .parallel, .barrier,
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    /// All verbs as fields of a step.
    package static let fields: [Field] = allCases.map { Field($0.rawValue, $0.record.shape, $0.doc) }

    public static func == (one: Verb, other: Verb) -> Bool { one.rawValue == other.rawValue }
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// What it does, one sentence.
    public var doc: String { record.doc }

    /// Whether a person at the browser has a part in it: the verbs that `user` goes with. Such a step may end `pending`, so
    /// that `resume` can go on with it.
    public var takesUser: Bool { record.traits.contains(.user) }

    /// Whether it has a completion handler: the verbs that `then` goes with.
    public var takesThen: Bool { record.traits.contains(.then) }

    /// Whether it holds other steps.
    public var isGroup: Bool { record.traits.contains(.group) }
}
