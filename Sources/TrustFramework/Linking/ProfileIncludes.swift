import Diagnostics
import TenantFiles

/// A technical profile with its includes applied, and what its claims provider says.
struct ResolvedInclude {
    var profile: Element.TechnicalProfile
    var provider: Element.ClaimsProvider
}

/// Applies `IncludeTechnicalProfile` and `IncludeClaimsFromTechnicalProfile`.
///
/// Inheritance comes first, for every profile; only then are includes applied, so that an override of a common profile
/// in a child file is seen by all who include it (inferred: the only order that fits published policies).
enum ProfileIncludes {
    static func resolved(
        in document: PolicyDocument, _ defaults: PolicyDefaults, _ context: inout LinkContext
    ) -> [ResolvedInclude] {
        var all: [ResolvedInclude] = []
        for provider in document.claimsProviders {
            var bare = provider
            bare.technicalProfiles = []
            for profile in provider.technicalProfiles { all.append(ResolvedInclude(profile: profile, provider: bare)) }
        }
        var places: [String: Int] = [:]
        for (place, item) in all.enumerated() where places[item.profile.id.uppercased()] == nil {
            places[item.profile.id.uppercased()] = place
        }
        var state = [State](repeating: .untouched, count: all.count)
        for place in all.indices { apply(place, depth: 0, &all, &state, places, defaults, &context) }
        return all
    }

    /// Includes of includes that are followed. Published policies have three.
    static let deepest = 64

    private enum State { case untouched, running, done }

    private static func apply(
        _ place: Int, depth: Int, _ all: inout [ResolvedInclude], _ state: inout [State], _ places: [String: Int],
        _ defaults: PolicyDefaults, _ context: inout LinkContext
    ) {
        guard state[place] == .untouched else { return }
        state[place] = .running
        defer { state[place] = .done }
        let own = all[place].profile
        for (reference, claimsOnly) in [(own.includes, false), (own.includesClaimsFrom, true)] {
            guard let reference else { continue }
            guard let other = places[reference.id.uppercased()] else {
                context.dangling(
                    "technical profile", reference.id, rule: "B2C-POL-021", among: all.map(\.profile.id),
                    at: reference.location)
                continue
            }
            guard depth < deepest else {
                context.report(
                    rule: "B2C-POL-021", "includes are nested deeper than \(deepest) levels", at: reference.location)
                continue
            }
            apply(other, depth: depth + 1, &all, &state, places, defaults, &context)
            if state[other] == .running {
                // Any include of the circle may be the one too many: each is told.
                var at = own
                var told: Set<String> = []
                while let next = claimsOnly ? at.includesClaimsFrom : at.includes,
                    told.insert(at.id.uppercased()).inserted
                {
                    context.report(
                        rule: "B2C-POL-021", "\"\(at.id)\" includes itself through \"\(next.id)\"",
                        remedy: "Take one of the includes out.", at: next.location)
                    guard let place = places[next.id.uppercased()] else { break }
                    at = all[place].profile
                }
                if told.isEmpty {
                    context.report(
                        rule: "B2C-POL-021", "\"\(own.id)\" includes itself through \"\(reference.id)\"",
                        remedy: "Take one of the includes out.", at: reference.location)
                }
                continue
            }
            var merged: Element.TechnicalProfile
            if claimsOnly {
                merged = Element.TechnicalProfile(id: own.id, location: own.location)
                merged.overlayClaims(all[other].profile, defaults)
            } else {
                merged = all[other].profile
            }
            let current = all[place].profile
            merged.overlay(current, defaults)
            merged.id = own.id
            merged.location = own.location
            all[place].profile = merged
        }
        all[place].profile.includes = nil
        all[place].profile.includesClaimsFrom = nil
    }
}
