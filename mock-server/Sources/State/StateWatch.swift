import ServiceLifecycle

/// Ends the server when its state can no longer be kept: what is in memory is then ahead of the file, and nothing may be
/// answered any more.
struct StateWatch: Service {
    let state: StateFile

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            for await failure in state.failures { throw failure }
        }
    }
}
