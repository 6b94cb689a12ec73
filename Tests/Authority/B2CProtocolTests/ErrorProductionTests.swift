import B2CProtocol
import Foundation
import TestSupport
import Testing

/// The column of the code table that says what the mock authority produces, held to scripts and tests.
@Suite struct ErrorProductionTests {
    /// Every text of the shipped scripts and of the tests, apart from those about the table itself.
    private static let shown: Set<String> = {
        var found: Set<String> = []
        let root = TestFiles.root()
        for (folder, ending) in [("scenarios", ".json"), ("Tests", ".swift")] {
            let names = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
            while let name = names?.nextObject() as? String {
                guard name.hasSuffix(ending), !name.contains("B2CProtocolTests"), !name.hasPrefix("schemas/"),
                    let data = FileManager.default.contents(
                        atPath: root.appendingPathComponent(folder).appendingPathComponent(name).path)
                else { continue }
                for piece in String(decoding: data, as: UTF8.self).split(whereSeparator: { !isWord($0) }) {
                    if piece.hasPrefix("AADB2C") { found.insert(String(piece.dropFirst(6))) }
                    if piece.hasPrefix("c9") { found.insert(String(piece.dropFirst())) }
                }
            }
        }
        return found
    }()

    private static func isWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }

    private static let produced = B2CErrorCode.all.filter { if case .mock = $0.production { true } else { false } }

    @Test(arguments: produced) func `what the mock produces is shown`(_ code: B2CErrorCode) {
        #expect(Self.shown.contains(code.number), "no script and no test shows \(code): \(code.production.text)")
    }

    /// A code that the authority's sources never use cannot be produced, whatever the table says.
    @Test func `what is produced is used`() throws {
        var used: Set<String> = []
        let sources = TestFiles.root().appendingPathComponent("Sources")
        let names = FileManager.default.enumerator(atPath: sources.path)
        while let name = names?.nextObject() as? String {
            guard name.hasSuffix(".swift"), !name.contains("/B2CErrorCode") else { continue }
            guard let data = FileManager.default.contents(atPath: sources.appendingPathComponent(name).path) else {
                continue
            }
            used.formUnion(Self.codes(in: Array(data)))
        }
        for code in B2CErrorCode.all {
            let isUsed = used.contains(code.number)
            switch code.production {
            case .mock: #expect(isUsed, "\(code) is said to be produced, and no source uses it")
            case .notSimulated: #expect(!isUsed, "\(code) is said not to be produced, and a source uses it")
            case .faultRule, .elsewhere: break
            }
        }
    }

    /// The numbers in `.c90118` and the like; one pass, since there are five megabytes of sources.
    private static func codes(in source: [UInt8]) -> Set<String> {
        var found: Set<String> = []
        for place in source.indices
        where source[place] == UInt8(ascii: ".") && source[place...].dropFirst().first == UInt8(ascii: "c") {
            let digits = source[place...].dropFirst(2).prefix(6).prefix {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
            if digits.count == 5 { found.insert(String(decoding: digits, as: UTF8.self)) }
        }
        return found
    }

    @Test func `explanations say where a code comes from`() {
        #expect(B2CErrorCode.c90068.production.text.contains("signInAudience"))
        #expect(B2CErrorCode.c90165.production.text == "never: SAML is not simulated")
        #expect(B2CErrorCode.c90154.production == .faultRule)
        #expect(B2CErrorCode.c90243.production.text.contains("AADB2C90289"))
    }
}
