import Determinism
import Diagnostics
import HTTPMessages
import JSON

/// Reads an object of a script after everything was filled in, when a value may have turned out to be of a wrong type.
package struct FilledObject {
    private let object: JSONObject
    private let pointer: JSONPointer
    private let title: String
    private let isObject: Bool

    package init(_ value: JSONValue, at pointer: JSONPointer, called title: String) {
        object = value.objectValue ?? JSONObject()
        isObject = value.objectValue != nil
        self.pointer = pointer
        self.title = title
    }

    /// Refuses values other than objects, and members that are not listed.
    package func allow(_ names: [String]) throws(MalformedValue) {
        guard isObject else { throw MalformedValue("a \(title) must be an object", at: pointer) }
        for name in object.keys where !names.contains(name) {
            let hint = nearestName(name, among: names).map { "; did you mean `\($0)`?" } ?? ""
            throw fault("a \(title) has no key `\(name)`\(hint)", at: name)
        }
    }

    package func has(_ name: String) -> Bool { object[name] != nil }

    package func value(_ name: String) -> JSONValue? { object[name] }

    package func text(_ name: String) throws(MalformedValue) -> String? {
        guard let value = object[name] else { return nil }
        guard let text = value.stringValue else { throw wrong(name, "a text", value) }
        return text
    }

    package func flag(_ name: String) throws(MalformedValue) -> Bool? {
        guard let value = object[name] else { return nil }
        guard let flag = value.boolValue else { throw wrong(name, "true or false", value) }
        return flag
    }

    package func object(_ name: String) throws(MalformedValue) -> JSONObject? {
        guard let value = object[name] else { return nil }
        guard let object = value.objectValue else { throw wrong(name, "an object", value) }
        return object
    }

    /// A patch over header fields; null removes one.
    package func headers() throws(MalformedValue) -> JSONObject? {
        guard let patch = try object("headers") else { return nil }
        for (name, value) in patch.members where !value.isNull {
            let field = HeaderField(name: name, value: Interpolation.text(of: value))
            if let problem = field.problem { throw fault(problem, at: "headers") }
        }
        return patch
    }

    package func span(_ name: String) throws(MalformedValue) -> TimeSpan? {
        guard let value = object[name] else { return nil }
        guard let text = value.stringValue, let span = TimeSpan(iso8601: text), span >= .zero else {
            throw wrong(name, "a duration such as PT5S", value)
        }
        return span
    }

    package func count(_ name: String, from least: Int64 = 0) throws(MalformedValue) -> Int? {
        guard let value = object[name] else { return nil }
        guard let count = value.intValue, count >= least, count <= 1_000_000 else {
            throw wrong(name, "a number from \(least) to 1000000", value)
        }
        return Int(count)
    }

    package func status(_ name: String) throws(MalformedValue) -> Int? {
        guard let value = object[name] else { return nil }
        guard let status = value.intValue, (100...599).contains(status) else {
            throw wrong(name, "an HTTP status from 100 to 599", value)
        }
        return Int(status)
    }

    package func fault(_ message: String, at name: String? = nil) -> MalformedValue {
        MalformedValue(message, at: name.map(pointer.appending) ?? pointer)
    }

    private func wrong(_ name: String, _ wanted: String, _ value: JSONValue) -> MalformedValue {
        fault("`\(name)` must be \(wanted), not \(Wording.json(value))", at: name)
    }
}
