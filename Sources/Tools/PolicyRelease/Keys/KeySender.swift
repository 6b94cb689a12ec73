import Determinism

/// Writes keys to a tenant: each once, after a look at what the set has.
public struct KeySender {
    /// What happened to a set.
    public enum Outcome: Hashable, Sendable {
        /// - Parameter isNew: The set was created too.
        case added(PolicyKey, isNew: Bool)
        /// It has a key by now: nothing was sent.
        case none
    }

    public var graph: PolicyGraph

    public init(_ graph: PolicyGraph) { self.graph = graph }

    /// Carries out one step of a plan, if the set still needs it.
    public mutating func deploy(
        _ step: KeyPlan.KeyPlanStep, _ material: KeyMaterial, now: Timestamp
    ) async throws(PolicyGraphProblem) -> Outcome {
        var set = try await graph.keySet(step.entry.id)
        if let set, set.hasUsableKey(at: now) { return .none }
        let isNew = set == nil
        if isNew {
            do throws(PolicyGraphProblem) {
                try await graph.createKeySet(step.entry.id)
            } catch {
                // Its answer may be lost, and the set there.
                guard error.isOutcomeUnknown else { throw error }
                set = try await graph.keySet(step.entry.id)
                guard set != nil else { throw error }
            }
        }
        let key = try await add(
            material, to: step.entry, activates: step.activates, expires: step.expires, had: set?.keys ?? [])
        return .added(key, isNew: isNew)
    }

    /// Adds the next key of a rotation.
    ///
    /// - Parameter had: The keys that the set had when the rotation was decided.
    public mutating func rotate(
        _ rotation: KeyRotation, _ material: KeyMaterial, had: [PolicyKey]
    ) async throws(PolicyGraphProblem) -> PolicyKey {
        try await add(
            material, to: rotation.entry, activates: rotation.activates, expires: rotation.expires, had: had)
    }

    /// Sends a key. If the answer is lost, what the set has says whether it arrived: a key that is sent again cannot be
    /// removed from the set.
    private mutating func add(
        _ material: KeyMaterial, to entry: KeyManifest.Entry, activates: Timestamp?, expires: Timestamp?,
        had: [PolicyKey]
    ) async throws(PolicyGraphProblem) -> PolicyKey {
        do throws(PolicyGraphProblem) {
            return try await send(material, to: entry, activates: activates, expires: expires)
        } catch {
            guard error.isOutcomeUnknown, let set = try await graph.keySet(entry.id) else { throw error }
            let known = Set(had.map(\.kid))
            guard let key = set.keys.last(where: { !known.contains($0.kid) }) else { throw error }
            return key
        }
    }

    private mutating func send(
        _ material: KeyMaterial, to entry: KeyManifest.Entry, activates: Timestamp?, expires: Timestamp?
    ) async throws(PolicyGraphProblem) -> PolicyKey {
        switch material {
        case .generated:
            try await graph.generateKey(
                in: entry.id, use: entry.use ?? .signature, kind: entry.type == .rsa ? .rsa : .secret,
                activates: activates, expires: expires)
        case .secret(let secret):
            try await graph.uploadSecret(
                secret, in: entry.id, use: entry.use ?? .signature, activates: activates, expires: expires)
        case .pkcs12(let bytes, let password):
            try await graph.uploadPKCS12(bytes, password: password, in: entry.id)
        case .certificate(let bytes): try await graph.uploadCertificate(bytes, in: entry.id)
        }
    }
}
