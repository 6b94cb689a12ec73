import Diagnostics

extension PolicyDecoder {
    static func claimsProvider(_ element: ElementCursor) -> ClaimsProviderElement {
        var provider = ClaimsProviderElement(location: element.location)
        provider.domains = domains(element)
        provider.displayName = element.text("DisplayName")
        provider.technicalProfiles = element.items("TechnicalProfiles", "TechnicalProfile").map(technicalProfile)
        return provider
    }

    private static func domains(_ element: ElementCursor) -> [String] {
        (element.items("Domains", "Domain").map(\.text) + [element.text("Domain") ?? ""]).filter { !$0.isEmpty }
    }

    static func technicalProfile(_ item: ElementCursor) -> TechnicalProfileElement {
        var profile = TechnicalProfileElement(id: item.required("Id"), location: item.location)
        profile.domains = domains(item)
        profile.displayName = item.text("DisplayName")
        profile.description = item.text("Description")
        profile.protocol = item.child("Protocol").flatMap { element in
            element.word("Name").map {
                ProtocolElement(name: $0, handler: element.attribute("Handler"), location: element.location)
            }
        }
        profile.inputTokenFormat = item.wordOfText("InputTokenFormat")
        profile.outputTokenFormat = item.wordOfText("OutputTokenFormat")
        profile.metadata = metadata(item.child("Metadata"))
        profile.cryptographicKeys = item.items("CryptographicKeys", "Key").map {
            CryptographicKeyElement(
                id: $0.required("Id"), storageReferenceID: $0.required("StorageReferenceId"),
                location: $0.location(of: "StorageReferenceId"))
        }
        profile.includeInSso = item.text("IncludeInSso").map(isTrue)
        profile.inputTransformations = references(item, "InputClaimsTransformations", "InputClaimsTransformation")
        profile.inputClaims = item.items("InputClaims", "InputClaim").map(claimReference)
        profile.displayClaims = item.items("DisplayClaims", "DisplayClaim").map(displayClaim)
        profile.persistedClaims = item.items("PersistedClaims", "PersistedClaim").map(claimReference)
        profile.outputClaims = item.items("OutputClaims", "OutputClaim").map(claimReference)
        profile.outputTransformations = references(item, "OutputClaimsTransformations", "OutputClaimsTransformation")
        profile.validationProfiles = item.items("ValidationTechnicalProfiles", "ValidationTechnicalProfile").map {
            validationProfile($0, reference: "ReferenceId")
        }
        profile.subjectNaming = item.child("SubjectNamingInfo").map {
            SubjectNamingInfoElement(
                claimType: $0.required("ClaimType"), nameQualifier: $0.attribute("NameQualifier"),
                spNameQualifier: $0.attribute("SPNameQualifier"), format: $0.attribute("Format"),
                spProvidedID: $0.attribute("SPProvidedID"), excludeAsClaim: $0.bool("ExcludeAsClaim"),
                location: $0.location(of: "ClaimType"))
        }
        profile.includesClaimsFrom = item.child("IncludeClaimsFromTechnicalProfile").map {
            ReferenceElement(id: $0.text, location: $0.location)
        }
        profile.includes = item.child("IncludeTechnicalProfile")?.reference("ReferenceId")
        profile.sessionProfile = item.child("UseTechnicalProfileForSessionManagement")?.reference("ReferenceId")
        profile.errorHandlers = item.items("ErrorHandlers", "ErrorHandler").map {
            ErrorHandlerElement(
                errorResponseFormat: $0.text("ErrorResponseFormat"), responseMatch: $0.text("ResponseMatch"),
                action: $0.text("Action"),
                additionalRequestParameters: metadata($0, item: "AdditionalRequestParameters"), location: $0.location)
        }
        profile.enabledForUserJourneys = item.wordOfText("EnabledForUserJourneys")
        profile.authenticationRequirements = item.child("SubjectAuthenticationRequirements").map {
            AuthenticationRequirementsElement(
                timeToLive: Int(trimmed($0.required("TimeToLive"))) ?? 0,
                resetExpiryWhenTokenIssued: $0.bool("ResetExpiryWhenTokenIssued") ?? false)
        }
        profile.inert = item.inert([
            "AssuranceLevelOfOutputClaims", "RequiredAssuranceLevelsOfInputClaims", "Suppressions", "PreferredBinding",
            "InputTokenSources", "Extensions",
        ])
        return profile
    }

    static func displayClaim(_ item: ElementCursor) -> DisplayClaimElement {
        let place = item.attribute("ClaimTypeReferenceId") == nil ? "DisplayControlReferenceId" : "ClaimTypeReferenceId"
        return DisplayClaimElement(
            claim: item.attribute("ClaimTypeReferenceId"), displayControl: item.attribute("DisplayControlReferenceId"),
            controlClaimType: item.attribute("ControlClaimType"), required: item.bool("Required"),
            location: item.location(of: place))
    }

    static func validationProfile(_ item: ElementCursor, reference: String) -> ValidationProfileElement {
        ValidationProfileElement(
            profile: item.required(reference), continueOnError: item.bool("ContinueOnError"),
            continueOnSuccess: item.bool("ContinueOnSuccess"), preconditions: preconditions(item),
            location: item.location(of: reference))
    }
}
