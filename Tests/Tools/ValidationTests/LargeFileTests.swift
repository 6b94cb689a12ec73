import Testing
import Validation

/// JSON files of a size that people do not write.
struct LargeFileTests {
    private static let members = (0..<4000).map { #""k\#($0)": { "steps": [{}] }"# }.joined(separator: ",")

    private static func file(_ name: String, _ start: String, _ end: String) -> ProjectFile {
        ProjectFile(path: name, bytes: Array((start + members + end).utf8))
    }

    @Test func `one of another kind is not read as a whole`() {
        let file = Self.file("package-lock.json", #"{ "name": "app", "packages": {"#, "} }")
        #expect(file.kind == .other)
        #expect(file.document == nil)
        #expect(file.isJSON)
    }

    @Test(arguments: [
        ("t.json", #"{ "name": "x", "users": {"#, FileKind.tenant), ("s.json", #"{ "steps": [], "x": {"#, .scenario),
        ("k.json", #"{ "keys": [{ "kty": "RSA" }], "x": {"#, .keySet),
        ("a.json", #"{ "auth": { "clientId": "a" }, "x": {"#, .browserConfig),
        ("b2c-validate.json", #"{ "x": {"#, .settings),
    ])
    func `one of a kind is`(_ name: String, _ start: String, _ kind: FileKind) {
        let file = Self.file(name, start, "} }")
        #expect(file.kind == kind)
        #expect(file.document != nil)
    }

    @Test func `one that names B2C and is broken is reported`() {
        let start = #"{ "authority": "https://contoso.b2clogin.com", "x": {"#
        for (end, isWhole) in [("} }", true), ("}", false)] {
            let result = Validator.validate(project(("a.json", start + Self.members + end)))
            #expect(result.findings.isEmpty == isWhole)
        }
    }
}
