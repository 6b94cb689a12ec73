import Testing

/// What a module links is what it declares and everything beneath that. Each row keeps a promise that a single line of
/// Package.swift, far from the module itself, could break.
struct ReachTests {
    /// Who must not reach what, directly or through others.
    private static let rules: [(module: String, mustNotReach: [String])] = [
        // The library side and the authority meet on the wire.
        ("Clients", ["TrustFramework", "Journeys", "MockAuthority", "AuthorityHosting", "Browser"]),
        ("Browser", ["TrustFramework", "Journeys", "MockAuthority", "AuthorityHosting", "Clients"]),
        ("MockAuthority", ["Browser", "Clients", "Verbs"]),
        ("AuthorityHosting", ["Browser", "Clients", "Verbs"]),
        // A protocol knows no tool and no file.
        ("ModelContext", ["HTTPMessages", "B2CProtocol", "TenantFiles", "CommandKit"]),
        ("LanguageService", ["JSONRPC", "LanguageServer"]),
        // Extensions belong to another service than B2C: what plays B2C is not needed to call them.
        ("ExtensionCalls", ["TrustFramework", "Journeys", "MockAuthority", "JourneyLogs", "CurlHTTP"]),
        // A sign-in at Azure serves any command: it knows nothing of B2C.
        ("AzureSignIn", ["B2CProtocol", "TenantFiles", "Exchanges", "JourneyLogs", "CurlHTTP"]),
        // Checks run no authority and no script.
        ("Validation", ["MockAuthority", "Clients", "Verbs"]),
        // A script is written, read and checked without what runs it.
        ("Verbs", ["TrustFramework", "Journeys", "MockAuthority", "Browser", "Clients"]),
        ("Scenarios", ["Journeys", "MockAuthority", "Clients"]),
        // What plays no script does not link the language.
        ("Capture", ["Scenarios", "ScenarioRunner", "TrustFramework"]),
        ("Exploration", ["Scenarios", "ScenarioRunner"]),
        ("Bundles", ["Verbs", "Scenarios", "ScenarioRunner"]),
        // An upload of a policy is checked by the rules of Validation.
        ("MockServerCore", ["Scenarios", "ScenarioRunner", "Clients", "Exploration", "Reports"]),
        // A release needs no program and plays nothing: what is noticed of it is found in PolicyTools.
        ("PolicyRelease", ["CommandKit", "Scenarios", "ScenarioRunner", "MockAuthority", "Exploration"]),
        // The kit runs in other packages' tests, where libcurl may be missing.
        ("B2CTesting", ["Scenarios", "ScenarioRunner", "Clients", "CurlHTTP"]),
    ]

    @Test(arguments: rules)
    func `a module does not reach what it must not know`(_ rule: (module: String, mustNotReach: [String])) {
        let names = Manifest.package.names
        #expect(([rule.module] + rule.mustNotReach).filter { !names.contains($0) } == [], "no such module")
        let ways = Manifest.package.ways(from: rule.module)
        let wrong = rule.mustNotReach.compactMap { ways[$0]?.joined(separator: " -> ") }
        #expect(wrong == [])
    }

    /// `ls Sources` shows the order in which the floors build on each other, in the order of the page.
    @Test func `a floor uses its own modules and those of lower floors`() {
        let floors = ["Base", "Authority", "Scripts", "Tools", "Programs"]
        let floorOf = Dictionary(Manifest.package.targets.map { ($0.name, $0.floor) }) { first, _ in first }
        for target in Manifest.package.targets where target.isModule {
            guard let own = target.floor else { continue }
            #expect(floors.contains(own), "\(target.name) is on \(own)")
            let higher = target.dependencies.filter { used in
                (floorOf[used] ?? nil).map { (floors.firstIndex(of: $0) ?? 0) > (floors.firstIndex(of: own) ?? 0) }
                    ?? false
            }
            #expect(higher == [], "\(target.name) of \(own) uses modules of a higher floor")
        }
    }

    @Test func `the way to a module is found through others`() {
        let manifest = Manifest(
            """
            floor("Ground", [module("Low", [], tests: [])]) + floor(
                "First", [
                    module("Middle", ["Low"], tests: []), module("High", ["Middle", "Beside"], tests: ["Other"]),
                ])
            """)
        #expect(manifest.targets.map(\.folder).contains("Tests/First/MiddleTests"))
        #expect(manifest.ways(from: "High")["Low"] == ["High", "Middle", "Low"])
        #expect(manifest.ways(from: "High")["Beside"] == ["High", "Beside"])
        #expect(manifest.ways(from: "High")["Other"] == nil)
        #expect(manifest.ways(from: "Middle").keys.sorted() == ["Low"])
    }
}
