import Foundation

/// The targets of Package.swift, read from its text: what a target may import, and where its files are.
struct Manifest {
    struct Target {
        var name: String
        /// From the root of the repository.
        var folder: String
        /// Targets and products, in the order of the file. Each product has the name of the module that it brings.
        var dependencies: [String]

        /// Whether it is a part of a program or of the library, and not of tests or benchmarks.
        var isModule: Bool { folder.hasPrefix("Sources/") || folder.hasPrefix("mock-server/") }

        /// The folder below `Sources` that has it; `nil` for a target elsewhere.
        var floor: String? {
            let parts = folder.split(separator: "/")
            return parts.count == 3 && parts[0] == "Sources" ? String(parts[1]) : nil
        }
    }

    static let package = Manifest(Boundaries.text("Package.swift"))

    let targets: [Target]
    /// C libraries with a module map.
    let systemLibraries: [String]

    init(_ file: String) {
        let code = file.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.drop(while: { $0 == " " }).hasPrefix("//") }.joined(separator: "\n")
        // The names of single products, such as `crypto`.
        var products: [String: String] = [:]
        for match in code.matches(of: /let (\w+): Target\.Dependency = \.product\(name: "(\w+)"/) {
            products[String(match.1)] = String(match.2)
        }
        // A product becomes its name, so that brackets enclose nothing but names.
        let text = code.replacing(/\.product\(name: ("\w+"), package: "[^"]+"\)/) { String($0.1) }
        systemLibraries = text.matches(of: /\.systemLibrary\(\s*name: "(\w+)"/).map { String($0.1) }
        // What a target has in some builds only, such as those of packages.
        let additions = text.matches(of: /where target\.name == "(\w+)" \{\s*target\.dependencies\.append\("(\w+)"\)/)
        targets = (Self.modules(text, products) + Self.others(text, products)).map { target in
            var target = target
            target.dependencies += additions.filter { $0.1 == target.name }.map { String($0.2) }
            return target
        }
    }

    /// The names of all modules of the package.
    var names: [String] { targets.map(\.name) + systemLibraries }

    /// Everything that a target links, directly or through others: by name, a shortest way there.
    func ways(from name: String) -> [String: [String]] {
        var found: [String: [String]] = [:]
        var open = [[name]]
        while !open.isEmpty {
            let way = open.removeFirst()
            for used in targets.first(where: { $0.name == way.last })?.dependencies ?? [] where found[used] == nil {
                found[used] = way + [used]
                open.append(way + [used])
            }
        }
        return found
    }

    /// The calls of `module`, floor by floor: a target, and its tests.
    private static func modules(_ text: String, _ products: [String: String]) -> [Target] {
        text.split(separator: /\bfloor\(\s*"/).dropFirst().flatMap { floor in
            modules(of: String(floor.prefix { $0 != "\"" }), floor, products)
        }
    }

    private static func modules(of floor: String, _ text: Substring, _ products: [String: String]) -> [Target] {
        text.split(separator: /\bmodule\((?=\s*")/).dropFirst().flatMap { call -> [Target] in
            guard let name = call.firstMatch(of: /^\s*"(\w+)"/)?.1,
                let uses = call.firstMatch(of: /\[([^\[\]]*)\]/)?.1,
                let tests = call.firstMatch(of: /tests:\s*\[([^\[\]]*)\]/)?.1
            else { return [] }
            return [
                Target(name: String(name), folder: "Sources/\(floor)/\(name)", dependencies: names(in: uses, products)),
                Target(
                    name: "\(name)Tests", folder: "Tests/\(floor)/\(name)Tests",
                    dependencies: [String(name)] + names(in: tests, products)),
            ]
        }
    }

    /// The targets that Package.swift writes in full.
    private static func others(_ text: String, _ products: [String: String]) -> [Target] {
        text.matches(of: /\.(target|executableTarget|testTarget)\(\s*name: "(\w+)"([^()]*)/).map { match in
            let (kind, name, rest) = (match.1, String(match.2), match.3)
            let uses = rest.firstMatch(of: /dependencies:\s*\[([^\[\]]*)\]/)?.1 ?? ""
            let folder = rest.firstMatch(of: /path:\s*"([^"]+)"/)?.1
            let usual = kind == "testTarget" ? "Tests/\(name)" : "Sources/\(name)"
            return Target(
                name: name, folder: folder.map { String($0) } ?? usual, dependencies: names(in: uses, products))
        }
    }

    /// The names in a list: quoted ones, and those of products.
    private static func names(in list: Substring, _ products: [String: String]) -> [String] {
        list.split(separator: ",").compactMap { element in
            let name = element.trimmingCharacters(in: .whitespacesAndNewlines)
            if name.hasPrefix("\"") { return name.trimmingCharacters(in: ["\""]) }
            return products[name]
        }
    }
}
