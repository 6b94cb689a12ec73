import Diagnostics
import JSON

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
        /// Whether a number here may be a one-time code or a password.
        let mayBeNumber: Bool
        /// In the order in which they were met.
        private var members: [Member] = []
        private var byName: [ExactText: Member] = [:]
        /// The index of the member that began the last object here.
        private var first = 0
        /// All elements of a list are one place.
        fileprivate private(set) lazy var element = Place(path + ["0"])

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
            holdsDocuments = path == ["requests"] || path == ["steps"]
            mayBeShared = path.count <= 1
            mayBeNumber = (named == .code || named == .password) && path.last != "code"
        }

        /// Whether the elements of this list are documents of their own: the records of a log, the outcomes of a group's steps.
        /// No name above them says anything of what is in them.
        fileprivate let holdsDocuments: Bool

        /// Whether an object here is a document or a member of one. Reports have these at several places: in the outcome of
        /// a step, in that of the group around it, and in the log.
        let mayBeShared: Bool

        /// Whether any text here is a secret, or part of one, because of the place.
        var isSpecial: Bool { header != nil || named != nil }

        /// The kind of secret that a text is here.
        func kind(_ text: String) -> SecretKind? {
            guard let named, let name else { return nil }
            if isParameter || named == .token { return named.admitsParameter(name, text) ? named : nil }
            // The name of a policy key stands for the secret in it.
            return named == .secret && text.hasPrefix("B2C_1A_") ? nil : named
        }

        /// The member of a name.
        ///
        /// - Parameter last: The member before it in an object. Most objects at a place have the same members in the same
        ///   order, so what came behind it the last time is looked at first.
        func member(_ name: String, after last: Member?) -> Member {
            let expected = last?.next ?? first
            if expected < members.count, sameText(members[expected].name, name) { return members[expected] }
            let member = member(name)
            if let last { last.next = member.index } else { first = member.index }
            return member
        }

        func member(_ name: String) -> Member {
            let key = ExactText(name)
            if let known = byName[key] { return known }
            let member = Member(name, Place(path + [name]), index: members.count)
            members.append(member)
            byName[key] = member
            return member
        }
    }

    /// The name of a member and its place.
    final class Member {
        let name: String
        let place: Place
        /// What the name became, and in which pass.
        var masked: (text: String?, pass: Int)?
        /// Its index among the members of its place, and that of the member behind it in the last object.
        fileprivate let index: Int
        fileprivate var next: Int

        fileprivate init(_ name: String, _ place: Place, index: Int) {
            self.name = name
            self.place = place
            self.index = index
            next = index + 1
        }
    }

    /// The place of a whole document.
    let root = Place([])
    /// The texts at these places.
    let texts = ScannedTexts()
    private var passes = 0

    package init() {}

    /// The kind of secret that a text is at a place, where there is only one to ask for.
    package static func kind(_ path: [String], _ text: String) -> SecretKind? { Place(path).kind(text) }

    func place(of path: [String]) -> Place {
        path.reduce(root) { Int($1) == nil ? $0.member($1).place : element(of: $0) }
    }

    /// The place of the elements of a list.
    func element(of list: Place) -> Place { list.holdsDocuments ? root : list.element }

    /// The number of a pass over documents with one mask, different from all before.
    func newPass() -> Int {
        passes += 1
        return passes
    }
}
