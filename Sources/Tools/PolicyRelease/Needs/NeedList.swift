import Diagnostics

/// Needs by name.
struct NeedList<Need> {
    private(set) var all: [Need] = []
    private var indices: [String: Int] = [:]

    /// Changes the need of a name, which is made where there is none.
    ///
    /// - Parameter name: Compared exactly; ids, whose letter case does not count, are given in capitals.
    mutating func change(_ name: String, else make: @autoclosure () -> Need, _ change: (inout Need) -> Void) {
        let index = indices[name] ?? all.count
        if index == all.count {
            all.append(make())
            indices[name] = index
        }
        change(&all[index])
    }
}

extension Array where Element: Equatable {
    /// Appends an element unless it is there.
    mutating func include(_ element: Element) {
        if !contains(element) { append(element) }
    }

    /// Appends an element unless it is the last one: for elements of which equal ones come one after another.
    mutating func includeLast(_ element: Element) {
        if last != element { append(element) }
    }
}
