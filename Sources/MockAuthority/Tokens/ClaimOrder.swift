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

    /// The claims in order. Where two have the same name, the later one counts.
    func arrange(_ claims: [(name: String, value: JSONValue)]) -> JSONObject {
        var arranged = JSONObject()
        func place(_ names: [String]) {
            for name in names {
                if let claim = claims.last(where: { $0.name == name }) { arranged[name] = claim.value }
            }
        }
        place(before)
        for claim in claims where !before.contains(claim.name) && !after.contains(claim.name) {
            arranged[claim.name] = claim.value
        }
        place(after)
        return arranged
    }
}
