import Determinism
import Diagnostics
import JSON

extension KeyManifest {
    /// The rule of a secret in the clear. Messages of it, and lines of its file, are not to be shown.
    public static let clearSecretRule = "B2C-KEY-020"

    private static let variable = Shape.pattern(
        "^[A-Za-z_][A-Za-z0-9_]*$", hint: "the name of an environment variable")

    private static let source = Shape.object(
        ObjectShape(
            title: "source", doc: "Where the key comes from when it is sent.",
            fields: [
                Field(
                    "environment", variable,
                    "Environment variable with the secret. For a certificate: the base64 form of its file."),
                Field(
                    "file", .nonEmptyString,
                    "File with the secret, or a certificate (.pfx, .p12, .cer, .pem). Relative to this file's folder."),
                Field("generate", .bool, "`true`: the service generates the key, and nobody sees it."),
                Field(
                    "passwordEnvironment", variable, "Environment variable with the password of a .pfx or .p12 file."),
            ],
            exactlyOneOf: ["environment", "file", "generate"], exactlyOneWord: "source"))

    private static let keySet = Shape.object(
        ObjectShape(
            title: "key set", doc: "A policy key container and how its keys are made.",
            fields: [
                Field(
                    "name",
                    .pattern("^[A-Za-z0-9_.-]+$", hint: "letters, digits, `_`, `-` and `.`"), required: true,
                    "Name of the set, with or without the prefix `B2C_1A_`."),
                Field(
                    "use",
                    .oneOf([
                        Choice("sig", "For signatures and for secrets of identity providers."),
                        Choice("enc", "For encryption and for secrets of REST services."),
                    ]),
                    "What its keys are for. Required except for certificates. A set cannot hold both."),
                Field(
                    "type",
                    .oneOf([
                        Choice("rsa", "An RSA key that the service generates."),
                        Choice("secret", "A text, such as a client secret or an API key."),
                        Choice("certificate", "A certificate, with its private key in a .pfx or .p12 file."),
                    ]), required: true, "What it holds. A set cannot hold both RSA keys and secrets."),
                Field("source", source, required: true, "Where the key comes from when it is sent."),
                Field(
                    "activates", .nonEmptyString,
                    "When the first key becomes active: a time such as `2027-01-15T12:00:00Z`, or a span from the "
                        + "deployment such as `12h`.", defaultText: "at once"),
                Field(
                    "expires", .nonEmptyString,
                    "When a key ends: a time, or a span from its activation such as `365d`.", defaultText: "never"),
                Field(
                    "rotateBefore", .nonEmptyString,
                    "How long before the set has no active key `b2c policy keys plan` reports that rotation is due.",
                    defaultText: "`30d`"),
            ]))

    /// What the file may hold.
    public static let shape = Shape.object(
        ObjectShape(
            title: "key manifest", doc: "The key sets that a tenant must have.",
            fields: [
                Field("$schema", .string, "Path or URL of the schema, for editors."),
                Field("keySets", .array(of: keySet), required: true, "The sets."),
            ]))

    /// The schema, for editors.
    public static let schema = SchemaWriter.schema(
        id: "https://b2c-harness.github.io/schemas/keys.schema.json", title: "keys.json", root: shape, named: [:],
        templates: false, names: [:])

    /// Reads a manifest.
    ///
    /// - Throws: Every finding at once. A secret in the clear is reported alone, and no message quotes it.
    public init(file: String, bytes: [UInt8]) throws(InvalidInput) {
        let document = try JSONDocument(file: file, bytes: bytes)
        let clear = Self.clearSecrets(document)
        guard clear.isEmpty else { throw InvalidInput(diagnostics: clear) }
        let checker = ShapeChecker(document: document, named: [:], allowTemplates: false, rulePrefix: "B2C-KEY")
        var findings = checker.check(document.root, at: .root, as: Self.shape)
        guard !findings.hasErrors else { throw InvalidInput(diagnostics: findings) }
        var entries: [Entry] = []
        for (index, value) in (document.root["keySets"]?.arrayValue ?? []).enumerated() {
            let reader = EntryReader(document: document, value: value, at: ["keySets", String(index)])
            let (entry, problems) = reader.read()
            findings += problems
            guard let entry else { continue }
            if let first = entries.first(where: { KeySet.isSame($0.id, entry.id) }) {
                findings.append(
                    Diagnostic(
                        rule: "B2C-KEY-022", "a second key set \(entry.id); the first is at \(first.location)",
                        remedy: "Remove one of them: a set has one source.", at: entry.location))
            }
            entries.append(entry)
        }
        guard !findings.hasErrors else { throw InvalidInput(diagnostics: findings.inSourceOrder) }
        self.entries = entries
    }

    /// Keys under which people write the secret itself.
    private static let clearKeys: Set<String> = [
        "value", "secret", "clientsecret", "k", "password", "text", "plaintext", "pfx", "key", "d",
    ]

    /// Places of what may be a secret in the clear: known by its key alone, so that its value is in no message.
    private static func clearSecrets(_ document: JSONDocument) -> [Diagnostic] {
        var findings: [Diagnostic] = []
        func refuse(_ tokens: [String], key: Bool = false) {
            findings.append(
                document.finding(
                    rule: clearSecretRule, "this looks like a secret in the clear, and a key manifest holds none",
                    remedy:
                        "Put the secret into an environment variable or a file outside the repository, and write its "
                        + "name: {\"environment\": \"NAME\"} or {\"file\": \"PATH\"}. If this file was committed, replace "
                        + "the secret.", at: JSONPointer(tokens: tokens), key: key))
        }
        for (index, entry) in (document.root["keySets"]?.arrayValue ?? []).enumerated() {
            let place = ["keySets", String(index)]
            for (key, _) in entry.objectValue?.members ?? [] where clearKeys.contains(key.lowercased()) {
                refuse(place + [key], key: true)
            }
            if case .string = entry["source"] { refuse(place + ["source"]) }
            for (key, value) in entry["source"]?.objectValue?.members ?? [] {
                let inner = place + ["source", key]
                if clearKeys.contains(key.lowercased()) { refuse(inner, key: true) }
                let isName = ["environment", "passwordEnvironment"].contains(key)
                if isName, let text = value.stringValue, !text.isEmpty, !Self.isVariable(text) { refuse(inner) }
            }
        }
        return findings
    }

    private static func isVariable(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy {
            $0 == "_" || $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
        }
            && text.first.map { !$0.isNumber } ?? false
    }
}

/// Reads one set of a manifest whose shape is right.
private struct EntryReader {
    let document: JSONDocument
    let value: JSONValue
    let place: [String]

    init(document: JSONDocument, value: JSONValue, at place: [String]) {
        self.document = document
        self.value = value
        self.place = place
    }

    func read() -> (KeyManifest.Entry?, [Diagnostic]) {
        var findings: [Diagnostic] = []
        func refuse(_ rule: String, _ message: String, _ remedy: String, at key: String?) {
            findings.append(
                document.finding(
                    rule: rule, message, remedy: remedy, at: JSONPointer(tokens: place + (key.map { [$0] } ?? []))))
        }
        func text(_ key: String) -> String? { value[key]?.stringValue }
        func moment(_ key: String) -> KeyManifest.Moment? {
            guard let text = text(key) else { return nil }
            if let moment = KeyManifest.Moment(text) { return moment }
            refuse(
                "B2C-KEY-023", "\"\(key)\" must be a time or a span, not \"\(text)\"",
                "Write a time such as \"2027-01-15T12:00:00Z\" or a span such as \"365d\".", at: key)
            return nil
        }
        guard let name = text("name"), let type = text("type").flatMap(KeyManifest.KeyType.init(rawValue:)),
            let source = source(type, refuse)
        else { return (nil, findings) }
        let use = text("use").flatMap(PolicyKey.Use.init(rawValue:))
        if use == nil, type != .certificate {
            refuse("B2C-KEY-003", "\(name) lacks \"use\"", "Write \"use\": \"sig\" or \"use\": \"enc\".", at: nil)
        }
        let (activates, expires) = (moment("activates"), moment("expires"))
        for key in ["activates", "expires"] where type == .certificate && value[key] != nil {
            refuse(
                "B2C-KEY-023", "a certificate has its own dates, so \"\(key)\" has no effect", "Remove it.", at: key)
        }
        if case .instant(let begin)? = activates, case .instant(let end)? = expires, end <= begin {
            refuse("B2C-KEY-023", "\(name) expires before it becomes active", "Write a later time.", at: "expires")
        }
        var rotateBefore = TimeSpan.days(30)
        if let text = text("rotateBefore") {
            if let span = KeyManifest.span(text) {
                rotateBefore = span
            } else {
                refuse(
                    "B2C-KEY-023", "\"rotateBefore\" must be a span, not \"\(text)\"",
                    "Write a span such as \"30d\".", at: "rotateBefore")
            }
        }
        let entry = KeyManifest.Entry(
            id: name, type: type, use: use, source: source, activates: activates, expires: expires,
            rotateBefore: rotateBefore, location: document.location(of: JSONPointer(tokens: place + ["name"])))
        return (entry, findings)
    }

    private func source(
        _ type: KeyManifest.KeyType,
        _ refuse: (_ rule: String, _ message: String, _ remedy: String, _ key: String?) -> Void
    ) -> KeyManifest.Source? {
        let source = value["source"]
        let password = source?["passwordEnvironment"]?.stringValue
        if password != nil, type != .certificate {
            refuse("B2C-KEY-021", "only a certificate has a password", "Remove \"passwordEnvironment\".", "source")
        }
        if let generate = source?["generate"]?.boolValue {
            guard generate else {
                refuse(
                    "B2C-KEY-021", "\"generate\" must be true", "Write true, or another source: environment or file.",
                    "source")
                return nil
            }
            guard type != .certificate else {
                refuse(
                    "B2C-KEY-021", "the service generates no certificates",
                    "Write \"file\" or \"environment\", or use the type \"rsa\".", "source")
                return nil
            }
            return .generate
        }
        guard type != .rsa else {
            refuse(
                "B2C-KEY-021", "an RSA key is generated by the service",
                "Write \"source\": {\"generate\": true}, or use the type \"certificate\" for a key of your own.",
                "source")
            return nil
        }
        if let variable = source?["environment"]?.stringValue { return .environment(variable, password: password) }
        return source?["file"]?.stringValue.map { .file($0, password: password) }
    }
}
