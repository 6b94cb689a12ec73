import LanguageService
import TestSupport

/// Policies as an editor has them.
enum PolicyWorkspace {
    /// A policy with what it holds; `base` is the id that it inherits from.
    static func policy(_ id: String, base: String? = nil, _ content: String = "") -> String {
        let reference = base.map { "<BasePolicy><TenantId>t</TenantId><PolicyId>\($0)</PolicyId></BasePolicy>" } ?? ""
        return """
            <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06" PolicyId="\(id)">
              \(reference)
              \(content)
            </TrustFrameworkPolicy>
            """
    }

    static func claims(_ ids: String...) -> String {
        let types = ids.map { "<ClaimType Id=\"\($0)\" />" }.joined(separator: "\n")
        return "<BuildingBlocks><ClaimsSchema>\(types)</ClaimsSchema></BuildingBlocks>"
    }

    /// A technical profile with a claim and a metadata item.
    static func profile(_ id: String, claim: String, item: (key: String, value: String)? = nil) -> String {
        let metadata = item.map { "<Metadata><Item Key=\"\($0.key)\">\($0.value)</Item></Metadata>" } ?? ""
        return """
            <ClaimsProviders><ClaimsProvider><TechnicalProfiles><TechnicalProfile Id="\(id)">\(metadata)
            <OutputClaims><OutputClaim ClaimTypeReferenceId="\(claim)" /></OutputClaims>
            </TechnicalProfile></TechnicalProfiles></ClaimsProvider></ClaimsProviders>
            """
    }

    static func of(_ files: [String: String]) -> LanguageWorkspace {
        var workspace = LanguageWorkspace()
        for (path, text) in files.sorted(by: { $0.key < $1.key }) { workspace.set(file(path, text)) }
        return workspace
    }

    static func file(_ path: String, _ text: String) -> LanguageFile {
        LanguageFile(path: path, bytes: Array(text.utf8), known: .policy)
    }

    /// Policies of `scenarios/policies` by their names without ending.
    static func shipped(_ names: String...) throws -> LanguageWorkspace {
        var workspace = LanguageWorkspace()
        for name in names {
            let path = "scenarios/policies/\(name).xml"
            workspace.set(LanguageFile(path: path, bytes: try TestFiles.bytes(path), known: .policy))
        }
        return workspace
    }
}

extension LanguageWorkspace {
    /// The place of the first time, or of a later one, that a text is in a file.
    func place(of text: String, _ number: Int = 1, in path: String) -> TextPlace {
        let source = file(path)?.source.bytes ?? []
        let wanted = Array(text.utf8)
        let places = source.indices.filter { source[$0...].starts(with: wanted) }
        return TextPlace(file: path, offset: places.dropFirst(number - 1).first ?? -1)
    }

    /// `file:line kind name` of places, `!` for a declaration.
    func shown(_ places: [PlacedOccurrence]) -> [String] {
        places.map { place in
            let line = file(place.file)?.source.position(at: place.occurrence.range.lowerBound).line ?? 0
            return "\(place.file):\(line) \(place.occurrence.kind) \(place.occurrence.name)"
                + (place.occurrence.isDeclaration ? "!" : "")
        }
    }
}
