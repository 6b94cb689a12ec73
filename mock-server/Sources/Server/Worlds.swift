import AuthorityHosting
import CommandKit
import Determinism
import Synchronization

/// All worlds of the server, by name: `default`, and those that runners made, such as `w1-` and 32 hexadecimal digits.
///
/// Every request may name a world in a header, web pages' requests too. So the names of made worlds cannot be guessed.
final class Worlds: Sendable {
    static let defaultName = "default"
    /// Worlds beside the default one. A runner that is killed leaves its worlds behind: the oldest are dropped.
    static let limit = 256

    private struct State {
        var worlds: [String: ServerWorld] = [:]
        /// Names in the order in which the worlds were made.
        var order: [String] = []
        var made = 0
    }

    private let state: Mutex<State>
    /// The clock behind those of the worlds.
    let clock: any WallClock
    /// Draws what cannot be guessed of a name.
    private let drawSecret: @Sendable () -> String

    init(default world: ServerWorld, drawSecret: @escaping @Sendable () -> String = Machine.drawSecret) {
        clock = world.time.system
        self.drawSecret = drawSecret
        state = Mutex(State(worlds: [world.name: world], order: [world.name]))
    }

    /// A world by its name; nil names the default one.
    func world(named name: String?) -> ServerWorld? {
        state.withLock { $0.worlds[name ?? Self.defaultName] }
    }

    /// The part of a name that logs show: `w1`. The rest of it is a secret while the world lasts.
    static func label(of name: String) -> String { String(name.prefix { $0 != "-" }) }

    /// All names, oldest first.
    var names: [String] { state.withLock { $0.order } }

    /// Makes a world whose time stays `now` until somebody moves it.
    func make(seed: SeededGenerator, tenant: CompiledTenant, now: Timestamp) async -> ServerWorld {
        let secret = drawSecret()
        let name = state.withLock { state in
            state.made += 1
            return "w\(state.made)-\(secret)"
        }
        let standard = self.world(named: nil)
        let world = await ServerWorld(
            name: name, seed: seed, tenant: tenant, time: WorldTime(frozenAt: now, system: clock),
            services: standard?.services, journeyLog: standard?.journeyLog)
        let gone = state.withLock { state -> ServerWorld? in
            state.worlds[name] = world
            state.order.append(name)
            guard state.order.count > Self.limit + 1 else { return nil }
            return state.worlds.removeValue(forKey: state.order.remove(at: 1))
        }
        gone?.dissolve()
        return world
    }

    /// Ends a world. The default one stays.
    ///
    /// - Returns: Whether there was such a world to end.
    func remove(_ name: String) -> Bool {
        guard name != Self.defaultName else { return false }
        let gone = state.withLock { state -> ServerWorld? in
            state.order.removeAll { $0 == name }
            return state.worlds.removeValue(forKey: name)
        }
        gone?.dissolve()
        return gone != nil
    }
}
