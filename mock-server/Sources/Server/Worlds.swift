import AuthorityHosting
import Determinism
import Synchronization

/// All worlds of the server, by name: `default`, and `w1`, `w2` and so on that runners made.
final class Worlds: Sendable {
    static let defaultName = "default"
    /// Worlds beside the default one. A runner that is killed leaves its worlds behind: the oldest give way.
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

    init(default world: ServerWorld) {
        clock = world.time.system
        state = Mutex(State(worlds: [world.name: world], order: [world.name]))
    }

    /// A world by its name; nil names the default one.
    func world(named name: String?) -> ServerWorld? {
        state.withLock { $0.worlds[name ?? Self.defaultName] }
    }

    /// All names, oldest first.
    var names: [String] { state.withLock { $0.order } }

    /// Makes a world whose time stands at `now` until somebody moves it.
    func make(seed: SeededGenerator, tenant: CompiledTenant, now: Timestamp) async -> ServerWorld {
        let name = state.withLock { state in
            state.made += 1
            return "w\(state.made)"
        }
        let world = await ServerWorld(
            name: name, seed: seed, tenant: tenant, time: WorldTime(frozenAt: now, system: clock),
            services: world(named: nil)?.services)
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
