import CommandKit

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What is printed if the server cannot listen: why, and what to do about it.
struct PortAdvice: Equatable {
    /// The system's error number.
    let code: Int32
    let host: String
    /// The ports that were asked for; the first is that of `--port`.
    let ports: [Int]
    /// That of `--control-port`.
    let control: Int

    var text: String {
        let asked = (ports + [control]).filter { $0 != 0 }.map(String.init)
        let place = asked.isEmpty ? host : "\(host):\(asked.joined(separator: " or "))"
        return "it cannot listen at \(place): \(FileSystem.Problem(errno: code).text)\(remedy.map { ". \($0)" } ?? "")"
    }

    private var remedy: String? {
        switch code {
        case EADDRINUSE:
            // Where several were asked for, the system does not say which one is taken.
            let others = Set(ports.dropFirst() + [control]).subtracting([0])
            let also = others.isEmpty ? "" : " (or another \(ports.count > 1 ? "--also-port" : "--control-port"))"
            return "Another program listens there, perhaps a mock-server that still runs: stop it, or choose another "
                + "port with --port \(suggestion)\(also); --port 0 takes a free one"
        case EACCES, EPERM:
            return "Ports below 1024 are the administrator's on this system: choose another with --port \(suggestion)"
        case EADDRNOTAVAIL:
            return
                "\(host) is not an address of this machine: --host takes one of its own, such as 127.0.0.1, or 0.0.0.0 for "
                + "all of them"
        default:
            return nil
        }
    }

    /// A port near the one that was asked for that no one needs a permission for.
    private var suggestion: Int {
        let port = ports.first ?? 0
        return (1024..<65_535).contains(port) ? port + 1 : 9400
    }
}
