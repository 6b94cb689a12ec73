/// A byte of a file.
package struct TextPlace: Hashable, Sendable {
    package var file: String
    package var offset: Int

    package init(file: String, offset: Int) {
        (self.file, self.offset) = (file, offset)
    }
}

/// Bytes of a file.
package struct TextRange: Hashable, Sendable {
    package var file: String
    package var range: Range<Int>

    package init(file: String, range: Range<Int>) {
        (self.file, self.range) = (file, range)
    }
}

/// A replacement of bytes of a file. Those of one change do not overlap.
package struct TextEdit: Hashable, Sendable {
    package var file: String
    package var range: Range<Int>
    package var replacement: String

    package init(file: String, range: Range<Int>, replacement: String) {
        (self.file, self.range, self.replacement) = (file, range, replacement)
    }

    /// The bytes of a file after the edits of that file.
    package static func apply(_ edits: [TextEdit], to bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            result.replaceSubrange(edit.range, with: Array(edit.replacement.utf8))
        }
        return result
    }
}
