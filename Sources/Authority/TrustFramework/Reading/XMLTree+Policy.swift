import Diagnostics
import Markup

extension XMLForm {
    /// Policies.
    static let policy = XMLForm(
        rule: "B2C-POL-001", documentTypeRemedy: "Remove the <!DOCTYPE ...>; a policy needs none.")
}

/// The text of a policy as a tree.
extension XMLTree {
    /// Reads a text: UTF-8, no DOCTYPE, bounded depth and size, well-formed.
    /// - Parameters:
    ///   - settings: Values for `{Settings:NAME}`, put into the text before anything else.
    ///   - limit: Bytes at most. Several files merged may be larger than one.
    init(
        file: String, bytes read: [UInt8], settings: [(name: String, value: String)] = [], limit: Int = Self.largest
    ) throws(InvalidInput) {
        let filled = PolicySettingsText.filled(read, settings)
        let bytes = filled?.bytes ?? read
        if bytes.count > limit {
            throw InvalidInput(
                Diagnostic(
                    rule: "B2C-POL-010", "the file has \(bytes.count / 1024) KB; a policy may have 1024 KB",
                    at: SourceLocation(file: file, line: 1, column: 1)))
        }
        let plain = SourceText(file: file, bytes: read)
        let source = filled.map { SourceText(bytes: $0.bytes, madeFrom: plain, changes: $0.changes) } ?? plain
        if let finding = Self.unreadable(source) { throw InvalidInput(finding) }
        try self.init(source, as: .policy)
    }

    /// Largest file that is read, in bytes. The service takes 1024 KB a policy ("Microsoft docs: service-limits").
    static let largest = 1024 * 1024

    private static func unreadable(_ source: SourceText) -> Diagnostic? {
        let bytes = source.bytes
        let start = SourceLocation(file: source.file, line: 1, column: 1)
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0x3C, 0x00])
            || bytes.starts(with: [0x00, 0x3C])
        {
            return Diagnostic(
                rule: "B2C-POL-001", "the file is UTF-16; policies are read as UTF-8", remedy: "Save it as UTF-8.",
                at: start)
        }
        if String(validating: bytes, as: UTF8.self) == nil {
            let offset = firstInvalidUTF8(bytes)
            return Diagnostic(
                rule: "B2C-POL-001", "the bytes here are not UTF-8", remedy: "Save the file as UTF-8.",
                at: source.location(at: offset))
        }
        if let finding = wrongEncoding(source) { return finding }
        let control = bytes.withUnsafeBufferPointer { buffer in
            buffer.firstIndex { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        }
        if let offset = control {
            return Diagnostic(
                rule: "B2C-POL-001", "a control character stands here, which XML does not allow",
                at: source.location(at: offset))
        }
        return nil
    }

    /// A declaration that says the file is something else than UTF-8: the parser would believe it. Nothing is lost where
    /// all characters are ASCII anyway.
    private static func wrongEncoding(_ source: SourceText) -> Diagnostic? {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = source.bytes.starts(with: mark) ? 3 : 0
        let head = source.bytes[start...].prefix(256)
        guard head.starts(with: Array("<?xml".utf8)), let end = head.firstIndex(of: UInt8(ascii: ">")) else {
            return nil
        }
        let declaration = String(decoding: head[..<end], as: UTF8.self)
        guard let range = declaration.firstRange(of: "encoding"),
            let quote = declaration[range.upperBound...].firstIndex(
                where: { $0 == "\"" || $0 == "'" })
        else { return nil }
        let name = declaration[declaration.index(after: quote)...].prefix { $0 != declaration[quote] }
        let plain = name.lowercased()
        let isWide = plain.hasPrefix("utf-16") || plain.hasPrefix("utf-32") || plain.hasPrefix("ucs")
        if plain == "utf-8" || plain == "utf8" { return nil }
        if !isWide, source.bytes.allSatisfy({ $0 < 0x80 }) { return nil }
        let offset = start + declaration.utf8.distance(from: declaration.startIndex, to: name.startIndex)
        return Diagnostic(
            rule: "B2C-POL-001", "the file says that it is \(name); policies are read as UTF-8",
            remedy: "Save it as UTF-8 and write encoding=\"utf-8\".",
            at: source.location(at: offset, byteLength: name.utf8.count))
    }

    /// Where bytes that are not UTF-8 begin.
    private static func firstInvalidUTF8(_ bytes: [UInt8]) -> Int {
        var at = 0
        while at < bytes.count {
            let lead = bytes[at]
            if lead < 0x80 {
                at += 1
                continue
            }
            let length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0
            guard length > 0, at + length <= bytes.count else { return at }
            let second = bytes[at + 1]
            let lowest: UInt8 = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80
            let highest: UInt8 = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF
            guard second >= lowest, second <= highest else { return at }
            for next in bytes[(at + 1)..<(at + length)] where next & 0xC0 != 0x80 { return at }
            at += length
        }
        return at
    }

    /// Placeholders `{Settings:NAME}` without a value, which stay as they are.
    var unfilled: [Diagnostic] {
        var findings: [Diagnostic] = []
        for index in nodes.indices {
            for place in nodes[index].attributes.indices
            where PolicySettingsText.mayHaveOne(nodes[index].attributes[place].value) {
                findings += PolicySettingsText.names(in: nodes[index].attributes[place].value).map {
                    missing($0, at: location(ofValue: place, of: index))
                }
            }
            guard PolicySettingsText.mayHaveOne(nodes[index].text) else { continue }
            findings += PolicySettingsText.names(in: nodes[index].text).map { missing($0, at: location(of: index)) }
        }
        return findings
    }

    /// Puts the tenant's domain in the place of `yourtenant.onmicrosoft.com` and the other placeholders of tenants.
    mutating func name(_ tenantDomain: String) {
        for index in nodes.indices {
            for place in nodes[index].attributes.indices {
                if let text = Self.named(nodes[index].attributes[place].value, tenantDomain) {
                    nodes[index].attributes[place].value = text
                }
            }
            if let text = Self.named(nodes[index].text, tenantDomain) { nodes[index].text = text }
        }
    }

    /// The text with the placeholders replaced, in any letter case; `nil` where none occurs.
    private static func named(_ text: String, _ tenantDomain: String) -> String? {
        guard text.utf8.contains(UInt8(ascii: ".")) else { return nil }
        return TenantPlaceholder.filled(Array(text.utf8), tenantDomain).map { String(decoding: $0, as: UTF8.self) }
    }

    private func missing(_ name: String, at location: SourceLocation) -> Diagnostic {
        Diagnostic(
            .warning, rule: "B2C-POL-012", "{Settings:\(name)} has no value",
            remedy: "Give it in a settings file (--settings), or under policySettings in the tenant file.", at: location
        )
    }
}
