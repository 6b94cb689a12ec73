import Determinism

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension RealTime {
    /// Really waits. No task is blocked meanwhile: a thread of its own sleeps.
    public func wait(until instant: Timestamp) async {
        guard instant > now() else { return }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let sleeps = SystemThread.start {
                while true {
                    let left = (instant - self.now()).milliseconds
                    guard left > 0 else { break }
                    var span = timespec(tv_sec: Int(left / 1000), tv_nsec: Int(left % 1000) * 1_000_000)
                    nanosleep(&span, nil)
                }
                continuation.resume()
            }
            if !sleeps { continuation.resume() }
        }
    }
}
