import ArgumentParser
import Diagnostics

/// The pipelines that `b2c init --ci` writes: they install the released tool and keep it, run the suite, annotate, and keep the
/// report. Machines share a large suite, and one merges what they found.
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

    /// How many machines share a suite. Few: a thousand scenarios take seconds.
    static let shards = 3
    /// From how many scenario files on machines share them: fewer run in less time than a second machine takes to start.
    static let sharedFrom = 100

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
    /// - Parameters:
    ///   - repository: Whose releases it installs, as `account/name`; `nil`: the file has a placeholder.
    ///   - isShared: Whether machines share the suite.
    func text(repository: String?, isShared: Bool) -> String {
        let releases = "https://github.com/\(repository ?? "OWNER/b2c-harness")/releases/download"
        let text =
            switch self {
            case .github: Self.gitHubText(releases) + (isShared ? Self.gitHubShards : Self.gitHubJob)
            case .azure: Self.azureText(releases) + (isShared ? Self.azureShards : Self.azureJob)
            case .gitlab: Self.gitLabText(releases) + (isShared ? Self.gitLabShards : Self.gitLabJob)
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
        # Written by `b2c init --ci github`.
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

        """
    }

    private static let gitHubReport =
        """
              - uses: actions/upload-artifact@v4
                if: always()
                with:
                  name: b2c-report
                  path: reports

        """

    private static let gitHubJob =
        """
            steps:
        \(gitHubInstall)
              - run: b2c run --profile ci
        \(gitHubReport)
        """

    private static let gitHubShards =
        """
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
        \(gitHubReport)
        """

    private static func azureText(_ releases: String) -> String {
        """
        # Written by `b2c init --ci azure`.
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

        """
    }

    private static let azureInstall =
        """
                  - task: Cache@2
                    inputs:
                      key: 'b2c | "$(B2C_VERSION)" | "$(Agent.OS)" | "$(Agent.OSArchitecture)"'
                      path: .b2c-tool
                  - script: |
        \(install(indent: 14))
                      echo "##vso[task.prependpath]$PWD/.b2c-tool/bin"
                    displayName: Install b2c
        """

    private static let azureReport =
        """
                  - task: PublishTestResults@2
                    condition: always()
                    inputs: { testResultsFormat: JUnit, testResultsFiles: reports/junit.xml }
                  - publish: reports
                    artifact: b2c-report
                    condition: always()

        """

    private static let azureJob =
        """
                steps:
        \(azureInstall)
                  - script: b2c run --profile ci
                    displayName: Run scenarios
        \(azureReport)
        """

    private static let azureShards =
        """
                strategy:
                  parallel: \(shards)
                steps:
        \(azureInstall)
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
        \(azureInstall)
                  - download: current
                    patterns: '**/part-*.jsonl'
                  - script: b2c merge "$(Pipeline.Workspace)"/part-*/part-*.jsonl --profile ci
                    displayName: Merge
        \(azureReport)
        """

    private static func gitLabText(_ releases: String) -> String {
        """
        # Written by `b2c init --ci gitlab`.
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
            - apt-get update -qq && apt-get install -y -qq --no-install-recommends ca-certificates curl
            - |
        \(install(indent: 6))
            - export PATH="$PWD/.b2c-tool/bin:$PATH"


        """
    }

    private static let gitLabReport =
        """
          artifacts:
            when: always
            paths: [reports]
            reports:
              junit: reports/junit.xml
              codequality: gl-code-quality-report.json

        """

    private static let gitLabJob =
        """
        b2c scenarios:
          extends: .b2c
          script:
            - b2c run --profile ci --report-gitlab gl-code-quality-report.json
        \(gitLabReport)
        """

    private static let gitLabShards =
        """
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
        \(gitLabReport)
        """
}
