import JSON

/// Where a run in CI comes from: project, branch, commit and the address of its job, as the service's variables say.
///
/// It differs from run to run, so no report that promises equal bytes has it.
public struct RunOrigin: Sendable {
    let json: JSONValue

    /// `nil` outside GitHub Actions, GitLab and Azure Pipelines.
    ///
    /// - Parameter variable: The value of a variable of the environment.
    public init?(_ variable: (String) -> String?) {
        let values: [(name: String, value: String?)]
        if let project = variable("GITHUB_REPOSITORY") {
            let server = variable("GITHUB_SERVER_URL") ?? "https://github.com"
            values = [
                ("project", project), ("branch", variable("GITHUB_HEAD_REF") ?? variable("GITHUB_REF_NAME")),
                ("commit", variable("GITHUB_SHA")),
                ("address", variable("GITHUB_RUN_ID").map { "\(server)/\(project)/actions/runs/\($0)" }),
            ]
        } else if let project = variable("CI_PROJECT_PATH") {
            values = [
                ("project", project), ("branch", variable("CI_COMMIT_REF_NAME")),
                ("commit", variable("CI_COMMIT_SHA")), ("address", variable("CI_JOB_URL")),
            ]
        } else if let project = variable("BUILD_REPOSITORY_NAME") {
            var address: String?
            if let server = variable("SYSTEM_COLLECTIONURI"), let team = variable("SYSTEM_TEAMPROJECTID"),
                let build = variable("BUILD_BUILDID")
            {
                address = "\(server)\(team)/_build/results?buildId=\(build)"
            }
            values = [
                ("project", project), ("branch", variable("BUILD_SOURCEBRANCHNAME")),
                ("commit", variable("BUILD_SOURCEVERSION")), ("address", address),
            ]
        } else {
            return nil
        }
        var object = JSONObject()
        for (name, value) in values { object[name] = value.map { .string($0) } }
        json = .object(object)
    }
}
