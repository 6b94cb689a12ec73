import Diagnostics

/// Turns a tree that has passed the grammar into a document. The grammar reports what is wrong; this never does.
enum PolicyDecoder {
    static func document(_ root: ElementCursor) -> PolicyDocument {
        var document = PolicyDocument(policyID: root.required("PolicyId"), location: root.location)
        document.schemaVersion = root.attribute("PolicySchemaVersion")
        document.tenantID = root.attribute("TenantId")
        document.tenantObjectID = root.attribute("TenantObjectId")
        document.publicPolicyURI = root.attribute("PublicPolicyUri")
        document.deploymentMode = root.word("DeploymentMode")
        document.journeyRecorderEndpoint = root.attribute("UserJourneyRecorderEndpoint")
        document.stateTableName = root.attribute("StateTableName")
        let attributes = [
            "PolicySchemaVersion", "TenantId", "TenantObjectId", "PolicyId", "PublicPolicyUri", "DeploymentMode",
            "UserJourneyRecorderEndpoint",
        ]
        for name in attributes where root.attribute(name) != nil {
            document.attributePlaces[name] = root.location(of: name)
        }
        document.basePolicy = root.child("BasePolicy").map {
            BasePolicyElement(
                location: $0.child("PolicyId")?.location ?? $0.location, tenantID: $0.text("TenantId"),
                policyID: $0.text("PolicyId") ?? "", tenantLocation: $0.child("TenantId")?.location)
        }
        document.inert = root.inert(["PolicyConstraints", "Contacts", "DocumentReferences"])
        if let blocks = root.child("BuildingBlocks") { document.buildingBlocks = buildingBlocks(blocks) }
        document.claimsProviders = root.items("ClaimsProviders", "ClaimsProvider").map(claimsProvider)
        document.userJourneys = root.items("UserJourneys", "UserJourney").map(journey)
        document.subJourneys = root.items("SubJourneys", "SubJourney").map(journey)
        document.relyingParty = root.child("RelyingParty").map(relyingParty)
        return document
    }

    static func metadata(_ list: ElementCursor?, key: String = "Key", item: String = "Item") -> [MetadataItem] {
        list?.children(item).map {
            MetadataItem(key: $0.required(key), value: $0.text, location: $0.location)
        } ?? []
    }

    static func references(_ element: ElementCursor, _ list: String, _ item: String) -> [ReferenceElement] {
        element.items(list, item).compactMap { $0.reference("ReferenceId") }
    }

    static func preconditions(_ element: ElementCursor) -> [PreconditionElement] {
        element.items("Preconditions", "Precondition").compactMap { item in
            guard let type: PreconditionType = item.word("Type") else { return nil }
            let values = item.children("Value")
            return PreconditionElement(
                type: type, executeActionsIf: item.bool("ExecuteActionsIf") ?? false, values: values.map(\.text),
                literal: values.count == 2 ? values[1].untrimmedText : nil,
                actions: item.children("Action").compactMap { PreconditionAction(rawValue: $0.text) },
                location: item.location,
                actionLocations: item.children("Action").filter { PreconditionAction(rawValue: $0.text) != nil }
                    .map(\.location), valueLocations: item.children("Value").map(\.location))
        }
    }

    static func claimReference(_ item: ElementCursor) -> ClaimReferenceElement {
        ClaimReferenceElement(
            claim: item.required("ClaimTypeReferenceId"), partnerClaimType: item.attribute("PartnerClaimType"),
            required: item.bool("Required"), defaultValue: item.attribute("DefaultValue"),
            alwaysUseDefaultValue: item.bool("AlwaysUseDefaultValue"),
            overwriteIfExists: item.bool("OverwriteIfExists"),
            location: item.location(of: "ClaimTypeReferenceId"))
    }
}
