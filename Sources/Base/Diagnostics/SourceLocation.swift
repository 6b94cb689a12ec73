/// A place in a text that somebody wrote.
public struct SourceLocation: Hashable, Sendable {
    /// The file as the user named it.
    public var file: String
    /// The line, from 1; `nil` where only the file is known.
    public var line: Int?
    /// The column, from 1, counted in Unicode code points.
    public var column: Int?
    /// How many code points to underline.
    public var length: Int
    /// The JSON pointer (RFC 6901) of the value, where the text is JSON.
    public var pointer: String?

    /// A place; leave `line` and `column` out where only the file is known.
    public init(file: String, line: Int? = nil, column: Int? = nil, length: Int = 1, pointer: String? = nil) {
        self.file = file
        self.line = line
        self.column = column
        self.length = length
        self.pointer = pointer
    }
}

extension SourceLocation: CustomStringConvertible {
    /// `file:line:column`, as compilers print it and editors follow it.
    public var description: String {
        var text = file
        if let line { text += ":\(line)" }
        if line != nil, let column { text += ":\(column)" }
        return text
    }
}

extension SourceLocation: Comparable {
    /// By file, then line, then column; a place without a line comes before all lines.
    public static func < (left: SourceLocation, right: SourceLocation) -> Bool {
        if left.file != right.file { return left.file < right.file }
        if left.line != right.line { return (left.line ?? 0) < (right.line ?? 0) }
        return (left.column ?? 0) < (right.column ?? 0)
    }
}
