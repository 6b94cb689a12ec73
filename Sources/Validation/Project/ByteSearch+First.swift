import JSON

extension ByteSearch {
    /// Offset of the first occurrence at or after a place.
    static func first(_ wanted: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard !wanted.isEmpty, start >= 0, bytes.count - start >= wanted.count else { return nil }
        return bytes.withUnsafeBufferPointer { bytes in
            let rest = UnsafeBufferPointer(rebasing: bytes[start...])
            let found = wanted.withUnsafeBufferPointer { offset(of: $0, in: rest) }
            return found < rest.count ? start + found : nil
        }
    }
}
