import Foundation
import JSON
import TestSupport
import Testing

/// Nothing that `b2c policy log` prints or writes has a value of a person, or what a policy computes of one.
@Suite(.blocking) struct PolicyLogPrivacyTests {
    /// What the person of the log typed.
    private static let city = "ottoline.quistgaard@kestrel.example"
    private static let street = "Quistgaard Wharf"
    /// Beginnings of what is computed of it, in lower case: the words, the domain, a part of the surname, Base64 and hex of
    /// the start of both.
    private static let canaries = [
        "ottoline", "quistg", "kestrel", "wharf", "uxvpc3rny", "b3r0b2xpb", "draag", "gaard",
    ]

    /// A claims transformation that replaces the street by what it computes: its method, the claims it reads, parameters,
    /// and the name of its output.
    struct Computed: CustomTestStringConvertible {
        var method: String
        var inputs: [(claim: String, name: String)]
        var parameters: [(id: String, type: String, value: String)] = []
        var output: String
        var type = "string"

        var testDescription: String { "\(method) \(parameters.map(\.value))" }

        var xml: String {
            "<ClaimsTransformation Id=\"Computes\" TransformationMethod=\"\(method)\"><InputClaims>"
                + inputs.map {
                    "<InputClaim ClaimTypeReferenceId=\"\($0.claim)\" TransformationClaimType=\"\($0.name)\" />"
                }.joined() + "</InputClaims>"
                + (parameters.isEmpty
                    ? ""
                    : "<InputParameters>"
                        + parameters.map {
                            "<InputParameter Id=\"\($0.id)\" DataType=\"\($0.type)\" Value=\"\($0.value)\" />"
                        }.joined() + "</InputParameters>")
                + "<OutputClaims><OutputClaim ClaimTypeReferenceId=\"\(type == "string" ? "asksStreet" : "computed")\" "
                + "TransformationClaimType=\"\(output)\" /></OutputClaims></ClaimsTransformation>"
        }
    }

    static let table: [Computed] = [
        Computed(
            method: "StringSubstring", inputs: [("asksStreet", "inputClaim")],
            parameters: [("startIndex", "int", "0"), ("length", "int", "6")], output: "outputClaim"),
        Computed(
            method: "StringSubstring", inputs: [("asksStreet", "inputClaim")],
            parameters: [("startIndex", "int", "5"), ("length", "int", "5")], output: "outputClaim"),
        Computed(
            method: "ParseDomain", inputs: [("asksCity", "emailAddress")], output: "domain"),
        Computed(
            method: "ChangeCase", inputs: [("asksCity", "inputClaim1")], parameters: [("toCase", "string", "UPPER")],
            output: "outputClaim"),
        Computed(
            method: "FormatStringClaim", inputs: [("asksStreet", "inputClaim")],
            parameters: [("stringFormat", "string", "Hello {0}!")], output: "outputClaim"),
        Computed(
            method: "FormatStringMultipleClaims", inputs: [("asksStreet", "inputClaim1"), ("asksCity", "inputClaim2")],
            parameters: [("stringFormat", "string", "{1} of {0}")], output: "outputClaim"),
        Computed(
            method: "StringReplace", inputs: [("asksStreet", "inputClaim")],
            parameters: [("oldValue", "string", " Wharf"), ("newValue", "string", "-x")], output: "outputClaim"),
        Computed(
            method: "CreateAlternativeSecurityId",
            inputs: [("asksStreet", "key"), ("asksCity", "identityProvider")], output: "alternativeSecurityId"),
        Computed(
            method: "StringSplit", inputs: [("asksStreet", "inputClaim")], parameters: [("delimiter", "string", " ")],
            output: "outputClaim", type: "stringCollection"),
        Computed(
            method: "AddItemToStringCollection", inputs: [("asksCity", "item")], output: "collection",
            type: "stringCollection"),
    ]

    private static func expectNothingPersonal(_ text: String, _ place: String) {
        for canary in canaries { #expect(!text.lowercased().contains(canary), "\(canary) is in \(place):\n\(text)") }
    }

    /// Runs every form of the output and returns the text one.
    private static func outputs(_ tool: Tool) throws -> Tool.Outcome {
        let policies = TestFiles.root().appendingPathComponent("scenarios/policies").path
        let log = ["policy", "log", "export.csv", "--policies", "policies", "--base", policies]
        let text = try tool.run(log + ["--html", "page.html", "--write", "repro"])
        for run in [
            text, try tool.run(log + ["--format", "json", "--learn"]), try tool.run("policy", "log", "export.csv"),
            try tool.run("policy", "log", "export.csv", "--format", "json"),
        ] {
            #expect([0, 2, 4].contains(run.status), "\(run.error)")
            expectNothingPersonal(run.out + run.error, "the output")
        }
        for name in ["page.html", "repro/tenant.json", "repro/inputs.json", "repro/session.json"] {
            if let written = try? tool.read(name) { expectNothingPersonal(written, name) }
        }
        return text
    }

    private static var export: String {
        PolicyLogTests.export(
            PolicyLogTests.page(1, "City", "AsksCity", claims: ["asksCity": .string(city)])
                + PolicyLogTests.page(
                    2, "Street", "AsksStreet", claims: ["asksCity": .string(city), "asksStreet": .string(street)]))
    }

    /// A policy that contains nothing of the person.
    private static func policy(schema: String = "", transformations: String = "", computed: [String] = []) -> String {
        PolicyLogTests.policy(
            city: "Nowhere", schema: schema, transformations: transformations, computed: computed
        ).replacing("ExecuteActionsIf=\"false\"", with: "ExecuteActionsIf=\"true\"")
    }

    @Test(arguments: table)
    func `what the simulator computes of real values is not shown`(_ computed: Computed) throws {
        let tool = try Tool()
        defer { tool.remove() }
        try tool.write(Self.export, to: "export.csv")
        let schema =
            "<ClaimType Id=\"computed\"><DisplayName>computed</DisplayName><DataType>\(computed.type)</DataType></ClaimType>"
        try tool.write(
            Self.policy(schema: schema, transformations: computed.xml, computed: ["Computes"]), to: "policies/Asks.xml")
        let run = try Self.outputs(tool)
        #expect(run.status == 4 || run.error.contains("cannot be written"), "\(run.error)\(run.out)")
        #expect(run.out.contains("first difference at policies/Asks.xml:"), "\(run.error)\(run.out)")
    }

    @Test func `the relation of two values is shown in place of them`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        try tool.write(Self.export, to: "export.csv")
        try tool.write(
            Self.policy(transformations: Self.table[0].xml, computed: ["Computes"]), to: "policies/Asks.xml")
        let run = try Self.outputs(tool)
        #expect(
            run.out.contains(
                "  in the log        <asksStreet of person 1>\n"
                    + "  in the simulator  <asksStreet of person 1-2>: the first 6 of its 16 characters\n")
                || run.out.contains("<asksStreet of person 0-2>: the first 6 of its 16 characters\n"), "\(run.out)")
    }

    /// Messages of services and the service with values of the person, and with others that no claim has.
    @Test(arguments: [
        "Quistgaard Wharf is not known.", "QUISTGAARD WHARF is not known.", "Dear Ottoline, please call.",
        "Mail to ottoline.quistgaard@kestrel.example or to other.quistgaard@kestrel.example failed.",
        "No account for ottoline.quistgaard%40kestrel.example",
        "Not found: https://api.contoso.test/people/Quistgaard%20Wharf?x=UXVpc3RnYWFyZCBXaGFyZg==",
    ])
    func `messages have no value of a person`(_ message: String) throws {
        let tool = try Tool()
        defer { tool.remove() }
        var pages =
            PolicyLogTests.page(1, "City", "AsksCity", claims: ["asksCity": .string(Self.city)])
            + PolicyLogTests.page(
                2, "Street", "AsksStreet", claims: ["asksCity": .string(Self.city), "asksStreet": .string(Self.street)])
        pages.append(["Kind": "FatalException", "Content": ["Exception": ["Message": .string(message), "Data": [:]]]])
        try tool.write(PolicyLogTests.export(pages), to: "export.csv")
        try tool.write(Self.policy(), to: "policies/Asks.xml")
        let run = try Self.outputs(tool)
        #expect(run.out.contains("error at step 2"), "\(run.out)\(run.error)")
    }
}
