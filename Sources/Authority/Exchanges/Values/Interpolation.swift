import JSON

/// Answers what a `{{...}}` stands for at the moment when it is used.
public protocol ValueScope: Sendable {
    /// The value, or why there is none.
    func value(of reference: ValueReference) async throws(ValueError) -> JSONValue
}

/// Why a `{{...}}` has no value when it is used.
public struct ValueError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reference as written, without braces; empty where the text itself cannot be read.
    public var reference: String
    /// What is wrong, without a full stop.
    public var message: String
    /// The place of the text, relative to the value that was filled in.
    public var pointer: JSONPointer

    /// A failure; the place is added by ``Interpolation``.
    public init(reference: String, message: String, pointer: JSONPointer = .root) {
        self.reference = reference
        self.message = message
        self.pointer = pointer
    }

    public var description: String {
        reference.isEmpty ? message : "{{\(reference)}}: \(message)"
    }
}

/// Puts values in the place of `{{...}}`. A text that is nothing but one `{{...}}` becomes the value itself, of any
/// type; inside a longer text the value's text is put in. Names of members are never changed.
public enum Interpolation {
    /// A `{{...}}` and its place.
    public struct Occurrence: Hashable, Sendable {
        /// The text's place, relative to the value that was searched.
        public var pointer: JSONPointer
        /// What it names.
        public var reference: ValueReference
    }

    /// All references inside a value in the order of the text, and the texts that cannot be read.
    public static func occurrences(
        in value: JSONValue
    ) -> (references: [Occurrence], faults: [(pointer: JSONPointer, error: TemplateError)]) {
        var references: [Occurrence] = []
        var faults: [(pointer: JSONPointer, error: TemplateError)] = []
        eachText(in: value, at: .root) { pointer, text in
            do throws(TemplateError) {
                for reference in try Template(parsing: text).references {
                    references.append(Occurrence(pointer: pointer, reference: reference))
                }
            } catch {
                faults.append((pointer, error))
            }
        }
        return (references, faults)
    }

    /// Whether anything is to be filled in (or unescaped) inside a value.
    public static func isNeeded(in value: JSONValue) -> Bool {
        switch value {
        case .string(let text): Template.mayHoldReference(text)
        case .array(let elements): elements.contains(where: isNeeded)
        case .object(let object): object.members.contains { isNeeded(in: $0.value) }
        default: false
        }
    }

    /// The value with everything filled in. Each reference is asked for once.
    public static func resolve(_ value: JSONValue, in scope: any ValueScope) async throws(ValueError) -> JSONValue {
        guard isNeeded(in: value) else { return value }
        let found = occurrences(in: value)
        if let fault = found.faults.first {
            throw ValueError(reference: "", message: fault.error.message, pointer: fault.pointer)
        }
        var values: [ValueReference: JSONValue] = [:]
        for occurrence in found.references where values[occurrence.reference] == nil {
            do {
                values[occurrence.reference] = try await scope.value(of: occurrence.reference)
            } catch {
                throw ValueError(
                    reference: error.reference, message: error.message,
                    pointer: JSONPointer(tokens: occurrence.pointer.tokens + error.pointer.tokens))
            }
        }
        return substituting(in: value) { values[$0] }
    }

    /// The value with those references filled in for which `known` has a value. A text with an unknown reference stays
    /// as it is, and so does one that cannot be read.
    public static func substituting(in value: JSONValue, _ known: (ValueReference) -> JSONValue?) -> JSONValue {
        switch value {
        case .string(let text):
            return substituting(inText: text, known)
        case .array(let elements):
            return .array(elements.map { substituting(in: $0, known) })
        case .object(let object):
            var result = JSONObject()
            result.reserveCapacity(object.count)
            for member in object.members { result.append(member.key, substituting(in: member.value, known)) }
            return .object(result)
        default:
            return value
        }
    }

    /// The value with the references filled in that lead into these values.
    package static func filling(_ value: JSONValue, from values: JSONObject) -> JSONValue {
        substituting(in: value) { reference in
            values[reference.root]?.value(at: JSONPointer(tokens: reference.path))
        }
    }

    /// How a value looks inside a longer text: texts as they are, everything else as compact JSON.
    public static func text(of value: JSONValue) -> String {
        if case .string(let text) = value { text } else { JSONWriter.compact(value) }
    }

    private static func substituting(inText text: String, _ known: (ValueReference) -> JSONValue?) -> JSONValue {
        guard Template.mayHoldReference(text), let template = try? Template(parsing: text) else { return .string(text) }
        if let whole = template.whole { return known(whole) ?? .string(text) }
        var result = ""
        for segment in template.segments {
            switch segment {
            case .text(let plain): result += plain
            case .reference(let reference):
                guard let value = known(reference) else { return .string(text) }
                result += Self.text(of: value)
            }
        }
        return .string(result)
    }

    private static func eachText(
        in value: JSONValue, at pointer: JSONPointer, _ visit: (JSONPointer, String) -> Void
    ) {
        switch value {
        case .string(let text):
            if Template.mayHoldReference(text) { visit(pointer, text) }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                eachText(in: element, at: pointer.appending(index), visit)
            }
        case .object(let object):
            for member in object.members { eachText(in: member.value, at: pointer.appending(member.key), visit) }
        default:
            break
        }
    }
}
