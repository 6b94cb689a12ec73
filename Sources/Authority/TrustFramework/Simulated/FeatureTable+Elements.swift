extension FeatureTable {
    private static let recorder = Feature.Extent.inert(
        "a simulation keeps its own trace; `mock-server --journey-recorder` records every custom policy")
    private static let telemetry = Feature.Extent.inert("no telemetry is sent")
    private static let assurance = Feature.Extent.inert("assurance levels are not computed")
    private static let saml = Feature.Extent.inert("SAML only")

    /// Elements and attributes that are not simulated in full. All others of the grammar are.
    private static let exceptions: [(name: String, extent: Feature.Extent)] = [
        ("TrustFrameworkPolicy/@UserJourneyRecorderEndpoint", recorder),
        ("TrustFrameworkPolicy/@StateTableName", .inert("where the service keeps its state")),
        (
            "TrustFrameworkPolicy/@DeploymentMode",
            .approximated("the resolver Context:DeploymentMode and the comments of pages show it")
        ),
        ("TrustFrameworkPolicy/@PublicPolicyUri", .inert("a name")),
        ("PolicyConstraints", .approximated("who may inherit is not enforced; reported when linked")),
        ("Contacts", .inert("information for people")), ("DocumentReferences", .inert("information for people")),
        ("ClaimType/@StatementType", .inert("no documented effect")),
        ("AdminHelpText", .inert("never shown to the person who signs in")),
        ("ClientDefinitions", .inert("no documented effect on pages")),
        ("ContentDefinition/RecoveryUri", .inert("the error page is the authority's own")),
        (
            "LocalizedResourcesReference/@Url",
            .approximated("not fetched, as no document says in which form the texts come; reported when linked")
        ),
        ("SupportedLanguages/@PolicyLanguage", .inert("no documented effect")),
        (
            "Localization/@Enabled",
            .approximated("false: every page is in the default language, with that language's texts (inferred)")
        ),
        ("TechnicalProfile/Description", .inert("information for people")),
        ("AssuranceLevelOfOutputClaims", assurance), ("RequiredAssuranceLevelsOfInputClaims", assurance),
        ("Suppressions", .inert("no documented effect")), ("PreferredBinding", saml),
        (
            "InputTokenSources",
            .refused("no document says in which form a provider's token goes on to another provider")
        ),
        ("TechnicalProfile/IncludeInSso", .inert("UseTechnicalProfileForSessionManagement has taken its place")),
        ("TechnicalProfile/Extensions", .inert("no documented effect")),
        ("SubjectNamingInfo/@NameQualifier", saml), ("SubjectNamingInfo/@SPNameQualifier", saml),
        ("SubjectNamingInfo/@Format", saml), ("SubjectNamingInfo/@SPProvidedID", saml),
        ("SubjectNamingInfo/@ExcludeAsClaim", .inert("the named claim is issued as sub and under its own name")),
        (
            "ErrorHandlers",
            .approximated("ResponseMatch of the form $[?(@.name == 'value')]; Action Reauthenticate and InvalidClient")
        ),
        ("UserJourney/AssuranceLevel", assurance),
        ("PreserveOriginalAssertion", .inert("the provider's own token is not kept as a claim")),
        ("ClaimsExchanges/@UserIdentity", .inert("no documented effect")),
        ("UserJourney/CryptographicKeys", .inert("keys of issuers are those of their profiles")),
        ("AzureApplicationInsights", telemetry), ("JourneyInsights", telemetry),
        ("OnError", .inert("an error goes where its code says; DisplayInService is reported when linked")),
        ("ClientDefinition", .inert("no documented effect on pages")),
        ("ClientUIFilterFlags", .inert("no documented effect on pages")), ("From", .inert("no documented effect")),
    ]

    /// Every element of the grammar, and every attribute that is not simulated in full.
    static let elements: [Feature] = {
        var features: [Feature] = []
        for path in PolicyGrammar.elementNames {
            let short = path.name
            let long = "\(path.parent)/\(path.name)"
            let known = exceptions.first { $0.name == long } ?? exceptions.first { $0.name == short }
            let feature = Feature(.element, known?.name ?? short, known?.extent ?? .simulated)
            if !features.contains(where: { $0.name == feature.name }) { features.append(feature) }
        }
        for item in exceptions where item.name.contains("/@") {
            features.append(Feature(.element, item.name, item.extent))
        }
        return features
    }()

    /// The line of an element under its parent.
    package static func element(_ name: String, in parent: String) -> Feature? {
        feature(.element, "\(parent)/\(name)") ?? feature(.element, name)
    }

    /// Exceptions that name nothing in the grammar; the tests want none.
    public static var strayElements: [String] {
        exceptions.map(\.name).filter { name in
            let parts = name.split(separator: "/")
            if let last = parts.last, last.hasPrefix("@") {
                return !PolicyGrammar.attributeNames.contains {
                    $0.parent == parts[0] && $0.name == last.dropFirst()
                }
            }
            return !PolicyGrammar.elementNames.contains { path in
                parts.count == 1 ? path.name == name : path.parent == parts[0] && path.name == parts[1]
            }
        }
    }
}

extension PolicyGrammar {
    /// Elements with their parents, outermost first, without repeats.
    static let elementNames: [(parent: String, name: String)] = {
        var names: [(parent: String, name: String)] = [("", "TrustFrameworkPolicy")]
        walk { element, rule in
            for child in rule.children where !names.contains(where: { $0.parent == element && $0.name == child.name }) {
                names.append((element, child.name))
            }
        }
        return names
    }()

    static let attributeNames: [(parent: String, name: String)] = {
        var names: [(parent: String, name: String)] = []
        walk { element, rule in
            for attribute in rule.attributes { names.append((element, attribute.name)) }
        }
        return names
    }()

    /// Visits every rule of the grammar, breadth first.
    private static func walk(_ visit: (String, ElementRule) -> Void) {
        var pending: [(String, ElementRule)] = [("TrustFrameworkPolicy", policy)]
        var place = 0
        while place < pending.count {
            let (element, rule) = pending[place]
            place += 1
            visit(element, rule)
            for child in rule.children { pending.append((child.name, child.rule)) }
        }
    }
}
