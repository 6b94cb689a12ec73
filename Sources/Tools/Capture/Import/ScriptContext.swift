import Determinism
import HTTPMessages
import JSON
import Verbs

/// What all that write a part of the script share: what happened, what is known of the tenant by then, and what there is to
/// say. One value for each script.
final class ScriptContext {
    let story: CapturedFlow
    let options: CaptureImport.Options
    /// Changes while steps are written: a name that comes for the first time makes a person, an account that cannot be made
    /// is there from the start.
    var tenant: CapturedTenant
    private(set) var notes: [String] = []
    private var noted: Set<String> = []

    init(_ tenant: CapturedTenant, _ options: CaptureImport.Options) {
        story = tenant.story
        self.tenant = tenant
        self.options = options
        for text in options.notes + tenant.notes { note(text) }
    }

    /// Says something that could not be carried over, once.
    func note(_ text: String) {
        if noted.insert(text).inserted { notes.append(text) }
    }

    /// What the service said, with stand-ins for people: its messages are texts of its own and may address a person by name.
    func said(_ text: String) -> String {
        let text = tenant.people.scrubbed(text)
        guard tenant.people.mayOccur(in: text) else { return text }
        return CaptureImport.StandIns(tenant.people).withoutNames(text)
    }

    /// Writes both files.
    func files() -> CaptureImport.Files {
        var writer = StepWriter(self)
        writer.run()
        tenant.giveNames()
        noteWhatIsLeft()
        var standIns = CaptureImport.StandIns(tenant.people)
        notes = notes.map { standIns.replaced(in: $0) }
        var people: [Int: String] = [:]
        for (index, actor) in tenant.actors.enumerated() { people[index] = actor.map { tenant.people[$0].name } }
        let name = options.name.map(CaptureImport.fileName) ?? usualName
        return CaptureImport.Files(
            name: name, tenant: tenant.json, draft: draft(name, writer.steps), notes: notes, steps: writer.lines,
            origins: writer.origins, people: people, standIns: standIns,
            reductions: writer.reductions)
    }

    private func noteWhatIsLeft() {
        let traffic = tenant.traffic
        let named = Set(traffic.tenantSegments.filter { GUID($0) == nil })
        if named.count > 1 {
            note(
                "The capture has requests to \(named.count) tenants (\(named.sorted().joined(separator: ", "))); the script plays all at one."
            )
        }
        if !traffic.otherHosts.isEmpty {
            let count = traffic.otherHosts.values.reduce(0, +)
            let hosts = traffic.otherHosts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            note(
                "\(HARFile.count(count, "request", "requests")) of other hosts omitted: "
                    + hosts.prefix(6).map { tenant.people.scrubbed($0.key) }.joined(separator: ", ")
                    + (hosts.count > 6 ? ", ..." : "") + ".")
        }
        for host in tenant.hosts().local {
            note("\(host) is a server of this machine; the script uses the tenant's usual host.")
        }
    }

    private var usualName: String {
        var ids: [String] = []
        for id in story.items.compactMap({ $0.flow?.policy }) { ids.note(id) }
        return CaptureImport.fileName(
            "imported " + ids.prefix(2).map { tenant.policyName($0) ?? $0 }.joined(separator: " "))
    }

    private func draft(_ name: String, _ steps: [Step]) -> ScenarioDraft {
        let ids = tenant.policies.map(\.id).prefix(3).joined(separator: ", ")
        var text = "Imported from \(options.source)."
        for client in tenant.clients {
            text += " The app `\(client.name)` is played as \(client.kind.rawValue): \(client.evidence)."
        }
        text += " People, passwords and ids are stand-ins."
        if !notes.isEmpty { text += "\nNot carried over, or guessed:\n- " + notes.joined(separator: "\n- ") }
        var draft = ScenarioDraft(
            name: "Imported: " + (ids.isEmpty ? name : ids), tenant: .file("tenants/\(name).json"),
            app: tenant.clients[0].name, steps: steps)
        draft.description = text
        draft.tags = ["imported"]
        if let start = story.items.first?.started, start.milliseconds > 0 {
            draft.clock = .string(Timestamp(seconds: start.secondsSinceEpoch).rfc3339)
        }
        return draft
    }
}
