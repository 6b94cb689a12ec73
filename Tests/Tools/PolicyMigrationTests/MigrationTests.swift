import CommandFiles
import CommandKit
import Diagnostics
import ExtensionCalls
import Foundation
import JSON
import PolicyMigration
import PolicyTools
import Reports
import TestSupport
import Testing
import TrustFramework

/// The table, whole sets of policies, and reports.
struct MigrationTests {
    // MARK: The table

    @Test func `the tables are in order, and each rule has its row`() {
        #expect(MigrationRow.table.problems == [])
        #expect(ExtensionEventRow.table.problems == [])
        #expect(Set(MigrationRow.table.rows.map(\.id)) == Set(MigrationRule.allCases.map(\.rawValue)))
        #expect(Set(ExtensionEventRow.table.rows.map(\.id)) == Set(ExtensionEvent.allCases.map(\.rawValue)))
        for row in MigrationRow.table.rows {
            #expect((row.event != nil) == (row.verdict == .needsExtension), "\(row.id)")
            #expect(row.document.hasPrefix("https://learn.microsoft.com/entra/"), "\(row.id)")
            #expect(row.reason.hasSuffix(".") && row.fix.hasSuffix("."), "\(row.id)")
        }
    }

    @Test func `what is inferred says so`() {
        for rule in MigrationRule.allCases {
            #expect(!rule.row.isInferred || rule.doc.contains("(inferred)"), "\(rule.rawValue)")
        }
        // Statements that the facts mark.
        let marked: [MigrationRule] = [
            .callAtSignUp, .callBeforeSignUp, .callForToken, .callSendsCode, .policyInToken, .policyCheck, .emailsClaim,
            .subjectAsKey,
        ]
        for rule in marked { #expect(rule.doc.contains("(inferred)"), "\(rule.rawValue)") }
    }

    // MARK: Sets

    private static let corpus: String? = {
        let named = ProcessInfo.processInfo.environment["B2C_CORPUS"]
        let beside = TestFiles.root().deletingLastPathComponent().appendingPathComponent("shared/corpus").path
        return [named, beside].compactMap { $0.map { $0 + "/policies" } }
            .first { FileManager.default.fileExists(atPath: $0) }
    }()

    /// Folders with policies that apps can call.
    private static func sets(below root: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        return Set(
            names.filter { $0.hasSuffix(".xml") }.map { "\(root)/\(($0 as NSString).deletingLastPathComponent)" }
        )
        .sorted()
    }

    private static let corpusSets = corpus.map(sets) ?? []

    @Test(.enabled(if: corpus != nil, "skipped: the corpus is not at hand"), arguments: corpusSets)
    func `every element of a set of the corpus has one verdict`(_ folder: String) throws {
        try check(folder)
    }

    @Test(.enabled(if: corpus != nil, "skipped: the corpus is not at hand"))
    func `sets of the corpus link`() throws {
        let packs = Self.corpusSets.filter { $0.hasSuffix("SocialAndLocalAccountsWithMfa") }
        try #require(!packs.isEmpty)
        for pack in packs {
            let (migration, policies) = try SamplePolicy.migration(of: pack)
            #expect(policies.count >= 3)
            #expect(migration.elements.contains { $0.rule == .secondFactorByPhone && $0.isReached })
            #expect(migration.elements.contains { $0.rule == .builtInProvider && $0.isReached })
            #expect(migration.elements.contains { $0.rule == .resetPolicy })
            #expect(migration.elements.contains { $0.rule == .editPolicy })
        }
    }

    @Test func `every element of the shipped policies has one verdict`() throws {
        try check(TestFiles.root().appendingPathComponent("scenarios/policies").path)
    }

    private func check(_ folder: String) throws {
        let (migration, policies) = try SamplePolicy.migration(of: folder, moves: 50)
        func key(_ kind: String, _ id: String, _ place: Diagnostics.SourceLocation?) -> String {
            "\(kind) \(id.lowercased()) \(place?.description ?? "")"
        }
        let counts = Dictionary(migration.elements.map { (key($0.kind, $0.id, $0.location), 1) }, uniquingKeysWith: +)
        #expect(counts.filter { $0.value > 1 }.map(\.key) == [])
        var wanted: Set<String> = []
        for policy in policies {
            for profile in policy.profiles where profile.handler == .rest || profile.handler.isFederation {
                wanted.insert(key("technical profile", profile.id, profile.location))
            }
            for control in policy.displayControls {
                wanted.insert(key("display control", control.id, control.location))
            }
            for journey in policy.journeys where journey.subJourneyType != nil {
                wanted.insert(key("sub journey", journey.id, journey.location))
            }
            if policy.relyingParty.scriptExecution == .allow {
                wanted.insert(key("page scripts", policy.id, policy.relyingParty.location))
            }
        }
        #expect(wanted.filter { counts[$0] != 1 } == [])
        for element in migration.elements { #expect(!element.row.means.isEmpty, "\(element.rule)") }
        #expect(migration.policies.count == policies.count)
    }

    // MARK: Reports

    private static func report() throws -> MigrationReport {
        MigrationReport(
            try SamplePolicy.migration(
                inputs: "email", outputs: "tier",
                profiles: SamplePolicy.page("LocalAccountSignUpWithLogonEmail", validation: "Api")))
    }

    @Test func `the text has 80 columns, a table first, and what needs work by verdict`() throws {
        let text = try Self.report().text
        for line in text.split(separator: "\n") where !line.contains("/") {
            #expect(line.unicodeScalars.count <= 80, "\(line)")
        }
        #expect(text.hasPrefix("1 relying party, "))
        let table = try #require(text.firstRange(of: "RELYING PARTY"))
        let call = try #require(text.firstRange(of: "B2C-MIG-001"))
        #expect(table.lowerBound < call.lowerBound)
        #expect(text.contains("Event: attributeCollectionSubmit"))
        #expect(text.contains("gets email\n"))
    }

    @Test func `the formats of findings have every element that is reached`() throws {
        let report = try Self.report()
        let findings = report.findingsReport(sources: [], version: "1")
        let json = try JSONParser.parse(findings.text(.json))
        let reached = report.migration.elements.filter(\.isReached)
        #expect(json["findings"]?.arrayValue?.count == reached.count)
        #expect(json["elements"]?.arrayValue?.count == report.migration.elements.count)
        let call = json["elements"]?.arrayValue?.first { $0["id"] == "Api" }
        #expect(call?["skeleton"]?["request", "type"] != nil)
        #expect(json["policies"]?.arrayValue?.first?["paths"]?.arrayValue?.isEmpty == false)
        let sarif = try JSONParser.parse(findings.text(.sarif))
        let results = sarif["runs"]?.arrayValue?.first?["results"]?.arrayValue ?? []
        #expect(results.count == reached.count)
        #expect(results.contains { $0["ruleId"] == "B2C-MIG-001" })
        #expect(findings.text(.html).contains("B2C-MIG-001"))
    }

    @Test func `skeletons are written once and replace nothing`() throws {
        let folder = try #require(Machine.makeTemporaryFolder())
        defer { FileSystem.removeFolder(folder) }
        let report = try Self.report()
        let first = try report.writeSkeletons(to: folder)
        #expect(first.contains { $0.hasSuffix("attributeCollectionSubmit/Api/request.json") })
        #expect(first.allSatisfy { $0.hasPrefix("wrote ") })
        let file = "\(folder)/attributeCollectionSubmit/Api/answer.json"
        try FileSystem.write(Array("{}".utf8), to: file)
        #expect(try report.writeSkeletons(to: folder).allSatisfy { $0.hasPrefix("kept ") })
        #expect(try FileSystem.read(file) == Array("{}".utf8))
    }

    // MARK: Apps

    @Test(arguments: [
        (#"authority: "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1A_susi","#, [MigrationRule.authority]),
        (#"knownAuthorities: ["contoso.b2clogin.com"],"#, [.knownAuthorities]),
        (#""ValidIssuer": "https://contoso.b2clogin.com/tfp/1/b2c_1a_susi/v2.0/","#, [.acceptedIssuer]),
        (#"if (claims["tfp"] !== "B2C_1A_susi") throw new Error();"#, [.policyCheck]),
        ("var policy = User.FindFirst(\"acr\");", [.policyCheck]),
        ("const mail = claims.emails[0];", [.emailsClaim]),
        (#"let key = token["sub"]"#, [.subjectAsKey]),
        ("User.FindFirst(ClaimTypes.NameIdentifier)", [.subjectAsKey]),
        (#"if (error.message.includes("AADB2C90118")) return reset();"#, [.forgottenPassword]),
        (#"body: "grant_type=password&username=ada""#, [.passwordGrantOfApp]),
        (#"scopes: ["https://contoso.onmicrosoft.com/api/read"],"#, [.oldScope]),
        (#"const reset = "B2C_1A_PasswordReset";"#, [.ownAuthority]),
        ("// AADB2C90118 is handled elsewhere", []),
        ("const subject = mail.subject;", []),
        (#"authority: "https://contoso.ciamlogin.com/","#, []),
    ])
    func `a line of an app has its rule`(_ line: String, _ rules: [MigrationRule]) {
        let text = "\n\(line)\n"
        let places = AppScan.places(in: SourceText(file: "app.ts", bytes: Array(text.utf8)))
        #expect(places.map(\.rule) == rules)
        #expect(places.allSatisfy { $0.location?.line == 2 })
    }

    @Test func `dependencies and policies are not apps, and a path that does not exist is named`() throws {
        let folder = try #require(Machine.makeTemporaryFolder())
        defer { FileSystem.removeFolder(folder) }
        try FileSystem.makeFolder("\(folder)/node_modules")
        for name in ["node_modules/a.js", "b.js", "c.md"] {
            try FileSystem.write(Array("x = 'AADB2C90118'".utf8), to: "\(folder)/\(name)")
        }
        try FileSystem.write(Array("<TrustFrameworkPolicy> B2C_1A_Reset".utf8), to: "\(folder)/d.xml")
        #expect(try AppScan.places(in: folder).map { $0.location.map { FilePath.name($0.file) } } == ["b.js"])
        #expect(throws: Failure.self) { try AppScan.places(in: "\(folder)/absent") }
    }
}
