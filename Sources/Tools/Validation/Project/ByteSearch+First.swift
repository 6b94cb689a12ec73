import JSON

extension ByteSearch {
    /// Offset of the first occurrence at or after a place that ends at `end` or before; without it, at the end of the bytes.
    static func first(_ wanted: [UInt8], in bytes: [UInt8], from start: Int, upTo end: Int? = nil) -> Int? {
        let end = end ?? bytes.count
        guard !wanted.isEmpty, start >= 0, end - start >= wanted.count else { return nil }
        return bytes.withUnsafeBufferPointer { bytes in
            let rest = UnsafeBufferPointer(rebasing: bytes[start..<end])
            let found = wanted.withUnsafeBufferPointer { offset(of: $0, in: rest) }
            return found < rest.count ? start + found : nil
        }
    }
}
