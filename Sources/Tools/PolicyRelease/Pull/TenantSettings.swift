import JSON
import Markup
import TrustFramework

/// The values of a tenant that policies have as settings.
struct TenantSettings {
    /// What the environment has, and what was added.
    private(set) var values: [(name: String, value: String)]
    /// What the settings file lacks.
    private(set) var added: [(name: String, value: String)] = []

    init(_ values: [(name: String, value: String)]) { self.values = values }

    /// The setting of a value: of the usual name, else another one that has the value; `nil` where there is none.
    ///
    /// - Parameter adds: Whether a setting of the usual name is made if there is none.
    private mutating func name(of value: String, usual name: String, adds: Bool) -> String? {
        let named = values.first { sameID($0.name, name) }
        if let named, named.value == value { return named.name }
        if let other = values.first(where: { $0.value == value && !sameID($0.name, "Environment") }) {
            return other.name
        }
        guard adds, named == nil else { return nil }
        values.append((name, value))
        added.append((name, value))
        return name
    }

    /// A policy of the tenant with settings at the places where policies name the tenant and its apps.
    ///
    /// - Parameters:
    ///   - tenant: The domain of the tenant: another one is not a value of it.
    ///   - adds: Whether settings are made for values that the environment does not have.
    mutating func template(of tree: XMLTree, tenant: String, adds: Bool) -> [UInt8] {
        let bytes = tree.source.bytes
        var result: [UInt8] = []
        var copied = 0
        for place in Self.places(in: tree).sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            let value = String(decoding: bytes[place.range], as: UTF8.self)
            guard place.setting == "Tenant" ? value == tenant : Self.isGUID(value),
                let name = name(of: value, usual: place.setting, adds: adds)
            else { continue }
            result += bytes[copied..<place.range.lowerBound]
            result += "{Settings:\(name)}".utf8
            copied = place.range.upperBound
        }
        return result + bytes[copied...]
    }

    private static func isGUID(_ text: String) -> Bool {
        text.wholeMatch(of: /[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/) != nil
    }

    // MARK: Places

    /// Where a text may have a value of the tenant, and the usual name of its setting: that of Microsoft's starter packs, and
    /// that of the Azure AD B2C extension of Visual Studio Code, which reads them from the tenant.
    private static func places(in tree: XMLTree) -> [(range: Range<Int>, setting: String)] {
        var places: [(range: Range<Int>, setting: String)] = []
        func attribute(_ name: String, of node: Int) -> Range<Int>? {
            tree.nodes[node].attributes.firstIndex { $0.name == name }.map { tree.tags.tags[node].attributes[$0].value }
        }
        func add(_ range: Range<Int>?, _ setting: String) {
            if let range, !range.isEmpty { places.append((range, setting)) }
        }
        add(attribute("TenantId", of: 0), "Tenant")
        add(attribute("TenantObjectId", of: 0), "TenantObjectId")
        add(attribute("PublicPolicyUri", of: 0).flatMap { host(in: $0, tree.source.bytes) }, "Tenant")
        for node in tree.nodes {
            func value(_ name: String) -> String? { node.attributes.first { $0.name == name }?.value }
            if node.name == "BasePolicy" {
                for child in node.children where tree.nodes[child].name == "TenantId" {
                    add(content(child, of: tree), "Tenant")
                }
            }
            guard node.name == "TechnicalProfile", let apps = apps[value("Id") ?? ""] else { continue }
            for list in node.children {
                for child in tree.nodes[list].children {
                    let item = tree.nodes[child]
                    func key(_ name: String) -> String {
                        item.attributes.first { $0.name == name }?.value ?? ""
                    }
                    if item.name == "Item", let setting = apps[key("Key")] {
                        add(content(child, of: tree), setting)
                    } else if item.name == "InputClaim", let setting = apps[key("ClaimTypeReferenceId")] {
                        add(attribute("DefaultValue", of: child), setting)
                    }
                }
            }
        }
        return places
    }

    /// Of technical profiles of the starter packs the metadata and input claims that hold app ids.
    private static let apps: [String: [String: String]] = [
        "login-NonInteractive": [
            "client_id": "ProxyIdentityExperienceFrameworkAppId",
            "IdTokenAudience": "IdentityExperienceFrameworkAppId",
            "resource_id": "IdentityExperienceFrameworkAppId",
        ],
        "AAD-Common": ["ClientId": "AADExtensionsAppId", "ApplicationObjectId": "AADExtensionsObjectId"],
    ]

    /// The host of an address.
    private static func host(in range: Range<Int>, _ bytes: [UInt8]) -> Range<Int>? {
        guard let slashes = bytes[range].firstRange(of: "://".utf8) else { return nil }
        let end = bytes[slashes.upperBound..<range.upperBound].firstIndex(of: UInt8(ascii: "/")) ?? range.upperBound
        return slashes.upperBound..<end
    }

    /// The text of an element without white space around it; `nil` where it has markup or references.
    private static func content(_ node: Int, of tree: XMLTree) -> Range<Int>? {
        let body = tree.tags.tags[node].body
        let bytes = tree.source.bytes[body]
        guard !bytes.contains(UInt8(ascii: "<")), !bytes.contains(UInt8(ascii: "&")),
            let first = bytes.firstIndex(where: { $0 > 0x20 }), let last = bytes.lastIndex(where: { $0 > 0x20 })
        else { return nil }
        return first..<(last + 1)
    }

    // MARK: The settings file

    /// A settings file with further values of an environment, which is added if it is missing.
    ///
    /// - Parameter file: What there is, which has been read without errors; `nil`: nothing.
    static func file(
        _ file: [UInt8]?, environment: String, tenant: String, adding values: [(name: String, value: String)]
    ) -> [UInt8] {
        var root = file.flatMap { try? JSONParser.parse(String(decoding: $0, as: UTF8.self)) }?.objectValue ?? [:]
        var list = root["Environments"]?.arrayValue ?? []
        let place = list.firstIndex { sameID($0["Name"]?.stringValue ?? "", environment) }
        var entry = place.flatMap { list[$0].objectValue } ?? ["Name": .string(environment), "Production": false]
        if entry["Tenant"] == nil { entry["Tenant"] = .string(tenant) }
        var settings = entry["PolicySettings"]?.objectValue ?? [:]
        for (name, value) in values where !sameID(name, "Tenant") { settings[name] = .string(value) }
        entry["PolicySettings"] = .object(settings)
        if let place { list[place] = .object(entry) } else { list.append(.object(entry)) }
        root["Environments"] = .array(list)
        let indent = file.flatMap(Self.indentation) ?? 2
        let end = file.map { $0.last == 0x0A } ?? true ? "\n" : ""
        return Array((JSONWriter.pretty(.object(root), indent: indent) + end).utf8)
    }

    /// Spaces of the first indented line.
    private static func indentation(of bytes: [UInt8]) -> Int? {
        let line = bytes.split(separator: 0x0A).dropFirst().first
        let count = line?.prefix { $0 == 0x20 }.count ?? 0
        return count > 0 ? count : nil
    }
}
