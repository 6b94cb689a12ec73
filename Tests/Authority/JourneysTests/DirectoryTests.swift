import Determinism
import JOSE
import JSON
import TenantFiles
import Testing

@testable import Journeys

@Suite struct DirectoryTests {
    private let now = Timestamp(seconds: 1_768_478_400)

    private func directory(_ settings: LockoutSettings = LockoutSettings()) throws -> Directory {
        var directory = Directory(domain: "contoso.onmicrosoft.com", lockout: settings)
        var account = Account(objectID: GUID.derived(from: "ada"), at: now)
        account.setSignInName("emailAddress", "ada@example.test")
        account.password = "Analytical-1843"
        account.store("userPrincipalName", .text("ada@contoso.onmicrosoft.com"))
        account.identities = [FederatedIdentity(issuer: "facebook.com", issuerUserID: "MTIz")]
        try directory.insert(account)
        return directory
    }

    @Test func `people are found by every key`() throws {
        let directory = try directory()
        let keys: [AccountKey] = [
            .objectID(GUID.derived(from: "ada").description), .userPrincipalName("ADA@contoso.onmicrosoft.com"),
            .signInName(type: "emailAddress", "Ada@Example.test"), .anySignInName("ada@example.test"),
            .identity(FederatedIdentity(issuer: "Facebook.com", issuerUserID: "MTIz")),
        ]
        for key in keys { #expect(directory.find(key) != nil) }
        let others: [AccountKey] = [
            .objectID("no guid"), .signInName(type: "userName", "ada@example.test"), .anySignInName("nobody"),
            .identity(FederatedIdentity(issuer: "facebook.com", issuerUserID: "other")),
        ]
        for key in others { #expect(directory.find(key) == nil) }
    }

    @Test func `names are unique`() throws {
        var directory = try directory()
        var other = Account(objectID: GUID.derived(from: "bob"), at: now)
        other.setSignInName("emailAddress", "ADA@example.test")
        #expect(throws: Directory.DirectoryRefusal.taken("ADA@example.test")) { try directory.insert(other) }
        #expect(directory.count == 1)
        other.setSignInName("emailAddress", "bob@example.test")
        try directory.insert(other)
        directory.delete(GUID.derived(from: "ada"))
        #expect(directory.find(.anySignInName("ada@example.test")) == nil)
        #expect(directory.drainTouched().count == 2)
        #expect(directory.drainTouched().isEmpty)
    }

    /// An account of the directory's own making, with the sign-in name `p<number>@example.test`.
    private func account(_ number: Int, in directory: Directory) -> Account {
        var account = Account(objectID: GUID.derived(from: "person \(number)"), at: now)
        account.setSignInName("emailAddress", "p\(number)@example.test")
        account.store("displayName", .text("Person \(number)"))
        account.store("passwordPolicies", .text("DisablePasswordExpiration"))
        account.store("userPrincipalName", .text(directory.principalName(of: account.objectID)))
        return account
    }

    /// Accounts that come and go take places in proportion to those that are there, and the others keep their order.
    @Test func `places of deleted accounts are used again`() throws {
        var directory = Directory(domain: "contoso.onmicrosoft.com")
        for number in 0..<2000 {
            try directory.insert(account(number, in: directory))
            if number >= 50 { directory.delete(GUID.derived(from: "person \(number - 50)")) }
            #expect(directory.placeCount <= 2 * directory.count + 64)
        }
        let left = 1950..<2000
        #expect(directory.objectIDs == left.map { GUID.derived(from: "person \($0)") })
        #expect(
            directory.rows(at: now, from: 10, limit: 2).members.map(\.0) == [
                "p1960@example.test", "p1961@example.test",
            ])
        #expect(directory.nameCount == 50)
        for number in left {
            let id = GUID.derived(from: "person \(number)")
            #expect(directory[id]?.objectID == id)
            #expect(directory.find(.anySignInName("P\(number)@example.test"))?.objectID == id)
        }
        #expect(directory.find(.anySignInName("p1949@example.test")) == nil)
    }

    /// Of two accounts of a person the one that was given last is theirs, also after others have moved together.
    @Test func `an adopted account stays the person's own`() throws {
        var directory = Directory(domain: "contoso.onmicrosoft.com")
        for number in 0..<100 {
            var account = account(number, in: directory)
            if number == 99 { account.person = "ada" }
            try directory.insert(account)
        }
        let own = GUID.derived(from: "person 3")
        let isAdopted = directory.adopt(own, as: "ada")
        #expect(isAdopted)
        for number in 4..<99 { directory.delete(GUID.derived(from: "person \(number)")) }
        #expect(directory.placeCount < 100)
        #expect(directory.account(of: "ada")?.objectID == own)
        directory.delete(own)
        #expect(directory.account(of: "ada") == nil)
    }

    /// One entry of an index for each account, and what it names is in memory once.
    @Test func `an account is small`() throws {
        var directory = Directory(domain: "contoso.onmicrosoft.com")
        for number in 0..<100 { try directory.insert(account(number, in: directory)) }
        #expect(directory.placeCount == 100 && directory.nameCount == 100)
        for id in directory.objectIDs {
            let account = try #require(directory[id])
            #expect(account.attributes.capacity == 3 && account.signInNames.capacity == 1)
        }
    }

    static let principalNames: [(name: String, found: Bool)] = [
        ("ID@contoso.onmicrosoft.com", true), ("ID@CONTOSO.onmicrosoft.com", true),
        ("ID@fabrikam.onmicrosoft.com", false), ("ID@", false), ("ID", false),
        ("IDx@contoso.onmicrosoft.com", false), ("xID@contoso.onmicrosoft.com", false), ("", false),
    ]

    @Test(arguments: principalNames.indices, [false, true])
    func `a principal name of the directory is found`(_ index: Int, isUpperCase: Bool) throws {
        var directory = Directory(domain: "contoso.onmicrosoft.com")
        let account = account(1, in: directory)
        try directory.insert(account)
        let row = Self.principalNames[index]
        let id = isUpperCase ? account.objectID.uppercase : account.objectID.description
        let name = row.name.replacing("ID", with: id)
        #expect((directory.find(.userPrincipalName(name)) != nil) == row.found)
        // No other account can have the name.
        var other = self.account(2, in: directory)
        other.store("userPrincipalName", .text(name))
        if row.found {
            #expect(throws: Directory.DirectoryRefusal.taken(name)) { try directory.insert(other) }
        } else {
            try directory.insert(other)
            #expect(directory.find(.userPrincipalName(name))?.objectID == other.objectID)
        }
        // A name that was changed leads to nothing.
        var changed = account
        changed.store("userPrincipalName", .text("person@contoso.onmicrosoft.com"))
        try directory.replace(changed)
        if row.found { #expect(directory.find(.userPrincipalName(name)) == nil) }
        #expect(directory.find(.userPrincipalName("Person@contoso.onmicrosoft.com"))?.objectID == account.objectID)
    }

    @Test func `so many wrong passwords lock the account`() throws {
        var directory = try directory(
            LockoutSettings {
                $0.threshold = 3
                $0.duration = .minutes(1)
            })
        var now = now
        func attempt(_ password: String) -> Directory.SignInResult {
            directory.signIn(name: "ada@example.test", password: password, at: now)
        }
        #expect(attempt("a") == .wrongPassword)
        #expect(attempt("a") == .wrongPassword)
        #expect(attempt("A") == .wrongPassword)
        #expect(attempt("b") == .wrongPassword)
        #expect(attempt("c") == .locked)
        #expect(attempt("Analytical-1843") == .locked)
        now = now + .minutes(1)
        // The next wrong one locks at once.
        #expect(attempt("d") == .locked)
        now = now + .minutes(1)
        #expect(attempt("Analytical-1843") == .signedIn(GUID.derived(from: "ada")))
        #expect(attempt("e") == .wrongPassword)
        #expect(attempt("nobody") == .wrongPassword)
        #expect(directory.signIn(name: "nobody@x", password: "x", at: now) == .unknownUser)
    }

    @Test func `lock periods grow`() {
        var lockout = SmartLockout()
        var now = now
        let settings = LockoutSettings {
            $0.threshold = 1
            $0.duration = .minutes(1)
        }
        var lengths: [Int64] = []
        for n in 0..<120 {
            lockout.failed("password \(n)", settings: settings, nearVariantsCountOnce: true, at: now)
            let until = lockout.lockedUntil ?? now
            lengths.append((until - now).milliseconds / 60_000)
            now = until
        }
        #expect(lengths[0..<10].allSatisfy { $0 == 1 })
        #expect(lengths[10] == 2)
        #expect(lengths[20] == 4)
        #expect(lengths.max() == 300)
        #expect(lengths.last == 300)
    }

    static let passwords: [(String, Bool)] = [
        ("Analytical-1843", true), ("Abcdefg1", true), ("abcdefg1", false), ("Abcdefgh", false), ("Ab1", false),
        ("ABCDEFG1!", true), ("        ", false),
    ]

    @Test(arguments: passwords.indices) func `the directory has its own password rule`(_ index: Int) throws {
        let row = Self.passwords[index]
        var directory = try directory()
        var account = try #require(directory.find(.anySignInName("ada@example.test")))
        if row.1 {
            try directory.write("password", .text(row.0), to: &account, at: now)
            #expect(account.password == row.0)
        } else {
            #expect(throws: Directory.DirectoryRefusal.weakPassword) {
                try directory.write("password", .text(row.0), to: &account, at: now)
            }
            try directory.write(
                "passwordPolicies", .text("DisablePasswordExpiration, DisableStrongPassword"), to: &account, at: now)
            try directory.write("password", .text(row.0), to: &account, at: now)
        }
    }

    @Test func `attributes keep their types`() throws {
        let directory = try directory()
        var account = try #require(directory.find(.anySignInName("ada@example.test")))
        account.store("extension_Age", .integer(36))
        account.store("otherMails", .list(["a@x.test", "b@x.test"]))
        #expect(directory.value("extension_age", of: account, as: .int) == .integer(36))
        #expect(directory.value("extension_Age", of: account, as: .string) == .text("36"))
        #expect(directory.value("otherMails", of: account, as: .stringCollection) == .list(["a@x.test", "b@x.test"]))
        #expect(directory.value("emails", of: account, as: .stringCollection)?.listValue?.count == 3)
        #expect(directory.value("accountEnabled", of: account, as: .boolean) == .boolean(true))
        #expect(directory.value("city", of: account, as: .string) == nil)
    }

    @Test func `a patch over people is applied`() throws {
        let json: JSONValue = [
            "name": "contoso", "users": ["ada": ["email": "ada@example.test", "password": "Analytical-1843"]],
        ]
        var tenant = try Tenant(json: json)
        var directory = Directory(tenant: tenant, at: now)
        func patch(_ patch: JSONValue) throws {
            tenant = try Tenant(json: json.merging(patch: ["users": ["ada": patch]]))
            directory.configure(person: "ada", patch: patch, tenant: tenant, at: now)
        }
        try patch(["accountEnabled": false, "displayName": "Ada"])
        #expect(directory.account(of: "ada")?.accountEnabled == false)
        try patch(["locked": true])
        #expect(directory.signIn(name: "ada@example.test", password: "Analytical-1843", at: now) == .locked)
        try patch(["locked": false, "accountEnabled": true, "forcePasswordChange": true])
        #expect(
            directory.signIn(name: "ada@example.test", password: "Analytical-1843", at: now)
                == .mustChangePassword(try #require(tenant.user(named: "ada")).objectId))
        try patch(["email": "countess@example.test"])
        #expect(directory.find(.anySignInName("ada@example.test")) == nil)
        #expect(directory.rows(at: now)["ada"]?["email"] == "countess@example.test")
        try patch(["registered": false])
        #expect(directory.count == 0)
        #expect(directory.rows(at: now)["ada"]?["registered"] == false)
        directory.configure(person: "ada", patch: nil, tenant: tenant, at: now)
        #expect(directory.rows(at: now).isEmpty)
    }

    @Test func `many attributes are set, changed and removed like a few`() throws {
        func attributes(_ value: JSONValue, _ places: Range<Int>) -> JSONObject {
            JSONObject(places.map { ("extension_a\($0)", value) })
        }
        var ada = attributes("v", 0..<40)
        ada["email"] = "ada@example.test"
        let json: JSONValue = ["name": "contoso", "users": ["ada": .object(ada)]]
        let tenant = try Tenant(json: json)
        var directory = Directory(tenant: tenant, at: now)
        var patch = attributes("w", 10..<50)
        patch["Extension_A0"] = "x"
        for place in 1..<10 { patch["extension_A\(place)"] = .null }
        directory.configure(person: "ada", patch: .object(patch), tenant: tenant, at: now)
        let account = try #require(directory.account(of: "ada"))
        #expect(account.attributes.count { $0.id.hasPrefix("extension_") } == 41)
        #expect(directory.value("extension_a0", of: account, as: .string) == .text("x"))
        #expect(directory.value("extension_a1", of: account, as: .string) == nil)
        #expect(directory.value("extension_a49", of: account, as: .string) == .text("w"))
    }

    /// A row that is looked up by its name is the one that the list has, and no other account answers to it.
    @Test func `a row by name is that of the list`() throws {
        let tenant = try Tenant(json: [
            "name": "contoso", "policies": ["susi": ["id": "B2C_1_susi", "type": "signUpOrSignIn"]],
            "users": [
                "ada": ["email": "ada@example.test", "password": "Analytical-1843"],
                "nina": ["registered": false, "email": "nina@example.test"],
            ],
        ])
        var directory = Directory(tenant: tenant, at: now)
        func agrees() {
            let rows = directory.rows(at: now)
            for (name, row) in rows.members {
                #expect(directory.row(named: name, at: now).map { JSONValue.object($0) } == row)
            }
            #expect(directory.row(named: "ada@example.test", at: now) == nil)
            #expect(directory.row(named: "nobody", at: now) == nil)
        }
        agrees()
        #expect(directory.rows(at: now).count == 2)
        let id = try #require(directory.account(of: "ada")).objectID
        let isAdopted = directory.adopt(id, as: "countess")
        #expect(isAdopted)
        #expect(directory.account(of: "ada") == nil)
        #expect(directory.account(of: "countess")?.objectID == id)
        agrees()
        directory.delete(id)
        #expect(directory.account(of: "countess") == nil)
        agrees()
    }

    @Test func `a person who has signed up since keeps the account when the record changes`() throws {
        let json: JSONValue = [
            "name": "contoso", "users": ["nina": ["registered": false, "email": "nina@example.test"]],
        ]
        let before = try Tenant(json: json)
        var directory = Directory(tenant: before, at: now)
        var account = Account(objectID: try #require(before.user(named: "nina")).objectId, at: now)
        account.person = "nina"
        try directory.insert(account)
        let patch: JSONValue = ["refreshTokensValidFrom": "2030-01-01T00:00:00Z"]
        let tenant = try Tenant(json: json.merging(patch: ["users": ["nina": patch]]))
        directory.configure(person: "nina", patch: patch, tenant: tenant, at: now)
        #expect(directory.account(of: "nina")?.refreshTokensValidFrom == Timestamp(rfc3339: "2030-01-01T00:00:00Z"))
        directory.configure(person: "nina", patch: ["registered": false], tenant: tenant, at: now)
        #expect(directory.account(of: "nina") == nil)
    }

    @Test func `people of the file are known by their provider accounts`() throws {
        let tenant = try Tenant(json: [
            "name": "contoso", "providers": ["facebook": [:], "contosoid": ["type": "oidc"]],
            "users": [
                "fay": ["providers": ["facebook": ["id": "4711"]]], "olga": ["providers": ["contosoid": [:]]],
                "nina": ["registered": false, "providers": ["contosoid": ["sub": "n-1"]]],
            ],
        ])
        var directory = Directory(tenant: tenant, at: now)
        func find(_ issuer: String, _ user: String) -> String? {
            directory.find(
                .identity(FederatedIdentity(issuer: issuer, issuerUserID: Base64.encode(Array(user.utf8)))))?.person
        }
        #expect(find("facebook.com", "4711") == "fay")
        let derived = Directory.stubSubject(provider: "contosoid", person: "olga", tenant: "contoso")
        #expect(find("contosoid.provider.test", derived) == "olga")
        var account = Account(objectID: GUID.derived(from: "new"), at: now)
        account.identities = [
            FederatedIdentity(issuer: "contosoid.provider.test", issuerUserID: Base64.encode(Array("n-1".utf8)))
        ]
        #expect(directory.takeNewcomer(for: account)?.record.name == "nina")
        #expect(directory.takeNewcomer(for: account) == nil)
    }

    @Test(arguments: [
        ("ada@contoso.onmicrosoft.com", true), ("ada", false), ("@contoso.onmicrosoft.com", false), ("ada@", false),
        ("ada@king@contoso.onmicrosoft.com", false),
    ])
    func `a user principal name is a name at a domain`(_ name: String, _ isTaken: Bool) throws {
        var directory = Directory(tenant: try Tenant(json: ["name": "contoso"]), at: now)
        var account = Account(objectID: GUID.derived(from: "ada"), at: now)
        do throws(Directory.DirectoryRefusal) {
            try directory.write("userPrincipalName", .text(name), to: &account, at: now)
            #expect(isTaken)
        } catch {
            #expect(!isTaken && error == .badValue("userPrincipalName"))
        }
    }
}
