/// Ends the server when its state can no longer be kept: what is in memory is then ahead of the file, and nothing may be
/// answered any more.
struct StateWatch: Watch {
    let state: StateFile

    func run() async throws {
        for await failure in state.failures { throw failure }
    }
}
