import Foundation
import TestSupport
import Testing

@testable import TrustFramework

/// What the table calls simulated or approximated is tried: a sample policy or a policy that a test runs has its name,
/// spelled as a policy spells it.
@Suite struct FeatureCoverageTests {
    /// The words of one file that holds policies.
    struct Tried {
        var path: String
        /// Where the kinds of profiles are looked for: all but the relying party, whose protocol is that of the app.
        var profiles: String
        /// `<Name`, ` Name=`, `"text"`, `>text<` and `{text}`, as written there.
        var words: Set<String>

        init(path: String, text: String) {
            self.path = path
            // A string literal on one line writes its quotes with a backslash.
            let text = text.replacingOccurrences(of: "\\\"", with: "\"")
            words = Self.words(Array(text.utf8))
            let party = path.hasSuffix(".xml") ? text.range(of: "<RelyingParty>") : nil
            profiles = String(text[..<(party?.lowerBound ?? text.endIndex)])
        }

        private static let longest = 160

        private static func words(_ bytes: [UInt8]) -> Set<String> {
            var words: Set<String> = []
            func take(from start: Int, until end: UInt8, prefix: String, suffix: String) {
                var place = start
                while place < bytes.count, place - start <= longest, bytes[place] != end, bytes[place] != 10 {
                    place += 1
                }
                guard place < bytes.count, bytes[place] == end, place > start else { return }
                let word = String(decoding: bytes[start..<place], as: UTF8.self)
                words.insert(prefix + word + suffix)
                // A handler's full name: `Web.TPEngine.Providers.Name, Web.TPEngine, Version=...`.
                if prefix == "\"", word.hasPrefix("Web.TPEngine."), let name = word.split(separator: ",").first {
                    words.insert("\"" + name.dropFirst("Web.TPEngine.".count) + "\"")
                }
            }
            for place in bytes.indices {
                switch bytes[place] {
                case UInt8(ascii: "<"):
                    var end = place + 1
                    while end < bytes.count, isLetter(bytes[end]) { end += 1 }
                    if end > place + 1 { words.insert(String(decoding: bytes[place..<end], as: UTF8.self)) }
                case UInt8(ascii: "="):
                    var start = place
                    while start > 0, isLetter(bytes[start - 1]) { start -= 1 }
                    if start > 0, start < place, bytes[start - 1] == 32 {
                        words.insert(" " + String(decoding: bytes[start..<place], as: UTF8.self) + "=")
                    }
                case UInt8(ascii: "\""):
                    take(from: place + 1, until: UInt8(ascii: "\""), prefix: "\"", suffix: "\"")
                case UInt8(ascii: ">"): take(from: place + 1, until: UInt8(ascii: "<"), prefix: ">", suffix: "<")
                case UInt8(ascii: "{"): take(from: place + 1, until: UInt8(ascii: "}"), prefix: "{", suffix: "}")
                default: break
                }
            }
            return words
        }

        private static func isLetter(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || (48...57).contains(byte)
        }
    }

    /// Sample policies, and tests that run policies. Not those that only list names, compile, write or break policies,
    /// nor those of the rules that check policies.
    static let tried: [Tried] = {
        let left = [
            "FeatureTests.swift", "FeatureCoverageTests.swift", "FeatureAgreementTests.swift", "FuzzTests.swift",
            "UserFlowTests.swift", "WriterTests.swift", "BadInputTests.swift",
        ]
        var found: [Tried] = []
        for folder in [
            "scenarios/policies", "Tests/Authority/JourneysTests", "Tests/Authority/MockAuthorityTests",
            "Tests/Authority/TrustFrameworkTests",
            "Tests/Conformance/browser",
        ] {
            let root = TestFiles.root().appendingPathComponent(folder)
            let names = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
            for name in names.sorted() where name.hasSuffix(".xml") || name.hasSuffix(".swift") {
                if left.contains(where: name.hasSuffix) { continue }
                guard let data = try? Data(contentsOf: root.appendingPathComponent(name)) else { continue }
                found.append(Tried(path: "\(folder)/\(name)", text: String(decoding: data, as: UTF8.self)))
            }
        }
        return found
    }()

    /// How a policy spells a feature; a file must have one of these words.
    static func spellings(_ feature: Feature) -> [String] {
        let name = feature.name
        switch feature.kind {
        case .element:
            let last = name.split(separator: "/").last.map(String.init) ?? name
            // Of attributes the search knows the name, and that the file has the element.
            return [last.hasPrefix("@") ? " " + last.dropFirst() + "=" : "<" + last]
        case .predicate where name.contains("/"): return [" " + (name.split(separator: "/").last ?? "") + "="]
        case .stepType, .predicate, .mask, .displayControl, .transformation, .metadata, .cryptographicKey, .textKind,
            .text:
            return ["\"\(name)\""]
        case .dataType, .inputType: return [">\(name)<", "\"\(name)\""]
        case .resolver: return ["{\(name)}", "\"\(name)\""]
        case .profileKind:
            switch name {
            case "JwtIssuer": return [">JWT<"]
            case "JsonIssuer": return [">JSON<"]
            case "OAuth2ErrorIssuer": return [">OAuth2Error<"]
            case "OpenIdConnect with grant_type=password": return ["\"grant_type\""]
            case "TokenAuthorization": return ["<InputTokenFormat"]
            default: return ["\"Providers.\(name)\"", "\"SSO.\(name)\"", "\"\(name)\""]
            }
        }
    }

    /// What shows that a file has a profile of this kind, for keys that belong to one. Without an entry: the kind's name.
    static let signs: [String: [String]] = [
        "any profile": [""], "content definition": ["<ContentDefinition"],
        // Profiles of the built-in base policy are named by their ids.
        "SelfAssertedAttributeProvider": [
            "SelfAssertedAttributeProvider", "Inline.page(", "SelfAsserted-", "LocalAccount",
        ],
        "AzureActiveDirectoryProvider": ["AzureActiveDirectoryProvider", "\"AAD-"],
        "PhoneFactorProtocolProvider": ["PhoneFactorProtocolProvider", "\"PhoneFactor-"],
        "OpenIdConnect": ["\"OpenIdConnect\""], "OAuth1": ["\"OAuth1\""], "OAuth2": ["\"OAuth2\""],
        "None": ["\"None\""], "TokenAuthorization": ["<InputTokenFormat>JWT"],
    ]

    static func isTried(_ feature: Feature) -> Bool {
        let signs = feature.owner.isEmpty ? [""] : Self.signs[feature.owner] ?? [feature.owner]
        let spellings = spellings(feature)
        return tried.contains { file in
            let stands =
                feature.name.hasSuffix("*")
                ? spellings.contains { spelling in
                    let stem = spelling.split(separator: "*", omittingEmptySubsequences: false)[0]
                    return file.words.contains { $0.hasPrefix(stem) }
                }
                : spellings.contains { file.words.contains($0) }
            return stands && signs.contains { $0.isEmpty || file.profiles.range(of: $0) != nil }
        }
    }

    /// The two words that promise something.
    private static func isPromised(_ feature: Feature) -> Bool {
        switch feature.extent {
        case .simulated, .approximated: true
        case .inert, .refused: false
        }
    }

    @Test func `what is promised is tried`() {
        #expect(Self.tried.count > 60)
        let untried = FeatureTable.all.filter { Self.isPromised($0) && !Self.isTried($0) }
        for feature in untried {
            Issue.record(
                """
                \(feature.kind.rawValue): \(feature.owner) \(feature.name) is called \(feature.extent.word), and no policy \
                tries it. \
                Add a sample policy or a test that fails without it, or say in the table what differs.
                """)
        }
    }

    /// The search compares whole names: it finds neither a name that no file has, nor a key at a profile of another
    /// kind.
    @Test func `what nobody tries is not found`() {
        let kinds: [(Feature.Kind, String)] = [
            (.element, "Never"), (.metadata, "setting.never"), (.transformation, "NeverClaim"),
            (.resolver, "OIDC:Never"),
            (.profileKind, "NeverProvider"), (.textKind, "NeverText"), (.dataType, "never"), (.predicate, "IsNever"),
        ]
        for (kind, name) in kinds { #expect(!Self.isTried(Feature(kind, name)), "\(name)") }
        #expect(!Self.isTried(Feature(.metadata, "ReuseSameCode", of: "NeverProvider")))
        #expect(Self.isTried(Feature(.metadata, "ReuseSameCode", of: "OneTimePasswordProtocolProvider")))
    }
}
