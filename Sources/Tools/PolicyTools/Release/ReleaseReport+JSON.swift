import Diagnostics
import JSON
import PolicyRelease
import TrustFramework

extension ReleaseReport {
    /// The plan, which `b2c policy deploy` reads, with the report as further members.
    package var json: JSONValue {
        var root = plan.json
        root["summary"] = .string(headline)
        root["changes"] = .array(kinds.map { .string($0.rawValue) })
        root["refused"] = .array(refused.map { Self.json($0) })
        root["signIns"] = .array(signIns.map { json($0) })
        root["unchanged"] = .array(unchanged.map { .string($0) })
        root["missing"] = .array(
            missing.map { need in
                var object: JSONObject = ["text": .string(need.text), "isKey": .bool(need.isKey)]
                object["place"] = need.place?.json(PolicyState.shown)
                object["remedy"] = need.remedy.map { .string($0) }
                return .object(object)
            })
        root["states"] = .array(states.map { json($0) })
        if !avoided.isEmpty { root["avoidedStates"] = .array(avoided.map { json($0) }) }
        if needsStaging { root["needsStaging"] = true }
        if !forbidden.isEmpty { root["forbidden"] = .array(forbidden.map { .string($0.rawValue) }) }
        return .object(root)
    }

    /// ``json`` as the text of a file.
    package var jsonText: String { JSONWriter.pretty(json) + "\n" }

    private func json(_ change: ChangedSignIn) -> JSONValue {
        var object: JSONObject = ["policy": .string(change.policy), "status": .string(change.status.rawValue)]
        object["notices"] = .array(change.rows.map { json($0) })
        object["elements"] = .array(
            change.structure.map { difference in
                var object: JSONObject = ["kind": .string(difference.kind.rawValue)]
                object["path"] = .array(difference.path.map { .string($0) })
                object["old"] = difference.old.map { .string(Self.masked($0)) }
                object["new"] = difference.new.map { .string(Self.masked($0)) }
                object["reached"] = .bool(difference.isReached)
                object["place"] = DifferenceCause(difference).place?.json(PolicyState.shown)
                return .object(object)
            })
        object["findings"] = [
            "appeared": .array(change.appeared.map { Self.json($0) }),
            "gone": .array(change.gone.map { Self.json($0) }),
        ]
        object["notes"] = .array(change.notes.map { .string($0) })
        return .object(object)
    }

    private func json(_ row: NoticedRow) -> JSONValue {
        var object: JSONObject = [
            "who": .string(row.who), "before": .string(row.before), "after": .string(row.after),
            "kinds": .array(row.kinds.sorted().map { .string($0.rawValue) }),
        ]
        object["party"] = row.party.map { .string($0.rawValue) }
        object["because"] = .array(
            row.causes.map { cause in
                var object: JSONObject = ["element": .string(cause.element)]
                object["place"] = cause.place?.json(PolicyState.shown)
                return .object(object)
            })
        object["paths"] = .integer(Int64(row.paths))
        object["path"] = row.path.isEmpty ? nil : .string(row.path)
        object["repeat"] = row.repeated.map { .string($0) }
        return .object(object)
    }

    private func json(_ state: UploadState) -> JSONValue {
        [
            "after": .integer(Int64(state.count)), "of": .integer(Int64(state.of)), "last": .string(state.last),
            "broken": .array(
                state.broken.map { broken in
                    var object = Self.json(broken.why).objectValue ?? JSONObject()
                    object["policy"] = .string(broken.policy)
                    return .object(object)
                }),
            "notices": .array(
                state.rows.map { row in
                    json(row).merging(patch: ["policy": .string(row.policy)])
                }),
        ]
    }

    /// A text of a policy without secrets.
    package static func masked(_ text: String) -> String { SecretText.masked(text) { "<\($0.rawValue)>" } }

    private static func json(_ finding: Diagnostic) -> JSONValue {
        var object: JSONObject = ["rule": .string(finding.rule), "message": .string(finding.message)]
        object["remedy"] = finding.remedy.map { .string($0) }
        object["place"] = finding.location?.json(PolicyState.shown)
        return .object(object)
    }
}
