import AzureSignIn
import CommandKit
import CurlHTTP
import Determinism
import Diagnostics
import HTTPMessages

extension AzureSurroundings {
    /// The machine that runs the command.
    package static var machine: AzureSurroundings {
        AzureSurroundings(
            transport: AzureTransport(), now: { Machine.clock.now() }, wait: { await RealTime().wait(until: $0) },
            variable: { Machine.environment($0) }, read: { try? FileSystem.read($0, limit: 1 << 20) },
            run: { await run($0) }, identifier: { Machine.drawSecret() },
            say: { Machine.error.write("b2c: \(VisibleText.of($0, keeping: []))\n") })
    }

    /// Its error output is shown: the Azure CLI says there why it has no token.
    private static func run(_ arguments: [String]) async -> Result<String, ProgramProblem> {
        await Subprocess.output(of: arguments).mapError { problem in
            problem.text.contains("cannot be run") ? .missing : .failed(problem.text)
        }
    }
}

extension AzureProblem {
    /// The end of the command.
    package var failure: Failure {
        switch kind {
        case .usage: .usage(description)
        case .empty: .input(description)
        case .service, .lost: .machine(description)
        }
    }
}

/// The network, through the environment's proxy except to this machine.
private struct AzureTransport: Transport {
    private let far: CurlTransport
    private let near: CurlTransport

    init() {
        var options = CurlOptions(
            proxy: .environment, connectTimeout: .seconds(10), timeout: .seconds(200), maxBodyBytes: 256 << 20)
        if let file = Machine.environment("B2C_CA_FILE") { options.trust = .file(file) }
        far = CurlTransport(options)
        options.proxy = .none
        near = CurlTransport(options)
    }

    func send(
        _ request: RequestMessage, _ context: ExchangeContext
    ) async throws(TransportError) -> ResponseMessage {
        try await (request.url.isLoopback ? near : far).send(request, context)
    }
}
