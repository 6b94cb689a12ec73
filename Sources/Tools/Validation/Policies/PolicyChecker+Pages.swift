import Diagnostics
import TrustFramework

/// Page type and layout version of a `DataUri`, such as `urn:com:microsoft:aad:b2c:elements:contract:selfasserted:2.1.7`.
struct PageVersion {
    let type: String
    let version: [Int]
    let isContract: Bool

    /// `2.1.7`.
    var text: String { version.map(String.init).joined(separator: ".") }

    /// `nil` where the text has another form.
    init?(_ uri: String) {
        let parts = uri.lowercased().split(separator: ":").map(String.init)
        guard parts.count >= 4, parts[0] == "urn", let last = parts.last else { return nil }
        let numbers = last.split(separator: ".").map { Int($0) }
        guard numbers.count == 3, !numbers.contains(nil) else { return nil }
        type = parts[parts.count - 2]
        version = numbers.compactMap { $0 }
        isContract = parts.contains("contract")
    }
}

/// The texts of a page in one language.
private struct PageLanguage {
    struct Text {
        /// What it stands for, letter case aside.
        let key: String
        /// As findings name it.
        let name: String
        let language: String
        let location: SourceLocation
        /// It is an element of a claim, not of localized resources.
        var isOfClaim = false

        init(_ type: String, _ parts: [String], language: String, location: SourceLocation) {
            key = ([type] + parts).joined(separator: "\u{0}").lowercased()
            name = parts.joined(separator: " of ")
            self.language = language
            self.location = location
        }

        /// The name of a claim's field.
        init(nameOf claim: String, language: String, location: SourceLocation) {
            self.init(PageLanguage.claimType, ["DisplayName", claim], language: language, location: location)
            isOfClaim = true
        }
    }

    private static let claimType = "ClaimType"

    let name: String
    let resources: LocalizedResourcesElement
    let texts: [Text]
    let keys: Set<String>
    /// Whether fields have names in it.
    let namesClaims: Bool

    init(name: String, resources: LocalizedResourcesElement) {
        self.name = name
        self.resources = resources
        let strings = resources.strings.map { string in
            Text(
                string.elementType, [string.stringID, string.elementID].compactMap(\.self), language: name,
                location: string.location)
        }
        let choices = resources.collections.map { list in
            Text(
                list.elementType, [list.targetCollection, list.elementID], language: name, location: list.location)
        }
        namesClaims = resources.strings.contains {
            sameID($0.elementType, Self.claimType) && sameID($0.stringID ?? "", "DisplayName")
        }
        texts = strings + choices
        keys = Set(texts.map(\.key))
    }

    /// Whether a page in a language has these texts: those of the language, or of its parent, as `es` for `es-mx`.
    func serves(_ language: String) -> Bool { language == name || language.hasPrefix(name + "-") }
}

extension PolicyChecker {
    /// Latest versions of page layouts that are known (Microsoft docs: page-layout).
    private static let layouts: [String: [Int]] = [
        "selfasserted": [2, 1, 99], "unifiedssp": [2, 1, 99], "unifiedssd": [1, 2, 99], "multifactor": [1, 2, 99],
        "providerselection": [1, 2, 99], "idpselection": [1, 2, 99], "globalexception": [1, 2, 99],
        "claimsconsent": [1, 2, 99], "phonefactor": [1, 2, 99],
    ]

    private static let layoutNames = [
        "selfasserted", "unifiedssp", "unifiedssd", "multifactor", "providerselection", "idpselection",
        "globalexception",
    ]

    /// A content definition (B2C-POL-074, B2C-POL-089; Microsoft docs: contentdefinitions).
    mutating func check(_ definition: ContentDefinitionElement) {
        let missing = [("LoadUri", definition.loadURI), ("DataUri", definition.dataURI)]
            .filter { ($0.1 ?? "").isEmpty }.map(\.0)
        guard missing.isEmpty else {
            // What only adds texts to a page has neither; with one of the two the page is drawn in an old layout.
            if missing == ["DataUri"] {
                return report(
                    "B2C-POL-074", "the page of \(definition.id) has a LoadUri and no DataUri",
                    remedy: "Add the page layout it was made for.", at: definition.location)
            }
            let names = document.buildingBlocks.contentDefinitions.filter { $0.loadURI != nil }.map(\.id)
            return report(
                "B2C-POL-089", "no file says what \(namesList(missing)) the content definition \(definition.id) has",
                remedy: didYouMean(nearestName(definition.id, among: names)) ?? "Add it, or fix the Id.",
                at: definition.location)
        }
        guard let uri = definition.dataURI, !isFilledLater(uri), uri.lowercased().hasPrefix("urn:") else { return }
        let place = definition.dataURILocation ?? definition.location
        guard let page = PageVersion(uri) else {
            return report(
                "B2C-POL-074", "the DataUri of \(definition.id) does not end in a page type and a version: \"\(uri)\"",
                remedy: "Write urn:com:microsoft:aad:b2c:elements:contract:NAME:1.2.3.", at: place)
        }
        guard let latest = Self.layouts[page.type] else {
            let near = Self.layoutNames.first { isSlip(page.type, of: $0) }
            return report(
                "B2C-POL-074", "there is no page layout \"\(page.type)\" (\(definition.id))",
                remedy: didYouMean(near) ?? "Known are \(namesList(Self.layoutNames)).", at: place,
                severity: near == nil ? .warning : .error)
        }
        if !page.isContract, page.version.first ?? 0 >= 2 {
            // Microsoft's own article about display controls writes selfasserted:2.1.0 without it.
            report(
                "B2C-POL-074", "version \(page.text) of \(page.type) is known only with contract: (\(definition.id))",
                remedy: "Write contract:\(page.type):\(page.text).", at: place)
        } else if latest.lexicographicallyPrecedes(page.version) {
            report(
                "B2C-POL-074", "no version \(page.text) of \(page.type) is known (\(definition.id))",
                remedy: "See the list of page layouts.", at: place)
        }
    }

    /// The client definition that a journey names (B2C-POL-024).
    mutating func clientDefinition(of journey: JourneyElement) {
        guard let reference = journey.clientDefinition else { return }
        let ids = document.buildingBlocks.clientDefinitions.map(\.id)
        if ids.contains(where: { sameID($0, reference.id) }) { return }
        report(
            "B2C-POL-024", "there is no client definition \"\(reference.id)\" in this policy or its parents",
            remedy: didYouMean(nearestName(reference.id, among: ids), quoted: true) ?? "Declare it.",
            at: reference.location)
    }

    /// The languages that the policy supports (B2C-POL-076).
    mutating func languages() {
        guard let localization = document.buildingBlocks.localization, localization.enabled != false,
            let supported = localization.supportedLanguages
        else { return }
        let translated = Set(
            document.buildingBlocks.contentDefinitions.flatMap {
                $0.localizedResources.map { $0.language.lowercased() }
            })
        for language in supported.languages where !translated.isEmpty && !translated.contains(language.lowercased()) {
            report(
                "B2C-POL-076", "the language \(language) is supported, and no page has texts in it",
                remedy: "Add LocalizedResources, or take it out.", at: supported.location)
        }
        if let standard = supported.defaultLanguage, !supported.languages.isEmpty,
            !supported.languages.contains(where: { sameID($0, standard) })
        {
            report(
                "B2C-POL-076", "the DefaultLanguage \(standard) is not among the supported languages",
                at: supported.location)
        }
        textsOfLanguages(supported)
    }

    /// Texts that a page has in one of its languages and lacks in another: one finding for each text, and one for all where
    /// a language lacks many.
    private mutating func textsOfLanguages(_ supported: SupportedLanguagesElement) {
        let offered = Set((supported.languages + [supported.defaultLanguage ?? "en"]).map { $0.lowercased() })
        let resources = Dictionary(
            (document.buildingBlocks.localization?.resources ?? []).map { ($0.id.uppercased(), $0) },
            uniquingKeysWith: { first, _ in first })
        var seen: Set<[String]> = []
        // Many pages refer to the same resources.
        var known: [[String]: PageLanguage] = [:]
        for page in document.buildingBlocks.contentDefinitions {
            let languages = page.localizedResources.compactMap { reference -> PageLanguage? in
                let name = reference.language.lowercased()
                guard offered.contains(name), let texts = resources[reference.resources?.uppercased() ?? ""] else {
                    return nil
                }
                let key = [name, texts.id]
                if let language = known[key] { return language }
                let language = PageLanguage(name: name, resources: texts)
                known[key] = language
                return language
            }
            var groups: [(lacking: [PageLanguage], texts: [PageLanguage.Text])] = []
            let fields = fields(of: page.id, language: supported.defaultLanguage?.lowercased() ?? "en")
            for text in languages.flatMap(\.texts) + fields {
                let lacking = languages.filter { language in
                    !languages.contains { $0.serves(language.name) && $0.keys.contains(text.key) }
                        // What a claim says of itself is good for the default language, and where no claim is translated.
                        && !(text.isOfClaim && (language.serves(text.language) || !language.namesClaims))
                }
                let isNew = !lacking.isEmpty && seen.insert(lacking.map(\.resources.id) + [text.key]).inserted
                guard isNew else { continue }
                if let place = groups.firstIndex(where: { $0.lacking.map(\.name) == lacking.map(\.name) }) {
                    groups[place].texts.append(text)
                } else {
                    groups.append((lacking, [text]))
                }
            }
            for group in groups { absent(group.texts, from: group.lacking, on: page.id) }
        }
    }

    /// The names of the fields on the pages of a content definition, as the claims have them.
    private func fields(of page: String, language: String) -> [PageLanguage.Text] {
        var all: [PageLanguage.Text] = []
        for profile in draft.profiles where sameID(profile.text("ContentDefinitionReferenceId") ?? "", page) {
            let written = profile.element.validationProfiles.flatMap {
                draft.profile($0.profile)?.element.outputClaims.map { $0.claim.uppercased() } ?? []
            }
            let shown =
                profile.element.displayClaims.isEmpty
                ? profile.element.outputClaims.map(\.claim).filter { !written.contains($0.uppercased()) }
                : profile.element.displayClaims.compactMap(\.claim)
            for type in shown.compactMap(claimType) where type.userInputType != nil && type.displayName != nil {
                all.append(PageLanguage.Text(nameOf: type.id, language: language, location: type.location))
            }
        }
        return all
    }

    private mutating func absent(_ texts: [PageLanguage.Text], from lacking: [PageLanguage], on page: String) {
        let isMany = texts.count > 3
        for text in isMany ? Array(texts.prefix(1)) : texts {
            let what = isMany ? "the texts \(namesList(texts.map(\.name), limit: 3))" : "the text \(text.name)"
            report(
                "B2C-POL-076",
                "\(page) lacks \(what) in \(namesList(lacking.map(\.name))), which it has in \(text.language)",
                remedy: "Add it to \(namesList(lacking.map(\.resources.id), limit: 4)).",
                at: lacking.count == 1 ? lacking[0].resources.location : text.location)
        }
    }

    /// A display control (B2C-POL-094).
    mutating func check(_ control: DisplayControlElement) {
        if control.type == .verification {
            let codes = control.displayClaims.filter { sameID($0.controlClaimType ?? "", "VerificationCode") }
            if codes.count != 1 {
                report(
                    "B2C-POL-094", "\(control.id) has \(codes.count) claims for the verification code",
                    remedy: "Give one DisplayClaim ControlClaimType=\"VerificationCode\".", at: control.location)
            }
            let names = ["SendCode", "VerifyCode"]
            for name in names where !control.actions.contains(where: { sameID($0.id, name) }) {
                let near = control.actions.first { action in
                    !names.contains { sameID($0, action.id) } && nearestName(action.id, among: [name]) != nil
                }
                reportMissing(
                    name, "B2C-POL-094", message: "\(control.id) has no action \(name)",
                    writtenAs: near.map { ($0.id, $0.location) }, remedy: "Add it.", at: control.location)
            }
        }
        if control.type == .captcha {
            for name in ["GetChallenge", "VerifyChallenge"]
            where !control.actions.contains(where: { sameID($0.id, name) }) {
                report(
                    "B2C-POL-094", "\(control.id) has no action \(name)", remedy: "Add it.", at: control.location)
            }
            for part in ["ChallengeId", "CaptchaEntered"]
            where !control.displayClaims.contains(where: { sameID($0.controlClaimType ?? "", part) }) {
                report(
                    "B2C-POL-094", "\(control.id) has no claim with ControlClaimType \(part)",
                    remedy: "Give one DisplayClaim ControlClaimType=\"\(part)\".", at: control.location)
            }
        }
        let kinds = [
            "Email", "Phone", "CountryCode", "VerificationCode", "QrCodeContent", "ChallengeType", "ChallengeId",
            "ChallengeString", "CaptchaEntered",
        ]
        for claim in control.displayClaims {
            guard let kind = claim.controlClaimType, !kinds.contains(where: { sameID($0, kind) }),
                let near = nearestName(kind, among: kinds)
            else { continue }
            report(
                "B2C-POL-094", "ControlClaimType is \"\(kind)\"", remedy: didYouMean(near),
                at: claim.location, corrected: near)
        }
    }
}
