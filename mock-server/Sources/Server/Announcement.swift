import AuthorityHosting
import HTTPMessages

/// What is said when the server is ready: one line for programs, more for the person who started it.
struct Announcement: Sendable {
    let options: ServerOptions
    /// The ports that it listens at; the last is the inspector's.
    let ports: [Int]

    private var scheme: String { options.usesTLS ? "https" : "http" }

    /// The address at which programs of this machine reach the server.
    var own: String { "\(scheme)://\(options.host.shown):\(ports.first ?? 0)" }

    /// The address that clients use.
    var url: String { options.outer.publicURL?.origin ?? own }

    /// The line on the standard output.
    var ready: String { "mock-server ready: \(url)" }

    /// Whether nobody but this machine can sign in.
    private var isPrivate: Bool {
        options.host.isLoopback && !options.outer.readsForwarded && options.outer.publicURL?.isLoopback ?? true
    }

    /// What is said also with `--quiet`.
    var warnings: [String] {
        guard !options.host.isLoopback || options.outer.publicURL?.isLoopback == false else { return [] }
        let place =
            options.host.isLoopback ? "behind a proxy at \(url)" : "listening at \(options.host.text)"
        return [
            "mock-server: warning: \(place): others on the network can sign in here with the people of the tenant file, "
                + "and its keys are public"
        ]
    }

    /// - Parameter devices: All addresses of the machine.
    func lines(tenant: CompiledTenant, seed: UInt64, devices: [String]) -> [String] {
        var lines = Welcome.lines(
            url: url, tenant: tenant, seed: seed, isEmbedded: options.tenant == nil,
            // What another program starts prints into its log.
            showsPasswords: isPrivate && options.parent == nil)
        if url != own { lines.append("listening at \(own)") }
        if let path = options.journeyRecorder {
            lines.append(
                "journeys of custom policies are recorded in \(path); it contains people's claims: keep it to yourself")
        }
        let others = options.host.reachable(devices).map { "\(scheme)://\($0):\(ports.first ?? 0)" }
        if !others.isEmpty { lines.append("also at \(others.joined(separator: ", "))") }
        let inspector = options.outer.publicURL == nil ? options.host.shown : options.host.own
        return lines + ["inspector \(scheme)://\(inspector):\(ports.last ?? 0)\(Front.inspector)"]
    }
}
