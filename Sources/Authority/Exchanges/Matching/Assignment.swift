/// Giving each of some matchers an element of its own.
enum Assignment {
    /// The first matcher for which no element is left when as many as possible have one; `nil` when all have.
    ///
    /// Matchers may overlap, so taking the first fitting element is not enough: an element is taken back from an
    /// earlier matcher when that one can do with another (augmenting paths).
    static func firstUnassigned<Matcher, Element>(
        _ matchers: [Matcher], _ elements: [Element], _ fits: (Element, Matcher) -> Bool
    ) -> Int? {
        let table = matchers.map { matcher in elements.map { fits($0, matcher) } }
        var owner = [Int?](repeating: nil, count: elements.count)
        for matcher in matchers.indices {
            var visited = [Bool](repeating: false, count: elements.count)
            if !assign(matcher, by: table, owner: &owner, visited: &visited) { return matcher }
        }
        return nil
    }

    private static func assign(
        _ matcher: Int, by table: [[Bool]], owner: inout [Int?], visited: inout [Bool]
    ) -> Bool {
        for element in table[matcher].indices where table[matcher][element] && !visited[element] {
            visited[element] = true
            guard let current = owner[element] else {
                owner[element] = matcher
                return true
            }
            if assign(current, by: table, owner: &owner, visited: &visited) {
                owner[element] = matcher
                return true
            }
        }
        return false
    }
}
