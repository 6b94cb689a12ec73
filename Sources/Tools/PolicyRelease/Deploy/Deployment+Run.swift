import Determinism

/// A service that keeps policies, as far as a deployment needs it.
public protocol PolicyWriting: Sendable {
    /// A policy; `nil`: there is none of this id.
    mutating func policy(_ id: String) async throws(PolicyGraphProblem) -> [UInt8]?
    /// One write.
    mutating func upload(_ id: String, _ bytes: [UInt8]) async throws(PolicyGraphProblem) -> UploadAnswer
    mutating func deletePolicy(_ id: String) async throws(PolicyGraphProblem)
}

extension PolicyGraph: PolicyWriting {}

extension Deployment {
    /// Carries it out until it ends.
    ///
    /// - Parameters:
    ///   - wait: Comes back when the time is over.
    ///   - save: Writes the journal; the second argument is the step that it is about. If it throws, nothing more is sent.
    public mutating func run<Service: PolicyWriting, Problem: Error>(
        on service: inout Service, wait: (TimeSpan) async -> Void,
        save: (DeploymentRecord, DeploymentStep?) throws(Problem) -> Void
    ) async throws(Problem) -> End {
        while true {
            switch next {
            case .end(let end): return end
            case .wait(let span):
                await wait(span)
                take(.done)
            case .save:
                try save(record, step)
                take(.done)
            case .read(let id): take(await Self.answer(of: id, from: &service))
            case .upload(let id, let bytes):
                do throws(PolicyGraphProblem) {
                    _ = try await service.upload(id, bytes)
                    take(.done)
                } catch {
                    take(.problem(error))
                }
            case .delete(let id):
                do throws(PolicyGraphProblem) {
                    try await service.deletePolicy(id)
                    take(.done)
                } catch {
                    take(.problem(error))
                }
            }
        }
    }

    private static func answer<Service: PolicyWriting>(of id: String, from service: inout Service) async -> Answer {
        do throws(PolicyGraphProblem) {
            return .policy(try await service.policy(id))
        } catch {
            return .problem(error)
        }
    }
}
