import Foundation

extension Data {
    /// Whether the bytes of a text occur. `range(of:)` of a debug build takes seconds for what this does in milliseconds.
    public func holds(_ text: String) -> Bool {
        let piece = Array(text.utf8)
        guard let first = piece.first else { return true }
        return withUnsafeBytes { bytes in
            guard var rest = bytes.baseAddress else { return false }
            let end = rest + bytes.count
            while let hit = memchr(rest, Int32(first), end - rest) {
                let place = UnsafeRawPointer(hit)
                if end - place < piece.count { return false }
                if memcmp(place, piece, piece.count) == 0 { return true }
                rest = place + 1
            }
            return false
        }
    }
}
