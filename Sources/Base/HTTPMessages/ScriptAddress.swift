/// Addresses that a browser runs, or shows as a document of the page that leads to them, instead of asking a server.
///
/// A browser that follows one from a page of the mock runs script with everything that page may do. So nothing that takes an
/// address from outside may lead there: every redirect URI, return address and link asks here.
public enum ScriptAddress {
    private static let schemes = ["javascript", "data", "vbscript", "blob", "filesystem"]

    /// Whether a text is such an address, read as a browser reads it: controls and blanks in front of it and tabs and line
    /// ends anywhere do not count (WHATWG URL, section 4.4), nor does letter case.
    public static func isOne(_ text: String) -> Bool {
        var scheme: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 9, 10, 13: continue
            case 0...32 where scheme.isEmpty: continue
            case UInt8(ascii: ":"): return schemes.contains { $0.utf8.elementsEqual(scheme) }
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): scheme.append(byte | 0x20)
            case UInt8(ascii: "a")...UInt8(ascii: "z"): scheme.append(byte)
            default: return false
            }
            guard scheme.count <= 10 else { return false }
        }
        return false
    }
}
