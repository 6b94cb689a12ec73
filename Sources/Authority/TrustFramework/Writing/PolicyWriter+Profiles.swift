import Diagnostics

extension PolicyWriter {
    static func claimsProvider(_ out: inout XMLText, _ provider: ClaimsProviderElement) {
        out.element("ClaimsProvider") { out in
            domains(provider.domains, &out)
            out.leaf("DisplayName", provider.displayName)
            out.element("TechnicalProfiles") { out in
                for profile in provider.technicalProfiles { technicalProfile(profile, &out) }
            }
        }
    }

    private static func domains(_ domains: [String], _ out: inout XMLText) {
        if domains.count == 1 {
            out.leaf("Domain", domains[0])
        } else {
            out.list("Domains", domains) { $0.leaf("Domain", $1) }
        }
    }

    static func technicalProfile(_ profile: TechnicalProfileElement, _ out: inout XMLText) {
        if let handler = profile.protocol?.handler, handler.hasPrefix(ProfileHandler.harnessPrefix) {
            out.comment("\(handler) is not a handler of the service: this part cannot be uploaded")
        }
        out.element("TechnicalProfile", [("Id", profile.id)]) { out in
            header(profile, &out)
            flow(profile, &out)
            footer(profile, &out)
        }
    }

    private static func header(_ profile: TechnicalProfileElement, _ out: inout XMLText) {
        domains(profile.domains, &out)
        out.leaf("DisplayName", profile.displayName)
        out.leaf("Description", profile.description)
        if let element = profile.protocol {
            out.empty("Protocol", [("Name", element.name.rawValue), ("Handler", element.handler)])
        }
        out.leaf("InputTokenFormat", profile.inputTokenFormat?.rawValue)
        out.leaf("OutputTokenFormat", profile.outputTokenFormat?.rawValue)
        inert(profile, ["AssuranceLevelOfOutputClaims", "RequiredAssuranceLevelsOfInputClaims"], &out)
        if let requirements = profile.authenticationRequirements {
            out.empty(
                "SubjectAuthenticationRequirements",
                [
                    ("TimeToLive", String(requirements.timeToLive)),
                    ("ResetExpiryWhenTokenIssued", requirements.resetExpiryWhenTokenIssued ? "true" : nil),
                ])
        }
        items("Metadata", profile.metadata, &out)
        out.list("CryptographicKeys", profile.cryptographicKeys) { out, key in
            out.empty("Key", [("Id", key.id), ("StorageReferenceId", key.storageReferenceID)])
        }
        inert(profile, ["Suppressions"], &out)
        inert(profile, ["PreferredBinding"], &out)
        out.leaf("IncludeInSso", profile.includeInSso?.xml)
        inert(profile, ["InputTokenSources"], &out)
    }

    private static func flow(_ profile: TechnicalProfileElement, _ out: inout XMLText) {
        references(
            profile.inputTransformations, in: "InputClaimsTransformations", as: "InputClaimsTransformation", to: &out)
        claims(profile.inputClaims, in: "InputClaims", as: "InputClaim", to: &out)
        displayClaims(profile.displayClaims, &out)
        claims(profile.persistedClaims, in: "PersistedClaims", as: "PersistedClaim", to: &out)
        claims(profile.outputClaims, in: "OutputClaims", as: "OutputClaim", to: &out)
        references(
            profile.outputTransformations, in: "OutputClaimsTransformations", as: "OutputClaimsTransformation", to: &out
        )
        validations(
            profile.validationProfiles, in: "ValidationTechnicalProfiles", as: "ValidationTechnicalProfile",
            attribute: "ReferenceId", to: &out
        )
    }

    private static func footer(_ profile: TechnicalProfileElement, _ out: inout XMLText) {
        if let naming = profile.subjectNaming {
            out.empty(
                "SubjectNamingInfo",
                [
                    ("ClaimType", naming.claimType), ("NameQualifier", naming.nameQualifier),
                    ("SPNameQualifier", naming.spNameQualifier), ("Format", naming.format),
                    ("SPProvidedID", naming.spProvidedID), ("ExcludeAsClaim", naming.excludeAsClaim?.xml),
                ])
        }
        inert(profile, ["Extensions"], &out)
        out.leaf("IncludeClaimsFromTechnicalProfile", profile.includesClaimsFrom?.id)
        if let id = profile.includes?.id { out.empty("IncludeTechnicalProfile", [("ReferenceId", id)]) }
        if let id = profile.sessionProfile?.id {
            out.empty("UseTechnicalProfileForSessionManagement", [("ReferenceId", id)])
        }
        out.list("ErrorHandlers", profile.errorHandlers) { out, handler in
            out.element("ErrorHandler") { out in
                out.leaf("ErrorResponseFormat", handler.errorResponseFormat)
                out.leaf("ResponseMatch", handler.responseMatch)
                out.leaf("Action", handler.action)
                for item in handler.additionalRequestParameters {
                    out.leaf("AdditionalRequestParameters", [("Key", item.key)], item.value)
                }
            }
        }
        out.leaf("EnabledForUserJourneys", profile.enabledForUserJourneys?.rawValue)
    }

    private static func inert(_ profile: TechnicalProfileElement, _ names: [String], _ out: inout XMLText) {
        inert(profile.inert.filter { names.contains($0.key) }, &out)
    }
}
