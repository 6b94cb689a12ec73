import Diagnostics
import JSON
import TenantFiles
import TestSupport
import Testing

/// Reader, decoder and schema say the same of a tenant file, since they come from one table.
struct TenantSchemaTests {
    static let schema = SchemaWriter.schema(
        id: "https://example.test/tenant.schema.json", title: "Tenant file", root: TenantShapes.root,
        named: TenantShapes.named, templates: true)

    /// Findings that a schema cannot know: about names, and about what is not built yet.
    static func isBeyondSchemas(_ finding: Diagnostic) -> Bool {
        [
            "B2C-TEN-022", "B2C-TEN-023", "B2C-TEN-024", "B2C-TEN-025", "B2C-TEN-026", "B2C-TEN-027", "B2C-TEN-028",
            "B2C-TGT-031",
        ].contains(finding.rule)
    }

    @Test(arguments: TenantReadingTests.tenants)
    func `good files are valid`(_ text: String) throws {
        let json = try JSONParser.parse(text)
        #expect(SchemaValidator(Self.schema).problems(json) == [])
        #expect(SchemaValidator(Self.schema).problems(try Tenant(json: json).json) == [])
    }

    /// Values of every kind put in the place of every value of a file, and taken away.
    /// Of the larger file, each place has every second value, and its neighbours the others.
    static func mutants(of json: JSONValue) -> [(pointer: JSONPointer, value: JSONValue)] {
        let strange: [JSONValue] = [
            .null, true, 0, -1, 1.5, 1e300, "", "x", "off", "PT5M", "-P1D", "https://x.test/", "{{x}}", [], [[]], [:],
            ["x": ["y": 1]], "B2C_1_susi",
        ]
        let places = pointers(json, .root)
        let step = places.count > 150 ? 2 : 1
        return places.enumerated().flatMap { place, pointer in
            stride(from: place % step, to: strange.count, by: step).map { (pointer, strange[$0]) }
        }
    }

    static func pointers(_ json: JSONValue, _ at: JSONPointer) -> [JSONPointer] {
        switch json {
        case .object(let object):
            [at] + object.members.flatMap { pointers($0.value, at.appending($0.key)) }
        case .array(let elements):
            [at] + elements.enumerated().flatMap { pointers($1, at.appending($0)) }
        default: [at]
        }
    }

    @Test(arguments: [Contoso.text, TenantReadingTests.tenants[2]])
    func `nothing traps, and all three agree`(_ text: String) throws {
        let whole = try JSONParser.parse(text)
        let validator = SchemaValidator(Self.schema)
        var accepted = 0
        var refused = 0
        for (pointer, value) in Self.mutants(of: whole) where !pointer.tokens.isEmpty {
            var mutant = whole
            guard mutant.set(value, at: pointer) else { continue }
            let document = try JSONDocument(file: "mutant.json", bytes: Array(JSONWriter.compact(mutant).utf8))
            let findings = TenantFile.check(document.root, in: document, at: .root)
            for finding in findings { #expect(finding.location?.line != nil, "\(finding)") }
            let shapeIsGood = findings.allSatisfy(Self.isBeyondSchemas)
            let problems = validator.problems(mutant)
            #expect(problems.isEmpty == shapeIsGood, "\(pointer) = \(value): \(problems) but \(findings)")
            if value == "{{x}}" { continue }
            let tenant = try? Tenant(json: mutant)
            let isOnlyNotBuiltYet = findings.allSatisfy { Self.isBeyondSchemas($0) || $0.rule == "B2C-TEN-007" }
            #expect((tenant != nil) == isOnlyNotBuiltYet, "\(pointer) = \(value): \(findings)")
            if findings.isEmpty, let tenant {
                accepted += 1
                #expect(try Tenant(json: tenant.json) == tenant, "\(pointer) = \(value)")
            } else {
                refused += 1
            }
        }
        #expect(accepted > 100 && refused > 100)
    }

    @Test func `patches allow null everywhere`() throws {
        let whole = try JSONParser.parse(Contoso.text)
        let schema = SchemaWriter.schema(
            id: "https://example.test/patch.json", title: "Patch", root: TenantShapes.patch, named: [:], templates: true
        )
        for pointer in Self.pointers(whole, .root) where !pointer.tokens.isEmpty {
            let isElement = pointer.parent.flatMap { whole.value(at: $0) }?.arrayValue != nil
            if isElement { continue }
            var patch = JSONValue.object([:])
            patch.set(.null, at: pointer)
            #expect(SchemaValidator(schema).problems(patch) == [], "\(pointer)")
        }
    }
}
