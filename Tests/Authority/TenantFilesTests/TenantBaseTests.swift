import Determinism
import Diagnostics
import JSON
import TenantFiles
import Testing

/// A tenant read over another one is the tenant read whole.
@Suite struct TenantBaseTests {
    /// Patches over the tenant of the language reference.
    static let patches: [JSONValue] = [
        [:],
        ["policies": ["susi": ["attributes": ["country"]]]],
        ["policies": ["*": ["claims": ["country"]]]],
        ["policies": ["loyalty": .null]],
        ["policies": .null],
        ["policies": ["late": ["id": "B2C_1_late", "type": "signUp"]]],
        ["apps": ["ios": ["client": ["kind": "msal-macos"], "platform": ["bundleId": .null]]]],
        ["apps": ["ios": .null, "desk": .null]],
        ["apis": ["mail": ["scopes": ["send"]]]],
        ["users": ["ada": ["extension_Level": 3, "phone": .null]]],
        ["users": .null, "providers": .null],
        ["providers": ["facebook": ["domain": "fb.example.test"]]],
        ["name": "fabrikam"],
        ["kind": "workforce", "policies": .null, "providers": .null],
        ["hosts": ["login.contoso.test"]],
        ["authority": ["lockout": ["failures": 3]], "device": [:]],
        ["keySets": ["service": ["publish": ["k2", "k1"]]]],
        // Wrong ones, and such as are filled in later.
        ["authority": 3],
        ["apps": ["ios": ["client": ["kind": "msal-palm"]]]],
        ["users": ["ada": ["email": 5]], "nobodyKnows": true],
        ["name": .null],
        ["hosts": "{{case/hosts}}"],
        ["policies": "{{case/policies}}", "users": ["ada": ["displayName": "{{case/name}}"]]],
    ]

    @Test(arguments: patches, [false, true])
    func `a tenant over another is the same as the tenant read alone`(_ patch: JSONValue, isTemplate: Bool) throws {
        let whole = try Contoso.file().json.merging(patch: patch)
        let base = try #require(TenantBase(try Contoso.file().json, allowsTemplates: isTemplate))
        if isTemplate {
            let outlines = TenantOutlines(over: Deferred { base })
            // Twice: the second answer is the one that was kept.
            for _ in 0..<2 { #expect(outlines.tenant(of: whole) == TenantFile.outline(of: whole)) }
        } else {
            #expect(Self.outcome { try Tenant(json: whole, over: base) } == Self.outcome { try Tenant(json: whole) })
        }
    }

    /// The tenant as JSON, or what is wrong with it.
    private static func outcome(_ read: () throws -> Tenant) -> String {
        do {
            return JSONWriter.compact(try read().json)
        } catch let error as InvalidInput {
            return error.diagnostics.map { "\($0)" }.joined(separator: "\n")
        } catch {
            return "\(error)"
        }
    }

    @Test func `a tenant with mistakes cannot be a base`() {
        #expect(TenantBase(["name": "contoso", "users": 5], allowsTemplates: true) == nil)
        #expect(TenantBase(["name": "contoso", "hosts": "{{case/hosts}}"], allowsTemplates: false) == nil)
    }

    @Test func `more tenants than are kept are read again`() {
        let outlines = TenantOutlines()
        for _ in 0..<2 {
            for number in 0..<40 { #expect(outlines.tenant(of: ["name": .string("t\(number)")]).name == "t\(number)") }
        }
    }
}
