import Foundation

/// How the time of a run grows with the script: four times as much of anything takes about four times as long. Experiments
/// on a script grow with its steps, and each runs the script, so four times as many steps take sixteen times as long.
enum LengthBenchmark {
    /// Something there can be much of.
    private struct Growth: Sendable {
        var name: String
        var count: Int
        /// What is run on it.
        var command = ["run", "--seed", "7"]
        /// How much longer four times as much may take, in words and as a number.
        var limit = (words: "five times the time", ratio: 5.0)
        /// Writes so many below a folder and returns what is run.
        var write: @Sendable (_ folder: URL, _ count: Int) throws -> String
    }

    /// - Parameter seconds: Runs the command with arguments; returns how long it took, `nil` where it failed.
    static func run(_ targets: inout Targets, seconds: (_ arguments: [String]) -> Double?) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("b2c-benchmark-\(getpid())")
        defer { try? FileManager.default.removeItem(at: folder) }
        for growth in growths {
            let quarter = growth.count / 4
            let command = (["b2c"] + growth.command.prefix { $0 != "--seed" }).joined(separator: " ")
            guard let few = median(growth, quarter, folder, seconds),
                let many = median(growth, growth.count, folder, seconds)
            else {
                Benchmarks.line("\(command), \(growth.count) \(growth.name)", "failed")
                continue
            }
            Benchmarks.line(
                "\(command), \(growth.count) \(growth.name), median of 3",
                "\(Benchmarks.number(1000 * many)) ms",
                "\(Benchmarks.number(many / few, digits: 1)) times \(quarter) "
                    + targets.wanted(
                        "four times the \(growth.name) in at most \(growth.limit.words)",
                        many / few < growth.limit.ratio))
        }
    }

    /// How many sign-ins a capture of 360 requests has: each is refreshed once and signed out, with eight requests.
    private static let capturedSignIns = 45

    /// An import of the archive of a run, with its rehearsal: how long it takes, and how that grows.
    static func imports(_ targets: inout Targets, seconds: (_ arguments: [String]) -> Double?) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("b2c-benchmark-\(getpid())")
        defer { try? FileManager.default.removeItem(at: folder) }
        guard let one = importing(capturedSignIns, in: folder, seconds),
            let four = importing(4 * capturedSignIns, in: folder, seconds)
        else {
            Benchmarks.line("b2c import har", "failed")
            return
        }
        Benchmarks.line(
            "b2c import har, \(8 * capturedSignIns) requests, median of 3", "\(Benchmarks.number(1000 * one)) ms",
            "\(8 * 4 * capturedSignIns) take \(Benchmarks.number(four / one, digits: 1)) times as long "
                + targets.wanted(
                    "360 requests under 1000 ms, and four times as many in at most five times the time",
                    one < 1 && four / one < 5))
    }

    private static func importing(_ signIns: Int, in folder: URL, _ seconds: ([String]) -> Double?) -> Double? {
        let steps = (0..<signIns).flatMap { _ in
            [
                #"{ "acquireToken": {}, "user": "ada" }"#, #"{ "acquireTokenSilent": { "forceRefresh": true } }"#,
                #"{ "signOut": { "fromBrowser": true } }"#,
            ]
        }
        let archive = folder.appendingPathComponent("signed-in-\(signIns).har").path
        guard let script = try? script(folder, "signed-in-\(signIns)", steps),
            seconds(["run", script, "--seed", "7", "--trace-har", archive]) != nil
        else { return nil }
        let command = ["import", "har", archive, "--output", folder.path, "--name", "imported", "--force"]
        let runs = (0..<3).compactMap { _ in seconds(command) }.sorted()
        return runs.count == 3 ? runs[1] : nil
    }

    private static func median(
        _ growth: Growth, _ count: Int, _ folder: URL, _ seconds: ([String]) -> Double?
    ) -> Double? {
        guard let path = try? growth.write(folder, count) else { return nil }
        let runs = (0..<3).compactMap { _ in seconds(growth.command + [path]) }.sorted()
        return runs.count == 3 ? runs[1] : nil
    }

    private static let growths = [
        Growth(name: "steps", count: 20_000) { folder, count in
            let steps = (0..<count).map { index in
                switch index % 4 {
                case 0: #"{ "id": "s\#(index)", "accounts": {}, "expect": { "requests": 0 } }"#
                case 1: #"{ "advanceClock": "PT1S" }"#
                case 2: #"{ "steps": [ { "acquireTokenSilent": { "account": "{{in/result/account/identifier}}" } } ] }"#
                default: #"{ "currentAccount": {}, "then": [ { "accounts": {} } ] }"#
                }
            }
            return try script(folder, "steps-\(count)", [#"{ "id": "in", "acquireToken": {}, "user": "ada" }"#] + steps)
        },
        Growth(name: "requests", count: 4000) { folder, count in
            try script(
                folder, "requests-\(count)", (0..<count).map { _ in #"{ "http": { "endpoint": "discovery" } }"# })
        },
        Growth(name: "cases", count: 2000) { folder, count in
            let cases = (0..<count).map { #""c\#($0)": { "set": { "x": \#($0) } }"# }.joined(separator: ", ")
            return try script(folder, "cases-\(count)", [#"{ "accounts": {} }"#], #", "cases": { \#(cases) }"#)
        },
        Growth(name: "fault rules", count: 10_000) { folder, count in
            let rules = (0..<count).map {
                #"{ "match": { "url": { "$contains": "nowhere-\#($0)" } }, "optional": true, "delay": "PT1S" }"#
            }.joined(separator: ", ")
            return try script(
                folder, "rules-\(count)", [#"{ "http": { "endpoint": "discovery" } }"#], #", "faults": [ \#(rules) ]"#)
        },
        Growth(name: "files", count: 5000) { folder, count in
            for index in 0..<count { _ = try script(folder, "files-\(count)/f\(index)", [#"{ "accounts": {} }"#]) }
            return folder.appendingPathComponent("files-\(count)").path
        },
        Growth(
            name: "steps", count: 400, command: ["check", "--prove"], limit: ("twenty times the time", 20)
        ) { folder, count in
            let steps = (0..<count).map {
                $0.isMultiple(of: 2)
                    ? #"{ "advanceClock": "PT1S" }"#
                    : #"{ "http": { "endpoint": "discovery" }, "expect": { "result": { "status": 200 } } }"#
            }
            return try script(folder, "prove-\(count)", steps)
        },
    ]

    /// Writes a script with these steps and these further members.
    private static func script(
        _ folder: URL, _ name: String, _ steps: [String], _ members: String = ""
    ) throws -> String {
        let tenant = folder.appendingPathComponent("tenant.json")
        let file = folder.appendingPathComponent("\(name).json")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        if !FileManager.default.fileExists(atPath: tenant.path) {
            try Data(
                """
                { "name": "contoso", "policies": { "susi": { "id": "B2C_1_susi", "type": "signUpOrSignIn" } },
                  "apps": { "ios": { "client": { "kind": "msal-ios", "policy": "susi" }, "platform": { "bundleId": "com.contoso.tasks" } } },
                  "users": { "ada": { "email": "ada@example.test", "password": "Analytical-1843", "displayName": "Ada" } } }
                """.utf8
            ).write(to: tenant)
        }
        try Data(
            """
            { "name": "\(name)", "tenant": "\(tenant.path)", "app": "ios"\(members), "steps": [
              \(steps.joined(separator: ",\n  "))
            ] }
            """.utf8
        ).write(to: file)
        return file.path
    }
}
