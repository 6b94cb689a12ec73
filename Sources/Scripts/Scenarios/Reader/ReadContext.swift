import Exchanges
import JSON
import TenantFiles
import Verbs

/// What all checks of one reading look at.
struct ReadContext {
    let document: JSONDocument
    let root: JSONValue
    let findings: Findings
    /// The tenant file as written, as much of it as could be read.
    let tenant: JSONValue
    /// Whether its names can be relied on.
    let isTenantKnown: Bool
    let names: KnownNames
    /// Reads the tenant with patches over it.
    let outlines: TenantOutlines
    let steps: [Step]
    let finally: [Step]
    let walk: ScriptWalk
    /// Steps by id, as `{{id/...}}` and `resume` see them; the first if an id occurs twice.
    let definitions: [String: ScriptWalk.PlacedStep]
    /// The ids in the order of the text.
    let ids: [String]
    /// All steps, also inner ones.
    let allSteps: [Step]
    /// The cases that set a value, by its name.
    let casesSetting: [String: [String]]
    /// Every value that some case sets, in the order of the text.
    let caseValueNames: [String]
    /// Each step's place in the order of the text.
    private let orders: [JSONPointer: Int]

    init(
        document: JSONDocument, findings: Findings, tenant: TenantReading.Result, names: KnownNames,
        outlines: TenantOutlines, steps: [Step], finally: [Step], walk: ScriptWalk
    ) {
        self.document = document
        root = document.root
        self.findings = findings
        self.tenant = tenant.json
        isTenantKnown = tenant.isKnown
        self.names = names
        self.outlines = outlines
        self.steps = steps
        self.finally = finally
        self.walk = walk
        allSteps = walk.steps.map(\.step)
        var definitions: [String: ScriptWalk.PlacedStep] = [:]
        var ids: [String] = []
        var orders: [JSONPointer: Int] = [:]
        for (order, placed) in walk.steps.enumerated() {
            orders[placed.step.pointer] = order
            guard let id = placed.step.id, definitions[id] == nil else { continue }
            definitions[id] = placed
            ids.append(id)
        }
        self.definitions = definitions
        self.ids = ids
        self.orders = orders
        var casesSetting: [String: [String]] = [:]
        var caseValueNames: [String] = []
        for (name, variant) in root["cases"]?.objectValue?.members ?? [] {
            for key in variant["set"]?.objectValue?.keys ?? [] {
                if casesSetting[key] == nil { caseValueNames.append(key) }
                casesSetting[key, default: []].append(name)
            }
        }
        self.casesSetting = casesSetting
        self.caseValueNames = caseValueNames
    }

    /// Whether a step with this id comes before another step.
    func isEarlier(_ id: String, than step: Step) -> Bool {
        guard let earlier = definitions[id].flatMap({ orders[$0.step.pointer] }), let later = orders[step.pointer]
        else { return false }
        return earlier < later
    }

    /// Names of the cases.
    var cases: [String] { names.cases }

    /// `set` of a case.
    func values(ofCase name: String) -> JSONObject {
        root["cases"]?[name]?["set"]?.objectValue ?? JSONObject()
    }

    /// The declared variables.
    var variables: JSONObject { root["variables"]?.objectValue ?? JSONObject() }

    /// The values of variables and of a case that are known before the run; `nil` is the run of a scenario without cases.
    func knownValues(in name: String?) -> JSONObject {
        JSONObject(
            writtenValues(in: name).members.filter { !$0.value.isNull && !Interpolation.isNeeded(in: $0.value) }
                .map { ($0.key, $0.value) })
    }

    /// The values of variables and of a case, as written.
    func writtenValues(in name: String?) -> JSONObject {
        var values = variables
        for (key, value) in name.map({ self.values(ofCase: $0) })?.members ?? [] { values[key] = value }
        return values
    }

    /// The step that `resume` goes on with in the end, through other `resume` steps.
    func resumed(by step: Step) -> Step? {
        var step = step
        for _ in 0..<100 {
            guard let id = step.call(Resume.self)?.value else { return step }
            guard let next = definitions[id]?.step else { return nil }
            step = next
        }
        return nil
    }

    /// Members of a step's result; `nil` where that cannot be told.
    func resultMembers(of step: Step) -> [String]? {
        guard let origin = resumed(by: step) else { return nil }
        return origin.record.resultMembers
    }
}
