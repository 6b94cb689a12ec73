import Diagnostics
import Foundation
import JSON
import ScenarioRunner
import Scenarios
import TenantFiles

extension FuzzTarget {
    static let shapes = FuzzTarget(
        name: "shapes",
        meaning: "scripts, tenant files, target files and b2c.json: shapes and everything checked behind them",
        longest: 4096,
        words: [
            "{{", "}}", "{{user/email}}", "{{steps.a.result}}", "\"PT5M\"", "\"2026-01-15T12:00:00Z\"", "\"steps\": [",
            "\"expect\": {",
            "\"faults\": [", "\"cases\": {", "\"configure\": {", "\"$matches\"", "\"$any\"", "\"$type\"", "null", "{}",
            "[]", "-1",
            "1e99", "9223372036854775807", "\"profiles\": {", "\"coverage\": {", "\"policies\": {", "\"apps\": {",
            "\"users\": {",
        ],
        seeds: {
            func marked(_ kind: Character, _ files: [[UInt8]]) -> [[UInt8]] {
                files.map { Array(String(kind).utf8) + $0 }
            }
            return marked(
                "s", Seeds.files("scenarios", [".json"], upTo: 3000).filter { Seeds.contains($0, "\"steps\"") })
                + marked("t", Seeds.files("scenarios/tenants", [".json"], upTo: 4095))
                + marked(
                    "t",
                    Seeds.texts(
                        #"{"name": "contoso", "policies": {"susi": {"id": "B2C_1_susi", "type": "signUpOrSignIn"}}, "apps": {"ios": {"client": {"kind": "msal-ios", "policy": "susi"}, "platform": {"bundleId": "com.contoso.app"}}}, "users": {"ada": {"email": "ada@example.test", "password": "Analytical-1843"}}}"#
                    ))
                + marked("g", Seeds.files("scenarios/targets", [".json"], upTo: 4095))
                + marked(
                    "p",
                    Seeds.texts(
                        #"{"target": "a", "tags": ["!slow"], "seed": 1, "jobs": 2, "strict": true, "variables": {"a": 1.5}, "reports": {"junit": "out/j.xml"}, "coverage": {"min": 80}, "profiles": {"ci": {"reports": {"html": "a"}, "jobs": 4}}}"#
                    ))
        },
        run: { bytes in
            guard let kind = bytes.first else { return }
            let bytes = Array(bytes.dropFirst())
            do throws(InvalidInput) {
                switch kind {
                case UInt8(ascii: "s"): try readScenario(bytes)
                case UInt8(ascii: "g"): _ = try TargetFile.read(file: fuzzFile, bytes: bytes)
                case UInt8(ascii: "p"):
                    for profile in [nil, "ci"] {
                        _ = try ProjectSettings(bytes: bytes, file: fuzzFile, profile: profile)
                    }
                default:
                    let file = try TenantFile.read(file: fuzzFile, bytes: bytes)
                    _ = (file.outline.names, file.outline.keyNames)
                }
            } catch {
                checkFindings(error, bytes)
            }
        })

    static let fuzzFile = "scenarios/sign-in/fuzz.json"

    private static let tenants = TenantLibrary { Seeds.file($0) }

    private static func readScenario(_ bytes: [UInt8]) throws(InvalidInput) {
        let scenario = try ScenarioReader.read(file: fuzzFile, bytes: bytes, tenants: tenants)
        checkFindings(InvalidInput(diagnostics: scenario.advice), bytes, haveErrors: false)
    }

    /// What every list of findings about a file has to be.
    static func checkFindings(_ input: InvalidInput, _ bytes: [UInt8], file: String = fuzzFile, haveErrors: Bool = true)
    {
        check(
            input.diagnostics.contains { $0.severity == .error } == haveErrors,
            "a file is refused for errors and for nothing else")
        for finding in input.diagnostics {
            check(!finding.message.isEmpty, "a finding has a message")
            check(!finding.rule.isEmpty, "a finding has a rule")
            check(finding.remedy?.isEmpty != true, "a remedy has words: \(finding.message)")
            guard let location = finding.location else { continue }
            check((location.line ?? 1) >= 1 && (location.column ?? 1) >= 1, "a place begins at 1: \(finding.message)")
        }
        _ = DiagnosticRenderer(color: false, sources: [SourceText(file: file, bytes: bytes)])
            .render(Array(input.diagnostics.prefix(20)))
    }
}

extension Seeds {
    static func contains(_ bytes: [UInt8], _ text: String) -> Bool {
        String(decoding: bytes, as: UTF8.self).contains(text)
    }
}
