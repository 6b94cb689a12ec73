import Determinism
import Diagnostics
import JSON
import PolicyRelease
import Testing

/// What a deployment and a rotation do, from a manifest, the sets of a tenant and the time.
@Suite struct KeyPlanTests {
    private static let now = Timestamp(seconds: 1_800_000_000)

    private static func entry(
        _ type: KeyManifest.KeyType, _ use: PolicyKey.Use? = .signature, activates: KeyManifest.Moment? = nil,
        expires: KeyManifest.Moment? = nil
    ) -> KeyManifest.Entry {
        KeyManifest.Entry(
            id: "K", type: type, use: use, source: type == .rsa ? .generate : .environment("K", password: nil),
            activates: activates, expires: expires, location: SourceLocation(file: "keys.json", line: 2))
    }

    private static func key(
        _ kid: String = "a", _ kind: PolicyKey.Kind = .rsa, _ use: PolicyKey.Use = .signature, from begin: Int64? = nil,
        to end: Int64? = nil, isEnabled: Bool = true, hasCertificate: Bool = false
    ) -> PolicyKey {
        PolicyKey(
            kid: kid, use: use, kind: kind, activates: begin.map { now + .days($0) },
            expires: end.map { now + .days($0) },
            isEnabled: isEnabled, hasCertificate: hasCertificate)
    }

    private static func step(_ entry: KeyManifest.Entry, _ keys: [PolicyKey]?) throws -> KeyPlan.KeyPlanStep {
        let sets = keys.map { [KeySet(id: "B2C_1A_k", keys: $0)] } ?? []
        return try #require(KeyPlan(KeyManifest(entries: [entry]), sets: sets, now: now).steps.first)
    }

    @Test(
        arguments: [
            (entry(.rsa), nil, "create"),
            (entry(.rsa), [], "add"),
            (entry(.rsa), [key(to: -1)], "add"),
            (entry(.rsa), [key(isEnabled: false)], "add"),
            (entry(.rsa), [key()], "none"),
            // A key that waits is there already.
            (entry(.rsa), [key(from: 2)], "none"),
            (entry(.rsa), [key(to: 31)], "none"),
            (entry(.rsa), [key(to: 29)], "rotate"),
            (entry(.rsa), [key(to: 29), key("b", from: 20)], "none"),
            (entry(.rsa), [key("a", .secret)], "refused"),
            (entry(.rsa), [key("a", .rsa, .encryption)], "refused"),
            (entry(.rsa), [key("a", .rsa, .encryption, to: -1)], "refused"),
            (entry(.secret), [key("a", .secret)], "none"),
            (entry(.secret), [key()], "refused"),
            (entry(.secret, .encryption), [key("a", .secret)], "refused"),
            (entry(.certificate, nil), [key(hasCertificate: true)], "none"),
            (entry(.certificate, nil), [key()], "refused"),
        ] as [(KeyManifest.Entry, [PolicyKey]?, String)])
    func `each set has one action`(entry: KeyManifest.Entry, keys: [PolicyKey]?, expected: String) throws {
        let step = try Self.step(entry, keys)
        #expect(step.action.word == expected)
        #expect(step.writes == ["create", "add"].contains(expected))
        #expect((step.status == nil) == (keys == nil))
    }

    @Test(
        arguments: [
            // Without a date the first key is active at once, a secret too.
            (entry(.rsa), nil, nil),
            (entry(.secret), nil, nil),
            (entry(.secret, expires: .span(.days(365))), nil, now + .days(365)),
            (
                entry(.rsa, activates: .span(.hours(1)), expires: .span(.days(1))), now + .hours(1),
                now + .days(1) + .hours(1)
            ),
            // A date that has passed does not count, and one of a secret is three hours ahead.
            (entry(.rsa, activates: .instant(now - .days(1))), nil, nil),
            (entry(.secret, activates: .span(.hours(1))), now + .minutes(182), nil),
            (entry(.secret, activates: .span(.days(1))), now + .days(1), nil),
            (entry(.rsa, expires: .instant(now + .days(9))), nil, now + .days(9)),
        ] as [(KeyManifest.Entry, Timestamp?, Timestamp?)])
    func `the first key has the dates of the manifest`(
        entry: KeyManifest.Entry, activates: Timestamp?, expires: Timestamp?
    ) throws {
        let step = try Self.step(entry, nil)
        #expect(step.action == .create)
        #expect(step.activates == activates)
        #expect(step.expires == expires)
    }

    @Test func `a key that would have ended is refused`() throws {
        let step = try Self.step(Self.entry(.rsa, expires: .instant(Self.now - .days(1))), nil)
        #expect(step.action.word == "refused")
        #expect(!step.writes)
    }

    @Test func `a plan without anything to do is done, and its JSON has the actions`() throws {
        let set = KeySet(id: "B2C_1A_K", keys: [Self.key()])
        let done = KeyPlan(KeyManifest(entries: [Self.entry(.rsa)]), sets: [set], now: Self.now)
        #expect(done.isDone)
        #expect(done.json(now: Self.now)["keySets"]?[0]?["keySet"]?["active"]?["kid"] == "a")
        let open = KeyPlan(KeyManifest(entries: [Self.entry(.rsa)]), sets: [], now: Self.now)
        #expect(!open.isDone)
        #expect(
            open.json(now: Self.now)["keySets"]?[0] == [
                "name": "B2C_1A_K", "action": "create", "type": "rsa", "use": "sig",
            ])
    }

    // MARK: Rotation

    private static func rotation(
        _ entry: KeyManifest.Entry, _ keys: [PolicyKey]?, activates: Timestamp? = nil
    ) -> Result<KeyRotation, KeyRotation.NoRotation> {
        do throws(KeyRotation.NoRotation) {
            return .success(
                try KeyRotation(
                    entry, set: keys.map { KeySet(id: "B2C_1A_K", keys: $0) }, activates: activates, now: now))
        } catch {
            return .failure(error)
        }
    }

    @Test func `the next key takes over no earlier than the lead`() throws {
        let entry = Self.entry(.rsa, expires: .span(.days(365)))
        let soon = try Self.rotation(entry, [Self.key()]).get()
        #expect(soon.activates == Self.now + .minutes(210))
        #expect(soon.expires == Self.now + .minutes(210) + .days(365))
        #expect(soon.status.active?.kid == "a")
        let later = try Self.rotation(entry, [Self.key()], activates: Self.now + .days(2)).get()
        #expect(later.activates == Self.now + .days(2))
        let certificate = try Self.rotation(
            Self.entry(.certificate, nil), [Self.key(hasCertificate: true)]
        ).get()
        #expect(certificate.activates == nil)
    }

    @Test(
        arguments: [
            (entry(.rsa), nil, nil, "the tenant has no key set B2C_1A_K"),
            (entry(.rsa), [], nil, "no active key: it has no keys"),
            (entry(.rsa), [key(to: -1)], nil, "no active key"),
            // A second run after a lost answer adds no second key.
            (entry(.rsa), [key(), key("b", from: 1)], nil, "has a next key already: b"),
            (entry(.rsa), [key("b", from: 1)], nil, "has a next key already: b"),
            (entry(.rsa), [key()], now + .hours(1), "is too early"),
            (entry(.rsa), [key("a", .secret)], nil, "a set cannot hold both"),
            (entry(.rsa, expires: .instant(now + .hours(1))), [key()], nil, "before it becomes active"),
            (entry(.rsa), [key(to: 1)], now + .days(2), "before the next one would become active"),
            (entry(.certificate, nil), [key(hasCertificate: true)], now + .days(2), "have their own dates"),
        ] as [(KeyManifest.Entry, [PolicyKey]?, Timestamp?, String)])
    func `a rotation that would do harm is refused`(
        entry: KeyManifest.Entry, keys: [PolicyKey]?, activates: Timestamp?, words: String
    ) throws {
        guard case .failure(let refusal) = Self.rotation(entry, keys, activates: activates) else {
            Issue.record("it is not refused")
            return
        }
        #expect(refusal.reason.contains(words), "\(refusal.reason)")
        #expect(!refusal.remedy.isEmpty)
    }

    @Test func `a rotation of a key that ends within the lead is possible and has a gap`() throws {
        var ending = Self.key()
        ending.expires = Self.now + .hours(1)
        let rotation = try Self.rotation(Self.entry(.rsa), [ending]).get()
        #expect(rotation.status.gap == Self.now + .hours(1))
    }

    @Test(
        arguments: [
            ("a", [key()], "is the only active key"),
            ("a", [key(), key("b")], nil),
            ("b", [key(), key("b", from: 1)], nil),
            ("a", [key(), key("b", from: 1)], "is the only active key"),
            ("a", [key(isEnabled: false)], "is disabled already"),
            ("x", [key()], "has no key x"),
            ("a", [key(to: -1)], nil),
        ] as [(String, [PolicyKey], String?)])
    func `a key is disabled only beside another active one`(kid: String, keys: [PolicyKey], words: String?) {
        let refusal = KeyRotation.refusal(disabling: kid, in: KeySet(id: "B2C_1A_K", keys: keys), now: Self.now)
        #expect((refusal == nil) == (words == nil))
        if let words { #expect(refusal?.reason.contains(words) == true) }
    }

    // MARK: Material

    @Test(
        arguments: [
            ("secret", "secret"), ("secret\n", "secret"), ("secret\r\n", "secret"), (" s \n\n", " s \n"), ("\n", nil),
            ("", nil),
        ] as [(String, String?)])
    func `a secret is the text without one line end`(text: String, expected: String?) {
        let material = try? KeyMaterial.secret(Array(text.utf8))
        if case .secret(let secret)? = material {
            #expect(secret == expected)
        } else {
            #expect(expected == nil)
        }
    }

    @Test(arguments: [[0x30, 0x03, 0x02, 0x01, 0x03], [0x30, 0x05, 0x02, 0x01, 0x03, 0x30, 0x00]] as [[UInt8]])
    func `a PKCS 12 file is known by its version`(bytes: [UInt8]) throws {
        guard case .pkcs12(bytes, password: "p") = try KeyMaterial.certificate(bytes, password: "p") else {
            Issue.record("it is not a PKCS 12 file")
            return
        }
    }

    @Test(
        arguments: [
            "", "hello", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
        ])
    func `anything but a certificate is refused`(text: String) {
        #expect(throws: KeyMaterial.Problem.self) { try KeyMaterial.certificate(Array(text.utf8), password: nil) }
        #expect(throws: KeyMaterial.Problem.self) { try KeyMaterial.certificate(base64: "*\(text)", password: nil) }
    }
}
