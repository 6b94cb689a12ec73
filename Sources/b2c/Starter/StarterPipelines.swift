import ArgumentParser
import Diagnostics

/// The pipelines that `b2c init --ci` writes: they install the released tool and keep it, share the suite between
/// machines, merge, annotate, and keep the report.
enum StarterPipeline: String, ExpressibleByArgument, CaseIterable {
    case github, azure, gitlab

    /// Where the service looks for it.
    var path: String {
        switch self {
        case .github: ".github/workflows/b2c.yml"
        case .azure: "azure-pipelines-b2c.yml"
        case .gitlab: ".gitlab-ci.yml"
        }
    }

    /// How many machines share the suite. Few: a thousand scenarios take seconds.
    private static let shards = 3

    /// Downloads a release, checks it and puts it where the next run finds it.
    private static func install(indent: Int) -> String {
        let lines = [
            "if [ ! -x .b2c-tool/bin/b2c ]; then",
            "  name=b2c-harness-$B2C_VERSION-linux-$(uname -m)",
            "  curl -fsSLO \"$B2C_RELEASES/v$B2C_VERSION/$name.tar.gz\"",
            "  curl -fsSLO \"$B2C_RELEASES/v$B2C_VERSION/SHA256SUMS\"",
            "  grep \" $name.tar.gz$\" SHA256SUMS | sha256sum --check",
            "  mkdir -p .b2c-tool && tar -xzf \"$name.tar.gz\" --strip-components 1 -C .b2c-tool",
            "  rm \"$name.tar.gz\" SHA256SUMS",
            "fi",
        ]
        return lines.map { String(repeating: " ", count: indent) + $0 }.joined(separator: "\n")
    }

    /// The file.
    ///
    /// - Parameter repository: Whose releases it installs, as `account/name`; `nil`: the file has a placeholder.
    func text(repository: String?) -> String {
        let releases = "https://github.com/\(repository ?? "OWNER/b2c-harness")/releases/download"
        let text =
            switch self {
            case .github: Self.gitHubText(releases)
            case .azure: Self.azureText(releases)
            case .gitlab: Self.gitLabText(releases)
            }
        return repository == nil
            ? text : text.replacing("# OWNER is the account whose releases of b2c-harness you use.\n", with: "")
    }

    /// The steps of a job that bring the repository and the program.
    private static let gitHubInstall =
        """
              - uses: actions/checkout@v4
              - uses: actions/cache@v4
                with:
                  path: .b2c-tool
                  key: b2c-${{ env.B2C_VERSION }}-${{ runner.os }}-${{ runner.arch }}
              - name: Install b2c
                run: |
        \(install(indent: 10))
                  echo "$PWD/.b2c-tool/bin" >> "$GITHUB_PATH"
        """

    private static func gitHubText(_ releases: String) -> String {
        """
        # Written by `b2c init --ci github`: scenarios on \(shards) machines, then one report.
        # OWNER is the account whose releases of b2c-harness you use.
        name: B2C scenarios
        on:
          push: { branches: [main] }
          pull_request:

        permissions:
          contents: read

        env:
          B2C_VERSION: \(ToolVersion.text)
          B2C_RELEASES: \(releases)

        jobs:
          scenarios:
            runs-on: ubuntu-latest
            strategy:
              # Every shard runs, so that the report is whole.
              fail-fast: false
              matrix:
                shard: [\((1...shards).map(String.init).joined(separator: ", "))]
            steps:
        \(gitHubInstall)
              # Annotations are written once, by merge.
              - run: b2c run --strict --no-report-github --shard ${{ matrix.shard }}/\(shards) --part part-${{ matrix.shard }}.jsonl
              - uses: actions/upload-artifact@v4
                if: always()
                with:
                  name: part-${{ matrix.shard }}
                  path: part-${{ matrix.shard }}.jsonl

          report:
            needs: scenarios
            if: always()
            runs-on: ubuntu-latest
            steps:
        \(gitHubInstall)
              - uses: actions/download-artifact@v4
                with:
                  pattern: part-*
                  merge-multiple: true
              - run: b2c merge part-*.jsonl --profile ci
              - uses: actions/upload-artifact@v4
                if: always()
                with:
                  name: b2c-report
                  path: reports

        """
    }

    private static func azureText(_ releases: String) -> String {
        """
        # Written by `b2c init --ci azure`: scenarios on \(shards) machines, then one report.
        # OWNER is the account whose releases of b2c-harness you use.
        trigger: [main]

        variables:
          B2C_VERSION: \(ToolVersion.text)
          B2C_RELEASES: \(releases)

        stages:
          - stage: scenarios
            jobs:
              - job: run
                pool: { vmImage: ubuntu-latest }
                strategy:
                  parallel: \(shards)
                steps:
                  - task: Cache@2
                    inputs:
                      key: 'b2c | "$(B2C_VERSION)" | "$(Agent.OS)" | "$(Agent.OSArchitecture)"'
                      path: .b2c-tool
                  - script: |
        \(install(indent: 14))
                      echo "##vso[task.prependpath]$PWD/.b2c-tool/bin"
                    displayName: Install b2c
                  - script: b2c run --strict --no-report-azure --shard auto --part part-$(System.JobPositionInPhase).jsonl
                    displayName: Run scenarios
                  - publish: part-$(System.JobPositionInPhase).jsonl
                    artifact: part-$(System.JobPositionInPhase)-$(System.JobAttempt)
                    condition: always()

              - job: report
                dependsOn: run
                condition: always()
                pool: { vmImage: ubuntu-latest }
                steps:
                  - task: Cache@2
                    inputs:
                      key: 'b2c | "$(B2C_VERSION)" | "$(Agent.OS)" | "$(Agent.OSArchitecture)"'
                      path: .b2c-tool
                  - script: |
        \(install(indent: 14))
                      echo "##vso[task.prependpath]$PWD/.b2c-tool/bin"
                    displayName: Install b2c
                  - download: current
                    patterns: '**/part-*.jsonl'
                  - script: b2c merge "$(Pipeline.Workspace)"/part-*/part-*.jsonl --profile ci
                    displayName: Merge
                  - task: PublishTestResults@2
                    condition: always()
                    inputs: { testResultsFormat: JUnit, testResultsFiles: reports/junit.xml }
                  - publish: reports
                    artifact: b2c-report
                    condition: always()

        """
    }

    private static func gitLabText(_ releases: String) -> String {
        """
        # Written by `b2c init --ci gitlab`: scenarios on \(shards) machines, then one report.
        # OWNER is the account whose releases of b2c-harness you use.
        variables:
          B2C_VERSION: "\(ToolVersion.text)"
          B2C_RELEASES: \(releases)

        .b2c:
          image: debian:stable-slim
          cache:
            key: b2c-$B2C_VERSION
            paths: [.b2c-tool]
          before_script:
            - apt-get update -qq && apt-get install -y -qq --no-install-recommends ca-certificates curl libjansson4 libsqlite3-0 libxml2
            - |
        \(install(indent: 6))
            - export PATH="$PWD/.b2c-tool/bin:$PATH"

        b2c scenarios:
          extends: .b2c
          parallel: \(shards)
          script:
            - b2c run --strict --shard auto --part part-$CI_NODE_INDEX.jsonl
          artifacts:
            when: always
            paths: [part-*.jsonl]

        b2c report:
          extends: .b2c
          stage: .post
          needs: ["b2c scenarios"]
          when: always
          script:
            - b2c merge part-*.jsonl --profile ci --report-gitlab gl-code-quality-report.json
          artifacts:
            when: always
            paths: [reports]
            reports:
              junit: reports/junit.xml
              codequality: gl-code-quality-report.json

        """
    }
}
