import AuthorityHosting
import CommandKit
import CurlHTTP
import Determinism
import Foundation
import HTTPMessages
import JSON
import NIOCore
import NIOSSL

/// A server from its options to its end.
struct Serving: Sendable {
    let options: ServerOptions
    var clock: any WallClock = Machine.clock

    @concurrent
    func run() async throws {
        let file = try TenantLoading.tenant(at: options.tenant, policies: options.policies)
        let services: (any Transport)? = options.allowsRealServices ? CurlTransport(.services) : nil
        let journeyLog = try journeyLog()
        guard let path = options.state else {
            let seed = options.seed ?? Machine.drawSeed()
            let world = await ServerWorld(
                name: Worlds.defaultName, seed: Self.generator(seed), tenant: file, time: WorldTime(system: clock),
                services: services, journeyLog: journeyLog)
            return try await serve(world, seed: seed, state: nil)
        }
        let state = try StateFile.open(
            path, for: file.tenant, seed: options.seed, drawn: Machine.drawSeed(), system: clock)
        defer { state.close() }
        let tenant = try TenantLoading.tenant(state.kept.tenant, over: file, kept: path)
        let world = await ServerWorld(
            name: Worlds.defaultName, seed: Self.generator(state.seed), tenant: tenant, file: file, time: state.time,
            store: state, kept: state.kept.authority, uploads: state.kept.tenant.uploads, services: services,
            journeyLog: journeyLog)
        try await serve(world, seed: state.seed, state: state)
    }

    /// The file that the journey recorder adds to.
    private func journeyLog() throws -> AppendedFile? {
        guard let path = options.journeyRecorder else { return nil }
        do throws(FileSystem.Problem) {
            return try AppendedFile(path) { problem in
                Machine.error.write(
                    "mock-server: \(path) cannot be written, and takes no more journeys: \(problem.text)\n")
            }
        } catch {
            throw Failure.machine(
                "--journey-recorder is \"\(path)\", which cannot be opened for writing: \(error.text); expected a file in "
                    + "a folder that exists")
        }
    }

    static func generator(_ seed: UInt64) -> SeededGenerator { SeededGenerator(seed: seed, stream: "default world") }

    private func serve(_ world: ServerWorld, seed: UInt64, state: StateFile?) async throws {
        let tenant = world.tenant
        // Tokens of an earlier run name it.
        if let url = options.outer.publicURL { world.ownAddresses.note(url) }
        let worlds = Worlds(default: world)
        let isJSON = options.logFormat == .json
        let print: @Sendable (String) -> Void = { line in
            if isJSON { Machine.error.write(data: line + "\n") } else { Machine.error.write(line + "\n") }
        }
        let access = AccessLog(format: options.logFormat, write: options.isQuiet ? nil : print)
        let front = Front(
            worlds: worlds, desk: ControlAPI(worlds: worlds),
            gate: ControlGate(
                token: options.controlToken, hosts: tenant.tenant.hosts + [options.host.shown, options.host.written],
                isPublic: options.outer.publicURL != nil),
            limits: options.limits, access: access, outer: options.outer)
        try await serve(front, tenant: tenant, seed: seed, tls: try tls(world), state: state)
    }

    /// Certificates for every name of the default world and the ways to this machine; other names get theirs when they
    /// are asked for.
    private func tls(_ world: ServerWorld) throws -> TLSConfiguration? {
        guard options.usesTLS else { return nil }
        let folder = try CertificateFolder.chosen(options.certificateDirectory)
        let authority = try CertificateOptions.reading {
            try CertificateAuthority.kept(in: folder, owner: CertificateOptions.owner, now: clock.now())
        }
        if !options.isQuiet {
            Machine.error.write("certificates by \(folder.certificate); to trust it: b2c certificate trust\n")
        }
        let own = options.host.isWildcard ? [] : [options.host.text]
        let names = ["localhost", "127.0.0.1", "::1"] + own + world.hosts
        return try ServerCertificates(authority: authority, names: names, clock: clock).configuration
    }

    private func serve(
        _ front: Front, tenant: CompiledTenant, seed: UInt64, tls: TLSConfiguration?, state: StateFile?
    ) async throws {
        let signals = await StopSignals()
        let listeners = try await listen(front, tls: tls)
        let ports = listeners.filter { !$0.isTwin }.map(\.port)
        front.consolePort.withLock { $0 = ports.last }
        announce(ports, tenant: tenant, seed: seed, state: state)
        try await Lifetime(listeners: listeners, watches: watches(front, state)).run {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await signals.wait() }
                if let parent = options.parent { group.addTask { await parent.wait() } }
                await group.next()
                group.cancelAll()
            }
        }
        if let path = options.readyFile { FileSystem.remove(path) }
    }

    /// Listens at the ports that were asked for, and at the console's, which is the last.
    private func listen(_ front: Front, tls: TLSConfiguration?) async throws -> [Listener] {
        let ports = [options.port] + options.alsoPorts
        func listen(console: Int) async throws -> [Listener] {
            let places = ports.map { place($0) } + [place(console, isConsole: true)]
            return try await HTTPEdge(front: front, limits: options.limits).listen(places, tls: tls)
        }
        do {
            do {
                return try await listen(console: options.controlPort)
            } catch let error as IOError
                where error.errnoCode == EADDRINUSE && options.controlPortMayDiffer && options.controlPort != 0
            {
                return try await listen(console: 0)
            }
        } catch let error as IOError {
            throw Failure.machine(
                PortAdvice(
                    code: error.errnoCode, host: options.host.written, ports: ports,
                    control: options.controlPortMayDiffer ? 0 : options.controlPort
                ).text)
        } catch is SocketAddressError {
            throw unknownHost
        } catch is SocketAddressError.UnknownHost {
            throw unknownHost
        }
    }

    private var unknownHost: Failure {
        Failure.usage(
            "--host is \"\(options.host.text)\", and no address has that name; expected a name or an address of this "
                + "machine, such as localhost, 127.0.0.1 or ::1, or 0.0.0.0 for all of them")
    }

    private func place(_ port: Int, isConsole: Bool = false) -> HTTPEdge.Place {
        HTTPEdge.Place(
            host: options.host.addresses[0], port: port, isConsole: isConsole,
            otherHosts: Array(options.host.addresses.dropFirst()))
    }

    private func watches(_ front: Front, _ state: StateFile?) -> [any Watch] {
        var watches: [any Watch] = [MemoryKeeper(front: front)]
        if let state { watches.append(StateWatch(state: state)) }
        let hasFiles = options.tenant != nil || options.policies.folder != nil
        if hasFiles, let world = front.worlds.world(named: nil) {
            watches.append(
                TenantWatch(path: options.tenant, policies: options.policies, world: world) {
                    Machine.error.write($0 + "\n")
                })
        }
        return watches
    }

    private func announce(_ ports: [Int], tenant: CompiledTenant, seed: UInt64, state: StateFile?) {
        let announcement = Announcement(options: options, ports: ports)
        var lines = announcement.warnings
        if !options.isQuiet {
            lines += announcement.lines(tenant: tenant, seed: seed, devices: Machine.networkAddresses)
            if let state { lines.append(state.greeting) }
        }
        for line in lines { Machine.error.write(line + "\n") }
        if let path = options.readyFile {
            do throws(FileSystem.Problem) {
                // For programs of this machine: the proxy may not lead here yet.
                try FileSystem.write(Array((announcement.own + "\n").utf8), to: path, mode: 0o644)
            } catch {
                Machine.error.write("mock-server: \(path) cannot be written: \(error.text)\n")
            }
        }
        Machine.out.write(announcement.ready + "\n")
    }
}
