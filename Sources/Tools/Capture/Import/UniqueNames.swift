/// Names that are given once each: the second request for one returns `name2`, then `name3`.
struct UniqueNames {
    private var taken: Set<String> = []
    /// The first number that may be free, by name: names are never given back, so it only grows.
    private var next: [String: Int] = [:]
    /// How many names were tried, for tests of how the work grows.
    private(set) var steps = 0

    mutating func take(_ name: String) -> String {
        steps += 1
        if taken.insert(name).inserted { return name }
        var number = next[name] ?? 2
        while !taken.insert("\(name)\(number)").inserted {
            steps += 1
            number += 1
        }
        next[name] = number + 1
        return "\(name)\(number)"
    }
}
