import TrustFramework

/// Orders of uploads. Between two uploads a tenant has some old and some new policies, and people sign in.
public struct UploadOrder: Sendable {
    /// A policy that is uploaded.
    public struct Upload: Hashable, Sendable {
        public var id: String
        /// Its parent, if that is uploaded too.
        public var base: String?
        /// Whether the tenant has it already. A policy whose parent it does not have is refused.
        public var exists: Bool

        public init(id: String, base: String?, exists: Bool) {
            self.id = id
            self.base = base
            self.exists = exists
        }
    }

    /// States between two uploads that are looked at, at most.
    public static let mostStates = 200

    private let uploads: [Upload]

    /// - Parameter uploads: In an order with parents first.
    public init(_ uploads: [Upload]) {
        self.uploads = uploads
    }

    /// An order in which no state between two uploads is broken: with parents first if there is one, else one that the
    /// service accepts. `nil`: none was found among ``mostStates`` states.
    ///
    /// - Parameter isBroken: Whether some policy of the tenant is broken when these have been uploaded, by their places in
    ///   the list of uploads.
    public func unbroken(_ isBroken: @escaping (Set<Int>) -> Bool) -> [String]? {
        var known: [Set<Int>: Bool] = [:]
        for needsParent in [{ (_: Upload) in true }, { (parent: Upload) in !parent.exists }] {
            var search = Search(parents: parents(needsParent), isBroken: isBroken, known: known)
            if let found = search.order(of: uploads.count) { return found.map { uploads[$0].id } }
            known = search.known
        }
        return nil
    }

    /// The place of the parent that has to be uploaded before each policy.
    private func parents(_ isNeeded: (Upload) -> Bool) -> [Int?] {
        uploads.map { upload in
            upload.base.flatMap { base in uploads.firstIndex { sameID($0.id, base) && isNeeded($0) } }
        }
    }

    /// Looks for a way through the states, in depth first, and looks at no state twice.
    private struct Search {
        let parents: [Int?]
        let isBroken: (Set<Int>) -> Bool
        var known: [Set<Int>: Bool]
        private var ends: Set<Set<Int>> = []

        init(parents: [Int?], isBroken: @escaping (Set<Int>) -> Bool, known: [Set<Int>: Bool]) {
            self.parents = parents
            self.isBroken = isBroken
            self.known = known
        }

        mutating func order(of count: Int) -> [Int]? { order(after: [], of: count) }

        private mutating func order(after done: [Int], of count: Int) -> [Int]? {
            guard done.count < count else { return done }
            let state = Set(done)
            for next in 0..<count where !state.contains(next) {
                guard parents[next].map(state.contains) ?? true else { continue }
                let reached = state.union([next])
                guard !ends.contains(reached) else { continue }
                guard reached.count == count || isWhole(reached) else { continue }
                if let found = order(after: done + [next], of: count) { return found }
                ends.insert(reached)
            }
            return nil
        }

        /// Whether a state is known to have no broken policy.
        private mutating func isWhole(_ state: Set<Int>) -> Bool {
            if let known = known[state] { return !known }
            guard known.count < UploadOrder.mostStates else { return false }
            let broken = isBroken(state)
            known[state] = broken
            return !broken
        }
    }
}
