import Diagnostics
import Foundation
import JSON
import TenantFiles
import TestSupport
import Testing
import Verbs

@testable import Scenarios

@Suite struct SchemaTests {
    @Test(arguments: ["scenario", "tenant", "target"])
    func `the shipped schemas are those of the shapes`(name: String) throws {
        let text = SchemaText.text(of: Self.schemas[name] ?? .null)
        let path = "\(SchemaText.folder)/\(name).schema.json"
        if ProcessInfo.processInfo.environment["B2C_RECORD"] == "1" {
            let file = TestFiles.root().appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        let shipped = String(decoding: try TestFiles.bytes(path), as: UTF8.self)
        if shipped != text {
            Issue.record(
                "\(path) differs; record it with B2C_RECORD=1: \(lineDifference(expected: shipped, found: text))")
        }
    }

    static let schemas = [
        "scenario": SchemaText.scenario(), "tenant": SchemaText.tenant(), "target": SchemaText.target(),
    ]

    @Test func `every key and every word is described`() {
        for schema in [SchemaText.scenario(), SchemaText.tenant(), SchemaText.target()] {
            #expect(undescribed(schema, .root) == [])
        }
    }

    @Test func `a step offers all verbs and modifiers in one list`() throws {
        let step = try #require(SchemaText.scenario().value(at: "/$defs/step"))
        let keys = try #require(step["properties"]?.objectValue?.keys)
        #expect(keys == Verb.allCases.map(\.rawValue) + StepShapes.modifiers.map(\.name))
    }

    @Test func `names of a tenant complete`() throws {
        let file = try TenantFile.read(
            file: "contoso.json", bytes: try TestFiles.bytes("scenarios/tenants/contoso.json"))
        let validator = SchemaValidator(SchemaText.scenario(namesOf: file.outline))
        func problems(_ policy: String) -> [String] {
            validator.problems([
                "name": "n", "tenant": "t", "app": "ios", "steps": [["acquireToken": ["policy": .string(policy)]]],
            ])
        }
        #expect(problems("susi") == [])
        #expect(problems("sussi") != [])
        #expect(problems("{{p}}") == [])
    }

    // MARK: Agreement

    static let accepted = ReaderTests.accepted + ((try? ScenarioFiles.corpus("examples")) ?? [])
    static let wrongShape = (try? ScenarioFiles.corpus("rejected/shape")) ?? []
    static let wrongMeaning = (try? ScenarioFiles.corpus("rejected/meaning")) ?? []
    private static let validator = SchemaValidator(SchemaText.scenario())

    @Test(arguments: accepted + wrongMeaning)
    func `what has the right shape passes both`(path: String) throws {
        let document = try JSONDocument(file: path, bytes: try TestFiles.bytes(path))
        #expect(Self.validator.problems(document.root) == [])
        #expect(shapeFindings(document) == [])
    }

    @Test(arguments: wrongShape)
    func `what has a wrong shape passes neither`(path: String) throws {
        let document = try JSONDocument(file: path, bytes: try TestFiles.bytes(path))
        #expect(Self.validator.problems(document.root) != [])
        #expect(shapeFindings(document) != [])
    }

    /// Single changes of a right file: a key dropped, a value of another type, a key added. All of them with
    /// `B2C_THOROUGH=1`, else a sample spread over the file.
    @Test(arguments: accepted)
    func `reader and schema agree on every small change`(path: String) throws {
        let document = try JSONDocument(file: path, bytes: try TestFiles.bytes(path))
        let all = ScenarioFiles.mutants(of: document.root)
        let isThorough = ProcessInfo.processInfo.environment["B2C_THOROUGH"] == "1"
        for index in stride(from: 0, to: all.count, by: isThorough ? 1 : max(1, all.count / 150)) {
            let (mutant, what) = all[index]
            let changed = try JSONDocument(file: path, bytes: JSONWriter.compactBytes(mutant))
            let bySchema = Self.validator.problems(mutant)
            let byReader = shapeFindings(changed)
            #expect(
                bySchema.isEmpty == byReader.isEmpty,
                "\(what): schema \(bySchema.prefix(2)), reader \(byReader.prefix(2))")
        }
    }

    private func shapeFindings(_ document: JSONDocument) -> [String] {
        ShapeChecker(document: document, named: ScenarioShapes.named, allowTemplates: true, rulePrefix: "B2C-SCN")
            .check(document.root, at: .root, as: ScenarioShapes.root).map(\.description)
    }

    private func undescribed(_ value: JSONValue, _ at: JSONPointer) -> [String] {
        var found: [String] = []
        if let properties = value["properties"]?.objectValue {
            for (key, property) in properties.members where property["description"] == nil {
                found.append(at.appending(key).description)
            }
        }
        if value["const"] != nil, value["description"] == nil { found.append(at.description) }
        switch value {
        case .object(let object): return found + object.members.flatMap { undescribed($1, at.appending($0)) }
        case .array(let elements): return found + elements.enumerated().flatMap { undescribed($1, at.appending($0)) }
        default: return found
        }
    }
}
