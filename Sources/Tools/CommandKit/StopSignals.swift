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

/// Signals that ask the program to stop. As long as this exists they do not end the process.
package final class StopSignals: Sendable {
    private let sources: [DispatchSource]
    private let signals: AsyncStream<Int32>

    /// Returns when no signal can be missed any more.
    package init(_ numbers: [Int32] = [SIGTERM, SIGINT]) async {
        let (signals, continuation) = AsyncStream.makeStream(of: Int32.self)
        self.signals = signals
        sources = numbers.compactMap { number in
            #if canImport(Darwin)
                // Dispatch gets the signal all the same.
                signal(number, SIG_IGN)
            #endif
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield(number) }
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
    ///
    /// - Returns: The exit code that shells show for a program that the signal ended; `nil`: cancelled.
    @discardableResult
    package func wait() async -> Int32? {
        for await number in signals { return 128 + number }
        return nil
    }
}
