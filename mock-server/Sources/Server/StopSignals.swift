#if canImport(Darwin)
    import Darwin
    import Dispatch
#elseif canImport(Glibc)
    @preconcurrency import Dispatch
    import Glibc
#elseif canImport(Musl)
    @preconcurrency import Dispatch
    import Musl
#endif

/// The signals that ask the program to stop, SIGTERM and SIGINT. As long as this exists they do not end the process.
final class StopSignals: Sendable {
    private let sources: [DispatchSource]
    private let signals: AsyncStream<Void>

    /// Returns when no signal can be missed any more.
    init() async {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
        self.signals = signals
        sources = [SIGTERM, SIGINT].compactMap { number in
            #if canImport(Darwin)
                // Dispatch gets the signal all the same.
                signal(number, SIG_IGN)
            #endif
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield() }
            return source as? DispatchSource
        }
        for source in sources {
            await withCheckedContinuation { registered in
                source.setRegistrationHandler { registered.resume() }
                source.activate()
            }
        }
    }

    deinit {
        for source in sources { source.cancel() }
    }

    /// Waits for the first signal, or until the task is cancelled.
    func wait() async {
        for await _ in signals { return }
    }
}
