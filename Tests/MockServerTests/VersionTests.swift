import Diagnostics
import Testing

@testable import MockServerCore

@Suite("What mock-server says about itself")
struct VersionTests {
    @Test func `the version is the package's, and asking for it is no error`() {
        let error = #expect(throws: (any Error).self) { try MockServerCommand.parseAsRoot(["--version"]) }
        guard let error else { return }
        #expect(MockServerCommand.fullMessage(for: error) == "mock-server \(ToolVersion.text)")
        #expect(MockServerCommand.exitCode(for: error) == .success)
    }
}
