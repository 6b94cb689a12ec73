/// Hands out what takes the places of values: the same for a value everywhere, and for new values with numbers, counted
/// for each kind of value in the order in which they come.
package struct StandInRegister {
    private let foldsCase: Bool
    private var standIns: [String: String] = [:]
    private var counts: [String: Int] = [:]
    private var used: Set<String> = []

    /// - Parameter foldsCase: Whether values that differ in letter case alone have the same stand-in.
    package init(foldsCase: Bool = false) { self.foldsCase = foldsCase }

    private func key(_ value: String) -> String { foldsCase ? value.lowercased() : value }

    /// What takes the place of a value; `nil` if it has nothing yet.
    package subscript(value: String) -> String? {
        get { standIns[key(value)] }
        set { standIns[key(value)] = newValue }
    }

    /// All values and what takes their places, in the order of the values.
    package var all: [(value: String, text: String)] {
        standIns.sorted { $0.key < $1.key }.map { (value: $0.key, text: $0.value) }
    }

    /// What takes the place of a value. A new value gets what `make` says for its number.
    ///
    /// - Parameter isUnique: Whether numbers are passed over whose stand-in another value has. A text of few characters
    ///   has few stand-ins: this ends at the next number that a thousand divides.
    package mutating func standIn(
        for value: String, kind: String = "", isUnique: Bool = false, make: (Int) -> String
    ) -> String {
        if let known = self[value] { return known }
        var number = counts[kind, default: 0]
        var text: String
        repeat {
            number += 1
            text = make(number)
        } while isUnique && used.contains(key(text)) && number % 1000 != 0
        counts[kind] = number
        if isUnique { used.insert(key(text)) }
        self[value] = text
        return text
    }
}
