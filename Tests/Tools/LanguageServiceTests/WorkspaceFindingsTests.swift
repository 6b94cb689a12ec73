import CommandFiles
import CommandKit
import Determinism
import Foundation
import LanguageService
import Synchronization
import TestSupport
import Testing
import Validation

/// What an editor shows while somebody types is what `b2c validate` reports of the same texts.
struct WorkspaceFindingsTests {
    /// One change of a text.
    private struct Edit: Sendable {
        var what: String
        var file: String
        /// What is replaced; `nil`: the text is that of the repository again.
        var old: String?
        var new: String

        init(_ what: String, in file: String, replace old: String? = nil, with new: String = "") {
            (self.what, self.file, self.old, self.new) = (what, file, old, new)
        }
    }

    private static let selection = "policies/ProviderSelection.xml"
    private static let party = "policies/OneProvider.xml"
    private static let scenario = "custom-policies/accepted.json"

    private static let edits = [
        Edit(
            "a misspelt claim", in: party, replace: #"Id="identityProvider""#, with: #"Id="identityProvder""#),
        Edit("a tag without an end", in: party, replace: "</RelyingParty>", with: "</RelyingPar"),
        Edit("the file as it was", in: party),
        Edit(
            "a base without a profile that others use", in: selection, replace: #"Id="GitLike-OAuth2""#,
            with: #"Id="GitLike""#),
        Edit("a base that cannot be read", in: selection, replace: "</ClaimsProviders>"),
        Edit("the base as it was", in: selection),
        Edit(
            "a suppression without use", in: party, replace: "<UserJourneys>",
            with: "<!-- b2c-validate-ignore B2C-POL-031: for later -->\n<UserJourneys>"),
        Edit(
            "a tenant without a user of scenarios", in: "tenants/samples.json", replace: #""ada""#, with: #""adda""#),
        Edit("the tenant as it was", in: "tenants/samples.json"),
        Edit(
            "a scenario with a user that the tenant does not have", in: scenario, replace: #""user": "ada""#,
            with: #""user": "adda""#),
        Edit("a scenario that is not JSON", in: scenario, replace: #""steps": ["#, with: #""steps": [ }"#),
        Edit("the scenario as it was", in: scenario),
        Edit(
            "two scenarios of one name", in: "custom-policies/account-linking.json",
            replace: "Somebody links an account at a provider to a local account",
            with: "A policy that is unusual and that the service accepts"),
        Edit(
            "a value for policies that is wrong", in: "policies/appsettings.json", replace: #""int""#,
            with: #""integers""#),
    ]

    @Test func `what is published is what validate reports, at first and after every edit`() throws {
        let desk = try FindingsDesk()
        desk.update(focus: nil)
        #expect(!desk.shown.isEmpty)
        try desk.expectTheSame("at first")
        for edit in Self.edits {
            let before = desk.shown
            let text = try desk.text(of: edit.file)
            let new = edit.old.map { text.replacing($0, with: edit.new) } ?? desk.originals[edit.file] ?? ""
            #expect(new != text, "\(edit.what)")
            desk.type(new, into: edit.file)
            desk.update(focus: edit.file)
            #expect(desk.order.first == desk.path(edit.file), "\(edit.what)")
            #expect(desk.shown != before, "\(edit.what)")
            try desk.save(new, edit.file)
            try desk.expectTheSame(edit.what)
        }
    }

    @Test func `files that are made and removed count`() throws {
        let desk = try FindingsDesk()
        desk.update(focus: nil)
        let new = "policies/Another.xml"
        let text = try desk.text(of: Self.party).replacing("B2C_1A_ProviderSelection<", with: "B2C_1A_NoSuchBase<")
        desk.type(text, into: new)
        desk.update(focus: new)
        #expect(!desk.findings.findings(of: desk.path(new)).isEmpty)
        try desk.save(text, new)
        try desk.expectTheSame("a new text")
        FileSystem.remove(desk.path(new))
        FileSystem.remove(desk.path(Self.selection))
        desk.type(nil, into: new)
        desk.files.refresh()
        desk.update(focus: nil)
        #expect(desk.shown[desk.path(new)] == nil)
        try desk.expectTheSame("a base is removed")
    }

    @Test(arguments: [0, 1, 2, 3, 10, 60])
    func `what is cancelled publishes nothing more, and the next search is whole`(_ asks: Int) throws {
        let desk = try FindingsDesk()
        desk.update(focus: nil)
        let text = try desk.text(of: Self.selection).replacing(#"Id="GitLike-OAuth2""#, with: #"Id="GitLike""#)
        desk.type(text, into: Self.selection)
        let countdown = Countdown(asks)
        var late: [String] = []
        desk.findings.update(desk.files, focus: desk.path(Self.selection), isCancelled: { countdown.hasEnded() }) {
            if countdown.isOver { late.append($0) }
            desk.shown[$0] = $1.isEmpty ? nil : $1
        }
        #expect(late.isEmpty)
        desk.update(focus: Self.selection)
        try desk.save(text, Self.selection)
        try desk.expectTheSame("after \(asks) questions")
    }

    @Test(arguments: [
        ("b2c.json", #"{ "seeds": 7 }"#),
        ("targets/mock.json", ##"{ "$schema": "../schemas/target.schema.json", "kind": "mock-servr", "name": "m" }"##),
        (
            "targets/mock.json",
            #"{ "kind": "mock-server", "name": "m", "url": "http://127.0.0.1:9", "controlToken": "{{users/ada/email}}" }"#
        ),
    ])
    func `project and target files that are open have findings`(_ file: String, _ text: String) throws {
        let desk = try FindingsDesk()
        desk.type(text, into: file)
        desk.update(focus: file)
        #expect(!desk.findings.findings(of: desk.path(file)).isEmpty)
        desk.type(nil, into: file)
        desk.update(focus: file)
        #expect(desk.findings.findings(of: desk.path(file)).isEmpty)
    }

    @Test(arguments: [
        ("s.json", #"{ "name": "s", "tenant": "tenants/a.json", "steps": [ { "inspect": } ] }"#, ["B2C-JSON-001"]),
        ("package.json", #"{ "name": "app", "version": "1.0", "users": { "seed": 1 } } }"#, []),
        ("build.json", #"{ "name": "x", // build\n "steps": [ { "run": "x" } ] }"#, []),
        ("acl.json", #"{ "name": ${name}, "users": ${users} }"#, []),
        ("other.json", "{ \"compilerOptions\": {}, // a comment\n }", []),
    ])
    func `a script that is not JSON has findings without a schema`(
        _ file: String, _ text: String, _ rules: [String]
    ) throws {
        let desk = try FindingsDesk()
        desk.type(text, into: file)
        desk.update(focus: file)
        #expect(desk.findings.findings(of: desk.path(file)).map(\.diagnostic.rule) == rules)
        try desk.save(text, file)
        try desk.expectTheSame(file)
    }

    @Test func `a text outside of the roots counts with the policies beside it`() throws {
        let desk = try FindingsDesk()
        let files = WorkspaceFiles(roots: [FilePath.join(desk.folder, "custom-policies")])
        #expect(!files.files.contains { $0.kind == .policy })
        files.open(desk.path(Self.party), Array("<TrustFrameworkPolicy".utf8))
        let found = files.files
        #expect(found.contains { $0.path == desk.path(Self.selection) })
        #expect(found.first { $0.path == desk.path(Self.party) }?.source.bytes.count == 21)
        files.open(desk.path(Self.party), nil)
        #expect(!files.files.contains { $0.kind == .policy })
    }
}

/// Ends a search after some questions.
private final class Countdown: Sendable {
    private let left: Mutex<Int>

    init(_ asks: Int) { left = Mutex(asks) }

    func hasEnded() -> Bool {
        left.withLock { left in
            left -= 1
            return left < 0
        }
    }

    var isOver: Bool { left.withLock { $0 < 0 } }
}

private struct FindingsClock: WallClock {
    func now() -> Timestamp { Timestamp(seconds: 1_767_225_600) }
}

/// A folder with the repository's policies and some scenarios, as an editor sees it.
private final class FindingsDesk {
    let folder: String
    let files: WorkspaceFiles
    let findings = WorkspaceFindings(values: PolicyValueSource(), clock: FindingsClock())
    /// The texts of the repository.
    private(set) var originals: [String: String] = [:]
    /// What was published of each file last.
    var shown: [String: [Finding]] = [:]
    /// The files of the last search in the order in which they were published.
    var order: [String] = []

    init() throws {
        folder = try #require(Machine.makeTemporaryFolder())
        files = WorkspaceFiles(roots: [folder])
        let scenarios = TestFiles.root().appending(path: "scenarios").path
        var names = ["tenants/samples.json", "custom-policies/accepted.json", "custom-policies/account-linking.json"]
        names += try FileSystem.names(in: FilePath.join(scenarios, "policies")).map { "policies/\($0)" }
        for name in names {
            let bytes = try FileSystem.read(FilePath.join(scenarios, name))
            originals[name] = String(decoding: bytes, as: UTF8.self)
            try save(originals[name] ?? "", name)
        }
    }

    deinit { FileSystem.removeFolder(folder) }

    /// The path of a file as findings show it.
    func path(_ name: String) -> String {
        FilePath.relative(FilePath.join(folder, name), to: Machine.currentFolder)
    }

    func text(of name: String) throws -> String {
        String(decoding: try #require(files.read(path(name))), as: UTF8.self)
    }

    func type(_ text: String?, into name: String) { files.open(path(name), text.map { Array($0.utf8) }) }

    func save(_ text: String, _ name: String) throws {
        try FileSystem.makeFolder(FilePath.folder(FilePath.join(folder, name)))
        try FileSystem.write(Array(text.utf8), to: FilePath.join(folder, name))
    }

    func update(focus: String?) {
        order = []
        findings.update(files, focus: focus.map(path), isCancelled: { false }) { file, found in
            order.append(file)
            shown[file] = found.isEmpty ? nil : found
        }
    }

    /// Compares what is shown with a validation of what is on the disk.
    func expectTheSame(_ what: String) throws {
        let project = try Project(at: [folder], values: PolicyValueSource(), now: FindingsClock().now())
        let found = Validator.validate(project, more: project.scriptFindings).findings
        let expected = Dictionary(grouping: found) { $0.diagnostic.location?.file ?? "" }
        for file in Set(expected.keys).union(shown.keys).sorted() {
            #expect(shown[file] ?? [] == expected[file] ?? [], "\(what): \(file)")
            #expect(findings.findings(of: file) == expected[file] ?? [], "\(what): \(file)")
        }
    }
}
