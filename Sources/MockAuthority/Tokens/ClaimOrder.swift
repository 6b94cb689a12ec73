import JSON

/// The order in which a token holds its claims, as recorded from tokens of live tenants.
struct ClaimOrder: Sendable {
    /// Claims before and after those of the relying party that are not named.
    private let before: [String]
    private let after: [String]

    /// `*` stands for the claims that the list does not name; without it they go last. A name counts where it comes first.
    init(_ names: [String]) {
        var unique: [String] = []
        for name in names where !unique.contains(name) { unique.append(name) }
        let star = unique.firstIndex(of: "*") ?? unique.count
        before = Array(unique[..<star])
        after = star < unique.count ? Array(unique[(star + 1)...]) : []
    }

    /// The claims in order. Where two have the same name, the later one counts.
    func arrange(_ claims: [(name: String, value: JSONValue)]) -> JSONObject {
        var arranged = JSONObject()
        arranged.reserveCapacity(claims.count)
        // Claims that a list names; those in the middle are the others.
        var named = [Bool](repeating: false, count: claims.count)
        func last(_ name: String) -> Int? {
            var found: Int?
            for place in claims.indices where sameText(claims[place].name, name) {
                named[place] = true
                found = place
            }
            return found
        }
        for name in before {
            if let place = last(name) { arranged.appendUnique(name, claims[place].value) }
        }
        let late = after.compactMap { last($0) }
        for place in claims.indices where !named[place] { arranged.append(claims[place].name, claims[place].value) }
        for place in late { arranged.appendUnique(claims[place].name, claims[place].value) }
        return arranged
    }
}
