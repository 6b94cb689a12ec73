import JSON
import TrustFramework

/// Technical profiles, content definitions and claims exchanges that have another id in the new policy and are the same
/// apart from it. Nobody sees these ids: pages are compared under the new ones.
struct PolicyRenames {
    private var new: [String: String] = [:]
    private var old: [String: String] = [:]

    init() {}

    init(_ differences: [PolicyDifference]) {
        // What refers to others follows what it refers to.
        let kinds = ["ContentDefinition", "TechnicalProfile", "ClaimsExchange"]
        for kind in kinds {
            func whole(_ side: PolicyDifference.Kind) -> [(id: String, text: String)] {
                differences.compactMap { difference in
                    guard difference.kind == side, difference.isElement, let last = difference.path.last,
                        last.hasPrefix(kind + " "), let text = side == .removed ? difference.old : difference.new
                    else { return nil }
                    let id = String(last.dropFirst(kind.count + 1))
                    return (id, text.replacing("Id=\"\(id)\"", with: "Id=\"\"", maxReplacements: 1))
                }
            }
            var added = whole(.added)
            for removed in whole(.removed) {
                let text = Self.plain(removed.text, toNew)
                guard let place = added.firstIndex(where: { Self.plain($0.text, { $0 }) == text }) else { continue }
                let partner = added.remove(at: place)
                guard new[removed.id.lowercased()] == nil else { continue }
                new[removed.id.lowercased()] = partner.id
                old[partner.id.lowercased()] = removed.id
            }
        }
    }

    /// What the new policy calls an id of the old one.
    func toNew(_ id: String) -> String { new[id.lowercased()] ?? id }

    /// What the old policy calls an id of the new one.
    func toOld(_ id: String) -> String { old[id.lowercased()] ?? id }

    /// Text with the new names of what it refers to, without white space that does not count.
    private static func plain(_ text: String, _ renamed: (String) -> String) -> String {
        text.replacing(/ReferenceId="([^"]*)"/) { "ReferenceId=\"\(renamed(String($0.output.1)))\"" }
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// An action of a script with the names that a policy has.
    ///
    /// - Parameter ticking: The policy whose box "keep me signed in" is ticked where a page has it; `nil`: none is.
    static func action(_ action: JSONValue, _ renamed: (String) -> String, _ ticking: ResolvedPolicy?) -> JSONValue {
        guard var object = action.objectValue else { return action }
        if var mark = object["on"]?.objectValue {
            for key in ["technicalProfile", "contentDefinition"] {
                if let id = mark[key]?.stringValue { mark[key] = .string(renamed(id)) }
            }
            object["on"] = .object(mark)
            if let ticking, var fill = object["fill"]?.objectValue, ticking.sessionBehavior.keepAliveInDays > 0,
                let id = mark["technicalProfile"]?.stringValue, let handle = ticking.profile(id),
                PolicyReplay.hasBox(ticking[handle])
            {
                fill["keepSignedIn"] = true
                object["fill"] = .object(fill)
            }
        }
        if let id = object["press"]?.stringValue { object["press"] = .string(renamed(id)) }
        return .object(object)
    }
}
