import JSON

/// What a file of `--inputs` holds for a sign-in that is played.
package struct PlayInputs: Sendable {
    package enum Member: String, CaseIterable {
        case request, user, configure, clock, faults
    }

    var json = JSONObject()

    package init(json: JSONObject = JSONObject()) { self.json = json }

    package subscript(member: Member) -> JSONValue? {
        get { json[member.rawValue] }
        set { json[member.rawValue] = newValue }
    }
}
