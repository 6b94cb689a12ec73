import Browser
import Synchronization

/// The browsers of one world that callers have named, and what people have learnt there.
final class Visitors: Sendable {
    /// A caller that makes up names does not fill the memory.
    static let limit = 256
    /// How many characters a name may have.
    static let longestName = 64

    private struct State {
        /// The one used last comes last.
        var browsers: [(name: String, browser: Browser)] = []
        /// Keys of authenticator apps that pages have shown, by person.
        var secrets: [String: String] = [:]
    }

    private let state = Mutex(State())

    /// The browser of a name; a new one, of which nothing is kept, without a name.
    func browser(named name: String?, orMake make: () -> Browser) -> Browser {
        guard let name else { return make() }
        return state.withLock { state in
            let known = state.browsers.firstIndex { $0.name == name }.map { state.browsers.remove(at: $0).browser }
            let browser = known ?? make()
            state.browsers.append((name, browser))
            if state.browsers.count > Self.limit { state.browsers.removeFirst() }
            return browser
        }
    }

    /// The key of the authenticator app that somebody has set up.
    func secret(of person: String) -> String? { state.withLock { $0.secrets[person] } }

    /// Keeps what pages have accepted from people. A new password is in the directory already.
    func keep(_ changes: [RecordChange]) {
        state.withLock { state in
            for change in changes where change.member == "totpSecret" { state.secrets[change.person] = change.value }
        }
    }

    /// Forgets browsers and keys.
    func reset() {
        state.withLock { $0 = State() }
    }
}
