#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A thread of the system's, for work that blocks.
public enum SystemThread {
    fileprivate final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    /// Runs the body on a new thread that ends with it.
    ///
    /// - Returns: Whether the system gave one.
    public static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let argument = Unmanaged.passRetained(Work(body)).toOpaque()
        let code = create(argument)
        if code != 0 { Unmanaged<Work>.fromOpaque(argument).release() }
        return code == 0
    }

    private static func create(_ argument: UnsafeMutableRawPointer) -> Int32 {
        // A detached thread needs nobody to wait for it.
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        return pthread_create(&thread, &attributes, runWork, argument)
    }
}

#if canImport(Darwin)
    private func runWork(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        Unmanaged<SystemThread.Work>.fromOpaque(argument).takeRetainedValue().body()
        return nil
    }
#else
    private func runWork(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let argument { Unmanaged<SystemThread.Work>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
    }
#endif
