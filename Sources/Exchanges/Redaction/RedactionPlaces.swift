import Diagnostics

/// What the names that lead to a value say of it, worked out once for each place: reports have many values at few places.
package final class RedactionPlaces {
    /// One place, whatever the index of the elements on the way to it.
    final class Place {
        let path: [String]
        /// The member's own name, or that of the list of which this is an element.
        private let name: String?
        private let named: SecretKind?
        private let isParameter: Bool
        /// Where the place is one of a message's headers.
        let header: HeaderSecrets.Form?
        fileprivate var members: [String: Int] = [:]
        fileprivate var element: Int?

        init(_ path: [String]) {
            self.path = path
            if let index = path.lastIndex(of: "headers"), index + 1 < path.count {
                header = HeaderSecrets.Form(path[index + 1])
            } else {
                header = nil
            }
            var above = path
            // The elements of a list stand for the list: `secrets/0` is a secret.
            while let last = above.last, Int(last) != nil { above.removeLast() }
            name = above.popLast()
            named = name.flatMap { SecretKind.at($0, under: above) }
            isParameter = above.last == "query" || above.last == "fragment"
        }

        /// The kind of secret that a text is here.
        func kind(_ text: String) -> SecretKind? {
            guard let named, let name else { return nil }
            if isParameter || named == .token { return named.admitsParameter(name, text) ? named : nil }
            // The name of a policy key stands for the secret in it.
            return named == .secret && text.hasPrefix("B2C_1A_") ? nil : named
        }
    }

    private var places = [Place([])]
    /// The secrets that a text gives away: most texts of a report are in many places of it.
    private var found: [TextKey: [(value: String, kind: SecretKind)]] = [:]

    package init() {}

    /// The kind of secret that a text is at a place, where there is only one to ask for.
    package static func kind(_ path: [String], _ text: String) -> SecretKind? { Place(path).kind(text) }

    subscript(place: Int) -> Place { places[place] }

    func index(of path: [String]) -> Int {
        path.reduce(0) { Int($1) == nil ? member($1, of: $0) : element(of: $0) }
    }

    func member(_ name: String, of place: Int) -> Int {
        if let index = places[place].members[name] { return index }
        places[place].members[name] = places.count
        places.append(Place(places[place].path + [name]))
        return places.count - 1
    }

    /// The secrets that a text gives away by its looks, in order.
    func secrets(in text: String) -> [(value: String, kind: SecretKind)] {
        let key = TextKey(text)
        if let known = found[key] { return known }
        var all: [(value: String, kind: SecretKind)] = []
        SecretScan.find(in: text) { all.append(($0, $1)) }
        found[key] = all
        return all
    }

    /// All elements of a list are one place.
    func element(of place: Int) -> Int {
        if let index = places[place].element { return index }
        places[place].element = places.count
        places.append(Place(places[place].path + ["0"]))
        return places.count - 1
    }
}
