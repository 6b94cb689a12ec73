import Diagnostics
import Synchronization

/// A JSON file that a person wrote: its value, and the place of every part of it. Or a value that a program made, which
/// has a text as soon as a finding points into it.
public final class JSONDocument: Sendable {
    /// The file as the user named it; of a value the name that findings show.
    public let file: String
    /// Whether it was read from a text. A value gets the text of ``JSONWriter/pretty(_:indent:)`` when ``source`` or a
    /// place is asked for.
    public let isText: Bool
    /// The value of the whole file. Any kind of value; that it is an object is for the reader of its meaning to say.
    public let root: JSONValue
    /// What is worth saying though the file could be read: a byte order mark at its start.
    public let notes: [Diagnostic]
    private let places = Mutex(Places())

    /// The places that were asked for so far.
    private struct Places {
        var source: SourceText?
        var questions = 0
        var index: PlaceIndex?
    }

    /// So many places are looked for one by one. Most files are asked for fewer, and an index takes memory.
    private static let questionsWithoutIndex = 16

    /// Reads a file.
    ///
    /// - Throws: ``InvalidInput`` with the place and the cause: not JSON, not UTF-8, nested deeper than
    ///   ``JSONLimits/depth``, more than ``JSONLimits/bytes``, a number out of range; or one finding for each key that
    ///   occurs twice in an object.
    public init(file: String, bytes: [UInt8]) throws(InvalidInput) {
        let source = SourceText(file: file, bytes: bytes)
        switch JSONParser.read(bytes) {
        case .success(let value): root = value
        case .failure(let fault): throw InvalidInput(fault.diagnostic(in: source))
        }
        let duplicates = JSONScanner(bytes).duplicates()
        guard duplicates.isEmpty else {
            throw InvalidInput(
                diagnostics: duplicates.map { duplicate in
                    let first = source.position(at: duplicate.first)
                    return JSONFault(
                        kind: .duplicateKey, offset: duplicate.range.lowerBound, length: duplicate.range.count,
                        message: "the key `\(duplicate.key.prefix(60))` occurs twice in this object",
                        remedy: "It is on line \(first.line), column \(first.column) already; remove one of them."
                    ).diagnostic(in: source, pointer: duplicate.pointer.description)
                })
        }
        self.file = file
        isText = true
        places.withLock { $0.source = source }
        notes =
            JSONFault.byteOrderMarkLength(bytes) == 0
            ? []
            : [
                Diagnostic(
                    .advice, rule: "B2C-JSON-007", "the file begins with a byte order mark, which is passed over",
                    remedy: "Save it as UTF-8 without one (RFC 8259 section 8.1).",
                    at: SourceLocation(file: file, line: 1, column: 1))
            ]
    }

    /// A value that a program made.
    ///
    /// - Parameter file: The name of the file in findings, such as the file to which the value is written afterwards.
    public init(file: String, value: JSONValue) {
        self.file = file
        isText = false
        root = value
        notes = []
    }

    /// The text.
    public var source: SourceText {
        places.withLock { places in
            if let source = places.source { return source }
            let source = SourceText(file: file, bytes: Array(JSONWriter.pretty(root).utf8))
            places.source = source
            return source
        }
    }

    /// The place of a value, or of the name of the member that holds it. Where the pointer leads nowhere, the place of
    /// the nearest value around it; `pointer` of the result is the one that was asked for.
    public func location(of pointer: JSONPointer, key: Bool = false) -> SourceLocation {
        let source = source
        let place = place(of: pointer, in: source)
        let isExact = place.depth == pointer.tokens.count
        var range = place.value
        if key, isExact, let name = place.key { range = name }
        let first = range.lowerBound < source.bytes.count ? source.bytes[range.lowerBound] : 0
        // An object or array is pointed at, not underlined as a whole.
        let isContainer = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        return source.location(
            at: range.lowerBound, byteLength: isContainer ? 1 : range.count, pointer: pointer.description)
    }

    private func place(of pointer: JSONPointer, in source: SourceText) -> JSONScanner.Place {
        let scanner = JSONScanner(source.bytes)
        return places.withLock { places in
            places.questions += 1
            if places.index == nil {
                guard places.questions > Self.questionsWithoutIndex else { return scanner.locate(pointer.tokens) }
                places.index = PlaceIndex(scanner)
            }
            return places.index?.locate(pointer.tokens) ?? scanner.locate(pointer.tokens)
        }
    }

    /// What questions have cost since there is an index: entries looked at.
    var stepsOfQuestions: Int { places.withLock { $0.index?.steps ?? 0 } }

    /// A finding about a value, or about the name of the member that holds it.
    public func finding(
        _ severity: Severity = .error, rule: String, _ message: String, remedy: String? = nil, at pointer: JSONPointer,
        key: Bool = false
    ) -> Diagnostic {
        Diagnostic(severity, rule: rule, message, remedy: remedy, at: location(of: pointer, key: key))
    }
}
