/// Distinguishes words, names and addresses, which may mean anything, from texts that only a secret looks like.
package enum OrdinaryText {
    /// Whether the text is of the alphabet a to z alone, with what joins words and addresses, and not longer than
    /// `longest`.
    package static func holds(_ text: String) -> Bool {
        guard text.utf8.count <= longest else { return false }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case 0x41...0x5A, 0x61...0x7A: true
            case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "@"), UInt8(ascii: " "): true
            default: false
            }
        }
    }

    /// Above this many characters a text of letters alone is a pass phrase or made by a machine.
    private static let longest = 24
}
