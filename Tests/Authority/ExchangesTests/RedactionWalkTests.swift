import Determinism
import Diagnostics
import HTTPMessages
import JSON
import Testing

@testable import Exchanges

struct RedactionWalkTests {
    /// Documents with secrets at random places and in random encodings.
    private struct Maker {
        var random: SeededGenerator
        let secrets: [String]

        init(_ seed: Int) {
            var random = SeededGenerator(seed: UInt64(seed))
            secrets = (0..<(2 + Int(random.next() % 5))).map { _ in Self.secret(&random) }
            self.random = random
        }

        private static func secret(_ random: inout SeededGenerator) -> String {
            let letters = Array("abcXYZ019-_.&<>\"'+/= %\\é")
            let length = [3, 6, 9, 24, 60][Int(random.next() % 5)]
            let text = String((0..<length).map { _ in letters[Int(random.next() % UInt64(letters.count))] })
            return random.next() % 4 == 0 ? "eyJ" + text + ".eyJ" + text : text
        }

        mutating func pick<Value>(_ values: [Value]) -> Value { values[Int(random.next() % UInt64(values.count))] }

        mutating func value(_ depth: Int) -> JSONValue {
            switch random.next() % (depth == 0 ? 4 : 8) {
            case 0: return .integer(Int64(random.next() % 20000))
            case 1: return pick([.null, true, 1.5, [], [:]])
            case 2, 3: return .string(text())
            case 4, 5: return .array((0..<(random.next() % 4)).map { _ in value(depth - 1) })
            default:
                return .object(JSONObject((0..<(1 + random.next() % 5)).map { _ in (name(), value(depth - 1)) }))
            }
        }

        private mutating func name() -> String {
            random.next() % 12 == 0
                ? text()
                : pick([
                    "code", "query", "fragment", "headers", "cookie", "set-cookie", "authorization", "X-Functions-Key",
                    "access_token", "password", "fields", "value", "cookies", "messages", "message", "form", "url",
                    "body",
                    "requests", "response", "client_secret", "secrets", "state", "B2C_1A_Key",
                ])
        }

        private mutating func text() -> String {
            var text = ""
            for _ in 0..<(1 + random.next() % 3) {
                let secret = pick(SecretSpelling.all(of: pick(secrets)) + ["plain", "B2C_1A_Key", "true", "3600s"])
                text += pick([
                    "", "x ", "code=", "&password=", "\"client_secret\":\"", "\\\"refresh_token\\\": \\\"", "Bearer ",
                    "basic ", "a=b; c=", "https://u:", "<input value=\"",
                ])
                text += random.next() % 8 == 0 ? secret.prefix(6) + "..." : secret[...]
                text += pick(["", "\"", "&state=1", "; Path=/", "@host/", " end"])
            }
            return text
        }
    }

    private func documents(_ maker: inout Maker) -> [JSONValue] { (0..<4).map { _ in maker.value(5) } }

    /// Each text at each place looked at by itself, with nothing kept of those before.
    @Test(arguments: 0..<300) func `what was found out about a text and a place holds wherever they are met again`(
        _ seed: Int
    ) {
        var maker = Maker(seed)
        let places = RedactionPlaces()
        for _ in 0..<2 {
            let documents = documents(&maker)
            let known = [KnownSecret(maker.pick(maker.secrets), label: "known", everywhere: seed % 2 == 0)]
            var walk = RedactionWalk(ledger: SecretLedger(known: known), places: places)
            var slow = SlowRedaction(known)
            for document in documents + documents {
                walk.learn(document, [])
                slow.learn(document, [])
            }
            walk.finishLearning()
            let mask = TextMask(slow.ledger.patterns)
            for document in documents + documents {
                #expect(walk.masked(document, []) == slow.masked(document, [], mask))
            }
        }
    }

    /// A secret that one place gives away is in no text of the report, however it is written there.
    @Test(arguments: 0..<200) func `no encoding of a secret survives anywhere`(_ seed: Int) {
        var maker = Maker(seed)
        var secret = maker.pick(maker.secrets)
        while secret.count < 9 || secret.contains(" ") {
            maker = Maker(maker.pick(Array(0..<100_000)))
            secret = maker.pick(maker.secrets)
        }
        secret += "7"
        let spelling = maker.pick(SecretSpelling.all(of: secret))
        let before = maker.pick([
            "", "x", "é", "a b ", "id=1&code_verifier=", "\"password\":\"", "<b>", String(repeating: "ab/", count: 40),
        ])
        let behind = maker.pick(["", "y", "\"", "&b=1", "</b>", "...", " end"])
        var walk = RedactionWalk(ledger: SecretLedger(known: []))
        let given: JSONValue = ["password": .string(secret)]
        let other: JSONValue = [
            "body": .string(before + spelling + behind), "list": [[.string(before + spelling), 1]],
            "headers": ["set-cookie": [.string("a=\(spelling); Path=/\(spelling)")]],
            "\(before)\(spelling)": "name",
        ]
        let documents = [given, other]
        for document in maker.random.next() % 2 == 0 ? documents : documents.reversed() { walk.learn(document, []) }
        walk.finishLearning()
        let text = JSONWriter.compact(walk.masked(other, []))
        for spelling in SecretSpelling.all(of: secret) {
            #expect(!text.contains(spelling), "\(spelling)")
            #expect(!text.contains(JSONWriter.compact(.string(spelling)).dropFirst().dropLast()), "\(spelling)")
        }
    }

    @Test func `a later pass with more secrets does not show what an earlier one left`() {
        let text = "the word is Tr0ub4dor&3, as everybody knows"
        var walk = RedactionWalk(ledger: SecretLedger(known: []))
        walk.finishLearning()
        #expect(walk.masked(text) == text)
        #expect(walk.masked([text: 1], []) == [text: 1])
        walk.learn(["password": "Tr0ub4dor&3"], [])
        walk.finishLearning()
        #expect(walk.masked(text) == "the word is <password 1>, as everybody knows")
        #expect(walk.masked([text: 1], []) == ["the word is <password 1>, as everybody knows": 1])
    }

    @Test func `walks that share places have labels of their own`() {
        let places = RedactionPlaces()
        let text = "password=Tr0ub4dor&x=1, more text"
        for label in ["ada", "ben"] {
            var walk = RedactionWalk(
                ledger: SecretLedger(known: [KnownSecret("Tr0ub4dor", label: label)]), places: places)
            walk.learn(.string(text), [])
            walk.finishLearning()
            #expect(walk.masked(.string(text), []) == .string("password=<\(label)>&x=1, more text"))
        }
    }

    @Test func `names that become one label become one member`() {
        var walk = RedactionWalk(ledger: SecretLedger(known: []))
        let value: JSONValue = ["a": ["Secret/77": 1, "U2VjcmV0Lzc3": 2, "b": 3], "password": "Secret/77"]
        walk.learn(value, [])
        walk.finishLearning()
        #expect(walk.masked(value, [])["a"] == ["<password 1>": 2, "b": 3])
    }

    // MARK: Nests

    /// A form may have one name in itself ten thousand times. To keep each suffix would take the square of the text.
    @Test(arguments: [
        "password=", "AccountKey=", "\"password\":\"", "\\\"password\\\":\\\"", "password=abcd...", "code=a&code=",
        "a=1; password=",
        "password={{", "https://x.test/?code=",
    ])
    func `what is kept of a nest is in proportion to the text`(_ piece: String) {
        for count in [10, 100, 1_000, 4_000] {
            let text = String(repeating: piece, count: count)
            var walk = RedactionWalk(ledger: SecretLedger(known: []))
            walk.learn(.string(text), [])
            let kept = walk.ledger.patterns.reduce(0) { $0 + $1.text.utf8.count }
            #expect(kept <= 60 * text.utf8.count, "\(count)")
        }
    }

    /// Secrets inside the values of others, as deep as a redirect in a redirect, and in the deepest nest the last.
    @Test(arguments: [1, 2, 3, 4, 5, 20, 1_000])
    func `the innermost value of a nest is hidden wherever it is`(_ depth: Int) {
        let secret = "Canary-77/\(depth)"
        let encoded = PercentCoding.encodeComponent(secret)
        for name in ["password", "token", "AccountKey"] {
            let nest = String(repeating: "\(name)=", count: depth) + encoded
            var walk = RedactionWalk(ledger: SecretLedger(known: []))
            let value: JSONValue = [
                "form": ["a": .string(nest)], "other": .string("it is \(secret) or \(encoded), \(secret.prefix(9))..."),
                "body": .string("x=" + PercentCoding.encodeComponent("a=" + secret)),
                "list": .array(SecretSpelling.all(of: secret).map { .string("<\($0)>") }),
            ]
            walk.learn(value, [])
            walk.finishLearning()
            let shown = JSONWriter.compact(walk.masked(value, []))
            #expect(!shown.contains("Canary") && !shown.contains(encoded), "\(shown.prefix(300))")
            for spelling in SecretSpelling.all(of: secret) { #expect(!shown.contains(spelling)) }
        }
    }

    /// The values of the first names in a nest are secrets of their own in other texts.
    @Test func `each value of a short nest has its label`() {
        var walk = RedactionWalk(ledger: SecretLedger(known: []))
        walk.learn("password=token=Canary-1")
        walk.finishLearning()
        #expect(
            walk.masked("x token=Canary-1 Canary-1 dG9rZW49Q2FuYXJ5LTE=") == "x <password 1> <token 1> <password 1>")
    }

    @Test(arguments: 0..<20) func `a beginning of a known token is one in whatever order they were met`(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var ledger = SecretLedger(known: [])
        var known: [String] = []
        for _ in 0..<200 {
            let token = "eyJ" + String((0..<(random.next() % 8)).map { _ in Array("aB1.")[Int(random.next() % 4)] })
            #expect(ledger.isPieceOfKnown(token) == known.contains { $0 != token && $0.hasPrefix(token) }, "\(token)")
            _ = ledger.label(token + "-0123456", .token)
            known.append(token + "-0123456")
        }
    }

    // MARK: Values

    /// Grants and the names of errors, distinguished by characters.
    @Test(arguments: 0..<400) func `a grant is distinguished from an error's number by bytes as by characters`(
        _ seed: Int
    ) {
        var random = SeededGenerator(seed: UInt64(seed))
        let parts = [
            "AADB2C", "AADSTS", "IDX", "-", "0x", "b2c_1", "B2C_1", "a", "B", "_", "1", "9", ".", ",", ")", "é", "٣",
            "\u{301}", " ",
        ]
        let value = (0..<(random.next() % 6)).map { _ in parts[Int(random.next() % UInt64(parts.count))] }.joined()
        let isGrant = !value.lowercased().hasPrefix("b2c_1") && !isErrorCode(value)
        #expect(SecretKind.code.admitsParameter("code", value) == isGrant, "\(value)")
    }

    private func isErrorCode(_ value: String) -> Bool {
        var value = value[...]
        while let last = value.last, ",.):]".contains(last) { value.removeLast() }
        for prefix in ["AADB2C", "AADSTS", "IDX", "IDW", "-", "0x"] where value.hasPrefix(prefix) {
            let rest = value.dropFirst(prefix.count)
            return !rest.isEmpty && rest.allSatisfy { prefix == "0x" ? $0.isHexDigit : $0.isNumber }
        }
        if value.allSatisfy(\.isNumber) { return true }
        let letters = value.filter { $0 != "_" }
        return value.contains("_") && letters.allSatisfy { $0.isASCII && $0.isLetter }
            && (letters.allSatisfy(\.isUppercase) || letters.allSatisfy(\.isLowercase))
    }

    @Test(arguments: [
        ("", [""]), ("a", ["a"]), ("a=", ["a="]), ("a=1", ["a=", "<1>"]),
        ("a=1; b=2=3", ["a=", "<1>", ";", " b=", "<2=3>"]),
        (";", ["", ";", ""]), ("a=1;", ["a=", "<1>", ";", ""]), ("a=\u{301}x", ["a=", "<\u{301}x>"]),
    ])
    func `cookies are taken apart at their bytes`(_ header: String, _ parts: [String]) {
        #expect(HeaderSecrets.parts("Cookie", header).map(shown) == parts)
    }

    @Test(arguments: [
        ("", [""]), ("a=1", ["a=", "<1>"]), ("a=1; path=/; secure", ["a=", "<1>", "; path=/; secure"]),
        ("a=;", ["a=", ";"]),
        ("a;=", ["a", ";="]),
    ])
    func `the cookie that a server sets has one secret`(_ header: String, _ parts: [String]) {
        #expect(HeaderSecrets.parts("Set-Cookie", header).map(shown) == parts)
    }

    private func shown(_ parts: [HeaderSecrets.Part]) -> [String] {
        parts.map { part in
            switch part {
            case .plain(let text): text
            case .secret(let text, _): "<\(text)>"
            }
        }
    }
}

/// The two walks as they are defined: every place and every text by itself.
private struct SlowRedaction {
    private(set) var ledger: SecretLedger

    init(_ known: [KnownSecret]) { ledger = SecretLedger(known: known) }

    private func header(_ path: [String], _ text: String) -> [HeaderSecrets.Part]? {
        guard let index = path.lastIndex(of: "headers"), index + 1 < path.count else { return nil }
        return HeaderSecrets.parts(path[index + 1], text)
    }

    private func number(_ number: Int64, _ path: [String]) -> SecretKind? {
        guard number >= 1000, let kind = RedactionPlaces.kind(path, ""), kind == .code || kind == .password,
            path.last != "code"
        else { return nil }
        return kind
    }

    mutating func learn(_ value: JSONValue, _ path: [String]) {
        switch value {
        case .object(let object): for (name, member) in object.members { learn(member, path + [name]) }
        case .array(let elements): for element in elements { learn(element, path + ["0"]) }
        case .string(let text):
            if let parts = header(path, text) {
                for case .secret(let secret, let kind) in parts { _ = ledger.label(secret, kind) }
            } else if let kind = RedactionPlaces.kind(path, text), !text.isEmpty {
                _ = ledger.label(text, kind)
            } else {
                var found: [(String, SecretKind)] = []
                SecretText.find(in: text) { value, kind, _ in found.append((value, kind)) }
                for (value, kind) in found where kind != .token || !ledger.isPieceOfKnown(value) {
                    _ = ledger.label(value, kind)
                }
            }
        case .integer(let number):
            if let kind = self.number(number, path) { _ = ledger.label(String(number), kind) }
        case .null, .bool, .number: break
        }
    }

    func masked(_ value: JSONValue, _ path: [String], _ mask: TextMask) -> JSONValue {
        switch value {
        case .object(let object):
            var result = JSONObject()
            for (name, member) in object.members { result[masked(name, mask)] = masked(member, path + [name], mask) }
            return .object(result)
        case .array(let elements): return .array(elements.map { masked($0, path + ["0"], mask) })
        case .string(let text):
            if let parts = header(path, text) {
                let texts = parts.map { part in
                    switch part {
                    case .plain(let text): masked(text, mask)
                    case .secret(let secret, _): ledger.label(of: secret) ?? "<redacted>"
                    }
                }
                return .string(texts.joined())
            }
            if RedactionPlaces.kind(path, text) != nil, !text.isEmpty {
                return .string(ledger.label(of: text) ?? "<redacted>")
            }
            return .string(masked(text, mask))
        case .integer(let number):
            return self.number(number, path) == nil
                ? value : .string(ledger.label(of: String(number)) ?? "<redacted>")
        case .null, .bool, .number: return value
        }
    }

    private func masked(_ text: String, _ mask: TextMask) -> String {
        let masked = mask.masked(text)
        return ledger.relabelled(masked, SecretText.assignments(in: Array(masked.utf8))) ?? masked
    }
}
