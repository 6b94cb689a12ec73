import JSON
import Synchronization

/// The order in which a token holds its claims, as recorded from tokens of live tenants.
struct ClaimOrder: Sendable {
    /// Claims before and after those of the relying party that are not named.
    private let before: [String]
    private let after: [String]
    /// The tokens of a policy have the same claims nearly always, so their places are worked out once.
    private let latest = Latest()

    private final class Latest: Sendable {
        let arrangement = Mutex<(names: [String], places: [Int])>(([], []))
    }

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
        let places = latest.arrangement.withLock { latest -> [Int] in
            let isSame =
                latest.names.count == claims.count
                && claims.indices.allSatisfy { sameText(latest.names[$0], claims[$0].name) }
            if !isSame { latest = (claims.map(\.name), self.places(of: claims)) }
            return latest.places
        }
        var arranged = JSONObject()
        arranged.reserveCapacity(places.count)
        for place in places { arranged.appendUnique(claims[place].name, claims[place].value) }
        return arranged
    }

    /// Which claim comes first, second and so on.
    private func places(of claims: [(name: String, value: JSONValue)]) -> [Int] {
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
        var places = before.compactMap { last($0) }
        let late = after.compactMap { last($0) }
        let first = places.count
        for place in claims.indices where !named[place] {
            let name = claims[place].name
            if let earlier = places[first...].firstIndex(where: { sameText(claims[$0].name, name) }) {
                places[earlier] = place
            } else {
                places.append(place)
            }
        }
        return places + late
    }
}
