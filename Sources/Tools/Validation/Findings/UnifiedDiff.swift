/// The difference of two texts as a unified diff, for a person who decides whether to take it.
public enum UnifiedDiff {
    /// The hunks with their file lines; empty when the texts are equal.
    public static func text(file: String, old: [UInt8], new: [UInt8], context: Int = 2) -> String {
        guard old != new else { return "" }
        let before = lines(old)
        let after = lines(new)
        // Fixes touch few lines, so what is equal at both ends goes first and little remains to compare.
        var start = 0
        while start < min(before.count, after.count), before[start] == after[start] { start += 1 }
        var end = 0
        while end < min(before.count, after.count) - start,
            before[before.count - 1 - end] == after[after.count - 1 - end]
        {
            end += 1
        }
        let changes = changes(
            Array(before[start..<(before.count - end)]), Array(after[start..<(after.count - end)]), from: start)
        var text = "--- \(file)\n+++ \(file)\n"
        for hunk in hunks(changes, before: before, after: after, context: context) { text += hunk }
        return text
    }

    /// Lines `old` of the first text became lines `new` of the second.
    private struct Change {
        var old: Range<Int>
        var new: Range<Int>
    }

    private static func lines(_ bytes: [UInt8]) -> [String] {
        bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Changed ranges. Beyond a size where finding them takes long, everything between is one change.
    private static func changes(_ old: [String], _ new: [String], from start: Int) -> [Change] {
        guard old.count + new.count <= 4_000, !old.isEmpty, !new.isEmpty else {
            return [Change(old: start..<(start + old.count), new: start..<(start + new.count))]
        }
        var isRemoved = [Bool](repeating: false, count: old.count)
        var isInserted = [Bool](repeating: false, count: new.count)
        for change in new.difference(from: old) {
            switch change {
            case .remove(let offset, _, _): isRemoved[offset] = true
            case .insert(let offset, _, _): isInserted[offset] = true
            }
        }
        var changes: [Change] = []
        var (i, j) = (0, 0)
        while i < old.count || j < new.count {
            let (firstOld, firstNew) = (i, j)
            while i < old.count, isRemoved[i] { i += 1 }
            while j < new.count, isInserted[j] { j += 1 }
            if firstOld < i || firstNew < j {
                changes.append(Change(old: (start + firstOld)..<(start + i), new: (start + firstNew)..<(start + j)))
            } else {
                (i, j) = (i + 1, j + 1)
            }
        }
        return changes
    }

    private static func hunks(
        _ changes: [Change], before: [String], after: [String], context: Int
    ) -> [String] {
        var hunks: [String] = []
        var index = 0
        while index < changes.count {
            var last = index
            while last + 1 < changes.count,
                changes[last + 1].old.lowerBound - changes[last].old.upperBound <= 2 * context
            {
                last += 1
            }
            let from = max(0, changes[index].old.lowerBound - context)
            let lead = changes[index].old.lowerBound - from
            let to = min(before.count, changes[last].old.upperBound + context)
            let tail = to - changes[last].old.upperBound
            var body = ""
            var at = from
            for change in changes[index...last] {
                for line in before[at..<change.old.lowerBound] { body += " \(line)\n" }
                for line in before[change.old] { body += "-\(line)\n" }
                for line in after[change.new] { body += "+\(line)\n" }
                at = change.old.upperBound
            }
            for line in before[at..<to] { body += " \(line)\n" }
            let newFrom = changes[index].new.lowerBound - lead
            let newCount = changes[last].new.upperBound + tail - newFrom
            hunks.append("@@ -\(from + 1),\(to - from) +\(newFrom + 1),\(newCount) @@\n" + body)
            index = last + 1
        }
        return hunks
    }
}
