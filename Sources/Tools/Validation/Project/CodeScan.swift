import Diagnostics
import JSON

/// A source file as tokens, enough to find constants and calls: comments are gone, texts are whole, and everything has a
/// place. It is not a parser; rules over it ask for what is written, not for what it means.
struct CodeScan: Sendable {
    enum Kind: Sendable, Hashable {
        case word, text, symbol, number
    }

    struct Token: Sendable, Hashable {
        var kind: Kind
        /// A text without its quotes, its escapes as written.
        var text: String
        var range: Range<Int>
    }

    let source: SourceText
    let tokens: [Token]

    init(_ source: SourceText) {
        self.source = source
        var scanner = Scanner(source.bytes)
        tokens = scanner.scan()
    }

    func location(_ token: Token) -> SourceLocation {
        source.location(at: token.range.lowerBound, byteLength: token.range.count)
    }

    /// Indices at which these words and symbols stand one after another.
    func occurrences(of pattern: [String]) -> [Int] {
        guard let first = pattern.first, tokens.count >= pattern.count else { return [] }
        return (0...(tokens.count - pattern.count)).filter { index in
            tokens[index].text == first && tokens[index].kind != .text
                && pattern.indices.allSatisfy {
                    tokens[index + $0].text == pattern[$0] && tokens[index + $0].kind != .text
                }
        }
    }

    /// Whether a word stands anywhere outside texts and comments.
    func has(_ word: String) -> Bool { tokens.contains { $0.kind == .word && $0.text == word } }

    /// `let name = "text"`, `name: "text"`, `#define name @"text"`, `NSString *name = @"text"`: constants that are one
    /// text.
    var constants: [(name: String, token: Token)] {
        var found: [(name: String, token: Token)] = []
        for (index, token) in tokens.enumerated() where token.kind == .text {
            var back = index - 1
            if back >= 0, tokens[back].text == "@" { back -= 1 }
            guard back >= 1 else { continue }
            if tokens[back].text == "=" {
                back -= 1
                // A type annotation: `let k: String = "..."`.
                if back >= 2, tokens[back].kind == .word, tokens[back - 1].text == ":" { back -= 2 }
                if back >= 3, tokens[back].text == "?", tokens[back - 2].text == ":" { back -= 3 }
                if tokens[back].kind == .word { found.append((tokens[back].text, token)) }
            } else if tokens[back].kind == .word, back >= 2, tokens[back - 1].text == "define",
                tokens[back - 2].text == "#"
            {
                found.append((tokens[back].text, token))
            }
        }
        return found
    }

    /// Lists of texts: `let name: [String] = ["a", "b"]`, `NSArray *name = @[@"a", @"b"]`.
    var lists: [(name: String, tokens: [Token])] {
        var found: [(name: String, tokens: [Token])] = []
        for (index, token) in tokens.enumerated() where token.text == "=" && token.kind == .symbol {
            var open = index + 1
            if open < tokens.count, tokens[open].text == "@" { open += 1 }
            guard open < tokens.count, tokens[open].text == "[" else { continue }
            var texts: [Token] = []
            var at = open + 1
            while at < tokens.count, tokens[at].text != "]" || tokens[at].kind == .text {
                guard tokens[at].kind == .text || tokens[at].text == "," || tokens[at].text == "@" else { break }
                if tokens[at].kind == .text { texts.append(tokens[at]) }
                at += 1
            }
            guard at < tokens.count, tokens[at].text == "]" else { continue }
            var back = index - 1
            if back >= 0, tokens[back].text == "]" {
                while back >= 0, tokens[back].text != ":" { back -= 1 }
                back -= 1
            }
            if back >= 0, tokens[back].kind == .word { found.append((tokens[back].text, texts)) }
        }
        return found
    }

    /// Lists of texts that are written as an argument: `scopes: ["a"]`, `initWithScopes:@[@"a"]`.
    var listArguments: [(name: String, tokens: [Token])] {
        tokens.indices.dropLast(2).compactMap { index in
            guard tokens[index].kind == .word, tokens[index + 1].text == ":", tokens[index + 1].kind == .symbol else {
                return nil
            }
            let open = tokens[index + 2].text == "@" ? index + 3 : index + 2
            guard open < tokens.count, tokens[open].text == "[", tokens[open].kind == .symbol else { return nil }
            let inside = enclosed(from: open)
            guard inside.allSatisfy({ $0.kind == .text || $0.text == "," || $0.text == "@" }) else { return nil }
            return (tokens[index].text, inside.filter { $0.kind == .text })
        }
    }

    /// The tokens between the parentheses, brackets or braces that open at an index, without them.
    func enclosed(from open: Int) -> ArraySlice<Token> {
        let pairs = ["(": ")", "[": "]", "{": "}"]
        guard open < tokens.count, let close = pairs[tokens[open].text] else { return [] }
        var depth = 0
        for index in open..<tokens.count where tokens[index].kind == .symbol {
            if tokens[index].text == tokens[open].text { depth += 1 }
            if tokens[index].text == close {
                depth -= 1
                if depth == 0 { return tokens[(open + 1)..<index] }
            }
        }
        return tokens[(open + 1)...]
    }

    private struct Scanner {
        let bytes: [UInt8]
        var at = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        mutating func scan() -> [Token] {
            var tokens: [Token] = []
            while at < bytes.count {
                let byte = bytes[at]
                switch byte {
                case 0x00...0x20: at += 1
                case UInt8(ascii: "/") where next == UInt8(ascii: "/"):
                    while at < bytes.count, bytes[at] != 0x0A { at += 1 }
                case UInt8(ascii: "/") where next == UInt8(ascii: "*"):
                    at = ByteSearch.first(Array("*/".utf8), in: bytes, from: at + 2).map { $0 + 2 } ?? bytes.count
                case UInt8(ascii: "\""): tokens.append(text())
                case _ where isWord(byte):
                    let start = at
                    while at < bytes.count, isWord(bytes[at]) || (48...57).contains(bytes[at]) { at += 1 }
                    tokens.append(token(.word, start..<at))
                case 48...57:
                    let start = at
                    while at < bytes.count, isWord(bytes[at]) || (48...57).contains(bytes[at]) { at += 1 }
                    tokens.append(token(.number, start..<at))
                default:
                    tokens.append(token(.symbol, at..<(at + 1)))
                    at += 1
                }
            }
            return tokens
        }

        private var next: UInt8 { at + 1 < bytes.count ? bytes[at + 1] : 0 }

        private func isWord(_ byte: UInt8) -> Bool {
            (65...90).contains(byte) || (97...122).contains(byte) || byte == UInt8(ascii: "_") || byte >= 0x80
        }

        private func token(_ kind: Kind, _ range: Range<Int>) -> Token {
            Token(kind: kind, text: String(decoding: bytes[range], as: UTF8.self), range: range)
        }

        /// A text in one or three quotes. What is in `\( )` belongs to it.
        private mutating func text() -> Token {
            let isLong = bytes[at...].starts(with: Array("\"\"\"".utf8))
            let quotes = isLong ? 3 : 1
            at += quotes
            let start = at
            var nesting = 0
            while at < bytes.count {
                let byte = bytes[at]
                if byte == UInt8(ascii: "\\") {
                    if next == UInt8(ascii: "(") { nesting += 1 }
                    at += 2
                    continue
                }
                if nesting > 0 {
                    if byte == UInt8(ascii: "(") { nesting += 1 }
                    if byte == UInt8(ascii: ")") { nesting -= 1 }
                } else if byte == UInt8(ascii: "\"") {
                    if !isLong || bytes[at...].starts(with: Array("\"\"\"".utf8)) { break }
                } else if byte == 0x0A, !isLong {
                    break
                }
                at += 1
            }
            let end = min(at, bytes.count)
            at = min(end + quotes, bytes.count)
            return token(.text, start..<end)
        }
    }
}
