import Determinism

/// Wall time for people: it differs from run to run, so no report that promises equal bytes has it.
enum WallTime {
    /// `0.4 s`, `12.3 s`, `4 min 5 s`.
    static func text(_ span: TimeSpan) -> String {
        let milliseconds = max(0, span.milliseconds)
        let tenths = milliseconds / 100 + (milliseconds % 100 >= 50 ? 1 : 0)
        guard tenths >= 600 else { return "\(tenths / 10).\(tenths % 10) s" }
        let seconds = milliseconds / 1000
        return "\(seconds / 60) min \(seconds % 60) s"
    }
}
