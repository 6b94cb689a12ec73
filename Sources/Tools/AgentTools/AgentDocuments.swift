import CDocuments
import Diagnostics
import Explanations
import ModelContext

/// What agents read: pages of the documents, rules, and the reports of earlier calls.
struct AgentDocuments: Sendable {
    /// A page of `docs` that the program contains.
    private struct DocumentPage: Sendable {
        var name, description: String
        var text: @Sendable () -> String

        /// The heading of the page.
        var title: String { String(text().prefix { $0 != "\n" }.drop { $0 == "#" || $0 == " " }) }
    }

    /// The reports of the tools' calls.
    let reports: AgentReports

    private static let pages = [
        DocumentPage(name: "agents", description: "The tools, what they reach, limits.") { asset_docs_agents().text },
        DocumentPage(name: "custom-policies", description: "Show, trace, test and serve TrustFrameworkPolicy files.") {
            asset_docs_custom_policies().text
        },
        DocumentPage(
            name: "explore", description: "What is tried, findings B2C-EXP-NNN, invariants, comparing two states."
        ) {
            asset_docs_explore().text
        },
        DocumentPage(name: "policy-rules", description: "What policy_check looks at, and what needs a tenant.") {
            asset_docs_policy_rules().text
        },
        DocumentPage(name: "scenario-files", description: "Every key of a scenario: steps, expectations, matchers.") {
            asset_docs_scenario_files().text
        },
        DocumentPage(name: "scenario-checks", description: "Why a scenario is refused before it runs.") {
            asset_docs_scenario_checks().text
        },
        DocumentPage(name: "recipes", description: "Sixty situations, each as steps to copy.") { asset_recipes().text },
        DocumentPage(name: "tenant-files", description: "Every key of a tenant file: policies, apps, people, APIs.") {
            asset_docs_tenant_files().text
        },
        DocumentPage(name: "explain", description: "What an error text, log or token leads to.") {
            asset_docs_explain().text
        },
        DocumentPage(name: "release-policies", description: "Plan in sign-ins, deploy, roll back: on the command line.")
        {
            asset_docs_release_policies().text
        },
    ]

    private static let pagePrefix = "b2c://docs/"
    private static let rulePrefix = "b2c://rules/"
    private static let reportPrefix = "b2c://report/"
    private static let markdown = "text/markdown"

    /// The kinds of addresses. Rules are many, so no list has them.
    static let templates = [
        ContextTemplate(
            uriTemplate: pagePrefix + "{page}", name: "docs", title: "A page of the documents",
            description: "How the tools and the files work.", mimeType: markdown),
        ContextTemplate(
            uriTemplate: rulePrefix + "{id}", name: "rules", title: "A rule",
            description: "What a finding such as B2C-EXP-037 demands, why, and how to fix it.", mimeType: markdown),
        ContextTemplate(
            uriTemplate: reportPrefix + "{id}", name: "report", title: "A whole report",
            description: "Everything that a result was cut from. The last 20 are kept.", mimeType: nil),
    ]

    /// The pages, then the reports that are kept.
    var resources: [ContextResource] {
        Self.pages.map { page in
            ContextResource(
                uri: Self.pagePrefix + page.name, name: page.name, title: page.title, description: page.description,
                mimeType: Self.markdown, size: page.text().utf8.count)
        } + reports.resources
    }

    /// What an address has; `nil` if it does not exist. Rules are found in any letter case.
    func read(_ uri: String) -> ContextContents? {
        if uri.hasPrefix(Self.pagePrefix) {
            return Self.pages.first { uri == Self.pagePrefix + $0.name }.map {
                ContextContents(uri: uri, mimeType: Self.markdown, text: $0.text())
            }
        }
        guard uri.hasPrefix(Self.rulePrefix) else { return reports.read(uri) }
        return RuleTable.rule(String(uri.dropFirst(Self.rulePrefix.count))).map { rule in
            let facts = rule.facts.map { "**\($0.label)**: \($0.text)" }
            return ContextContents(
                uri: uri, mimeType: Self.markdown,
                text: (["# \(rule.title)"] + facts).joined(separator: "\n\n") + "\n")
        }
    }

    /// Values of a template's variable that begin with what was typed, in any letter case.
    func complete(_ template: String, _ typed: String) -> [String] {
        let values: [String] =
            switch template {
            case Self.pagePrefix + "{page}": Self.pages.map(\.name)
            case Self.rulePrefix + "{id}": RuleTable.ids
            case Self.reportPrefix + "{id}":
                reports.resources.map { String($0.uri.dropFirst(Self.reportPrefix.count)) }
            default: []
            }
        return Array(values.lazy.filter { $0.lowercased().hasPrefix(typed.lowercased()) }.prefix(100))
    }
}
