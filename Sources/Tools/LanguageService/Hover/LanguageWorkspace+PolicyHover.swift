import Diagnostics
import Journeys
import Markup
import TrustFramework
import Validation

extension LanguageWorkspace {
    func policyHover(at place: TextPlace, in file: LanguageFile) -> HoverText? {
        let offset = min(max(place.offset, 0), file.source.bytes.count)
        if let symbol = symbol(at: place)?.occurrence {
            let text = policyText(of: symbol.kind, symbol.name, scope: symbol.scope, seenFrom: file.path)
            return HoverText(markdown: text, range: symbol.range)
        }
        guard let outline = file.markup, let element = outline.element(at: offset) else { return nil }
        let merged = readings.merged(file.path, in: self)
        return PolicyHover(
            site: PolicySite(element, in: outline), offset: offset, merged: merged, profiles: ProfileTable(merged)
        ).text
    }

    /// What a policy file and those around it say about a name.
    func policyText(of kind: SymbolKind, _ name: String, scope: String? = nil, seenFrom path: String) -> String {
        let chain = families.chain(path)
        let merged = readings.merged(path, in: self)
        let profiles = ProfileTable(merged)
        let title = SymbolKind.declaring.first { $0.kind == kind }?.title
        let facts = merged?.facts(kind, profiles, scope: scope)[name.uppercased()]
        var heading = "**\(title ?? (kind == .policyKey ? "Policy key" : "Setting"))** \(name.inBackticks)"
        if let facts = facts?.text, !facts.isEmpty {
            // Words with marks of Markdown in them are shown as they are.
            let words = SecretText.masked(facts) { _ in "***" }.split(separator: " ", omittingEmptySubsequences: false)
            let shown = words.map { $0.contains { "_*".contains($0) } ? String($0).inBackticks : String($0) }
            heading += ": " + shown.joined(separator: " ")
        }
        var parts = [heading]
        if kind == .setting {
            let isOfFile = PolicyEnvironments.fileSettings.contains { sameID($0, name) }
            parts.append(isOfFile ? "Its value is the name of the file." : "Its value depends on the environment.")
        }
        if kind == .policy {
            let known = (chain + files.keys.sorted()).first { families.policyID($0).map { sameID($0, name) } ?? false }
            let ids = known.map { families.chain($0).compactMap { families.policyID($0) } } ?? []
            if ids.count > 1 {
                parts.append("Inherits: " + ids.reversed().map(\.inBackticks).joined(separator: " from "))
            }
        }
        let above = declarations(of: kind, name, scope, in: chain)
        let below = declarations(of: kind, name, scope, in: families.descendants(path))
        if let text = places(above + below) {
            parts.append(text)
        } else if facts == nil, kind != .policyKey, kind != .setting, kind != .policy {
            parts.append("Nothing declares it in this file or in those that it inherits from.")
        }
        if let extent = extent(of: kind, name, merged, profiles) { parts.append(extent) }
        if let steps = merged?.steps(of: kind, name) { parts.append(steps) }
        if let merged,
            let element = MergedElement(kind, name, of: merged, declarations: above, in: self)
        {
            parts.append(element.markdown)
        }
        return parts.joined(separator: "\n\n")
    }

    private func declarations(
        of kind: SymbolKind, _ name: String, _ scope: String?, in paths: [String]
    ) -> [PlacedOccurrence] {
        paths.flatMap { path in
            (file(path)?.occurrences ?? []).filter { item in
                item.isDeclaration && item.kind == kind && sameID(item.name, name)
                    && (scope.map { sameID(item.scope ?? "", $0) } ?? true)
            }.map { PlacedOccurrence(file: path, occurrence: $0) }
        }
    }

    /// The most declarations that are named: a base may have hundreds of policies over it.
    private static let mostPlaces = 8

    private func places(_ declarations: [PlacedOccurrence]) -> String? {
        var scopes: Set<String> = []
        var (declared, changed): ([String], [String]) = ([], [])
        for declaration in declarations {
            guard let source = file(declaration.file)?.source else { continue }
            let place = source.shortPlace(of: declaration.occurrence.range.lowerBound)
            // Of each journey the first.
            if scopes.insert(declaration.occurrence.scope?.uppercased() ?? "").inserted {
                declared.append(place)
            } else {
                changed.append(place)
            }
        }
        guard !declared.isEmpty else { return nil }
        return "Declared in \(namesList(declared, limit: Self.mostPlaces))"
            + (changed.isEmpty ? "" : ", changed in \(namesList(changed, limit: Self.mostPlaces))")
    }

    /// How much of what carries out an element is simulated.
    private func extent(
        of kind: SymbolKind, _ name: String, _ merged: PolicyDocument?, _ profiles: ProfileTable
    ) -> String? {
        switch kind {
        case .technicalProfile:
            profiles.handler(name).flatMap { FeatureTable.feature(.profileKind, $0.tableName) }?.extentText
        case .claimsTransformation:
            merged?.buildingBlocks.claimsTransformations.first { sameID($0.id, name) }
                .flatMap { FeatureTable.feature(.transformation, $0.method) }?.extentText
        case .displayControl:
            merged?.buildingBlocks.displayControls.first { sameID($0.id, name) }
                .flatMap { FeatureTable.feature(.displayControl, $0.type.rawValue) }?.extentText
        default: nil
        }
    }
}

extension PolicyDocument {
    /// The steps of a journey as a numbered list; `nil` if it is not one.
    func steps(of kind: SymbolKind, _ id: String) -> String? {
        let journeys: [JourneyElement] =
            switch kind {
            case .userJourney: userJourneys
            case .subJourney: subJourneys
            default: []
            }
        let most = 40
        guard let steps = journeys.first(where: { sameID($0.id, id) })?.steps, !steps.isEmpty else { return nil }
        var lines = steps.sorted { $0.order < $1.order }.prefix(most).map { step in
            let issuer = step.issuer.map { [$0.id] } ?? []
            let called = step.exchanges.map(\.profile) + step.candidates.map(\.id) + issuer
            let names = called.isEmpty ? "" : ": " + namesList(called.map(\.inBackticks), limit: 6)
            let conditions = step.preconditions.isEmpty ? "" : " (with preconditions)"
            return "\(step.order). \(step.type?.rawValue ?? "")\(names)\(conditions)"
        }
        if steps.count > most { lines.append("\n... \(steps.count - most) more steps") }
        return lines.joined(separator: "\n")
    }
}

/// What the schema and the table of features say about a place that names nothing.
private struct PolicyHover {
    let site: PolicySite
    let offset: Int
    let merged: PolicyDocument?
    let profiles: ProfileTable

    private var outline: MarkupOutline { site.outline }

    var text: HoverText? {
        let element = outline.elements[site.element]
        if touches(element.name) { return aboutElement.map { HoverText(markdown: $0, range: element.name) } }
        for attribute in element.attributes {
            let name = outline.source.text(attribute.name)
            if touches(attribute.name) {
                return about(attribute: name).map { HoverText(markdown: $0, range: attribute.name) }
            }
            guard touches(attribute.value) else { continue }
            return aboutValue(name, attribute.value)
                ?? about(attribute: name).map { HoverText(markdown: $0, range: attribute.value) }
        }
        if let text = outline.text(site.element), touches(text.range) { return aboutValue(nil, text.range) }
        // The end tag.
        let name = (element.body.upperBound + 2)..<(element.body.upperBound + 2 + element.name.count)
        guard element.isClosed, !element.endsItself, name.upperBound <= element.end, touches(name) else { return nil }
        return aboutElement.map { HoverText(markdown: $0, range: name) }
    }

    private func touches(_ range: Range<Int>) -> Bool { range.lowerBound <= offset && offset <= range.upperBound }

    // MARK: Elements and attributes

    private var aboutElement: String? {
        guard let rule = site.rule else { return nil }
        let required = rule.attributes.filter(\.required).map { $0.name.inBackticks }
        let optional = rule.attributes.filter { !$0.required }.map { $0.name.inBackticks }
        let children = rule.children.map { $0.name.inBackticks + ($0.many ? " (any number)" : "") }
        let lists = [
            ("Required attributes", required), ("Optional attributes", optional), ("Elements in this order", children),
            ("Text", [rule.text?.allowedText].compactMap(\.self)),
        ]
        let grammar = lists.filter { !$0.1.isEmpty }.map { "- \($0.0): \($0.1.joined(separator: ", "))" }
        let extent = FeatureTable.element(site.name, in: site.parentName)?.extentText
        let isParty = ["RelyingParty", "DefaultUserJourney"].contains(site.name)
        var parts: [String?] = [
            "Element **\(site.name)**" + (site.parentName.isEmpty ? "" : " of \(site.parentName)"), extent,
            grammar.isEmpty ? nil : grammar.joined(separator: "\n"),
        ]
        if isParty, let merged, let id = merged.relyingParty?.defaultUserJourney?.id,
            let steps = merged.steps(of: .userJourney, id)
        {
            parts.append("Steps of \(id.inBackticks):\n\n\(steps)")
        }
        return parts.compactMap(\.self).joined(separator: "\n\n")
    }

    private func about(attribute name: String) -> String? {
        guard let attribute = site.rule?.attributes.first(where: { $0.name == name }) else { return nil }
        let feature = FeatureTable.feature(.element, "\(site.name)/@\(name)")
        let allowed = attribute.value.allowedText.map { ": \($0)" } ?? ""
        // The table lists attributes that are not simulated in full.
        let parts = [
            "Attribute **\(name)** of \(site.name), \(attribute.required ? "required" : "optional")\(allowed)",
            feature?.extentText ?? "**simulated**",
        ]
        return parts.joined(separator: "\n\n")
    }

    // MARK: Values

    /// - Parameter attribute: `nil`: the text of the element.
    private func aboutValue(_ attribute: String?, _ range: Range<Int>) -> HoverText? {
        if let found = resolver(in: range) { return found }
        let value = XMLEntities.unescaped(outline.source.text(range))
        let feature = site.feature(attribute, value, profiles)
        var parts: [String] = []
        if let feature {
            let owner = feature.owner.isEmpty ? "" : " of \(feature.owner)"
            let name = feature.kind == .profileKind ? feature.name : value
            parts = [name.inBackticks + owner, feature.extentText]
        }
        if let handler = site.handler(profiles), feature?.kind == .metadata {
            let words = MetadataKeys.words(of: value, in: handler)
            if !words.isEmpty { parts.append("Values: " + words.joined(separator: ", ")) }
        }
        if feature?.kind == .transformation, let signature = TransformationSignature.of(value) {
            parts.append(signature.markdown)
        }
        if let slot = slot(attribute, value) { parts.append(slot.text) }
        guard !parts.isEmpty else { return nil }
        return HoverText(markdown: parts.joined(separator: "\n\n"), range: range)
    }

    /// The claims resolver around the offset.
    private func resolver(in range: Range<Int>) -> HoverText? {
        let bytes = outline.source.bytes
        // An offset behind the closing brace belongs to it.
        let isBehind = range.contains(offset - 1) && bytes[offset - 1] == UInt8(ascii: "}")
        let isBefore = range.contains(offset) && bytes[offset] == UInt8(ascii: "{")
        let before = bytes[range.lowerBound..<min(offset, range.upperBound)].dropLast(isBehind ? 1 : 0)
        guard let start = isBefore ? offset : before.lastIndex(of: UInt8(ascii: "{")),
            let end = bytes[start..<range.upperBound].firstIndex(of: UInt8(ascii: "}")), end + 1 >= offset
        else { return nil }
        let name = outline.source.text((start + 1)..<end)
        guard let feature = FeatureTable.feature(.resolver, name) else { return nil }
        let text = "Claims resolver \("{\(name)}".inBackticks)\n\n\(feature.extentText)"
        return HoverText(markdown: text, range: start..<(end + 1))
    }

    /// The claim or parameter of a transformation's method that a value names.
    private func slot(_ attribute: String?, _ value: String) -> TransformationSignature.Slot? {
        let signature = site.ancestor("ClaimsTransformation").flatMap { outline.value($0, "TransformationMethod") }
            .flatMap { TransformationSignature.of($0) }
        return switch (site.name, attribute) {
        case ("InputClaim", "TransformationClaimType"?): signature?.inputClaims.slot(value)
        case ("OutputClaim", "TransformationClaimType"?): signature?.outputClaims.slot(value)
        case ("InputParameter", "Id"?): signature?.parameters.slot(value)
        default: nil
        }
    }
}
