import B2CProtocol
import Diagnostics

/// What text packs add to a policy: localized resources of their languages, and what refers to them.
struct TextPackOverlay {
    let packs: [TextPack]
    let location: SourceLocation

    /// The languages of the packs, each once, in the order of the tenant file.
    var languages: [String] {
        var languages: [String] = []
        for pack in packs where !languages.contains(pack.language) { languages.append(pack.language) }
        return languages
    }

    /// The texts of one page in one language; `nil` where no pack has any.
    ///
    /// English and German are laid over the built-in texts of the language by inheritance. In another language the built-in
    /// English texts stand for what the packs lack.
    private func resources(
        _ page: String, _ language: String, _ builtIn: [LocalizedResourcesElement]
    ) -> LocalizedResourcesElement? {
        let own = packs.filter { $0.language == language && ($0.page ?? page) == page }
        guard !own.isEmpty else { return nil }
        var resources = LocalizedResourcesElement(id: "\(page).\(language)", location: location)
        if !builtIn.contains(where: { sameID($0.id, resources.id) }),
            let english = builtIn.first(where: { sameID($0.id, "\(page).en") })
        {
            resources.collections = english.collections
            resources.strings = english.strings
        }
        // A pack of the page counts for more than one of all pages, and of several files the last.
        for pack in own.filter({ $0.page == nil }) + own.filter({ $0.page != nil }) {
            var file = LocalizedResourcesElement(id: resources.id, location: location)
            file.strings = pack.strings
            file.collections = pack.collections
            resources.overlay(file)
        }
        return resources
    }

    /// Adds the resources to a document, and the references to its content definitions.
    func add(to document: inout PolicyDocument, pages: [String], builtIn: [LocalizedResourcesElement]) {
        var localization = document.buildingBlocks.localization ?? LocalizationElement(location: location)
        for page in pages {
            for language in languages {
                guard let resources = resources(page, language, builtIn) else { continue }
                localization.resources.append(resources)
                let reference = LocalizedResourcesReferenceElement(
                    language: language, resources: resources.id, url: nil, location: location)
                if let place = document.buildingBlocks.contentDefinitions.firstIndex(where: { sameID($0.id, page) }) {
                    document.buildingBlocks.contentDefinitions[place].add(reference)
                } else {
                    var definition = ContentDefinitionElement(id: page, location: location)
                    definition.add(reference)
                    document.buildingBlocks.contentDefinitions.append(definition)
                }
            }
        }
        document.buildingBlocks.localization = localization
        document.findings += packs.flatMap(\.findings)
    }
}

extension ContentDefinitionElement {
    fileprivate mutating func add(_ reference: LocalizedResourcesReferenceElement) {
        localizedResources.removeAll { sameID($0.language, reference.language) }
        localizedResources.append(reference)
    }
}
