import Diagnostics

/// Writes documents as policy files.
public enum PolicyWriter {
    /// A document as the text of a policy file. Reading it gives the same document, places aside.
    ///
    /// Profiles with a handler of ours get a comment that says so: the service does not know it.
    public static func xml(_ document: PolicyDocument) -> String {
        var out = XMLText()
        out.line("<?xml version=\"1.0\" encoding=\"utf-8\"?>")
        out.element(
            "TrustFrameworkPolicy",
            [
                ("xmlns", PolicyReader.namespace), ("PolicySchemaVersion", document.schemaVersion ?? "0.3.0.0"),
                ("TenantId", document.tenantID), ("TenantObjectId", document.tenantObjectID),
                ("PolicyId", document.policyID), ("PublicPolicyUri", document.publicPolicyURI),
                ("StateTableName", document.stateTableName), ("DeploymentMode", document.deploymentMode?.rawValue),
                ("UserJourneyRecorderEndpoint", document.journeyRecorderEndpoint),
            ]
        ) { out in
            if let base = document.basePolicy {
                out.element("BasePolicy") { out in
                    out.leaf("TenantId", base.tenantID)
                    out.leaf("PolicyId", base.policyID)
                }
            }
            inert(document.inert, &out)
            buildingBlocks(document.buildingBlocks, &out)
            out.list("ClaimsProviders", document.claimsProviders, claimsProvider)
            out.list("UserJourneys", document.userJourneys, journey)
            out.list("SubJourneys", document.subJourneys, journey)
            if let party = document.relyingParty { relyingParty(party, &out) }
        }
        return out.text
    }

    static func inert(_ items: [MetadataItem], _ out: inout XMLText) {
        for item in items { out.line(item.value) }
    }

    static func items(
        _ list: String, _ items: [MetadataItem], key: String = "Key", item name: String = "Item", _ out: inout XMLText
    ) {
        out.list(list, items) { out, item in out.leaf(name, [(key, item.key)], item.value) }
    }

    static func references(_ references: [ReferenceElement], in list: String, as item: String, to out: inout XMLText) {
        out.list(list, references) { out, reference in out.empty(item, [("ReferenceId", reference.id)]) }
    }

    static func claims(_ claims: [ClaimReferenceElement], in list: String, as item: String, to out: inout XMLText) {
        out.list(list, claims) { out, claim in
            out.empty(
                item,
                [
                    ("ClaimTypeReferenceId", claim.claim), ("PartnerClaimType", claim.partnerClaimType),
                    ("Required", claim.required?.xml), ("DefaultValue", claim.defaultValue),
                    ("AlwaysUseDefaultValue", claim.alwaysUseDefaultValue?.xml),
                    ("OverwriteIfExists", claim.overwriteIfExists?.xml),
                ])
        }
    }

    static func displayClaims(_ claims: [DisplayClaimElement], _ out: inout XMLText) {
        out.list("DisplayClaims", claims) { out, claim in
            out.empty(
                "DisplayClaim",
                [
                    ("ClaimTypeReferenceId", claim.claim), ("DisplayControlReferenceId", claim.displayControl),
                    ("ControlClaimType", claim.controlClaimType), ("Required", claim.required?.xml),
                ])
        }
    }

    static func validations(
        _ profiles: [ValidationProfileElement], in list: String, as item: String, attribute: String,
        to out: inout XMLText
    ) {
        out.list(list, profiles) { out, profile in
            let attributes: XMLText.Attributes = [
                (attribute, profile.profile), ("ContinueOnSuccess", profile.continueOnSuccess?.xml),
                ("ContinueOnError", profile.continueOnError?.xml),
            ]
            if profile.preconditions.isEmpty {
                out.empty(item, attributes)
            } else {
                out.element(item, attributes) { preconditions(profile.preconditions, &$0) }
            }
        }
    }

    static func preconditions(_ conditions: [PreconditionElement], _ out: inout XMLText) {
        out.list("Preconditions", conditions) { out, condition in
            out.element(
                "Precondition",
                [("Type", condition.type.rawValue), ("ExecuteActionsIf", condition.executeActionsIf.xml)]
            ) { out in
                for value in condition.values { out.leaf("Value", value) }
                for action in condition.actions { out.leaf("Action", action.rawValue) }
            }
        }
    }
}
