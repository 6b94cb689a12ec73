import Diagnostics

/// Reports what a policy holds and nothing here carries out.
enum FeatureCheck {
    static let rule = "B2C-POL-090"

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
    private static func resolvers(in text: String?) -> [String] {
        guard let text, text.contains("{"), text.contains(":") else { return [] }
        return text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap { part in
            let name = String(part.prefix { $0 != "}" })
            let space = name.prefix { $0 != ":" }
            let isResolver = part.contains("}") && name.contains(":") && !sameID(String(space), "Settings")
            return isResolver ? name : nil
        }
    }

    static func check(_ document: PolicyDocument, _ tables: PolicyTables, _ context: inout LinkContext) {
        for profile in tables.profiles { check(profile, &context) }
        for transformation in tables.transformations
        where FeatureTable.feature(.transformation, transformation.method) == nil {
            unknown(
                "claims transformation method", named: transformation.method, of: .transformation, &context,
                at: transformation.location)
        }
        for control in tables.displayControls {
            if case .refused(let why)? = FeatureTable.feature(.displayControl, control.type.rawValue)?.extent {
                refused(
                    "display control \(control.id) of type \(control.type.rawValue)", because: why, &context,
                    at: control.location)
            }
        }
        for definition in tables.contentDefinitions {
            for item in definition.metadata.items
            where FeatureTable.feature(.metadata, item.key, of: "content definition") == nil {
                unknown("metadata key of a content definition", named: item.key, of: nil, &context, at: item.location)
            }
        }
        check(texts: document.buildingBlocks, &context)
        for item in document.inert {
            if case .approximated(let why)? = FeatureTable.feature(.element, item.key)?.extent {
                partly("<\(item.key)>", because: why, &context, at: item.location)
            }
        }
        if let behaviors = document.relyingParty?.behaviors {
            if behaviors.onError == .displayInService {
                partly("<OnError>", because: "an error goes where its code says", &context, at: behaviors.location)
            }
        }
        for profile in document.relyingParty?.profiles ?? [] {
            for item in profile.metadata {
                partly(
                    "metadata \(item.key) of the relying party", because: "it is for SAML", &context, at: item.location)
            }
        }
    }

    private static func check(_ profile: TechnicalProfile, _ context: inout LinkContext) {
        let owner = profile.handler.tableName
        if case .unknown = profile.handler { return }
        if case .harness = profile.handler { return }
        if let refusal = profile.refusal {
            refused(refusal.what, because: "", &context, at: refusal.location)
            return
        }
        for item in profile.metadata.items where FeatureTable.metadata(item.key, of: owner) == nil {
            let names = FeatureTable.metadata.filter { $0.owner == owner || $0.owner == "any profile" }.map(\.name)
            let near = context.nearest(item.key, among: names)
            context.report(
                .warning, rule: rule, "metadata key \"\(item.key)\" means nothing to a profile of kind \(owner)",
                remedy: near.map { "Did you mean \"\($0)\"?" } ?? "It is passed over.", at: item.location)
        }
        for key in profile.cryptographicKeys where FeatureTable.feature(.cryptographicKey, key.id, of: owner) == nil {
            context.report(
                .warning, rule: rule, "key \"\(key.id)\" means nothing to a profile of kind \(owner)",
                remedy: "It is passed over.", at: key.location)
        }
        for claim in profile.inputClaims + profile.persistedClaims + profile.outputClaims {
            check(resolversIn: claim.defaultValue, at: claim.location, &context)
        }
    }

    /// Resolvers of a namespace that the service has, but without such a name.
    private static func check(resolversIn text: String?, at location: SourceLocation, _ context: inout LinkContext) {
        for name in resolvers(in: text) where FeatureTable.feature(.resolver, name) == nil {
            let space = name.prefix { $0 != ":" }.lowercased() + ":"
            if FeatureTable.resolvers.contains(where: { $0.name.lowercased().hasPrefix(space) }) {
                unknown("claims resolver", named: name, of: .resolver, &context, at: location)
            }
        }
    }

    private static func check(texts blocks: BuildingBlocksElement, _ context: inout LinkContext) {
        var seen: [String] = []
        for resources in blocks.localization?.resources ?? [] {
            for string in resources.strings where !seen.contains(string.elementType) {
                seen.append(string.elementType)
                if FeatureTable.feature(.textKind, string.elementType) == nil {
                    unknown(
                        "ElementType of localised texts", named: string.elementType, of: .textKind, &context,
                        at: string.location)
                }
            }
        }
        for definition in blocks.contentDefinitions {
            for reference in definition.localizedResources where reference.url != nil {
                partly(
                    "Url of a LocalizedResourcesReference", because: "texts are not fetched", &context,
                    at: reference.location)
            }
        }
    }

    private static func refused(
        _ what: String, because why: String, _ context: inout LinkContext, at location: SourceLocation
    ) {
        context.report(
            .warning, rule: rule, "not simulated: \(what)\(why.isEmpty ? "" : " (\(why))")",
            remedy: "A journey that depends on it fails there.", at: location)
    }

    private static func partly(
        _ what: String, because why: String, _ context: inout LinkContext, at location: SourceLocation
    ) {
        context.report(.warning, rule: rule, "\(what) has no effect here: \(why)", at: location)
    }

    private static func unknown(
        _ what: String, named name: String, of kind: Feature.Kind?, _ context: inout LinkContext,
        at location: SourceLocation
    ) {
        let names = FeatureTable.all.filter { $0.kind == kind }.map(\.name)
        let near = kind == nil ? nil : context.nearest(name, among: names)
        context.report(
            .warning, rule: rule, "nothing here knows the \(what) \"\(name)\"",
            remedy: near.map { "Did you mean \"\($0)\"?" } ?? "A journey that depends on it fails there.", at: location)
    }
}
