import Bundles
import JOSE
import JSON
import Testing

/// Stand-ins for what somebody wrote into scripts and tenant files.
struct BundleRedactionTests {
    private static func bundle(
        _ files: [(String, String)], variables: [ReproductionBundle.Named] = [], report: String = "{}", seed: UInt64 = 5
    ) -> ReproductionBundle {
        ReproductionBundle(
            maker: ReproductionBundle.Producer(tool: "0.1.0", swift: "6.3", system: "Linux x86_64"), seed: seed,
            scripts: [ReproductionBundle.Script(path: files[0].0, clock: "2026-01-15T12:00:00Z")], variables: variables,
            files: files.map { ReproductionBundle.File(path: $0.0, bytes: Array($0.1.utf8)) },
            report: Array(report.utf8), trace: Array("{}".utf8))
    }

    private static func text(_ bundle: ReproductionBundle, _ file: Int = 0) -> String {
        String(decoding: bundle.files[file].bytes, as: UTF8.self)
    }

    /// The text at a pointer of a redacted file.
    private static func value(_ bundle: ReproductionBundle, _ pointer: String, _ file: Int = 0) throws -> String {
        let root = try JSONParser.parse(bundle.files[file].bytes)
        let place = try #require(JSONPointer(pointer))
        return try #require(root.value(at: place)?.stringValue)
    }

    private static func shape(_ text: String) -> [String] {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "a"..."z": "a"
            case "A"..."Z": "A"
            case "0"..."9": "9"
            default: scalar.isASCII ? String(scalar) : "\(scalar.properties.generalCategory)"
            }
        }
    }

    @Test(arguments: [
        "Analytical-1843", "p", "1234", "!!!", "Pä$$wörd 9", "пароль", "0f3a9c77be", "JBSWY3DPEHPK3PXP",
        "x\\u0041\\n\\\"9z",
        "correct horse battery staple and more", "c2VjcmV0LWtleS1vZi1hLXN0dWI=", "aGFsbG8gaGFsbG8gaGFsbG8xMjM",
    ])
    func `a stand-in is another text of the same form`(_ written: String) throws {
        let tenant = "{ \"users\": { \"ada\": { \"password\": \"\(written)\" } } }"
        let parsed = try JSONParser.parse(tenant)
        let secret = try #require(parsed["users"]?["ada"]?["password"]?.stringValue)
        for seed: UInt64 in [1, 2, 3] {
            let redaction = try BundleRedaction(Self.bundle([("t.json", tenant)], seed: seed))
            #expect(redaction.secrets.map(\.place) == ["t.json:1:35 (users/ada/password)"])
            let standIn = try Self.value(redaction.redacted(), "/users/ada/password")
            #expect(standIn != secret)
            if secret != "!!!" { #expect(Self.shape(standIn) == Self.shape(secret), "\(standIn)") }
            #expect(standIn.utf8.count == secret.utf8.count)
            if let bytes = Base64.decode(secret) { #expect(Base64.decode(standIn)?.count == bytes.count, "\(standIn)") }
            if secret == "JBSWY3DPEHPK3PXP" { #expect(Base32.decode(standIn) != nil, "\(standIn)") }
            if secret == "0f3a9c77be" { #expect(standIn.allSatisfy { $0.isHexDigit }, "\(standIn)") }
        }
    }

    @Test func `what is drawn says nothing of what it stands for`() throws {
        // The seed is in the bundle: were the stand-in made from the secret, anybody could try passwords until one fits.
        func standIn(_ password: String) throws -> String {
            let tenant = "{ \"users\": { \"ada\": { \"password\": \"\(password)\" } } }"
            return try Self.value(
                try BundleRedaction(Self.bundle([("t.json", tenant)])).redacted(), "/users/ada/password")
        }
        let one = try standIn("Analytical-1843")
        #expect(try standIn("Difference-1822") == one)
        #expect(try standIn("Differences-1822") != one)
    }

    /// The first and last lines of a key and its breaks stay, whatever they are written as; all between is another.
    @Test(arguments: [
        ("\n", "PRIVATE KEY"), ("\r\n", "RSA PRIVATE KEY"), ("\\n", "ENCRYPTED PRIVATE KEY"), (" ", "EC PRIVATE KEY"),
        ("&#xA;", "PRIVATE KEY"), ("%0A", "PRIVATE KEY"), ("\\\\n", "PRIVATE KEY"),
    ])
    func `a private key in PEM form is replaced line by line`(_ lineBreak: String, _ label: String) throws {
        let lines = [
            "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj",
            "MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu", "Nmoy+HwPQg==",
        ]
        let key = (["-----BEGIN \(label)-----"] + lines + ["-----END \(label)-----"]).joined(separator: lineBreak)
        let quoted = JSONWriter.compact(.string(key))
        let tenant = "{ \"policyKeys\": { \"B2C_1A_Signing\": { \"secret\": \(quoted) } } }"
        let body = JSONWriter.compact(.string("{\"key\": \(quoted), \"privateKey\": \(quoted), \"user\": \"ada\"}"))
        let script = "{ \"note\": \"see below\", \"steps\": [ { \"http\": { \"body\": \(body) } } ] }"
        let policy = "<Policy><Item Key=\"Signing\">\(key)</Item><Item Key=\"Name\">kept</Item></Policy>"
        let redaction = try BundleRedaction(Self.bundle([("s.json", script), ("t.json", tenant), ("p.xml", policy)]))
        let redacted = redaction.redacted()
        #expect(redaction.leak(in: redacted, .everywhere) == nil)
        for file in redacted.files {
            let text = String(decoding: file.bytes, as: UTF8.self)
            for line in lines { #expect(!text.contains(line.dropLast(2)), "\(line) in \(text)") }
        }
        let standIn = try Self.value(redacted, "/policyKeys/B2C_1A_Signing/secret", 1)
        #expect(standIn.utf8.count == key.utf8.count)
        #expect(standIn.hasPrefix("-----BEGIN \(label)-----\(lineBreak)"), "\(standIn)")
        #expect(standIn.hasSuffix("==\(lineBreak)-----END \(label)-----"), "\(standIn)")
        func parts(_ text: String) -> Int { text.split(separator: lineBreak, omittingEmptySubsequences: false).count }
        #expect(parts(standIn) == parts(key), "\(standIn)")
        #expect(
            Self.text(redacted, 2)
                == "<Policy><Item Key=\"Signing\">\(standIn)</Item><Item Key=\"Name\">kept</Item></Policy>")
        let sent = try JSONParser.parse(Array(try Self.value(redacted, "/steps/0/http/body").utf8))
        #expect(sent == ["key": .string(standIn), "privateKey": .string(standIn), "user": "ada"])
        #expect(try Self.value(redacted, "/note") == "see below")
    }

    @Test func `a certificate is not a secret, and the first line of a key alone can be replaced`() throws {
        let certificate = "-----BEGIN CERTIFICATE-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEF\\n-----END CERTIFICATE-----"
        let tenant =
            "{ \"note\": \"\(certificate)\", "
            + "\"policyKeys\": { \"B2C_1A_Empty\": { \"secret\": \"-----BEGIN PRIVATE KEY-----\" } } }"
        let redaction = try BundleRedaction(Self.bundle([("t.json", tenant)]))
        #expect(redaction.secrets.map(\.name) == ["policyKeys/B2C_1A_Empty/secret"])
        let redacted = redaction.redacted()
        #expect(try Self.value(redacted, "/note") == certificate.replacing("\\n", with: "\n"))
        #expect(try Self.value(redacted, "/policyKeys/B2C_1A_Empty/secret") != "-----BEGIN PRIVATE KEY-----")
    }

    @Test func `wrong passwords stay wrong in the same way, and right ones right`() throws {
        let script = """
            { "steps": [ { "user": { "fill": { "password": "Analytical-1844" } } },
              { "user": { "fill": { "password": "ANALYTICAL-1843" } } }, { "user": { "fill": { "password": "Analytical-1843x" } } },
              { "user": { "fill": { "password": "Analytical-1843" } } }, { "user": { "fill": { "password": "x" } } },
              { "user": { "fill": { "password": "" } } }, { "user": { "fill": { "password": "{{typed}}" } } },
              { "user": { "fill": { "password": "Analytical-{{n}}" } } } ] }
            """
        let tenant =
            "{ \"users\": { \"ada\": { \"password\": \"Analytical-1843\", \"newPassword\": \"Difference-1822\" } } }"
        let redaction = try BundleRedaction(Self.bundle([("s.json", script), ("t.json", tenant)]))
        let redacted = redaction.redacted()
        let right = try Self.value(redacted, "/users/ada/password", 1)
        let typed = try (0..<8).map { try Self.value(redacted, "/steps/\($0)/user/fill/password") }
        #expect(typed[3] == right)
        #expect(typed[0] != right && typed[0].hasPrefix(right.dropLast()))
        #expect(typed[1] == right.uppercased())
        #expect(typed[2].hasPrefix(right) && typed[2].count == right.count + 1)
        #expect(typed[5].isEmpty && typed[6] == "{{typed}}")
        #expect(typed[7].hasSuffix("{{n}}") && right.hasPrefix(typed[7].prefix(11)))
        #expect(try Self.value(redacted, "/users/ada/newPassword", 1) != right)
        #expect(Set(typed).count == typed.count)
    }

    @Test func `a secret is replaced in every spelling and every file`() throws {
        let secret = "P@ss w/rd&1"
        let basic = Base64.encode(Array("api:\(secret)".utf8))
        let script = """
            { "name": "Ada types \(secret) and signs in",
              "steps": [ { "user": { "fill": { "password": "\(secret)" } } },
                { "http": { "url": "https://a.test/?x=P%40ss%20w%2Frd%261&y=P%40ss+w%2frd%261&z=%50@ss%20w/rd%261" } },
                { "http": { "headers": { "authorization": "Basic \(basic)" }, "body": "{\\"pw\\":\\"\(secret)\\"}" } },
                { "http": { "form": { "b": "\(Base64URL.encode(Array("{\"a\":\"\(secret)\"}".utf8)))" } } } ] }
            """
        let tenant = "{ \"users\": { \"ada\": { \"password\": \"\(secret)\" } }, \"\(secret)\": 1 }"
        let policy = "<Item Key=\"Text\">P@ss w/rd&amp;1</Item>\n<!-- \(secret) -->"
        let page = "var pw = 'P%40ss%20w%2Frd%261';"
        let redaction = try BundleRedaction(
            Self.bundle(
                [("s.json", script), ("t.json", tenant), ("p.xml", policy), ("page.html", page)],
                variables: [.init("typed", secret), .init("host", "a.test")]))
        let redacted = redaction.redacted()
        let standIn = try Self.value(redacted, "/users/ada/password", 1)
        #expect(redaction.leak(in: redacted, .everywhere) == nil)
        #expect(redacted.variables == [.init("typed", standIn), .init("host", "a.test")])
        #expect(Self.text(redacted, 2).contains("<!-- \(standIn) -->"))
        #expect(Self.text(redacted, 2).contains(standIn.replacing("&", with: "&amp;") + "</Item>"))
        #expect(Self.text(redacted, 3).contains("P%40ss") == false)
        #expect(try Self.value(redacted, "/name") == "Ada types \(standIn) and signs in")
        let header = try Self.value(redacted, "/steps/2/http/headers/authorization")
        #expect(header == "Basic " + Base64.encode(Array("api:\(standIn)".utf8)))
        #expect(try Self.value(redacted, "/steps/2/http/body") == "{\"pw\":\"\(standIn)\"}")
        let encoded = Base64URL.encode(Array("{\"a\":\"\(standIn)\"}".utf8))
        #expect(try Self.value(redacted, "/steps/3/http/form/b") == encoded)
        for (before, after) in zip([script, tenant, policy, page], redacted.files) {
            // Every place in a file stays where it was.
            #expect(before.utf8.count == after.bytes.count)
            for spelling in [secret, "P%40ss", "%50@ss", Base64.encode(Array(secret.utf8)), basic, "ss%20w", "ss+w"] {
                #expect(
                    !String(decoding: after.bytes, as: UTF8.self).contains(spelling), "\(spelling) in \(after.path)")
            }
        }
    }

    @Test func `secrets are found by the names of settings, in headers, in policies, by their looks`() throws {
        let jws = [
            Base64URL.encode(Array("{\"alg\":\"RS256\"}".utf8)),
            Base64URL.encode(Array("{\"sub\":\"ada\",\"n\":12345}".utf8)),
            "c2lnbmF0dXJlLW9mLWEtdG9rZW4tMTIz",
        ].joined(separator: ".")
        let script = """
            { "steps": [ { "http": { "form": { "client_secret": "S3cret-of-a-job", "code_verifier": "a-verifier-of-one-run-12345678901234567890",
                "code": "123456", "refresh_token": "0.AXoAbcdefghijklmnop1234567890", "grant_type": "client_credentials" } } },
              { "callApi": { "token": "\(jws)" } }, { "callApi": { "token": "{{signIn/result/accessToken}}" } },
              { "http": { "url": "https://fn.test/api?code=AbCdEfGhIjKlMnOpQrStUv0123456789==&x=1" } },
              { "http": { "headers": { "x-api-key": "k-998877-zz", "Cookie": "sid=abcdefghij0123456789; lang=en" } } } ] }
            """
        let tenant = """
            { "apps": { "web": { "registration": { "secrets": ["S3cret-of-the-web"] }, "client": { "clientSecret": "S3cret-of-the-web" } } },
              "policyKeys": { "B2C_1A_FacebookSecret": { "secret": "facebook" }, "B2C_1A_Mail": { "secret": "mail-key-7" } },
              "policies": { "susi": { "identityProviders": ["facebook"] } },
              "users": { "ada": { "totpSecret": "JBSWY3DPEHPK3PXP", "password": "red", "displayName": "Ada red" } } }
            """
        let policy = """
            <Item Key="ApiKey">qwerty-12</Item><Item Key="AuthenticationType">ApiKeyHeader</Item>
            <InputClaim ClaimTypeReferenceId="password" DefaultValue="Defa-ult-9" /><Key Id="client_secret" StorageReferenceId="B2C_1A_S" />
            <Item Key="client_secret">{Settings:Secret}</Item>
            <!-- <Item Key="ApiKey">old-key-3</Item> --><Item Key="broken>
            <input type="hidden" name="client_secret" data-a=">" value="of-the-page-4">
            """
        let settings = """
            { "Environments": [ { "PolicySettings": { "GraphClientSecret": "graph~secret.1", "MailSecret": "B2C_1A_Mail", "Host": "a.test" } } ] }
            """
        let redaction = try BundleRedaction(
            Self.bundle([("s.json", script), ("t.json", tenant), ("p.xml", policy), ("appsettings.json", settings)]))
        let names = redaction.secrets.map(\.name)
        #expect(
            names == [
                "http/form/client_secret", "http/form/refresh_token", "1/callApi/token", "3/http/url",
                "http/headers/x-api-key", "http/headers/Cookie", "registration/secrets/0",
                "policyKeys/B2C_1A_FacebookSecret/secret", "policyKeys/B2C_1A_Mail/secret", "users/ada/totpSecret",
                "users/ada/password", "ApiKey", "password", "ApiKey", "client_secret",
                "0/PolicySettings/GraphClientSecret",
            ])
        #expect(redaction.words.map(\.name) == ["policyKeys/B2C_1A_FacebookSecret/secret", "users/ada/password"])
        let redacted = redaction.redacted(.wordsAtTheirPlaces)
        #expect(try Self.value(redacted, "/policies/susi/identityProviders/0", 1) == "facebook")
        #expect(try Self.value(redacted, "/policyKeys/B2C_1A_FacebookSecret/secret", 1) != "facebook")
        #expect(try Self.value(redacted, "/users/ada/displayName", 1) == "Ada red")
        #expect(try Self.value(redacted, "/users/ada/password", 1) != "red")
        let clientSecret = try Self.value(redacted, "/apps/web/client/clientSecret", 1)
        #expect(try Self.value(redacted, "/apps/web/registration/secrets/0", 1) == clientSecret)
        // A signed token still says what it said, and nobody can use it.
        let token = try Self.value(redacted, "/steps/1/callApi/token").split(separator: ".")
        #expect(token.prefix(2).elementsEqual(jws.split(separator: ".").prefix(2)))
        #expect(token[2] != jws.split(separator: ".")[2] && Base64URL.decode(String(token[2])) != nil)
        #expect(try Self.value(redacted, "/steps/0/http/form/code") == "123456")
        #expect(Self.text(redacted, 2).contains("<Item Key=\"AuthenticationType\">ApiKeyHeader</Item>"))
        for secret in [
            "S3cret", "0.AXo", "AbCdEfGhIj", "998877", "abcdefghij", "mail-key", "JBSWY", "qwerty", "Defa-", "graph~",
            "old-key", "of-the-page",
        ] {
            for file in redacted.files.indices {
                #expect(!Self.text(redacted, file).contains(secret), "\(secret) in \(redacted.files[file].path)")
            }
        }
        #expect(redaction.leak(in: redacted, .wordsAtTheirPlaces) == nil)
        // Where words are replaced everywhere the provider has another name too.
        let key = try Self.value(redaction.redacted(), "/policyKeys/B2C_1A_FacebookSecret/secret", 1)
        #expect(try Self.value(redaction.redacted(), "/policies/susi/identityProviders/0", 1) == key)
    }

    @Test func `what is left is found, and what differs is named`() throws {
        let tenant = "{ \"users\": { \"ada\": { \"password\": \"Analytical-1843\" } } }"
        let redaction = try BundleRedaction(
            Self.bundle([("t.json", tenant)], report: "{ \"a\": \"typed Analytical-1843\" }"))
        let standIn = try Self.value(redaction.redacted(), "/users/ada/password")
        func leak(_ report: String) -> String? {
            var bundle = redaction.redacted()
            bundle.report = Array(report.utf8)
            return redaction.leak(in: bundle, .everywhere)?.place
        }
        #expect(leak("{ \"a\": \"typed \(standIn)\" }") == nil)
        #expect(leak("{ \"a\": \"typed Analytical-1843\" }") == "report.json")
        #expect(leak("{ \"a\": \"\(Base64.encode(Array("x=Analytical-1843;".utf8)))\" }") == "report.json")
        #expect(leak("{ \"a\": \"Analytical%2D1843\" }") == "report.json")
        let trace = Array("{}".utf8)
        #expect(redaction.difference(report: Array("{ \"a\": \"typed \(standIn)\" }".utf8), trace: trace) == nil)
        // What follows from a secret may differ, a verdict may not.
        func hashes(_ then: String, _ now: String) throws -> String? {
            let redaction = try BundleRedaction(
                Self.bundle([("t.json", tenant)], report: "{ \"at_hash\": \"\(then)\", \"result\": \"passed\" }"))
            return redaction.difference(
                report: Array("{ \"at_hash\": \"\(now)\", \"result\": \"passed\" }".utf8), trace: trace)
        }
        #expect(try hashes("lcpU6RkGA5gsFusxA8isOg", "XKSIVvrntBANFmp0EcB7mg") == nil)
        #expect(try hashes("lcpU6RkGA5gsFusxA8isOg", "XKSIVvrntBANFmp0EcB7mgA") != nil)
        #expect(try hashes("failed", "passed") != nil)
        #expect(
            redaction.difference(report: Array("{ \"a\": \"typed 7\" }".utf8), trace: trace)
                == "report.json at /a was \"typed \(standIn)\", and is \"typed 7\" now")
    }

    @Test func `people are kept unless they are to go`() throws {
        let tenant = """
            { "users": { "ada": { "email": "ada@example.test", "displayName": "Ada King", "phone": "+441234567", "city": "Ockham" } },
              "apps": { "web": { "displayName": "Portal" } } }
            """
        let script = "{ \"name\": \"Ada King signs in as Ada@example.test\", \"tenant\": \"t.json\" }"
        let files = [("s.json", script), ("t.json", tenant)]
        #expect(try BundleRedaction(Self.bundle(files)).secrets.isEmpty)
        let redaction = try BundleRedaction(Self.bundle(files), redactsPeople: true)
        let redacted = redaction.redacted()
        let email = try Self.value(redacted, "/users/ada/email", 1)
        #expect(email.hasSuffix("@example.test") && email.count == 16 && email != "ada@example.test")
        let name = try Self.value(redacted, "/users/ada/displayName", 1)
        let written = try Self.value(redacted, "/name")
        #expect(written.hasPrefix("\(name) signs in as ") && written.lowercased().hasSuffix(email), "\(written)")
        #expect(try Self.value(redacted, "/apps/web/displayName", 1) == "Portal")
        #expect(!Self.text(redacted).contains("Ada") && !Self.text(redacted, 1).contains("1234567"))
    }

    @Test func `bytes that are not text and files without secrets stay as they are`() throws {
        var bundle = Self.bundle([
            ("s.json", "{ \"steps\": [ ] }\n"),
            ("t.json", "{ \"users\": { \"ada\": { \"password\": \"Analytical-1843\" } } }"),
        ])
        bundle.files.append(ReproductionBundle.File(path: "key.der", bytes: [0x30, 0x82, 0xFF, 0x00]))
        bundle.files.append(ReproductionBundle.File(path: "cut.json", bytes: Array("{ \"password\": \"Analyti".utf8)))
        let redacted = try BundleRedaction(bundle).redacted()
        for index in [0, 2] { #expect(redacted.files[index] == bundle.files[index]) }
        // A file that is cut off is not JSON, and holds what it holds.
        #expect(!Self.text(redacted, 3).contains("Analyti") && Self.text(redacted, 3).hasPrefix("{ \"password\": \""))
        #expect(redacted.replaced == ["t.json:1:35 (users/ada/password)", "cut.json:1:16 (text)"])
        let opened = try ReproductionBundle.open(try redacted.archive()).bundle
        #expect(opened == redacted)
    }

    @Test(.timeLimit(.minutes(5))) func `long secrets and many secrets stay quick`() throws {
        let long = String(repeating: "Ab1-", count: 20_000)
        let many = (0..<10_000).map { "client_secret=Canary-\($0)-x&" }.joined()
        let file =
            "{ \"password\": \"\(long)\", \"text\": \"\(many)\", \"name\": \"\(String(repeating: "C", count: 200_000))\" }"
        let redaction = try BundleRedaction(Self.bundle([("s.json", file)]))
        #expect(redaction.secrets.count == 10_001)
        let text = Self.text(redaction.redacted())
        #expect(!text.contains("Canary-1") && !text.contains(long) && text.contains("CCCC"))
    }

    @Test func `a secret that is written twice in a text is replaced in both places`() throws {
        let redaction = try BundleRedaction(Self.bundle([("s.json", "{ \"a\": \"pwd=Red-7&x=1&pwd=Red-7\" }")]))
        #expect(!Self.text(redaction.redacted(.wordsAtTheirPlaces)).contains("Red-7"))
    }
}
