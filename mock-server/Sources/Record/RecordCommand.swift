import ArgumentParser
import CommandKit
import HTTPMessages
import NIOCore
import NIOSSL

/// `mock-server record --target FILE|URL`.
struct RecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "A reverse proxy on this machine that records an app's session into a script.",
        discussion: """
            Point the app, or a browser, at the proxy in place of the tenant's host. When it is stopped (Ctrl-C) it \
            writes a script that plays the session against the mock, and a tenant file beside it. Secrets and everything \
            personal are replaced.

              b2c record --target http://localhost:9400           before a mock-server
              b2c record --target targets/live.json --output .    before a real tenant
            """)

    @Option(
        name: .long,
        help: ArgumentHelp("The port to listen at; 0 takes a free one. (B2C_LISTEN; 9500)", valueName: "port"))
    var listen: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A target file, or the address of a running mock-server. (B2C_TARGET)", valueName: "file|url"))
    var target: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The tenant file, where the target file names none and it is not a mock-server. (B2C_TENANT)",
            valueName: "file"))
    var tenant: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Another host that may be reached; may be repeated. (B2C_ALSO_HOST)", valueName: "host"))
    var alsoHost: [String] = []

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The folder to write to. (B2C_OUTPUT; the folder scenarios where there is one, else this one)",
            valueName: "folder"))
    var output: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Name of both files, without ending. (default: by the policies)", valueName: "name")
    )
    var name: String?

    @OptionGroup var listening: ListeningOptions

    func run() async throws {
        guard let text = target ?? Machine.environment("B2C_TARGET") else {
            throw Failure.usage("name what to record: b2c record --target http://localhost:9400, or a target file")
        }
        let output = RecordOutput(
            folder: output ?? Machine.environment("B2C_OUTPUT")
                ?? (FileSystem.kind("scenarios") == .folder ? "scenarios" : "."),
            name: name)
        try output.check()
        let port = try ListeningOptions.port(listen, "B2C_LISTEN", usual: 9500)
        let others = alsoHost.isEmpty ? [Machine.environment("B2C_ALSO_HOST")].compactMap { $0 } : alsoHost
        let target = try await RecordTarget.open(
            text, tenant: tenant ?? Machine.environment("B2C_TENANT"), otherHosts: others,
            certificates: listening.certificates.certificateDirectory)
        let print: @Sendable (String) -> Void = { line in Machine.error.write(line + "\n") }
        let access = AccessLog(write: listening.isQuiet ? nil : print)
        let proxy = RecordingProxy(hosts: target.hosts, clock: Machine.clock, access: access) {
            request throws(RecordingProxy.Unreachable) in try await target.send(request)
        }
        try await serve(proxy, target, port: port)
        Machine.out.write(try output.write(proxy, of: target.name))
    }

    private func serve(_ proxy: RecordingProxy, _ target: RecordTarget, port: Int) async throws {
        let ready = listening.readyPath
        let edge = HTTPEdge(front: proxy, limits: Limits())
        let tls: TLSConfiguration? = listening.usesTLS ? try certificate() : nil
        let signals = await StopSignals()
        let listeners: [Listener]
        do {
            let place = HTTPEdge.Place(host: "127.0.0.1", port: port, otherHosts: ["::1"])
            listeners = try await edge.listen([place], tls: tls)
        } catch let error as IOError {
            throw Failure.machine(
                "it cannot listen at 127.0.0.1:\(port): \(FileSystem.Problem(errno: error.errnoCode).text)")
        }
        let scheme = listening.usesTLS ? "https" : "http"
        Self.announce("\(scheme)://localhost:\(listeners.first?.port ?? port)", target, ready)
        try await Lifetime(listeners: listeners).run { await signals.wait() }
        if let ready { FileSystem.remove(ready) }
    }

    private static func announce(_ url: String, _ target: RecordTarget, _ ready: String?) {
        Machine.error.write(
            "recording \(target.name): point the app at \(url) in place of https://\(target.hosts.first ?? ""); "
                + "Ctrl-C ends it and writes the script\n")
        if let ready {
            do throws(FileSystem.Problem) {
                try FileSystem.write(Array((url + "\n").utf8), to: ready, mode: 0o644)
            } catch {
                Machine.error.write("mock-server: \(ready) cannot be written: \(error.text)\n")
            }
        }
        Machine.out.write("record ready: \(url)\n")
    }

    private func certificate() throws -> TLSConfiguration {
        let folder = try CertificateFolder.chosen(listening.certificates.certificateDirectory)
        let authority = try CertificateOptions.reading {
            try CertificateAuthority.kept(in: folder, owner: CertificateOptions.owner, now: Machine.clock.now())
        }
        return try ServerCertificates(
            authority: authority, names: ["localhost", "127.0.0.1", "::1", "10.0.2.2"], clock: Machine.clock
        ).configuration
    }
}
