import Diagnostics

/// A technical profile with its includes applied, and what its claims provider says.
struct ResolvedInclude {
    var profile: TechnicalProfileElement
    var provider: ClaimsProviderElement
}

/// Applies `IncludeTechnicalProfile` and `IncludeClaimsFromTechnicalProfile`.
///
/// Inheritance comes first, for every profile; only then are includes applied, so that an override of a common profile
/// in a child file is seen by all who include it (inferred: the only order that fits published policies).
enum ProfileIncludes {
    static func resolved(
        in document: PolicyDocument, _ rules: MergeRules, _ context: inout LinkContext
    ) -> [ResolvedInclude] {
        var walk = IncludeWalk(document, rules)
        for place in walk.all.indices { walk.apply(place, depth: 0, &context) }
        return walk.all
    }

    /// Includes of includes that are followed. Published policies have three.
    static let deepest = 64
}

/// Applies the includes of one profile after another, those of an included profile first.
private struct IncludeWalk {
    private enum State { case untouched, running, done }

    private(set) var all: [ResolvedInclude] = []
    private let rules: MergeRules
    private var state: [State]
    /// The first profile of each id, in capitals.
    private var places: [String: Int] = [:]

    init(_ document: PolicyDocument, _ rules: MergeRules) {
        self.rules = rules
        for provider in document.claimsProviders {
            var bare = provider
            bare.technicalProfiles = []
            for profile in provider.technicalProfiles { all.append(ResolvedInclude(profile: profile, provider: bare)) }
        }
        for (place, item) in all.enumerated() where places[item.profile.id.uppercased()] == nil {
            places[item.profile.id.uppercased()] = place
        }
        state = Array(repeating: .untouched, count: all.count)
    }

    mutating func apply(_ place: Int, depth: Int, _ context: inout LinkContext) {
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
            guard depth < ProfileIncludes.deepest else {
                context.report(
                    "B2C-POL-021", "includes are nested deeper than \(ProfileIncludes.deepest) levels",
                    at: reference.location)
                continue
            }
            apply(other, depth: depth + 1, &context)
            if state[other] == .running {
                reportCircle(of: own, through: reference, claimsOnly: claimsOnly, &context)
            } else {
                include(other, into: place, claimsOnly: claimsOnly)
            }
        }
        all[place].profile.includes = nil
        all[place].profile.includesClaimsFrom = nil
    }

    /// Any include of the circle may be the wrong one, so each is reported.
    private func reportCircle(
        of own: TechnicalProfileElement, through reference: ReferenceElement, claimsOnly: Bool,
        _ context: inout LinkContext
    ) {
        var at = own
        var reported: Set<String> = []
        while let next = claimsOnly ? at.includesClaimsFrom : at.includes,
            reported.insert(at.id.uppercased()).inserted
        {
            context.report(
                "B2C-POL-021", "\"\(at.id)\" includes itself through \"\(next.id)\"",
                remedy: "Take one of the includes out.", at: next.location)
            guard let place = places[next.id.uppercased()] else { break }
            at = all[place].profile
        }
        if reported.isEmpty {
            context.report(
                "B2C-POL-021", "\"\(own.id)\" includes itself through \"\(reference.id)\"",
                remedy: "Take one of the includes out.", at: reference.location)
        }
    }

    /// Lays a profile over the one that it includes.
    private mutating func include(_ other: Int, into place: Int, claimsOnly: Bool) {
        let current = all[place].profile
        var merged: TechnicalProfileElement
        if claimsOnly {
            merged = TechnicalProfileElement(id: current.id, location: current.location)
            merged.overlayClaims(all[other].profile, rules)
        } else {
            merged = all[other].profile
        }
        merged.overlay(current, rules)
        merged.id = current.id
        merged.location = current.location
        all[place].profile = merged
    }
}
