// swift-tools-version: 6.1
import Foundation
import PackageDescription

// Set in CI only: a newer compiler's new warning must not stop somebody who just wants to build.
let strict = Context.environment["B2C_WARNINGS_AS_ERRORS"] != nil
// `make fuzz` sets it: every module counts which of its code ran, and a program gives them inputs that reach more of it.
let fuzzing = Context.environment["B2C_FUZZ_TARGETS"] != nil
let settings: [SwiftSetting] =
    (strict ? [.unsafeFlags(["-warnings-as-errors"])] : [])
    + (fuzzing ? [.unsafeFlags(["-sanitize=fuzzer", "-enable-testing"])] : [])
// Set by `make check`: modules are optimized in a debug build, which compiles changed files alone. Not the default, because a
// package with unsafe flags cannot be depended on by version.
let optimized = Context.environment["B2C_OPTIMIZED"] != nil
let moduleSettings = settings + (optimized ? [.unsafeFlags(["-O"], .when(configuration: .debug))] : [])
// Tests are not optimized in a release build: it takes longer than it saves, and ends Swift 6.3.1's optimizer.
let testSettings = settings + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

/// One library target, and the target of its tests under the same name.
///
/// - Parameters:
///   - assets: Files that `CAssets` embeds.
///   - tests: What the tests import besides. They wait for nothing else, so they compile while the modules above do.
func module(
    _ name: String, _ dependencies: [Target.Dependency], assets: [String] = [], tests: [Target.Dependency]
) -> [Target] {
    [
        .target(name: name, dependencies: dependencies, exclude: assets, swiftSettings: moduleSettings),
        .testTarget(name: "\(name)Tests", dependencies: [.byName(name: name)] + tests, swiftSettings: testSettings),
    ]
}

/// The modules of a floor, whose folders are below that of the floor.
func floor(_ name: String, _ modules: [[Target]]) -> [[Target]] {
    for target in modules.joined() { target.path = "\(target.isTest ? "Tests" : "Sources")/\(name)/\(target.name)" }
    return modules
}

// Lowest first. A module may use only what stands above it in this list, and the clients never import the
// authority nor the other way round: they meet on the wire. Tests/BoundaryTests holds that, and that each target declares
// what its files import and nothing else.
let modules: [[Target]] =
    floor(
        "Base",
        [
            module("Diagnostics", ["CAssets"], tests: []),
            module("JSON", ["Diagnostics", "CJansson"], tests: ["Diagnostics", "TestSupport"]),
            module("JSONRPC", ["JSON"], tests: ["JSON"]),
            module("Markup", ["Diagnostics", "JSON"], tests: ["Diagnostics"]),
            module("Determinism", [], tests: []),
            module("HTTPMessages", ["Diagnostics", "JSON", "Determinism"], tests: ["Determinism", "JSON"]),
            module("Records", ["Diagnostics", "JSON", "Determinism", "HTTPMessages"], tests: ["JSON"]),
            module(
                "JOSE", ["CAssets", "Diagnostics", "JSON", "Determinism", "CCrypto"], assets: ["Files"],
                tests: ["Determinism", "JSON"]),
        ])
    + floor(
        "Authority",
        [
            module(
                "B2CProtocol", ["CAssets", "Diagnostics", "JSON", "Determinism", "HTTPMessages", "Records", "JOSE"],
                assets: ["Errors/Files"],
                tests: ["Determinism", "HTTPMessages", "JSON", "TestSupport"]),
            module(
                "TenantFiles",
                ["Diagnostics", "JSON", "Determinism", "HTTPMessages", "Records", "JOSE", "B2CProtocol"],
                tests: ["B2CProtocol", "Determinism", "Diagnostics", "HTTPMessages", "JSON", "TestSupport"]),
            module(
                "Exchanges",
                [
                    "Diagnostics", "JSON", "Markup", "Determinism", "HTTPMessages", "JOSE", "B2CProtocol", "Records",
                    "TenantFiles",
                ],
                tests: ["Determinism", "Diagnostics", "HTTPMessages", "JSON", "TenantFiles"]),
            module(
                "ExtensionCalls",
                [
                    "CAssets", "Diagnostics", "JSON", "Determinism", "HTTPMessages", "Records", "JOSE", "TenantFiles",
                    "Exchanges",
                ],
                assets: ["Files"],
                tests: ["Determinism", "Diagnostics", "HTTPMessages", "JOSE", "JSON", "TenantFiles"]),
            module(
                "AzureSignIn", ["Diagnostics", "JSON", "Determinism", "HTTPMessages", "JOSE"],
                tests: ["Determinism", "HTTPMessages", "JOSE", "JSON", "TestSupport"]),
            module(
                "JourneyLogs", ["Diagnostics", "JSON", "Determinism", "HTTPMessages", "Exchanges", "AzureSignIn"],
                tests: ["AzureSignIn", "Determinism", "Diagnostics", "HTTPMessages", "JSON", "TestSupport"]),
            module(
                "TrustFramework",
                ["CAssets", "Diagnostics", "JSON", "Markup", "Determinism", "B2CProtocol", "TenantFiles"],
                assets: ["UserFlows/Files"],
                tests: ["B2CProtocol", "Determinism", "Diagnostics", "JSON", "TenantFiles", "TestSupport"]),
            module(
                "Journeys",
                [
                    "Diagnostics", "JSON", "Markup", "Determinism", "HTTPMessages", "JOSE", "B2CProtocol",
                    "TenantFiles",
                    "TrustFramework",
                ],
                tests: ["B2CProtocol", "Determinism", "HTTPMessages", "JOSE", "JSON", "TenantFiles", "TrustFramework"]),
            module(
                "MockAuthority",
                [
                    "CAssets", "Diagnostics", "JSON", "Markup", "Determinism", "HTTPMessages", "JOSE", "B2CProtocol",
                    "TenantFiles",
                    "Exchanges", "TrustFramework", "Journeys",
                ],
                assets: ["Pages/Files"],
                tests: [
                    "B2CProtocol", "Determinism", "Exchanges", "HTTPMessages", "JOSE", "JSON", "Journeys",
                    "TenantFiles",
                    "TrustFramework",
                ]),
            module(
                "AuthorityHosting",
                [
                    "Diagnostics", "JSON", "Determinism", "HTTPMessages", "JOSE", "B2CProtocol", "TenantFiles",
                    "Exchanges", "ExtensionCalls",
                    "TrustFramework",
                    "Journeys", "JourneyLogs", "MockAuthority",
                ],
                tests: [
                    "B2CProtocol", "Determinism", "Exchanges", "HTTPMessages", "JOSE", "JSON", "MockAuthority",
                    "TenantFiles",
                    "TestSupport",
                    "TrustFramework",
                ]),
        ])
    + floor(
        "Scripts",
        [
            module(
                "Verbs",
                [
                    "Diagnostics", "JSON", "Determinism", "HTTPMessages", "JOSE", "B2CProtocol", "Records",
                    "TenantFiles",
                    "Exchanges", "ExtensionCalls",
                ],
                tests: ["Determinism", "Exchanges", "HTTPMessages", "JOSE", "JSON", "Records", "TestSupport"]),
            module(
                "CurlHTTP", ["Determinism", "HTTPMessages", "TenantFiles", "CLibcurl"],
                tests: ["Determinism", "HTTPMessages", "TestSupport"]),
            module(
                "Browser",
                [
                    "JSON", "Markup", "Determinism", "HTTPMessages", "JOSE", "B2CProtocol", "TenantFiles", "Exchanges",
                    "Verbs",
                ],
                tests: ["B2CProtocol", "Determinism", "HTTPMessages", "JSON", "Markup", "TenantFiles", "Verbs"]),
            module(
                "Clients",
                [
                    "CAssets", "Diagnostics", "JSON", "Determinism", "HTTPMessages", "Records", "JOSE", "B2CProtocol",
                    "TenantFiles", "Verbs",
                ],
                assets: ["Errors/Files"],
                tests: [
                    "B2CProtocol", "Determinism", "Diagnostics", "HTTPMessages", "JOSE", "JSON", "TenantFiles",
                    "TestSupport",
                    "Verbs",
                ]),
            module(
                "Scenarios",
                [
                    "Diagnostics", "JSON", "Determinism", "B2CProtocol", "TenantFiles", "Exchanges", "Verbs",
                    "TrustFramework", "Browser",
                ],
                tests: [
                    "B2CProtocol", "Diagnostics", "Exchanges", "HTTPMessages", "JSON", "TenantFiles", "TestSupport",
                    "TrustFramework", "Verbs",
                ]),
            module(
                "ScenarioRunner",
                [
                    "Diagnostics", "JSON", "Determinism", "HTTPMessages", "JOSE", "B2CProtocol", "Records",
                    "TenantFiles",
                    "Exchanges", "ExtensionCalls", "Verbs",
                    "TrustFramework",
                    "Journeys", "MockAuthority", "AuthorityHosting", "CurlHTTP", "Browser", "Clients", "Scenarios",
                ],
                tests: [
                    "AuthorityHosting", "B2CProtocol", "Browser", "CurlHTTP", "Determinism", "Diagnostics", "Exchanges",
                    "HTTPMessages", "JSON", "Scenarios", "TenantFiles", "TestSupport", "TrustFramework", "Verbs",
                ]),
        ])
    + floor(
        "Tools",
        [
            module(
                "Validation",
                [
                    "Diagnostics", "JSON", "Markup", "Determinism", "HTTPMessages", "JOSE", "B2CProtocol",
                    "TenantFiles",
                    "TrustFramework", "Journeys",
                ],
                tests: [
                    "B2CProtocol", "Determinism", "Diagnostics", "HTTPMessages", "JOSE", "JSON", "TenantFiles",
                    "TestSupport",
                    "TrustFramework",
                ]),
            module(
                "Exploration",
                [
                    "Diagnostics", "JSON", "Determinism", "HTTPMessages", "JOSE", "B2CProtocol", "TenantFiles",
                    "Exchanges", "Verbs", "TrustFramework",
                    "Journeys", "Validation",
                ],
                tests: [
                    "B2CProtocol", "Determinism", "Diagnostics", "JSON", "TenantFiles", "TestSupport", "TrustFramework",
                ]),
            module(
                "PolicyRelease",
                [
                    "Diagnostics", "JSON", "Markup", "Determinism", "HTTPMessages", "JOSE", "AzureSignIn",
                    "TrustFramework",
                ],
                tests: [
                    "AzureSignIn", "Determinism", "Diagnostics", "HTTPMessages", "JSON", "TestSupport",
                    "TrustFramework",
                ]),
            module(
                "Bundles", ["Diagnostics", "JSON", "Markup", "Determinism", "HTTPMessages", "JOSE", "Exchanges"],
                tests: ["Determinism", "JOSE", "JSON", "TestSupport"]),
            module(
                "Capture",
                [
                    "Diagnostics", "JSON", "Determinism", "HTTPMessages", "JOSE", "B2CProtocol", "TenantFiles",
                    "Exchanges",
                    "Verbs", "Browser",
                ],
                tests: ["Determinism", "Diagnostics", "HTTPMessages", "JOSE", "JSON", "TenantFiles"]),
            module(
                "Viewer", ["CAssets", "Diagnostics", "JSON", "Markup"],
                assets: [
                    "viewer.html", "page.css", "records.css", "records.js", "report.js", "trace.js", "findings.js",
                ],
                tests: ["JSON", "TestSupport"]),
            module(
                "Reports",
                [
                    "Diagnostics", "JSON", "Markup", "Determinism", "HTTPMessages", "B2CProtocol", "MockAuthority",
                    "Exchanges",
                    "Validation",
                    "Scenarios", "ScenarioRunner", "Viewer",
                ],
                tests: [
                    "Determinism", "Diagnostics", "Exchanges", "JSON", "ScenarioRunner", "Scenarios", "TestSupport",
                    "Validation",
                ]),
            module(
                "Diagnosis",
                [
                    "CAssets", "CDocuments", "Diagnostics", "JSON", "Markup", "Determinism", "HTTPMessages", "Records",
                    "JOSE",
                    "B2CProtocol",
                    "Exchanges", "Clients", "Validation",
                ],
                assets: ["Causes/Files", "Reading/Files", "Search/Files"],
                tests: ["Determinism", "JOSE", "JSON", "ScenarioRunner", "Scenarios", "TestSupport", "TrustFramework"]),
            // The Model Context Protocol: messages in, messages out.
            module("ModelContext", ["Diagnostics", "JSON", "JSONRPC"], tests: ["JSON"]),
            // What both programs share: arguments and environment, files, outputs, exit codes.
            module(
                "CommandKit", ["Diagnostics", "JSON", "Determinism", "TrustFramework", "CurlHTTP", argumentParser],
                tests: []),
            // What the commands of `b2c` read and print: scenario, tenant and policy files, findings.
            module(
                "CommandFiles",
                [
                    "Diagnostics", "JSON", "Determinism", "HTTPMessages", "B2CProtocol", "TenantFiles", "Exchanges",
                    "TrustFramework", "AuthorityHosting",
                    "CurlHTTP", "Scenarios", "ScenarioRunner", "Validation", "Reports", "CommandKit", argumentParser,
                ], tests: ["CommandKit", "Determinism", "Diagnostics"]),
            // Policies of a folder or a tenant file: played, explored, compared, and beside a log.
            module(
                "PolicyTools",
                [
                    "Diagnostics", "JSON", "Markup", "Determinism", "HTTPMessages", "JOSE", "B2CProtocol",
                    "TenantFiles",
                    "Exchanges", "Verbs", "TrustFramework", "Journeys", "JourneyLogs", "AuthorityHosting", "Browser",
                    "Scenarios", "ScenarioRunner", "Validation", "Exploration", "PolicyRelease", "Bundles", "Capture",
                    "Reports", "AzureSignIn", "CurlHTTP", "CommandKit", "CommandFiles", argumentParser,
                ],
                tests: [
                    "CommandKit", "Diagnostics", "Exploration", "JSON", "PolicyRelease", "ScenarioRunner",
                    "TestSupport", "TrustFramework",
                ]),
            // What becomes of policies and apps in Microsoft Entra External ID.
            module(
                "PolicyMigration",
                [
                    "CAssets", "Diagnostics", "ExtensionCalls", "JSON", "Records", "TenantFiles", "TrustFramework",
                    "ScenarioRunner",
                    "Validation", "Exploration", "Reports", "CommandKit", "CommandFiles", "PolicyTools",
                ], assets: ["Files"],
                tests: [
                    "CommandFiles", "CommandKit", "Diagnostics", "ExtensionCalls", "JSON", "PolicyTools", "Reports",
                    "TestSupport",
                    "TrustFramework",
                ]),
            // What `explain` says, for commands and tools.
            module(
                "Explanations",
                [
                    "Diagnostics", "JSON", "Determinism", "B2CProtocol", "TenantFiles", "Exchanges", "JourneyLogs",
                    "TrustFramework", "Clients", "Scenarios", "ScenarioRunner", "Validation", "Exploration", "Reports",
                    "Diagnosis", "CommandKit", "CommandFiles", "PolicyMigration", "ExtensionCalls",
                ], tests: ["CommandKit", "Determinism", "JSON", "Reports"]),
            // What coding agents call.
            module(
                "AgentTools",
                [
                    "CDocuments", "Diagnostics", "JSON", "Determinism", "JOSE", "TenantFiles", "JourneyLogs",
                    "TrustFramework", "Scenarios", "ScenarioRunner", "Validation", "Exploration", "Reports",
                    "ModelContext",
                    "CommandKit", "CommandFiles", "PolicyTools", "Explanations",
                ],
                tests: [
                    "CommandFiles", "CommandKit", "Determinism", "Diagnostics", "Explanations", "JOSE", "JSON",
                    "ModelContext", "Reports", "ScenarioRunner", "Scenarios", "TestSupport", "TrustFramework",
                ]),
            // What editors know of a folder: documents in, facts out. The server alone knows the protocol.
            module(
                "LanguageService",
                [
                    "Diagnostics", "JSON", "Markup", "Determinism", "TenantFiles", "Exchanges", "TrustFramework",
                    "Journeys", "Verbs", "Scenarios", "ScenarioRunner", "Validation", "Exploration",
                    "Reports", "CommandKit", "CommandFiles", "PolicyTools",
                ],
                tests: [
                    "CommandFiles", "CommandKit", "Determinism", "Diagnostics", "JSON", "TestSupport", "TrustFramework",
                    "Validation",
                ]),
            module(
                "LanguageServer",
                [
                    "Diagnostics", "JSON", "JSONRPC", "Determinism", "HTTPMessages", "CommandKit", "CommandFiles",
                    "Validation", "LanguageService",
                ],
                tests: ["CommandFiles", "CommandKit", "JSON", "TestSupport"]),
        ])
    + floor(
        "Programs",
        [
            // What other packages use in their own tests.
            module(
                "B2CTesting",
                [
                    "Diagnostics", "JSON", "Determinism", "HTTPMessages", "JOSE", "B2CProtocol", "Exchanges",
                    "TenantFiles",
                    "TrustFramework",
                    "MockAuthority", "AuthorityHosting", "Browser",
                ], tests: ["JOSE", "JSON"]),
            // Scenario files as test cases of other packages. It needs libcurl, so it is not a part of the kit.
            module(
                "B2CScenarioTesting",
                ["Diagnostics", "Exchanges", "TrustFramework", "Scenarios", "ScenarioRunner", "Reports"],
                tests: ["TestSupport"]),
        ])

let package = Package(
    name: "b2c-harness",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "b2c", targets: ["b2c"]),
        .executable(name: "mock-server", targets: ["MockServer"]),
        .library(name: "B2CTesting", targets: ["B2CTesting"]),
        .library(name: "B2CScenarioTesting", targets: ["B2CScenarioTesting"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // mock-server alone uses these; SwiftPM does not build them for `--product b2c`.
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    ],
    targets: modules.flatMap { $0 } + [
        .systemLibrary(
            name: "CJansson", path: "Sources/Base/CJansson", pkgConfig: "jansson",
            providers: [.apt(["libjansson-dev"]), .brew(["jansson"])]),
        // Without pkg-config: macOS has it with its SDK.
        .systemLibrary(name: "CSQLite", path: "Sources/Base/CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "CLibcurl", path: "Sources/Base/CLibcurl"),
        .target(name: "CCrypto", path: "Sources/Base/CCrypto"),
        .target(name: "CAssets", path: "Sources/Base/CAssets"),
        .target(name: "CDocuments", dependencies: ["CAssets"], path: "Sources/Tools/CDocuments"),
        .target(
            name: "TestSupport", dependencies: ["JSON", "HTTPMessages", "Determinism", "JOSE"],
            path: "Tests/TestSupport",
            swiftSettings: settings),
        .executableTarget(
            name: "b2c",
            dependencies: [
                "Diagnostics", "JSON", "Markup", "Determinism", "HTTPMessages", "JOSE", "B2CProtocol", "TenantFiles",
                "Exchanges", "ExtensionCalls", "Verbs",
                "TrustFramework", "AzureSignIn", "JourneyLogs", "AuthorityHosting", "CurlHTTP", "Validation",
                "Scenarios", "Exploration", "PolicyRelease", "Bundles", "Capture", "ScenarioRunner", "Reports",
                "ModelContext",
                "CommandKit", "CommandFiles", "PolicyTools", "PolicyMigration", "Explanations", "AgentTools",
                "LanguageServer",
                argumentParser,
            ],
            path: "Sources/Programs/b2c",
            swiftSettings: moduleSettings),
        .target(
            name: "MockServerCore",
            dependencies: [
                "CAssets", "Diagnostics", "JSON", "Markup", "Determinism", "HTTPMessages", "JOSE", "B2CProtocol",
                "Records",
                "TenantFiles",
                "Exchanges", "ExtensionCalls", "Verbs",
                "TrustFramework", "MockAuthority", "AuthorityHosting", "CurlHTTP", "Browser", "Validation", "Capture",
                "Viewer",
                "CommandKit", "CSQLite", argumentParser,
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            path: "mock-server/Sources",
            exclude: ["inspector.html", "inspector.css", "inspector.js"].map { "Inspector/\($0)" },
            swiftSettings: moduleSettings),
        .executableTarget(
            name: "MockServer", dependencies: ["MockServerCore"], path: "mock-server/Program", swiftSettings: settings),
        .testTarget(
            name: "MockServerTests",
            dependencies: [
                "MockServerCore", "TestSupport", "Diagnostics", "JSON", "Determinism", "HTTPMessages", "B2CProtocol",
                "TenantFiles",
                "Exchanges", "TrustFramework", "Journeys", "JourneyLogs", "MockAuthority", "AuthorityHosting",
                "Browser", "Scenarios",
                "Capture", "CommandKit", "JOSE",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/Programs/MockServerTests", swiftSettings: testSettings),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "JSON", "Determinism", "HTTPMessages", "JOSE", "B2CProtocol", "TenantFiles", "TrustFramework",
                "MockAuthority",
                "Validation",
            ],
            path: "Benchmarks", exclude: ["peers"], swiftSettings: settings),
        .testTarget(name: "BoundaryTests", swiftSettings: testSettings),
        // What a command line means is tried without a process.
        .testTarget(
            name: "RunPlanTests",
            dependencies: ["b2c", "CommandKit", "ScenarioRunner", "Scenarios"],
            path: "Tests/Programs/RunPlanTests", swiftSettings: testSettings),
        .testTarget(
            name: "CorpusTests",
            dependencies: [
                "Diagnostics", "JSON", "Determinism", "HTTPMessages", "JOSE", "B2CProtocol", "TrustFramework",
                "Journeys", "JourneyLogs", "MockAuthority", "AuthorityHosting", "Validation", "Exploration",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "CommandLineTests", dependencies: ["TestSupport", "JSON", "Markup", "HTTPMessages", "JOSE"],
            path: "Tests/Programs/CommandLineTests", swiftSettings: testSettings),
    ],
    // `#embed` is C23.
    cLanguageStandard: .gnu2x
)

if fuzzing {
    package.targets.append(
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "Diagnostics", "JSON", "Markup", "Determinism", "HTTPMessages", "JOSE", "B2CProtocol", "TenantFiles",
                "Exchanges",
                "TrustFramework", "Journeys", "MockAuthority", "AuthorityHosting", "Scenarios", "ScenarioRunner",
                "Bundles", "Capture", "LanguageService", "MockServerCore",
            ],
            path: "Tests/Fuzz", exclude: ["corpus", "fuzz.py"], swiftSettings: settings,
            linkerSettings: [
                .unsafeFlags(["-sanitize=fuzzer"]),
                // Gold, the default of some versions, ends with an internal error on libFuzzer.
                .unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux])),
            ]))
}

// `B2C_TESTS=JSON,Browser swift test` builds the tests of these modules alone, and nothing that they do not use: after a change
// low down the others take minutes to compile.
if let chosen = Context.environment["B2C_TESTS"]?.split(separator: ",") {
    let known = package.targets.filter(\.isTest).map { $0.name.dropLast("Tests".count) }
    if let unknown = chosen.first(where: { !known.contains($0) }) {
        FileHandle.standardError.write(
            Data(
                "error: B2C_TESTS: there are no tests of \(unknown); there are those of \(known.joined(separator: ", "))\n"
                    .utf8))
        exit(1)
    }
    package.targets.removeAll { target in target.isTest && !chosen.contains { target.name == "\($0)Tests" } }
    let uses = Dictionary(package.targets.map { ($0.name, $0.dependencies) }) { first, _ in first }
    var (needed, packages): (Set<String>, Set<String>) = ([], [])
    // These run the programs, which is no dependency of theirs.
    var waiting =
        package.targets.filter(\.isTest).map(\.name) + (chosen.contains("CommandLine") ? ["b2c", "MockServer"] : [])
    while let name = waiting.popLast() {
        guard needed.insert(name).inserted else { continue }
        for dependency in uses[name] ?? [] {
            switch dependency {
            case .productItem(_, let package, _, _): packages.insert(package ?? "")
            case .targetItem(let name, _), .byNameItem(let name, _): waiting.append(name)
            @unknown default: break
            }
        }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products.removeAll { ($0 as? Product.Executable)?.targets.contains { !needed.contains($0) } ?? true }
    package.dependencies.removeAll { dependency in
        guard case .sourceControl(_, let location, _) = dependency.kind else { return false }
        return !packages.contains { location.hasSuffix("/\($0)") }
    }
}
