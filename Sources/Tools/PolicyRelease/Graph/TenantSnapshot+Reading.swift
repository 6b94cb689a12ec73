import TrustFramework

extension TenantSnapshot {
    /// Policies that are read at the same time.
    private static let workers = 4

    /// Reads a tenant. What the app has no permission to read is omitted with a note: key sets, app
    /// registrations, and the organization, for which the token and the policies say enough.
    ///
    /// - Parameters:
    ///   - wanted: Ids of policies in any letter case; `nil`: all.
    ///   - keys: Whether key sets are read.
    ///   - apps: Whether app registrations are read.
    public static func read(
        _ graph: inout PolicyGraph, wanted: Set<String>?, keys: Bool, apps: Bool
    ) async throws(PolicyGraphProblem) -> (TenantSnapshot, notes: [String]) {
        var notes: [String] = []
        var organization: TenantOrganization?
        do throws(PolicyGraphProblem) {
            organization = try await graph.organization()
        } catch {
            try note(error, "the tenant's domains are unknown", .readOrganization, in: &notes)
        }
        var ids = try await graph.policyIDs()
        if let wanted {
            let names = Set(wanted.map { $0.lowercased() })
            ids.removeAll { !names.contains($0.lowercased()) }
        }
        var snapshot = TenantSnapshot(
            organization: organization ?? TenantOrganization(id: "", domains: []), policies: try await read(ids, graph))
        if organization == nil {
            snapshot.organization.id = try await graph.tenantID() ?? ""
            // The service takes no policy that names another tenant (AADB2C95044).
            let domain = snapshot.policies.lazy.compactMap { PolicyReader.peekTenantID($0.bytes) }.first
            snapshot.organization.domains = domain.map { [$0] } ?? []
        }
        if keys {
            do throws(PolicyGraphProblem) {
                snapshot.keySets = try await graph.keySets()
            } catch {
                try note(error, "policy keys are not checked", .readKeys, in: &notes)
            }
        }
        if apps {
            do throws(PolicyGraphProblem) {
                snapshot.apps = try await graph.applications()
            } catch {
                try note(error, "app registrations are not checked", .readApplications, in: &notes)
            }
        }
        return (snapshot, notes)
    }

    /// Takes a missing permission as a note; anything else is an error.
    private static func note(
        _ problem: PolicyGraphProblem, _ effect: String, _ permission: LeastPermission,
        in notes: inout [String]
    ) throws(PolicyGraphProblem) {
        guard problem.refusal?.isPermission == true else { throw problem }
        notes.append("\(effect): the app does not have the permission \(permission.rawValue)")
    }

    /// The policies of these ids. One that was deleted meanwhile is not among them.
    private static func read(
        _ ids: [String], _ graph: PolicyGraph
    ) async throws(PolicyGraphProblem) -> [TenantPolicy] {
        let answers = await withTaskGroup(of: Result<[(Int, [UInt8])], PolicyGraphProblem>.self) { group in
            for worker in 0..<min(workers, ids.count) {
                group.addTask {
                    // Each has its own copy, with the token that the list of policies needed.
                    var graph = graph
                    var found: [(Int, [UInt8])] = []
                    for index in stride(from: worker, to: ids.count, by: workers) where !Task.isCancelled {
                        do throws(PolicyGraphProblem) {
                            if let bytes = try await graph.policy(ids[index]) { found.append((index, bytes)) }
                        } catch {
                            return .failure(error)
                        }
                    }
                    return .success(found)
                }
            }
            var answers: [Result<[(Int, [UInt8])], PolicyGraphProblem>] = []
            for await answer in group {
                answers.append(answer)
                if case .failure = answer { group.cancelAll() }
            }
            return answers
        }
        var found: [(index: Int, bytes: [UInt8])] = []
        for answer in answers { found += try answer.get() }
        return found.sorted { $0.index < $1.index }.map { TenantPolicy(id: ids[$0.index], bytes: $0.bytes) }
    }
}
