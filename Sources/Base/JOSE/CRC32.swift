/// The check sum of ZIP entries and of the parts of PNG pictures: CRC-32 with the polynomial 0xEDB88320, bits reversed
/// (APPNOTE 4.4.7, RFC 1952 8, RFC 2083 3.4).
package enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        var value = UInt32(index)
        for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
        return value
    }

    /// The sum over all bytes.
    package static func sum(of bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0xFFFF_FFFF
        bytes.withUnsafeBufferPointer { bytes in
            table.withUnsafeBufferPointer { table in
                for byte in bytes { sum = table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ (sum >> 8) }
            }
        }
        return ~sum
    }
}
