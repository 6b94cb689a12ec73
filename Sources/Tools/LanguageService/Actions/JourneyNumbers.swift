import Markup
import TrustFramework

/// The numbers of the steps of a journey in one file.
struct JourneyNumbers {
    let file: String
    /// In the order of the text; a step without a number counts as 0.
    let steps: [(order: Int, range: Range<Int>)]
    var orders: [Int] { steps.map(\.order) }

    /// - Parameter journey: The element.
    init(_ journey: Int, in markup: MarkupOutline) {
        file = markup.source.file
        let lists = markup.elements[journey].children.filter { markup.name($0) == "OrchestrationSteps" }
        steps = lists.flatMap { markup.elements[$0].children }.compactMap { step in
            markup.valueRange(step, "Order").map { (Int(markup.value(step, "Order") ?? "") ?? 0, $0) }
        }
    }

    /// The journey of a file.
    init?(_ name: String, id: String, in markup: MarkupOutline) {
        let found = markup.elements.indices.first { element in
            markup.name(element) == name && markup.value(element, "Id").map { sameID($0, id) } ?? false
        }
        guard let found else { return nil }
        self.init(found, in: markup)
    }

    /// The edits that give each step its number.
    func edits(_ numbers: [Int]) -> [TextEdit] {
        zip(steps, numbers).filter { $0.order != $1 }.map {
            TextEdit(file: file, range: $0.range, replacement: "\($1)")
        }
    }

    /// The steps numbered in the order of the text.
    ///
    /// - Parameter inherited: Numbers of the same journey in files above. A step that overrides one of them keeps its
    ///   number, and new steps follow behind the last of them.
    func renumbered(besides inherited: Set<Int>) -> [Int] {
        var overridden = Set<Int>()
        var next = inherited.max() ?? 0
        return orders.map { order in
            if inherited.contains(order), overridden.insert(order).inserted { return order }
            next += 1
            return next
        }
    }

    /// The numbers of this journey in a file below after the one above got others.
    ///
    /// - Returns: `nil` if a step of it lies between two steps of the file above.
    func following(_ old: [Int], to new: [Int]) -> [Int]? {
        guard let last = old.max(), let moved = new.max() else { return nil }
        // Of two steps of one number the one behind was there first: somebody wrote another before it.
        let known = Dictionary(zip(old, new)) { $1 }
        var numbers: [Int] = []
        for order in orders {
            guard let number = known[order] ?? (order > last ? order.shifted(from: last, to: moved) : nil) else {
                return nil
            }
            numbers.append(number)
        }
        return numbers
    }
}

extension Int {
    /// As far behind another number as it was behind the first; `nil`: there is no such number.
    fileprivate func shifted(from old: Int, to new: Int) -> Int? {
        let (number, isTooLarge) = addingReportingOverflow(new - old)
        return isTooLarge ? nil : number
    }
}

extension LanguageWorkspace {
    /// Numbers the steps of the journey around an offset from 1 in the order of the text, and with them those that override
    /// them in files below; `nil`: they are numbered so, or a file below does not allow it.
    func renumbering(at offset: Int, of file: LanguageFile) -> LanguageAction? {
        guard let markup = file.markup, let inner = markup.element(at: offset),
            let journey = markup.path(inner).first(where: { ["UserJourney", "SubJourney"].contains(markup.name($0)) }),
            let id = markup.value(journey, "Id")
        else { return nil }
        let name = markup.name(journey)
        func numbers(_ path: String) -> JourneyNumbers? {
            self.file(path)?.markup.flatMap { JourneyNumbers(name, id: id, in: $0) }
        }
        let own = JourneyNumbers(journey, in: markup)
        let inherited = families.chain(file.path).dropLast().compactMap { numbers($0) }.flatMap(\.orders)
        // Steps have small numbers; others are mistakes to fix by hand.
        guard (own.orders + inherited).allSatisfy({ (0...10_000).contains($0) }) else { return nil }
        let new = own.renumbered(besides: Set(inherited))
        var edits = own.edits(new)
        guard !edits.isEmpty else { return nil }
        // Numbers that stay because they override count too: files below may have them.
        for below in families.descendants(file.path).compactMap({ numbers($0) }) {
            guard let moved = below.following(own.orders + inherited, to: new + inherited) else { return nil }
            edits += below.edits(moved)
        }
        return LanguageAction(title: "Renumber the steps of \(id)", group: .refactoring, edits: edits)
    }
}
