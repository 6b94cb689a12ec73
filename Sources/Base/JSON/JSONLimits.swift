/// The bounds of what is read. They are far beyond what a person writes and far below what would exhaust memory or
/// stack: a thread of a Swift concurrency pool may have 512 KB of stack, and values are walked recursively, in debug
/// builds with frames of some kilobytes.
public enum JSONLimits {
    /// How deep arrays and objects may be nested.
    public static let depth = 128
    /// How many bytes a text may have.
    public static let bytes = 10 * 1024 * 1024
}
