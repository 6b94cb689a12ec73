import JSON
import Synchronization

/// Where the entries of one list of a tenant are by name and by id: worked out when somebody first asks, so that a tenant of
/// many entries answers as fast as one of few. Knows one state of the list: a changed list needs new places.
final class EntryPlaces<Entry: Sendable>: Sendable {
    private final class Known: Sendable {
        let byName: [ExactText: Int]
        let byID: [String: Int]

        init(byName: [ExactText: Int], byID: [String: Int]) {
            self.byName = byName
            self.byID = byID
        }
    }

    private let name: @Sendable (Entry) -> String
    private let id: (@Sendable (Entry) -> String)?
    private let known = AtomicLazyReference<Known>()

    /// - Parameter id: The id of an entry, which is compared without letter case; `nil` where entries have none.
    init(name: @escaping @Sendable (Entry) -> String, id: (@Sendable (Entry) -> String)? = nil) {
        self.name = name
        self.id = id
    }

    /// Places of a list that has changed.
    func renewed() -> EntryPlaces { EntryPlaces(name: name, id: id) }

    /// The first entry of that name, byte for byte.
    func first(named name: String, in list: [Entry]) -> Entry? {
        known(of: list).byName[ExactText(name)].map { list[$0] }
    }

    /// The first entry with that id, in any letter case.
    func first(id: String, in list: [Entry]) -> Entry? {
        known(of: list).byID[id.lowercased()].map { list[$0] }
    }

    private func known(of list: [Entry]) -> Known {
        if let known = known.load() { return known }
        var byName: [ExactText: Int] = [:]
        var byID: [String: Int] = [:]
        for (place, entry) in list.enumerated() {
            let name = ExactText(name(entry))
            if byName[name] == nil { byName[name] = place }
            guard let id = id?(entry).lowercased() else { continue }
            if byID[id] == nil { byID[id] = place }
        }
        return known.storeIfNil(Known(byName: byName, byID: byID))
    }
}
