import JSON

/// The order in which a token holds its claims, as recorded from tokens of live tenants.
struct ClaimOrder: Sendable {
    /// Claims before and after those of the relying party that are not named.
    private let before: [String]
    private let after: [String]

    /// `*` stands for the claims that the list does not name; without it they go last.
    init(_ names: [String]) {
        let star = names.firstIndex(of: "*") ?? names.count
        before = Array(names[..<star])
        after = star < names.count ? Array(names[(star + 1)...]) : []
    }

    private func names(_ list: [String], _ name: String) -> Bool {
        for place in list.indices where sameText(list[place], name) { return true }
        return false
    }

    /// The claims in order. Where two have the same name, the later one counts.
    func arrange(_ claims: [(name: String, value: JSONValue)]) -> JSONObject {
        var arranged = JSONObject()
        arranged.reserveCapacity(claims.count)
        func place(_ names: [String]) {
            for name in names {
                for place in claims.indices.reversed() where sameText(claims[place].name, name) {
                    arranged.append(name, claims[place].value)
                    break
                }
            }
        }
        place(before)
        for claim in claims where !names(before, claim.name) && !names(after, claim.name) {
            arranged.append(claim.name, claim.value)
        }
        place(after)
        return arranged
    }
}
