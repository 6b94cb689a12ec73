/// The cases in which something is there: all of them, or some.
struct CaseSet: Hashable {
    /// `nil` for all, and for the only run of a scenario without cases.
    private(set) var names: [String]?

    static let all = CaseSet(names: nil)

    /// Narrowed down by a step's `only`.
    func narrowed(to only: [String]?) -> CaseSet {
        guard let only else { return self }
        guard let names else { return CaseSet(names: only) }
        let wanted = Set(only)
        return CaseSet(names: names.filter(wanted.contains))
    }

    /// Which of this set's cases the other one lacks; `all` stands for these names.
    func missing(from other: CaseSet, all: [String]) -> [String] {
        guard let others = other.names else { return [] }
        let known = Set(others)
        return (names ?? all).filter { !known.contains($0) }
    }

    func members(of all: [String]) -> [String] { names ?? all }
}
