/// What a step does. A step has exactly one verb.
public enum Verb: String, CaseIterable, Sendable {
    // The app.
    case createClient, acquireToken, acquireTokenSilent, accounts, currentAccount, removeAccount, signOut
    case deviceInformation, cancelInteraction, deliver, callApi, resume
    // The wire.
    case open, http
    // The world.
    case advanceClock, configure, mintToken, inspect, importCache, restart
    // Flow.
    case steps, parallel, barrier

    /// Whether the verb is a call of the app or of its library.
    public var isAppVerb: Bool {
        switch self {
        case .createClient, .acquireToken, .acquireTokenSilent, .accounts, .currentAccount, .removeAccount, .signOut,
            .deviceInformation, .cancelInteraction, .deliver, .callApi, .resume:
            true
        default:
            false
        }
    }

    /// Whether a person at the browser has a part in it: the verbs that `user` goes with.
    public var takesUser: Bool {
        switch self {
        case .acquireToken, .signOut, .open, .resume: true
        default: false
        }
    }

    /// Whether it has a completion handler: the verbs that `then` goes with.
    public var takesThen: Bool {
        switch self {
        case .acquireToken, .acquireTokenSilent, .accounts, .currentAccount, .removeAccount, .signOut,
            .deviceInformation, .callApi, .resume:
            true
        default:
            false
        }
    }

    /// Whether it may end `pending`, so that `resume` can go on with it.
    public var mayBePending: Bool {
        takesUser
    }

    /// Whether it holds other steps.
    public var isGroup: Bool { self == .steps || self == .parallel }
}
