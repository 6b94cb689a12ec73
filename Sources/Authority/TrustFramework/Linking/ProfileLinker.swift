import Diagnostics

enum ProfileLinker {
    static func link(
        _ profiles: [ResolvedInclude], personality: Personality, into tables: inout PolicyTables,
        _ context: inout LinkContext
    ) {
        tables.profiles.reserveCapacity(profiles.count)
        for (place, item) in profiles.enumerated() {
            tables.profiles.append(
                profile(item, ProfileHandle(index: Int32(clamping: place)), personality: personality, &context))
        }
    }

    private static func profile(
        _ item: ResolvedInclude, _ handle: ProfileHandle, personality: Personality, _ context: inout LinkContext
    ) -> TechnicalProfile {
        let element = item.profile
        let handler = self.handler(element, personality: personality, &context)
        let metadata = Metadata(element.metadata)
        let name = element.protocol?.name ?? ProtocolName.none
        var definition: ContentDefinitionHandle?
        if let id = metadata["ContentDefinitionReferenceId"] {
            definition = context.contentDefinition(
                id, at: metadata.location(of: "ContentDefinitionReferenceId") ?? element.location)
        }
        var shown: [DisplayClaim] = []
        for claim in element.displayClaims {
            if let id = claim.claim, claim.displayControl == nil {
                guard let handle = context.claimType(id, at: claim.location) else { continue }
                shown.append(
                    DisplayClaim(target: .claim(handle), required: claim.required ?? false, location: claim.location))
            } else if let id = claim.displayControl, claim.claim == nil {
                guard let handle = context.displayControl(id, at: claim.location) else { continue }
                shown.append(
                    DisplayClaim(target: .control(handle), required: claim.required ?? false, location: claim.location))
            } else {
                context.report(
                    "B2C-POL-002",
                    "a DisplayClaim names exactly one of ClaimTypeReferenceId and DisplayControlReferenceId",
                    at: claim.location)
            }
        }
        return TechnicalProfile(
            handle: handle, id: element.id,
            domains: element.domains.isEmpty ? item.provider.domains : element.domains,
            providerName: item.provider.displayName, displayName: element.displayName, handler: handler,
            protocolName: name, inputTokenFormat: element.inputTokenFormat,
            outputTokenFormat: element.outputTokenFormat, metadata: metadata,
            cryptographicKeys: element.cryptographicKeys, includeInSso: element.includeInSso ?? true,
            inputTransformations: transformations(element.inputTransformations, &context),
            inputClaims: claims(element.inputClaims, protocolName: name, &context), displayClaims: shown,
            persistedClaims: claims(element.persistedClaims, protocolName: name, &context),
            outputClaims: claims(element.outputClaims, protocolName: name, &context),
            outputTransformations: transformations(element.outputTransformations, &context),
            validationProfiles: validations(element.validationProfiles, &context), subjectNaming: element.subjectNaming,
            sessionProfile: element.sessionProfile.flatMap { context.profile($0.id, at: $0.location) },
            errorHandlers: element.errorHandlers, enabled: element.enabledForUserJourneys ?? .true,
            authenticationRequirements: element.authenticationRequirements,
            contentDefinition: definition, refusal: FeatureCheck.refusal(element, handler), location: element.location)
    }

    private static func handler(
        _ element: TechnicalProfileElement, personality: Personality, _ context: inout LinkContext
    ) -> ProfileHandler {
        guard let handler = ProfileHandler.of(element) else {
            context.report(
                "B2C-POL-054", "technical profile \"\(element.id)\" has no Protocol, so nothing can run it",
                at: element.location, severity: .warning)
            return .unknown("a profile without Protocol")
        }
        let place = element.protocol?.location ?? element.location
        switch handler {
        case .harness(let name) where !personality.allowsHarnessHandlers:
            context.report(
                "B2C-POL-054", "\"B2CHarness.\(name)\" is a handler of compiled user flows, not of policy files",
                at: place)
        case .unknown(let name):
            context.report(
                "B2C-POL-054", "handler \"\(name)\" of \"\(element.id)\" is not simulated",
                remedy: "A journey that runs the profile fails there.", at: place, severity: .warning)
        default: break
        }
        return handler
    }

    static func transformations(
        _ references: [ReferenceElement], _ context: inout LinkContext
    ) -> [TransformationHandle] {
        var handles: [TransformationHandle] = []
        for reference in references {
            if let handle = context.transformation(reference.id, at: reference.location) { handles.append(handle) }
        }
        return handles
    }

    static func claims(
        _ references: [ClaimReferenceElement], protocolName: ProtocolName?, _ context: inout LinkContext
    ) -> [ProfileClaim] {
        var claims: [ProfileClaim] = []
        claims.reserveCapacity(references.count)
        for reference in references {
            guard let handle = context.claimType(reference.claim, at: reference.location) else { continue }
            let type = context.document.buildingBlocks.claimTypes[Int(handle.index)]
            let partner = reference.partnerClaimType.flatMap { $0.isEmpty ? nil : $0 }
            claims.append(
                ProfileClaim(
                    claim: handle, partnerName: partner,
                    wireName: partner ?? standardName(type, protocolName) ?? type.id,
                    required: reference.required ?? false, defaultValue: reference.defaultValue,
                    alwaysUseDefaultValue: reference.alwaysUseDefaultValue ?? false,
                    overwriteIfExists: reference.overwriteIfExists ?? true, location: reference.location))
        }
        return claims
    }

    /// `DefaultPartnerClaimTypes` of the claim, for protocols whose messages leave the service.
    private static func standardName(_ type: ClaimTypeElement, _ name: ProtocolName?) -> String? {
        switch name {
        case .openIdConnect?, .oauth2?, .oauth1?, .saml2?:
            type.defaultPartnerClaimTypes.first { $0.protocolName == name }?.partnerClaimType
        default: nil
        }
    }

    static func validations(
        _ elements: [ValidationProfileElement], _ context: inout LinkContext
    ) -> [ValidationProfile] {
        var profiles: [ValidationProfile] = []
        for element in elements {
            guard let handle = context.profile(element.profile, at: element.location) else { continue }
            profiles.append(
                ValidationProfile(
                    profile: handle, continueOnError: element.continueOnError ?? false,
                    continueOnSuccess: element.continueOnSuccess ?? true,
                    preconditions: preconditions(element.preconditions, &context), location: element.location))
        }
        return profiles
    }

    static func preconditions(
        _ elements: [PreconditionElement], _ context: inout LinkContext
    ) -> [Precondition] {
        var conditions: [Precondition] = []
        for element in elements {
            let names = element.type == .claimsExist ? element.values : Array(element.values.prefix(1))
            let wanted = element.type == .claimEquals ? 2 : 1
            if element.type == .claimEquals ? element.values.count != wanted : element.values.isEmpty {
                context.report(
                    "B2C-POL-035",
                    "a \(element.type.rawValue) precondition has \(element.values.count) values; it needs \(wanted)",
                    at: element.location)
                continue
            }
            var claims: [ClaimTypeHandle] = []
            for (place, name) in names.enumerated() {
                if let handle = context.claimType(name, at: element.place(ofValue: place)) { claims.append(handle) }
            }
            guard claims.count == names.count else { continue }
            conditions.append(
                Precondition(
                    type: element.type, executeActionsIf: element.executeActionsIf, claims: claims,
                    value: element.type == .claimEquals ? element.values[1] : nil,
                    literal: element.type == .claimEquals ? element.literal ?? element.values[1] : nil,
                    location: element.location))
        }
        return conditions
    }
}
