import Exchanges
import JSON

/// Finds the alternatives of an `$any` that match a value: those that are single values by a look into a table.
struct AlternativeIndex {
    private let alternatives: [JSONValue]
    private var constants: [JSONValue: [Int]] = [:]
    /// Alternatives that are more than a single value, or that are filled in first.
    private var others: [Int] = []

    init(_ alternatives: [JSONValue]) {
        self.alternatives = alternatives
        for (index, alternative) in alternatives.enumerated() {
            if alternative.arrayValue != nil || alternative.objectValue != nil
                || Interpolation.isNeeded(in: alternative)
            {
                others.append(index)
            } else {
                constants[alternative.ordered, default: []].append(index)
            }
        }
    }

    /// The places of the first alternatives that match a value, single values before others.
    ///
    /// - Parameter filled: An alternative with everything filled in.
    func first(_ count: Int, matching value: JSONValue?, filled: (JSONValue) -> JSONValue) -> [Int] {
        var found = Array((value.flatMap { constants[$0.ordered] } ?? []).prefix(count))
        for index in others where found.count < count {
            if Matcher.matches(value, filled(alternatives[index])) { found.append(index) }
        }
        return found
    }
}
