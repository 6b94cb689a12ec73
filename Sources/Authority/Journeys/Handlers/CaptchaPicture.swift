import Determinism
import JOSE

/// Draws characters as a picture in black and white: a PNG without compression (PNG specification, third edition;
/// RFC 1950, RFC 1951).
enum CaptchaPicture {
    static let width = 200
    static let height = 64
    /// Side of one dot of a letter, in pixels.
    private static let scale = 6

    /// The characters that can be drawn: none that looks like another.
    static let characters: [Character] = glyphs.map(\.character)

    /// Letters of five by seven dots, a row a number, the leftmost dot its highest bit.
    private static let glyphs: [(character: Character, rows: [UInt8])] = [
        ("A", [0b01110, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001]),
        ("C", [0b01111, 0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b01111]),
        ("D", [0b11110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b11110]),
        ("E", [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b11111]),
        ("F", [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b10000]),
        ("H", [0b10001, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001]),
        ("J", [0b00111, 0b00001, 0b00001, 0b00001, 0b10001, 0b10001, 0b01110]),
        ("K", [0b10001, 0b10010, 0b10100, 0b11000, 0b10100, 0b10010, 0b10001]),
        ("L", [0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b11111]),
        ("M", [0b10001, 0b11011, 0b10101, 0b10101, 0b10001, 0b10001, 0b10001]),
        ("N", [0b10001, 0b11001, 0b10101, 0b10011, 0b10001, 0b10001, 0b10001]),
        ("P", [0b11110, 0b10001, 0b10001, 0b11110, 0b10000, 0b10000, 0b10000]),
        ("R", [0b11110, 0b10001, 0b10001, 0b11110, 0b10100, 0b10010, 0b10001]),
        ("T", [0b11111, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100]),
        ("U", [0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110]),
        ("V", [0b10001, 0b10001, 0b10001, 0b10001, 0b01010, 0b01010, 0b00100]),
        ("X", [0b10001, 0b01010, 0b00100, 0b00100, 0b00100, 0b01010, 0b10001]),
        ("Y", [0b10001, 0b01010, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100]),
        ("3", [0b11110, 0b00001, 0b00001, 0b01110, 0b00001, 0b00001, 0b11110]),
        ("4", [0b10010, 0b10010, 0b10010, 0b11111, 0b00010, 0b00010, 0b00010]),
        ("6", [0b01110, 0b10000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110]),
        ("7", [0b11111, 0b00001, 0b00010, 0b00100, 0b00100, 0b01000, 0b01000]),
        ("9", [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00001, 0b01110]),
    ]

    /// The picture of a text, each letter shifted and slanted a little, with lines across; the same for the same
    /// generator. Letters beyond the picture's edge are cut off.
    static func png(of text: String, random: inout SeededGenerator) -> [UInt8] {
        var canvas = Canvas()
        let step = (width - 16) / max(1, text.count)
        for (place, character) in text.enumerated() {
            guard let glyph = glyphs.first(where: { $0.character == character }) else { continue }
            let left = 8 + place * step + random.below(max(1, step - 5 * scale))
            let top = 4 + random.below(height - 8 - 7 * scale)
            let slant = random.below(5) - 2
            for (row, dots) in glyph.rows.enumerated() {
                for column in 0..<5 where dots >> (4 - column) & 1 == 1 {
                    canvas.fill(
                        x: left + column * scale + slant * (3 - row) / 2, y: top + row * scale, side: scale)
                }
            }
        }
        for _ in 0..<3 {
            canvas.line(from: random.below(height), to: random.below(height))
        }
        return canvas.png
    }

    private struct Canvas {
        /// One byte a pixel, row by row: whether it is dark.
        private var dark = [Bool](repeating: false, count: width * height)

        mutating func fill(x: Int, y: Int, side: Int) {
            for row in max(0, y)..<max(0, min(height, y + side)) {
                for column in max(0, x)..<max(0, min(width, x + side)) { dark[row * width + column] = true }
            }
        }

        /// A line from the left edge to the right edge, two pixels thick.
        mutating func line(from left: Int, to right: Int) {
            for column in 0..<width { fill(x: column, y: left + (right - left) * column / width, side: 2) }
        }

        var png: [UInt8] {
            let bytesInRow = (width + 7) / 8
            var rows: [UInt8] = []
            rows.reserveCapacity((bytesInRow + 1) * height)
            for row in 0..<height {
                // Filter type 0: the row as it is. A set bit is white.
                rows.append(0)
                for byte in 0..<bytesInRow {
                    var bits: UInt8 = 0
                    for bit in 0..<8 {
                        let column = byte * 8 + bit
                        let isDark = column < width && dark[row * width + column]
                        bits = bits << 1 | (isDark ? 0 : 1)
                    }
                    rows.append(bits)
                }
            }
            var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            // One bit a pixel, grey, no interlacing.
            file += Self.chunk("IHDR", Self.bytes(UInt32(width)) + Self.bytes(UInt32(height)) + [1, 0, 0, 0, 0])
            file += Self.chunk("IDAT", Self.stored(rows))
            file += Self.chunk("IEND", [])
            return file
        }

        /// A zlib stream of one stored block.
        private static func stored(_ data: [UInt8]) -> [UInt8] {
            let size = UInt16(truncatingIfNeeded: data.count)
            let header = [size, ~size].flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
            return [0x78, 0x01, 0x01] + header + data + bytes(adler32(data))
        }

        private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
            let body = Array(name.utf8) + data
            return bytes(UInt32(data.count)) + body + bytes(CRC32.sum(of: body))
        }

        private static func bytes(_ number: UInt32) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        }

        private static func adler32(_ data: [UInt8]) -> UInt32 {
            var low: UInt32 = 1
            var high: UInt32 = 0
            for byte in data {
                low = (low + UInt32(byte)) % 65_521
                high = (high + low) % 65_521
            }
            return high << 16 | low
        }
    }
}
