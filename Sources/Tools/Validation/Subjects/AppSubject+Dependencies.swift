import Diagnostics

/// How MSAL comes into the app, and what must not come with it.
extension AppSubject {
    /// What the files of an app say about MSAL.
    private struct Dependencies {
        var findings: [Finding] = []
        /// Where a package manager brings MSAL into the app.
        var ways: [SourceLocation] = []
        /// Where the project links MSAL.
        var linked: SourceLocation?
    }

    static func dependencies(_ app: AppProject) -> [Finding] {
        var found = Dependencies()
        for file in app.files {
            switch file.kind {
            case .podfile:
                let pods = Pod.all(in: file)
                found.findings += podfile(file, pods)
                if let own = pods.first(where: { $0.name == "MSAL" }) { found.ways.append(own.location) }
            case .cartfile: cartfile(file, &found)
            case .packageSwift: package(file, &found)
            case .buildSettings where file.name == "project.pbxproj": xcodeProject(file, &found)
            default: continue
            }
        }
        found.findings += missing(app, isLinked: found.linked != nil || !found.ways.isEmpty)
        if found.ways.count > 1 {
            found.findings.append(
                finding(
                    "B2C-APP-009", "MSAL comes into the app a second time; the first is \(found.ways[0])",
                    "Keep one of CocoaPods, Carthage and Swift packages.", at: found.ways[1]))
        }
        return found.findings
    }

    private static func cartfile(_ file: ProjectFile, _ found: inout Dependencies) {
        let text = file.lines
        if let old = text.firstIndex(where: { $0.contains("azure-activedirectory-library-for-objc") }),
            text.contains(where: { $0.contains("microsoft-authentication-library") })
        {
            found.findings.append(
                finding(
                    "B2C-APP-012", "ADAL and MSAL cannot be in one app: they have classes of the same names",
                    "Take ADAL out.", at: file.location(line: old + 1, of: "azure-activedirectory-library-for-objc")))
        }
        for (number, line) in text.enumerated() where line.contains("microsoft-authentication-library") {
            found.ways.append(file.location(line: number + 1, of: "microsoft-authentication-library"))
            if let branch = ["\"master\"", "\"main\"", "\"dev\""].first(where: { line.contains($0) }) {
                found.findings.append(
                    finding(
                        "B2C-APP-010", "\(branch) is a branch: the next update may bring anything",
                        "Write a version, such as ~> 1.6.", at: file.location(line: number + 1, of: branch)))
            }
        }
    }

    private static func package(_ file: ProjectFile, _ found: inout Dependencies) {
        let scan = CodeScan(file.source)
        guard
            let token = scan.tokens.first(where: {
                $0.kind == .text && $0.text.contains("microsoft-authentication-library-for-objc")
            })
        else { return }
        found.ways.append(scan.location(token))
        if let branch = scan.occurrences(of: ["branch", ":"]).first {
            found.findings.append(
                finding(
                    "B2C-APP-010", "a branch is not a version: the next update may bring anything",
                    "Write from: and a version.", at: scan.location(scan.tokens[branch])))
        }
    }

    /// Carthage's framework is linked by the project too, so only a package of Xcode is a way of its own.
    private static func xcodeProject(_ file: ProjectFile, _ found: inout Dependencies) {
        guard
            let number = file.lines.firstIndex(where: {
                $0.contains("microsoft-authentication-library-for-objc") || $0.contains("MSAL.xcframework")
                    || $0.contains("MSAL.framework") || $0.contains("MSAL.xcodeproj")
            })
        else { return }
        let linked = file.location(line: number + 1, of: "MSAL")
        found.linked = linked
        if file.lines.contains(where: { $0.contains("repositoryURL") && $0.contains("microsoft-authentication") }) {
            found.ways.append(linked)
        }
    }

    /// Sources import MSAL, and the files that name the app's dependencies do not.
    private static func missing(_ app: AppProject, isLinked: Bool) -> [Finding] {
        let manifests = app.files.filter { [.podfile, .cartfile, .packageSwift].contains($0.kind) }
        guard !isLinked, let manifest = manifests.first, app.scans.contains(where: { $0.scan.has("MSAL") }) else {
            return []
        }
        let how =
            switch manifest.kind {
            case .podfile: "Add pod 'MSAL' to the app's target."
            case .cartfile: "Add the line for AzureAD/microsoft-authentication-library-for-objc."
            default: "Add the package https://github.com/AzureAD/microsoft-authentication-library-for-objc."
            }
        return [
            finding(
                "B2C-APP-009", "the sources use MSAL, and nothing here brings it into the app", how,
                at: SourceLocation(file: manifest.path, line: 1, column: 1))
        ]
    }

    /// A line `pod 'NAME', 'VERSION'`.
    private struct Pod {
        var name: String
        /// The words of the requirement, such as `~> 2.7`; `nil` when there is none.
        var requirement: String?
        var location: SourceLocation

        static func all(in file: ProjectFile) -> [Pod] {
            file.lines.enumerated().compactMap { number, line in
                let trimmed = line.drop { $0 == " " || $0 == "\t" }
                guard trimmed.hasPrefix("pod ") || trimmed.hasPrefix("pod\t") else { return nil }
                let texts = Pod.texts(String(trimmed))
                guard let name = texts.first else { return nil }
                let second = texts.dropFirst().first { $0.first?.isNumber == true || "~>=<".contains($0.first ?? " ") }
                return Pod(name: name, requirement: second, location: file.location(line: number + 1, of: name))
            }
        }

        private static func texts(_ line: String) -> [String] {
            var texts: [String] = []
            var rest = line[...]
            while let open = rest.firstIndex(where: { $0 == "'" || $0 == "\"" }) {
                let quote = rest[open]
                if rest[..<open].contains("#") { break }
                rest = rest[rest.index(after: open)...]
                guard let close = rest.firstIndex(of: quote) else { break }
                texts.append(String(rest[..<close]))
                rest = rest[rest.index(after: close)...]
            }
            return texts
        }

        /// The lowest version that the requirement lets in, as numbers.
        var lowest: [Int]? {
            requirement.map { text in
                text.drop { !$0.isNumber }.split(separator: ".").map { Int($0.prefix { $0.isNumber }) ?? 0 }
            }
        }

        func isBelow(_ version: [Int]) -> Bool { lowest.map { $0.lexicographicallyPrecedes(version) } ?? false }
    }

    private static func podfile(_ file: ProjectFile, _ pods: [Pod]) -> [Finding] {
        var all: [Finding] = []
        let code = file.lines.map { String($0.prefix { $0 != "#" }) }
        if pods.contains(where: { $0.name == "MSAL" }), !code.contains(where: { $0.contains("use_frameworks!") }) {
            all.append(
                finding(
                    "B2C-APP-011", "use_frameworks! is missing", "Put it above the target.",
                    at: SourceLocation(file: file.path, line: 1, column: 1)))
        }
        for (number, line) in code.enumerated() where line.contains("target ") {
            guard let open = line.firstIndex(where: { $0 == "'" || $0 == "\"" }) else { continue }
            let name = String(line[line.index(after: open)...].prefix { $0 != "'" && $0 != "\"" })
            if isPlaceholder(name) {
                all.append(
                    finding(
                        "B2C-APP-011", "the target \"\(name)\" was left as the template has it",
                        "Write the name of the app's target.", at: file.location(line: number + 1, of: name)))
            }
        }
        if !pods.isEmpty, !code.contains(where: { $0.contains("target ") }) {
            all.append(
                finding(
                    "B2C-APP-011", "the pods belong to no target", "Put them into target 'NAME' do ... end.",
                    at: pods[0].location))
        }
        guard let adal = pods.first(where: { $0.name == "ADAL" }) else { return all + minimum(pods) }
        if pods.contains(where: { $0.name == "MSAL" }) {
            if adal.lowest == [2, 6, 10], adal.requirement?.first?.isNumber == true {
                all.append(
                    Finding(
                        "B2C-APP-012", "ADAL 2.6.10 beside MSAL is for testing a migration only",
                        remedy: "Take ADAL out before you ship.", at: adal.location, severity: .warning))
            } else {
                all.append(
                    finding(
                        "B2C-APP-012", "ADAL and MSAL cannot be in one app: they have classes of the same names",
                        "Take ADAL out, or pin it to 2.6.10 for testing a migration.", at: adal.location))
            }
        }
        return all + minimum(pods)
    }

    /// Apps on ADAL alone that lie beside one on MSAL share its sign-ins only from some version on.
    static func adalApps(_ project: Project, beside apps: [AppProject]) -> [Finding] {
        guard !apps.isEmpty else { return [] }
        let judged = Set(apps.flatMap(\.files).map(\.path))
        return project.files(.podfile).filter { !judged.contains($0.path) }.flatMap { minimum(Pod.all(in: $0)) }
    }

    private static func minimum(_ pods: [Pod]) -> [Finding] {
        var all: [Finding] = []
        let hasMSAL = pods.contains { $0.name == "MSAL" }
        for (name, version, why) in [
            ("ADAL", [2, 7, 0], "shares sign-ins with MSAL from 2.7.0 on"),
            ("IntuneMAMSwift", [11, 1, 2], "works with MSAL from 11.1.2 on"),
            ("IntuneMAM", [11, 1, 2], "works with MSAL from 11.1.2 on"),
        ] {
            guard let pod = pods.first(where: { $0.name == name }), pod.isBelow(version), !(name == "ADAL" && hasMSAL)
            else { continue }
            all.append(
                finding(
                    "B2C-APP-013", "\(name) \(why)",
                    "Ask for \(version.map(String.init).joined(separator: ".")) or later.", at: pod.location))
        }
        return all
    }
}
