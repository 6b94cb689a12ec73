import AuthorityHosting
import JSON
import TrustFramework

/// Answers of the REST services that a policy calls, for policies without stubs: 200, with a value of the right type for each
/// output claim.
struct MadeUpServices {
    /// The header field of made-up answers, which the stubs that a user wrote for the same address do not have.
    private static let mark = "x-made-up"

    /// Stubs by the id of a technical profile, in the order of the policy.
    let stubs: [(profile: String, stub: JSONValue)]

    /// - Parameter person: The record of the person the services answer about.
    init(_ policy: ResolvedPolicy, person: JSONValue) {
        var known: [String: Int] = [:]
        var found: [(profile: String, start: String, json: JSONValue)] = []
        let purposes = ClaimPurposes(policy)
        for profile in policy.profiles where profile.handler == .rest {
            guard let address = profile.metadata["ServiceUrl"], let start = Self.fixedStart(of: address) else {
                continue
            }
            let json = RestAnswer.example(for: profile, of: policy, person: person, purposes: purposes)
            if let index = known[start] {
                // Two profiles ask the same service: one answer serves both.
                found[index].json = found[index].json.merging(patch: json)
            } else {
                known[start] = found.count
                found.append((profile.id, start, json))
            }
        }
        // Where two addresses fit, the longer one counts.
        stubs = found.sorted { $0.start.utf8.count > $1.start.utf8.count }.map {
            (
                $0.profile,
                [
                    "match": ["url": ["$startsWith": .string($0.start)]],
                    "reply": ["status": 200, "headers": .object([Self.mark: "yes"]), "json": $0.json],
                ]
            )
        }
    }

    /// The patch over a tenant file. These stubs come after all others, so that any other answers first.
    var configuration: JSONValue {
        .object(["rest": .object(JSONObject(stubs.map { ("made-up \($0.profile)", $0.stub) }))])
    }

    /// What was made up for services that were asked, a line each.
    ///
    /// - Parameter outcome: The outcome of the sign-in.
    func lines(for outcome: JSONValue) -> [String] {
        let urls = (outcome["requests"]?.arrayValue ?? []).filter {
            $0["from"] == "authority" && $0["response", "headers", Self.mark] != nil
        }
        .compactMap { $0["url"]?.stringValue }
        return stubs.compactMap { profile, stub in
            guard let start = stub["match", "url", "$startsWith"]?.stringValue, let json = stub["reply", "json"],
                urls.contains(where: { $0.hasPrefix(start) })
            else { return nil }
            return "made up: \(profile) is answered with \(JSONWriter.compact(json))"
        }
    }

    /// An address up to the first thing that only a sign-in decides.
    private static func fixedStart(of address: String) -> String? {
        let start = String(address.prefix { $0 != "{" && $0 != "?" && $0 != "#" })
        guard let scheme = start.firstRange(of: "://"), scheme.upperBound < start.endIndex else { return nil }
        return start
    }
}
