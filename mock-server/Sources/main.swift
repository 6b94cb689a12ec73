#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

// The authority over HTTP and TLS is not built yet. Saying so and failing is better than a server that answers nothing.
let words = Array("mock-server is not built yet. `b2c run` plays the authority inside its own process.\n".utf8)
_ = words.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
exit(3)
