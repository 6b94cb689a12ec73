/// Which branch of a world's script: `[]` is the main lane, `[2]` the third branch of a `parallel` step, `[2, 0]` the
/// first branch of a `parallel` step inside that.
public struct LaneID: Hashable, Sendable, Comparable, CustomStringConvertible {
    public var path: [Int]

    public init(path: [Int]) {
        self.path = path
    }

    /// The lane of everything outside `parallel`.
    public static let main = LaneID(path: [])

    /// The lane of a branch, counted from 0.
    public func branch(_ index: Int) -> LaneID {
        LaneID(path: path + [index])
    }

    /// The lane that opened this one; `nil` for the main lane.
    public var parent: LaneID? {
        path.isEmpty ? nil : LaneID(path: Array(path.dropLast()))
    }

    /// A lane comes before those it opens, and they in the order written.
    public static func < (a: LaneID, b: LaneID) -> Bool {
        a.path.lexicographicallyPrecedes(b.path)
    }

    /// Branches counted from 1, as a person counts them: `main`, `branch 3`, `branch 3.1`.
    public var description: String {
        path.isEmpty ? "main" : "branch " + path.map { String($0 &+ 1) }.joined(separator: ".")
    }
}

/// Why a lane's wait ended without its reason having come.
public enum WorldError: Error, Sendable {
    /// Every lane waited and nothing could have freed one of them; all that waited are named with what they waited for.
    case deadlock([(lane: LaneID, waitsFor: String)])
    /// The world was shut down, or the lane is not open.
    case closed
}

extension WorldError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .deadlock(let lanes):
            "deadlock: " + lanes.map { "\($0.lane) waits for \($0.waitsFor)" }.joined(separator: ", ")
        case .closed: "the world is closed"
        }
    }
}
