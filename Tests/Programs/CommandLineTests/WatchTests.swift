import Foundation
import TestSupport
import Testing

/// `b2c run --watch`, followed through its pipes.
@Suite(.blocking) struct WatchTests {
    /// A command that goes on.
    private final class Watched {
        let process = Process()
        private let input = Pipe()
        private let output = Pipe()
        private var text = ""

        init(_ tool: Tool, _ arguments: String...) throws {
            process.executableURL = URL(fileURLWithPath: try #require(Tool.path))
            process.arguments = arguments
            process.currentDirectoryURL = tool.folder
            process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("B2C_") }
            process.standardInput = input
            process.standardOutput = output
            process.standardError = output
            try process.run()
            // A test that waits for nothing must end some time; no verdict depends on when.
            let watched = process
            DispatchQueue.global().asyncAfter(deadline: .now() + 600) { if watched.isRunning { watched.terminate() } }
        }

        /// Everything up to a text, which is taken away.
        func until(_ mark: String) throws -> String {
            while true {
                if let range = text.range(of: mark) {
                    let found = String(text[..<range.upperBound])
                    text = String(text[range.upperBound...])
                    return found
                }
                let data = output.fileHandleForReading.availableData
                try #require(!data.isEmpty, "the command ended after:\n\(text)")
                text += String(decoding: data, as: UTF8.self)
            }
        }

        func press(_ key: String) { input.fileHandleForWriting.write(Data(key.utf8)) }
    }

    @Test func `a change runs what it touches, keys run the rest`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        #expect(try tool.run("init").status == 0)
        let text = try tool.read("scenarios/first-sign-in.json")
        for number in 1...3 {
            try tool.write(
                text.replacing("Ada signs in, and the second call needs no network", with: "Sign-in \(number)"),
                to: "scenarios/s\(number).json")
        }
        let watch = try Watched(tool, "run", "--watch", "--seed", "1")
        #expect(try watch.until("q quits").contains("4 scenarios in 4 files: 4 passed"))

        let second = try tool.read("scenarios/s2.json")
        try tool.write(second.replacing("\"name\": \"Ada\"", with: "\"name\": \"Eve\""), to: "scenarios/s2.json")
        let failed = try watch.until("q quits")
        #expect(
            failed.contains("changed: scenarios/s2.json\n") && failed.contains("FAIL scenarios/s2.json"), "\(failed)")
        #expect(
            failed.contains("1 scenario in 1 file") && failed.contains("all 4: 3 passed, 1 failed"), "\(failed)")

        watch.press("f")
        #expect(try watch.until("q quits").contains("1 scenario in 1 file: 0 passed, 1 failed"))

        try tool.write("{", to: "scenarios/s2.json")
        #expect(try watch.until("q quits").contains("nothing ran\nall 4: 3 passed, 1 failed"))
        try tool.write(second, to: "scenarios/s2.json")
        #expect(try watch.until("q quits").contains("all 4: 4 passed, 0 failed"))

        try tool.write(text.replacing("Ada signs in, and the", with: "New, and the"), to: "scenarios/new.json")
        #expect(try watch.until("q quits").contains("changed: scenarios/new.json\n"))

        let tenant = try tool.read("scenarios/tenants/contoso.json")
        try tool.write(tenant + "\n", to: "scenarios/tenants/contoso.json")
        #expect(try watch.until("q quits").contains("5 scenarios in 5 files: 5 passed"))

        watch.press("tSign-in 2\n")
        #expect(try watch.until("q quits").contains("1 scenario in 1 file: 1 passed"))
        // All scenarios are without the filter.
        watch.press("a")
        #expect(try watch.until("q quits").contains("5 scenarios in 5 files: 5 passed"))
        watch.press("q")
        watch.process.waitUntilExit()
        #expect(watch.process.terminationStatus == 0)
    }

    @Test(arguments: [
        (["--step"], "both ask at the terminal"), (["--seeds", "1..3"], "one seed"),
        (["--bundle", "x.zip"], "one run"),
        (["--list"], "lists them"), (["--shard", "1/2"], "CI service"),
    ])
    func `options that end or ask do not go with watching`(_ options: [String], _ sentence: String) throws {
        let tool = try Tool()
        defer { tool.remove() }
        #expect(try tool.run("init").status == 0)
        let run = try tool.run(["run", "--watch"] + options)
        #expect(run.status == 1 && run.error.contains(sentence), "\(run.error)")
    }
}
