import Diagnostics

/// What a policy holds and nothing here carries out.
enum FeatureCheck {
    /// Why a profile cannot be run, with the place; `nil` when it can.
    static func refusal(
        _ element: TechnicalProfileElement, _ handler: ProfileHandler
    ) -> (what: String, location: SourceLocation)? {
        if case .refused? = FeatureTable.feature(.profileKind, handler.tableName)?.extent {
            return ("technical profile \(element.id) of kind \(handler.name)", element.location)
        }
        for item in element.metadata {
            if case .refused? = FeatureTable.metadata(item.key, of: handler.tableName)?.extent {
                return ("metadata \(item.key) of technical profile \(element.id)", item.location)
            }
        }
        for item in element.inert {
            if case .refused? = FeatureTable.element(item.key, in: "TechnicalProfile")?.extent {
                return ("\(item.key) of technical profile \(element.id)", item.location)
            }
        }
        for claim in element.inputClaims + element.persistedClaims + element.outputClaims {
            if let resolver = refusedResolver(in: claim.defaultValue) {
                return ("claims resolver {\(resolver)} of technical profile \(element.id)", claim.location)
            }
        }
        return nil
    }

    /// The first resolver in a text that is not simulated.
    private static func refusedResolver(in text: String?) -> String? {
        for name in resolvers(in: text) {
            if case .refused? = FeatureTable.feature(.resolver, name)?.extent { return name }
        }
        return nil
    }

    /// Names between braces that have the form of a resolver: `OIDC:LoginHint`.
    static func resolvers(in text: String?) -> [String] {
        guard let text, text.contains("{"), text.contains(":") else { return [] }
        return text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap { part in
            let name = String(part.prefix { $0 != "}" })
            let space = name.prefix { $0 != ":" }
            let isResolver = part.contains("}") && name.contains(":") && !sameID(String(space), "Settings")
            return isResolver ? name : nil
        }
    }
}

extension LinkContext {
    /// Reports what a policy holds and nothing here carries out (B2C-POL-090).
    mutating func checkFeatures(of document: PolicyDocument, _ tables: PolicyTables) {
        for profile in tables.profiles { check(profile) }
        for transformation in tables.transformations
        where FeatureTable.feature(.transformation, transformation.method) == nil {
            unknown(
                "claims transformation method", named: transformation.method, of: .transformation,
                at: transformation.location)
        }
        for control in tables.displayControls {
            if case .refused(let why)? = FeatureTable.feature(.displayControl, control.type.rawValue)?.extent {
                refused(
                    "display control \(control.id) of type \(control.type.rawValue)", because: why, at: control.location
                )
            }
        }
        for definition in tables.contentDefinitions {
            for item in definition.metadata.items
            where FeatureTable.feature(.metadata, item.key, of: "content definition") == nil {
                unknown("metadata key of a content definition", named: item.key, of: nil, at: item.location)
            }
        }
        check(texts: document.buildingBlocks)
        for item in document.inert {
            if case .approximated(let why)? = FeatureTable.feature(.element, item.key)?.extent {
                partly("<\(item.key)>", because: why, at: item.location)
            }
        }
        if let behaviors = document.relyingParty?.behaviors {
            if behaviors.onError == .displayInService {
                partly("<OnError>", because: "an error goes where its code says", at: behaviors.location)
            }
        }
        for profile in document.relyingParty?.profiles ?? [] {
            for item in profile.metadata {
                partly("metadata \(item.key) of the relying party", because: "it is for SAML", at: item.location)
            }
        }
    }

    private mutating func check(_ profile: TechnicalProfile) {
        let owner = profile.handler.tableName
        if case .unknown = profile.handler { return }
        if case .harness = profile.handler { return }
        if let refusal = profile.refusal {
            refused(refusal.what, because: "", at: refusal.location)
            return
        }
        for item in profile.metadata.items where FeatureTable.metadata(item.key, of: owner) == nil {
            let names = FeatureTable.metadata.filter { $0.owner == owner || $0.owner == "any profile" }.map(\.name)
            let near = nearest(item.key, among: names)
            report(
                "B2C-POL-090", "metadata key \"\(item.key)\" means nothing to a profile of kind \(owner)",
                remedy: didYouMean(near, quoted: true) ?? "It is passed over.", at: item.location, severity: .warning)
        }
        for key in profile.cryptographicKeys where FeatureTable.feature(.cryptographicKey, key.id, of: owner) == nil {
            report(
                "B2C-POL-090", "key \"\(key.id)\" means nothing to a profile of kind \(owner)",
                remedy: "It is passed over.", at: key.location, severity: .warning)
        }
        for claim in profile.inputClaims + profile.persistedClaims + profile.outputClaims {
            check(resolversIn: claim.defaultValue, at: claim.location)
        }
    }

    /// Resolvers of a namespace that the service has, but without such a name.
    private mutating func check(resolversIn text: String?, at location: SourceLocation) {
        for name in FeatureCheck.resolvers(in: text) where FeatureTable.feature(.resolver, name) == nil {
            let space = name.prefix { $0 != ":" }.lowercased() + ":"
            if FeatureTable.resolvers.contains(where: { $0.name.lowercased().hasPrefix(space) }) {
                unknown("claims resolver", named: name, of: .resolver, at: location)
            }
        }
    }

    private mutating func check(texts blocks: BuildingBlocksElement) {
        var seen: [String] = []
        for resources in blocks.localization?.resources ?? [] {
            for string in resources.strings where !seen.contains(string.elementType) {
                seen.append(string.elementType)
                if FeatureTable.feature(.textKind, string.elementType) == nil {
                    unknown(
                        "ElementType of localised texts", named: string.elementType, of: .textKind, at: string.location)
                }
            }
        }
        for definition in blocks.contentDefinitions {
            for reference in definition.localizedResources where reference.url != nil {
                partly("Url of a LocalizedResourcesReference", because: "texts are not fetched", at: reference.location)
            }
        }
    }

    private mutating func refused(_ what: String, because why: String, at location: SourceLocation) {
        report(
            "B2C-POL-090", "not simulated: \(what)\(why.isEmpty ? "" : " (\(why))")",
            remedy: "A journey that depends on it fails there.", at: location, severity: .warning)
    }

    private mutating func partly(_ what: String, because why: String, at location: SourceLocation) {
        report("B2C-POL-090", "\(what) has no effect here: \(why)", at: location, severity: .warning)
    }

    private mutating func unknown(
        _ what: String, named name: String, of kind: Feature.Kind?, at location: SourceLocation
    ) {
        let names = FeatureTable.all.filter { $0.kind == kind }.map(\.name)
        let near = kind == nil ? nil : nearest(name, among: names)
        report(
            "B2C-POL-090", "nothing here knows the \(what) \"\(name)\"",
            remedy: didYouMean(near, quoted: true) ?? "A journey that depends on it fails there.", at: location,
            severity: .warning)
    }
}
