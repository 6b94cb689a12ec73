import Diagnostics
import TenantFiles

/// A text that stands for something, and where.
struct AppFact: Sendable, Hashable {
    var value: String
    var location: SourceLocation
    /// The bytes of the value, where a fix may replace them.
    var range: Range<Int>?
}

/// One app on MSAL: the files that belong together, read once for all rules.
struct AppProject: Sendable {
    let files: [ProjectFile]
    let scans: [(file: ProjectFile, scan: CodeScan)]
    let infoPlists: [(file: ProjectFile, list: PropertyList)]
    let entitlements: [(file: ProjectFile, list: PropertyList)]
    let authSettings: [(file: ProjectFile, list: PropertyList)]
    /// What kept property lists from being read.
    let unreadable: [Finding]
    let tenant: Tenant?
    /// Registrations that lie in the same project.
    let registrations: [Registration]

    init(files: [ProjectFile], tenant: Tenant?, registrations: [Registration] = []) {
        self.files = files
        self.tenant = tenant
        self.registrations = registrations
        scans = files.filter { $0.kind == .swiftSource || $0.kind == .objectiveCSource }
            .map { ($0, CodeScan($0.source)) }
        var unreadable: [Finding] = []
        func lists(_ kind: FileKind) -> [(file: ProjectFile, list: PropertyList)] {
            files.filter { $0.kind == kind }.compactMap { file in
                do throws(InvalidInput) {
                    return (file, try PropertyList(file.source))
                } catch {
                    unreadable += error.diagnostics.map { Finding($0) }
                    return nil
                }
            }
        }
        infoPlists = lists(.infoPlist)
        entitlements = lists(.entitlements)
        authSettings = lists(.authSettings)
        self.unreadable = unreadable
    }

    /// The apps of a project: a folder with a Podfile, Cartfile, Package.swift or Xcode project is one; what lies under
    /// none of them is one more.
    static func all(in project: Project) -> [AppProject] {
        let kinds: Set<FileKind> = [
            .infoPlist, .entitlements, .authSettings, .podfile, .cartfile, .packageSwift, .swiftSource,
            .objectiveCSource, .buildSettings, .gitignore,
        ]
        let files = project.files.filter { kinds.contains($0.kind) }
        var roots: [String] = []
        for file in files where [.podfile, .cartfile, .packageSwift].contains(file.kind) {
            if !roots.contains(file.folder) { roots.append(file.folder) }
        }
        for file in files where file.name == "project.pbxproj" {
            let folder = file.folder.split(separator: "/").dropLast().joined(separator: "/")
            if !roots.contains(folder) { roots.append(folder) }
        }
        let registrations = project.files(.registration).compactMap { $0.document.map(Registration.init) }
        var groups: [(root: String, files: [ProjectFile])] = roots.map { ($0, []) }
        var others: [ProjectFile] = []
        for file in files {
            let owner = groups.indices
                .filter { groups[$0].root.isEmpty || (file.folder + "/").hasPrefix(groups[$0].root + "/") }
                .max { groups[$0].root.utf8.count < groups[$1].root.utf8.count }
            if let owner { groups[owner].files.append(file) } else { others.append(file) }
        }
        return (groups.map(\.files) + [others]).filter { !$0.isEmpty }
            .map { AppProject(files: $0, tenant: project.tenant, registrations: registrations) }
            .filter { $0.usesMSAL || !$0.unreadable.isEmpty }
    }

    /// Whether any file names MSAL. Other projects are not checked.
    var usesMSAL: Bool {
        scans.contains { entry in entry.scan.tokens.contains { $0.kind == .word && $0.text.hasPrefix("MSAL") } }
            || !authSettings.isEmpty
            || infoPlists.contains {
                $0.list.urlSchemes.contains { $0.value.hasPrefix("msauth") || $0.value.hasPrefix("msal") }
            }
            || infoPlists.contains {
                $0.list["LSApplicationQueriesSchemes"]?.item.items?.contains { $0.text?.hasPrefix("msauth") == true }
                    ?? false
            }
            || files.contains {
                $0.kind == .podfile && $0.lines.contains { $0.contains("'MSAL'") || $0.contains("\"MSAL\"") }
            }
    }

    // MARK: What it is

    /// The systems the app is for, as far as sources and lists name them.
    var systems: (ios: Bool, macos: Bool) {
        var ios = infoPlists.contains {
            $0.list["LSRequiresIPhoneOS"] != nil || $0.list["UILaunchStoryboardName"] != nil
        }
        var macos = infoPlists.contains {
            $0.list["NSPrincipalClass"] != nil || $0.list["LSMinimumSystemVersion"] != nil
        }
        for entry in scans {
            if entry.scan.has("UIKit") || entry.scan.has("UIViewController") { ios = true }
            if entry.scan.has("Cocoa") || entry.scan.has("AppKit") || entry.scan.has("NSViewController") {
                macos = true
            }
        }
        return ios || macos ? (ios, macos) : (true, false)
    }

    /// The bundle id of the app: from the list, else the one that Xcode's settings give.
    var bundleID: AppFact? {
        for entry in infoPlists {
            if let item = entry.list["CFBundleIdentifier"]?.item, let text = item.text, !text.contains("$") {
                return AppFact(value: text, location: item.location, range: item.range)
            }
        }
        return buildSetting("PRODUCT_BUNDLE_IDENTIFIER").first { !$0.value.contains("$") }
    }

    /// Values of an Xcode setting, in the order of files and lines.
    func buildSetting(_ name: String) -> [AppFact] {
        var facts: [AppFact] = []
        for file in files where file.kind == .buildSettings {
            for line in 1...max(file.source.lineCount, 1) {
                guard let text = file.source.line(line), let range = text.range(ofASCII: Array("\(name) =".utf8)) else {
                    continue
                }
                let value = text[range.upperBound...].split(separator: ";").first.map(String.init) ?? ""
                let clean = value.filter { $0 != " " && $0 != "\"" && $0 != "\t" && $0 != "\r" }
                facts.append(AppFact(value: clean, location: SourceLocation(file: file.path, line: line, column: 1)))
            }
        }
        return facts
    }

    // MARK: What its code says

    /// Texts that constants of such a name have. `name` is in lower case.
    func constants(named name: String) -> [AppFact] {
        scans.flatMap { entry in
            entry.scan.constants.filter { $0.name.lowercased().contains(name) }
                .map { AppFact(value: $0.token.text, location: entry.scan.location($0.token), range: $0.token.range) }
        }
    }

    var clientIDs: [AppFact] {
        var facts = constants(named: "clientid") + constants(named: "client_id")
        facts += literalArguments(["clientId", ":"]) + literalArguments(["initWithClientId", ":"])
        for entry in authSettings {
            if let item = entry.list["AppId"]?.item, let text = item.text {
                facts.append(AppFact(value: text, location: item.location, range: item.range))
            }
        }
        return facts
    }

    var redirectURIs: [AppFact] {
        (constants(named: "redirecturi") + literalArguments(["redirectUri", ":"])).filter { !$0.value.contains("\\(") }
    }

    var authorities: [AppFact] { constants(named: "authority").filter { $0.value.contains("://") } }

    /// Lists of scopes in code, and in `AuthSettings.plist`.
    var scopes: [AppFact] {
        var facts = scans.flatMap { entry in
            (entry.scan.lists + entry.scan.listArguments).filter { $0.name.lowercased().contains("scope") }.flatMap(
                \.tokens
            )
            .map { AppFact(value: $0.text, location: entry.scan.location($0), range: $0.range) }
        }
        for entry in authSettings {
            for item in entry.list["GraphScopes"]?.item.items ?? [] {
                guard let text = item.text else { continue }
                facts.append(AppFact(value: text, location: item.location, range: item.range))
            }
        }
        return facts
    }

    /// Names of constants that hold policies, such as `kSignupOrSigninPolicy`, with their values.
    var policies: [(name: String, fact: AppFact)] {
        scans.flatMap { entry in
            entry.scan.constants.filter { $0.name.lowercased().contains("policy") && !$0.token.text.contains("/") }
                .map {
                    (
                        $0.name,
                        AppFact(value: $0.token.text, location: entry.scan.location($0.token), range: $0.token.range)
                    )
                }
        }
    }

    /// Texts that are written as an argument: `clientId: "..."`.
    private func literalArguments(_ label: [String]) -> [AppFact] {
        scans.flatMap { entry in
            entry.scan.occurrences(of: label).compactMap { index -> AppFact? in
                var at = index + label.count
                let tokens = entry.scan.tokens
                if at < tokens.count, tokens[at].text == "@" { at += 1 }
                guard at < tokens.count, tokens[at].kind == .text else { return nil }
                return AppFact(
                    value: tokens[at].text, location: entry.scan.location(tokens[at]), range: tokens[at].range)
            }
        }
    }

    /// Every place where these tokens stand one after another.
    func places(_ pattern: String...) -> [(scan: CodeScan, index: Int)] {
        scans.flatMap { entry in entry.scan.occurrences(of: pattern).map { (entry.scan, $0) } }
    }
}

extension PropertyList {
    /// The schemes that the app declares as its own.
    var urlSchemes: [AppFact] {
        (self["CFBundleURLTypes"]?.item.items ?? []).flatMap { type in
            (type.entry("CFBundleURLSchemes")?.item.items ?? []).compactMap { item in
                item.text.map { AppFact(value: $0, location: item.location, range: item.range) }
            }
        }
    }
}

extension ProjectFile {
    /// The lines of a small text file.
    var lines: [String] { (1...max(source.lineCount, 1)).map { source.line($0) ?? "" } }

    /// The place of a text in a line.
    func location(line: Int, of text: String) -> SourceLocation {
        guard let content = source.line(line), let range = content.range(ofASCII: Array(text.utf8)) else {
            return SourceLocation(file: path, line: line, column: 1)
        }
        let column = content.unicodeScalars.distance(from: content.startIndex, to: range.lowerBound) + 1
        return SourceLocation(file: path, line: line, column: column, length: text.unicodeScalars.count)
    }
}
