import Diagnostics

/// A finding with what a tool can do about it.
public struct Finding: Hashable, Sendable {
    /// What is wrong, where, and how to fix it.
    public var diagnostic: Diagnostic
    /// The value that would be right, where there is exactly one.
    public var corrected: String?
    /// A change that fixes it.
    public var fix: Fix?

    public init(_ diagnostic: Diagnostic, corrected: String? = nil, fix: Fix? = nil) {
        self.diagnostic = diagnostic
        self.corrected = corrected
        self.fix = fix
    }

    /// A finding of a rule, with the severity the rule has.
    init(
        _ rule: String, _ message: String, remedy: String? = nil, at location: SourceLocation?,
        severity: Severity? = nil, corrected: String? = nil, fix: Fix? = nil
    ) {
        let severity = severity ?? Rules.named(rule)?.severity ?? .error
        self.init(
            Diagnostic(severity, rule: rule, message, remedy: remedy, at: location), corrected: corrected, fix: fix)
    }
}

/// A change to one file that fixes a finding.
public struct Fix: Hashable, Sendable {
    /// One replacement of bytes.
    public struct Edit: Hashable, Sendable {
        /// Offset of the first byte that goes.
        public var offset: Int
        /// How many bytes go.
        public var length: Int
        /// What is there afterwards.
        public var replacement: String

        public init(offset: Int, length: Int, replacement: String) {
            self.offset = offset
            self.length = length
            self.replacement = replacement
        }
    }

    /// The file as the user named it.
    public var file: String
    /// What the change does, in words of an editor's menu.
    public var title: String
    /// The replacements; they do not overlap.
    public var edits: [Edit]
    /// Whether it cannot change what a right program does, so that `--fix` may apply it without asking.
    public var isSafe: Bool

    public init(file: String, title: String, edits: [Edit], isSafe: Bool) {
        self.file = file
        self.title = title
        self.edits = edits
        self.isSafe = isSafe
    }

    /// Applies fixes to the bytes of one file. A fix that overlaps an earlier one is omitted, so that a second run can
    /// apply it to what is there then.
    ///
    /// - Returns: The new bytes and the fixes that are in them.
    public static func apply(_ fixes: [Fix], to bytes: [UInt8]) -> (bytes: [UInt8], applied: [Fix]) {
        var applied: [Fix] = []
        var edits: [Edit] = []
        for fix in fixes {
            let clashes = fix.edits.contains { edit in
                edit.offset < 0 || edit.length < 0 || edit.offset + edit.length > bytes.count
                    || edits.contains { $0.overlaps(edit) }
            }
            if clashes { continue }
            applied.append(fix)
            edits += fix.edits
        }
        var result = bytes
        for edit in edits.sorted(by: { $0.offset > $1.offset }) {
            result.replaceSubrange(edit.offset..<(edit.offset + edit.length), with: Array(edit.replacement.utf8))
        }
        return (result, applied)
    }
}

extension Fix.Edit {
    fileprivate func overlaps(_ other: Fix.Edit) -> Bool {
        if length == 0 && other.length == 0 { return offset == other.offset }
        return offset < other.offset + other.length && other.offset < offset + length
            || offset == other.offset
    }
}
