import B2CProtocol
import Determinism
import JSON
import TenantFiles
import Verbs

/// What became of one call.
public struct ClientOutcome: Sendable {
    /// How it ended.
    public enum Ending: Sendable {
        /// What the completion handler was given.
        case success(any ResultRecord)
        /// The error it was given instead.
        case failure(ClientError)
        /// It has not ended: the browser waits for somebody.
        case pending(Pending)
    }

    /// How it ended.
    public var ending: Ending
    /// What happened inside the client, as records of the `events` log.
    public var events: [JSONObject]

    /// An outcome of these parts.
    public init(_ ending: Ending, events: [JSONObject] = []) {
        self.ending = ending
        self.events = events
    }

    /// The result as JSON, if there is one.
    public var result: JSONValue? {
        if case .success(let record) = ending { record.json } else { nil }
    }

    /// The result of a kind, if there is one.
    public func returned<Record: ResultRecord>(_ kind: Record.Type = Record.self) -> Record? {
        if case .success(let record) = ending { record as? Record } else { nil }
    }

    /// The error, if there is one.
    public var error: ClientError? {
        if case .failure(let error) = ending { error } else { nil }
    }
}

/// What a call that may need the browser came to.
public enum InteractiveStep: Sendable {
    /// It ended without the browser.
    case finished(ClientOutcome)
    /// The browser is wanted; when it is done, hand its end and the session to `finish`. The events so far come with
    /// the outcome of `finish`.
    case browse(BrowseRequest, InteractiveSession)
}

/// An interactive call that waits for its browser.
public struct InteractiveSession: Sendable, Hashable {
    /// Which of the client's calls it is.
    public let id: Int
    /// Where the browser was sent first.
    public let url: String
    /// `state` as it was sent.
    public let state: String
    /// The code verifier of a token call.
    public let codeVerifier: String?
    /// The redirect URI the answer must come to.
    public let redirectURI: String
}

/// The device an app runs on, as its client needs it.
public struct DeviceState: Sendable {
    /// The device's name in the script.
    public var name: String
    /// Its settings.
    public var settings: DeviceSettings
    /// Its clock.
    public var clock: any WallClock

    /// A device of these parts.
    public init(name: String, settings: DeviceSettings, clock: any WallClock) {
        self.name = name
        self.settings = settings
        self.clock = clock
    }
}
