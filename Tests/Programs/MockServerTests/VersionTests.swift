import Diagnostics
import Testing

@testable import MockServerCore

/// What mock-server says about itself.
@Suite struct VersionTests {
    @Test func `the version is the package's, and asking for it is not an error`() {
        let error = #expect(throws: (any Error).self) { try MockServerCommand.parseAsRoot(["--version"]) }
        guard let error else { return }
        #expect(MockServerCommand.fullMessage(for: error) == "mock-server \(ToolVersion.text)")
        #expect(MockServerCommand.exitCode(for: error) == .success)
    }
}
