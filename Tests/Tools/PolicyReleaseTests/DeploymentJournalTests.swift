import Determinism
import JSON
import PolicyRelease
import Testing

/// The journal of deployments: its file, what can be rolled back, and what staged deployments created.
struct DeploymentJournalTests {
    private static func record(
        _ kind: DeploymentRecord.Kind, _ bundle: String, prefix: String? = nil, undoes: String? = nil,
        isFinished: Bool = true, _ steps: [DeploymentStep]
    ) -> DeploymentRecord {
        DeploymentRecord(
            kind, tenant: TenantOrganization(id: "t", domains: ["contoso.onmicrosoft.com"]), environment: nil,
            plan: "sha256:0", began: Timestamp(milliseconds: 1_796_018_554_000), bundle: bundle, prefix: prefix,
            undoes: undoes, isFinished: isFinished, steps: steps)
    }

    private static func step(
        _ id: String, _ before: String?, _ after: String?, _ state: DeploymentStep.State = .live, sends: Int = 1
    ) -> DeploymentStep {
        DeploymentStep(id: id, before: before, after: after, state: state, sends: sends)
    }

    @Test func `a journal is read as it was written`() throws {
        var staged = Self.record(
            .staged, "20261130T060234Z", prefix: "V2", isFinished: false,
            [Self.step("A", nil, "sha256:1", .sending, sends: 2), Self.step("B", "sha256:1", "sha256:2", .refused)])
        staged.environment = "Test"
        staged.steps[0].file = "policies/A.xml"
        let journal = DeploymentJournal(records: [
            Self.record(.deploy, "1", [Self.step("A", "sha256:1", nil)]),
            Self.record(.rollback, "2", undoes: "1", []), staged,
        ])
        let text = JSONWriter.pretty(.object(journal.json))
        #expect(DeploymentJournal(json: try JSONParser.parse(text)) == journal)
    }

    @Test(arguments: [
        #"[]"#, #"{"version":2,"deployments":[]}"#, #"{"version":1}"#, #"{"version":1,"deployments":[{}]}"#,
        #"{"version":1,"deployments":[{"kind":"deploy","tenant":"t","domains":[],"began":"2026-11-30T06:02:34Z","bundle":"../1","finished":true,"steps":[]}]}"#,
        #"{"version":1,"deployments":[{"kind":"deploy","tenant":"t","domains":[],"began":"2026-11-30T06:02:34Z","bundle":"1","finished":true,"steps":[{"id":"A","state":"gone","sends":0,"before":null,"after":null}]}]}"#,
    ])
    func `another JSON text is not a journal`(_ text: String) throws {
        #expect(DeploymentJournal(json: try JSONParser.parse(text)) == nil)
    }

    @Test func `the bundle is named after the time`() {
        #expect(DeploymentRecord.bundleName(Timestamp(seconds: 1_796_018_554)) == "20261130T060234Z")
        #expect(DeploymentRecord.bundleName(Timestamp(milliseconds: 1_796_018_554_321)) == "20261130T060234Z")
    }

    @Test func `a deployment is unfinished until its end is written`() {
        var journal = DeploymentJournal()
        #expect(journal.unfinished == nil && journal.toRollBack == nil)
        var record = Self.record(.deploy, "1", isFinished: false, [Self.step("A", nil, "sha256:1", .sending)])
        journal.append(record)
        #expect(journal.unfinished == record && journal.toRollBack == record)
        record.isFinished = true
        journal.update(record)
        #expect(journal.unfinished == nil && journal.records == [record])
    }

    @Test func `each rollback undoes the last deployment that is not undone`() {
        var journal = DeploymentJournal(records: [
            Self.record(.deploy, "1", [Self.step("A", nil, "sha256:1")]),
            Self.record(.deploy, "2", [Self.step("A", "sha256:1", "sha256:2")]),
            // Nothing of it reached the tenant.
            Self.record(.deploy, "3", [Self.step("A", "sha256:2", "sha256:3", .refused)]),
        ])
        #expect(journal.toRollBack?.bundle == "2")
        journal.append(Self.record(.rollback, "4", undoes: "2", [Self.step("A", "sha256:2", "sha256:1", .changed)]))
        #expect(journal.toRollBack?.bundle == "2", "it stopped before its end")
        journal.append(Self.record(.rollback, "5", undoes: "2", [Self.step("A", "sha256:2", "sha256:1")]))
        #expect(journal.toRollBack?.bundle == "1")
        journal.append(Self.record(.rollback, "6", undoes: "1", [Self.step("A", "sha256:1", nil)]))
        #expect(journal.toRollBack == nil)
    }

    @Test func `staged policies are known until they are deleted`() {
        var journal = DeploymentJournal(records: [
            Self.record(
                .staged, "1", prefix: "V2",
                [
                    Self.step("B2C_1A_V2_Base", nil, "sha256:1"), Self.step("B2C_1A_V2_SignIn", nil, "sha256:2"),
                    Self.step("B2C_1A_V2_Reset", nil, "sha256:3", .refused),
                    // Somebody else created it.
                    Self.step("B2C_1A_V2_Edit", "sha256:0", "sha256:4"),
                ]),
            Self.record(.staged, "2", prefix: "V2", [Self.step("B2C_1A_V2_SignIn", "sha256:2", "sha256:5")]),
        ])
        let removal = journal.removal(of: "v2")
        #expect(removal.map(\.id) == ["B2C_1A_V2_SignIn", "B2C_1A_V2_Base"])
        #expect(removal.map(\.before) == ["sha256:5", "sha256:1"] && removal.allSatisfy { $0.after == nil })
        #expect(journal.removal(of: "V3") == [])
        journal.append(Self.record(.removeStaged, "3", prefix: "V2", [Self.step("B2C_1A_V2_SignIn", "sha256:5", nil)]))
        #expect(journal.removal(of: "V2").map(\.id) == ["B2C_1A_V2_Base"])
    }

    @Test func `old deployments are dropped, except those whose staged policies exist`() {
        var journal = DeploymentJournal(records: [
            Self.record(.staged, "S", prefix: "V2", [Self.step("B2C_1A_V2_Base", nil, "sha256:1")])
        ])
        for number in 1...DeploymentJournal.kept + 5 {
            journal.append(Self.record(.deploy, "\(number)", [Self.step("A", "sha256:1", "sha256:2")]))
        }
        #expect(journal.records.map(\.bundle) == ["S"] + (6...DeploymentJournal.kept + 5).map { "\($0)" })
        #expect(journal.removal(of: "V2").map(\.id) == ["B2C_1A_V2_Base"])
    }
}
