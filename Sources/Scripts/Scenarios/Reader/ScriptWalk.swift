import JSON
import Verbs

/// The walk over a script: its steps, its patches over the tenant file and its lists of fault rules, each with its
/// place.
struct ScriptWalk {
    /// A step with what the groups around it say.
    struct PlacedStep {
        /// What contains the step.
        enum Position {
            case script, group, parallel, then
        }

        var step: Step
        var position: Position
        /// The cases in which the group around it runs, as far as its `only` says.
        var outer: CaseSet
        /// The cases in which the step runs.
        var cases: CaseSet
        /// Its client, or that of the nearest group with one; `nil` if the scenario decides.
        var client: String?
        /// `only` of the step and of the groups around it.
        fileprivate var limits: [[String]]

        /// Whether the step runs in a case; `nil` is the run of a scenario without cases.
        func runs(in caseName: String?) -> Bool {
            limits.allSatisfy { only in caseName.map { only.containsText($0) } ?? false }
        }

        /// What the step itself says.
        func own(_ part: Part) -> PlacedPart? {
            guard let value = part == .faults ? step.faults : parameters(of: .configure) else { return nil }
            return PlacedPart(value: value, pointer: step.pointer.appending(part.rawValue))
        }

        private func parameters(of verb: Verb) -> JSONValue? {
            guard step.verb == verb else { return nil }
            return step.parameters
        }
    }

    /// What a scenario, a case and a step can have.
    enum Part: String, CaseIterable {
        /// A patch over the tenant file; of a step, the parameters of its verb.
        case configure
        /// A list of fault rules.
        case faults
    }

    /// A part with its place.
    struct PlacedPart {
        var value: JSONValue
        var pointer: JSONPointer
    }

    /// All steps, also inner ones, in the order of the text.
    private(set) var steps: [PlacedStep] = []
    private let root: JSONValue

    init(root: JSONValue, steps: [Step]) {
        self.root = root
        add(steps, .script, in: nil)
    }

    private mutating func add(_ steps: [Step], _ position: PlacedStep.Position, in group: PlacedStep?) {
        for step in steps {
            let outer = group?.cases ?? .all
            let placed = PlacedStep(
                step: step, position: position, outer: outer, cases: outer.narrowed(to: step.only),
                client: step.client ?? group?.client, limits: (group?.limits ?? []) + [step.only].compactMap { $0 })
            self.steps.append(placed)
            add(step.steps, step.verb == .parallel ? .parallel : .group, in: placed)
            add(step.then, .then, in: placed)
        }
    }

    /// What the scenario itself says, or one of its cases.
    func own(_ part: Part, ofCase name: String? = nil) -> PlacedPart? {
        let owner = name.map { root["cases"]?[$0] } ?? root
        let place = name.map { ["cases", $0] } ?? []
        return owner?[part.rawValue].map {
            PlacedPart(value: $0, pointer: JSONPointer(tokens: place + [part.rawValue]))
        }
    }

    /// What applies before the first step in a case, in order; `nil` is the run of a scenario without cases.
    func atStart(_ part: Part, in caseName: String?) -> [PlacedPart] {
        [own(part), caseName.flatMap { own(part, ofCase: $0) }].compactMap { $0 }
    }

    /// What scenario and cases say.
    func outsideSteps(_ part: Part) -> [PlacedPart] {
        let cases = root["cases"]?.objectValue?.keys ?? []
        return ([own(part)] + cases.map { own(part, ofCase: $0) }).compactMap { $0 }
    }

    /// What scenario, cases and steps say, in this order.
    func all(_ part: Part) -> [PlacedPart] { outsideSteps(part) + steps.compactMap { $0.own(part) } }
}
