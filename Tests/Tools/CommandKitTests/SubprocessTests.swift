import CommandKit
import Testing

/// Programs whose output is read.
struct SubprocessTests {
    @Test func `a program that takes too long is ended, and the limit is named`() async {
        let result = await Subprocess.output(of: ["sleep", "600"], within: 0)
        guard case .failure(let problem) = result else {
            Issue.record("it brought \(result)")
            return
        }
        #expect(problem.text == "sleep did not end within 0 seconds, so it was stopped")
    }

    @Test func `a program that ends in time brings its output`() async throws {
        #expect(try await Subprocess.output(of: ["echo", "text"]).get() == "text\n")
    }
}
