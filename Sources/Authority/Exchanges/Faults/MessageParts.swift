import HTTPMessages
import JSON

/// Patches over the parts of a message, each with a note of whether it changed something. A part in which nothing
/// changed keeps its bytes.
enum MessageParts {
    /// The parts of a flat patch. An empty patch is one part, which changes nothing.
    static func of(_ patch: JSONObject, at part: JSONPointer) -> [JSONPointer] {
        patch.isEmpty ? [part] : patch.keys.map { part.appending($0) }
    }

    /// Notes that a flat patch had nothing to change.
    static func idle(_ patch: JSONObject, at part: JSONPointer, _ reason: String, _ effect: inout ChangeEffect) {
        for part in of(patch, at: part) { effect.idle(part, reason) }
    }

    /// Names and values with a patch over them; `nil` where nothing changed.
    static func patched(
        _ items: FormItems, _ patch: JSONObject, at part: JSONPointer, _ effect: inout ChangeEffect
    ) -> FormItems? {
        var changed = items
        return each(patch, at: part, &effect) { name, value in
            let before = changed
            changed[name] = value
            return !isSame(before.items, changed.items)
        } ? changed : nil
    }

    /// Header fields with a patch over them.
    static func patched(
        _ headers: Headers, _ patch: JSONObject, at part: JSONPointer, _ effect: inout ChangeEffect
    ) -> Headers {
        var changed = headers
        _ = each(patch, at: part, &effect) { name, value in
            let before = changed
            changed[name] = value
            return !isSame(before.fields.map { ($0.name, $0.value) }, changed.fields.map { ($0.name, $0.value) })
        }
        return changed
    }

    /// The bytes of a JSON body with a merge patch over it; `nil` where nothing changed.
    ///
    /// - Parameters:
    ///   - json: The body; `nil` where it is not JSON.
    ///   - missing: Why nothing changes then.
    static func patched(
        _ json: JSONValue?, _ patch: JSONValue, at part: JSONPointer, ifNotJSON missing: String,
        _ effect: inout ChangeEffect
    ) -> [UInt8]? {
        guard let json else {
            for part in ChangeEffect.leaves(of: patch, at: part) { effect.idle(part, missing) }
            return nil
        }
        var own = ChangeEffect()
        own.merge(patch, over: json, at: part)
        effect.add(own)
        return own.changes ? JSONWriter.compactBytes(json.merging(patch: patch)) : nil
    }

    /// Sets or removes one after another.
    ///
    /// - Parameter set: Says whether that changed anything.
    /// - Returns: Whether anything changed.
    private static func each(
        _ patch: JSONObject, at part: JSONPointer, _ effect: inout ChangeEffect,
        set: (_ name: String, _ value: String?) -> Bool
    ) -> Bool {
        if patch.isEmpty { effect.idle(part, ChangeEffect.empty) }
        var changes = false
        for (name, value) in patch.members {
            let isChange = set(name, value.isNull ? nil : Interpolation.text(of: value))
            effect.note(
                part.appending(name), isChange: isChange,
                else: value.isNull ? ChangeEffect.missing(name) : ChangeEffect.already)
            changes = changes || isChange
        }
        return changes
    }

    private static func isSame(_ one: [(name: String, value: String)], _ other: [(name: String, value: String)]) -> Bool
    {
        one.count == other.count
            && zip(one, other).allSatisfy { sameText($0.name, $1.name) && sameText($0.value, $1.value) }
    }
}
