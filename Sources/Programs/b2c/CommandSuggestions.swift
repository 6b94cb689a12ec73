import ArgumentParser
import CommandKit
import Diagnostics
import JSON

/// Which command or option a mistyped one may be; the parser would only call it unexpected.
enum CommandSuggestions {
    /// Refuses words that name no command, with the one that was probably meant.
    static func check(_ arguments: [String]) throws {
        // An option of the parser's own, with its value as the next argument.
        if arguments.first == "--generate-completion-script" { return }
        guard let place = arguments.firstIndex(where: { !$0.hasPrefix("-") }) else { return }
        let commands = B2C.configuration.subcommands
        guard let command = commands.first(where: { $0._commandName == arguments[place] }) else {
            return arguments[place] == "help" ? () : try refuse(arguments[place], "", commands)
        }
        // The parser's own help may come in the place of the command.
        let inner = command.configuration.subcommands
        guard let word = arguments.dropFirst(place + 1).first, !inner.isEmpty, !word.hasPrefix("-"), word != "help",
            !inner.contains(where: { $0._commandName == word })
        else { return }
        try refuse(word, command._commandName + " ", inner)
    }

    private static func refuse(
        _ word: String, _ parent: String, _ commands: [any ParsableCommand.Type]
    ) throws {
        let names = commands.map { $0._commandName }
        if parent.isEmpty, FileSystem.kind(word) != nil {
            throw Failure.usage("there is no command \(word), which is a file or folder. Did you mean b2c run \(word)?")
        }
        let near = meant(word, parent, commands).map { "Did you mean \($0)?" } ?? "Commands are \(namesList(names))."
        throw Failure.usage("there is no command \(parent)\(word). \(near)")
    }

    private static func meant(_ word: String, _ parent: String, _ commands: [any ParsableCommand.Type]) -> String? {
        let names = commands.map { $0._commandName }
        guard parent.isEmpty else {
            return Suggestion(for: word, among: names, synonyms: inner).map { "b2c \(parent)\($0.name)" }
                ?? beyond(word)
        }
        return Suggestion(for: word, among: names, synonyms: Synonyms([]))?.name ?? beyond(word)
    }

    /// A whole command line for a word, or a command of another one with that name.
    private static func beyond(_ word: String) -> String? {
        if let known = Suggestion(for: word, among: lines.map(\.name), synonyms: Synonyms(lines)), known.name != word {
            return "b2c " + known.name
        }
        for command in B2C.configuration.subcommands {
            let names = command.configuration.subcommands.map { $0._commandName }
            if let near = Suggestion(for: word, among: names, synonyms: Synonyms([])) {
                return "b2c \(command._commandName) \(near.name)"
            }
        }
        return nil
    }

    /// What the parser says of an option that a command does not have, with the option that was meant.
    ///
    /// - Parameters:
    ///   - message: The parser's words.
    ///   - help: The help of the command.
    static func improved(_ message: String, help: String) -> String {
        guard
            let match = message.firstMatch(
                of: /^Error: Unknown option '--?([A-Za-z0-9-]+)[^']*'(\. Did you mean [^\n]*)?/)
        else { return message }
        let word = String(match.1)
        let known = help.matches(of: /--(\[?no-\]?)?([a-z0-9-]+)/).map { String($0.2) }
        let folded = word.lowercased()
        let parts = known.filter { $0.split(separator: "-").contains { $0 == folded } }
        let near =
            Suggestion(for: word, among: known, synonyms: options)?.name ?? (parts.count == 1 ? parts.first : nil)
        let rest = message[match.range.upperBound...]
        let head = "Error: Unknown option '--\(word)'"
        return head + (near.map { ". Did you mean '--\($0)'?" } ?? "") + rest
    }

    private static let lines: [(name: String, addition: String?, words: String)] = [
        ("--version", nil, "version v ver about"),
        ("--help", nil, "usage h commands man"),
        (
            "run", nil,
            "test tests spec suite play exec-scenarios execute go rerun all scenario scenarios start-scenarios"
        ),
        ("run --watch", nil, "watch dev live monitor"),
        ("run --list", nil, "ls list-scenarios dry-run"),
        ("run --last-failed", nil, "failed last-failed retry"),
        ("run --open", nil, "report open html ui show-report"),
        ("run --step", nil, "debug step repl interactive"),
        ("run --coverage-text -", nil, "coverage cov"),
        ("run --report-junit FILE", nil, "junit"),
        ("check", nil, "lint fmt format verify-scenarios syntax compile prove dryrun"),
        ("validate", nil, "doctor verify audit scan analyze analyse inspect-app"),
        ("explain", nil, "why what error errors describe docs doc reference rule rules causes cause lookup search"),
        ("init", nil, "new create generate scaffold setup bootstrap add quickstart"),
        ("serve", nil, "server start up mock mock-server mockserver listen host web daemon"),
        ("exec", nil, "with wrap env run-with spawn shell"),
        (
            "token", nil,
            "jwt login signin sign-in logon acquire acquire-token get-token id-token access-token mint decode"
        ),
        ("record", nil, "proxy capture sniff intercept recorder"),
        ("certificate", nil, "cert certs ca tls https ssl"),
        ("mcp", nil, "agent agents ai llm modelcontextprotocol model-context-protocol mcp-server copilot"),
        ("lsp", nil, "editor ide language-server languageserver vscode neovim helix jetbrains emacs"),
        ("import", nil, "convert har import-har from-har"),
        ("schema", nil, "schemas json-schema keys"),
        ("merge", nil, "join combine shards"),
        ("compare", nil, "cmp parity"),
        ("policy list", nil, "policies"),
        ("policy graph", nil, "draw svg mermaid diagram"),
        ("policy trace", nil, "journey simulate"),
        ("policy log", nil, "logs insights applicationinsights appinsights"),
        ("extension", nil, "extensions azure-function function callout claims-provider external-id entra"),
        ("--generate-completion-script SHELL", nil, "completion completions autocomplete"),
    ]

    private static let inner = Synonyms([
        ("list", nil, "ls policies all"), ("show", nil, "print cat view dump xml get merged"),
        ("run", nil, "test execute play"), ("trace", nil, "debug follow step steps journey simulate"),
        ("graph", nil, "draw diagram svg mermaid picture dot chart"), ("tenant", nil, "init tenantfile import new"),
        ("explore", nil, "fuzz search walk crawl paths cover"), ("diff", nil, "compare changes delta"),
        ("log", nil, "logs insights recorder applicationinsights appinsights"),
        ("har", nil, "archive capture file browser"), ("call", nil, "send invoke post"),
    ])

    private static let options = Synonyms([
        ("name", nil, "filter grep only match pattern test title k t g"),
        ("tags", nil, "label labels group category marker"),
        ("case", nil, "example variant param"), ("jobs", nil, "parallel workers threads concurrency j n processes"),
        ("bail", nil, "fail-fast failfast exitfirst stop-on-failure stop x first-failure"),
        ("max-failures", nil, "maxfail stop-after"), ("retries", nil, "retry rerun reruns flaky-retries"),
        ("repeat", nil, "count times iterations loop"), ("list", nil, "dry-run dryrun collect-only list-tests ls"),
        ("step", nil, "debug interactive pause inspect"), ("watch", nil, "w live reload"),
        ("verbose", nil, "log-level loglevel debug detailed trace-all"), ("quiet", nil, "silent q s no-output"),
        ("report-junit", nil, "junit xml reporter junitxml"), ("report-html", nil, "html report reporter output out o"),
        ("report-json", nil, "json-report"), ("open", nil, "show browser"), ("profile", nil, "config ci environment"),
        ("last-failed", nil, "lf failed only-failures failed-first rerun-failed"), ("seed", nil, "random-seed random"),
        ("variable", nil, "var set define env param d"), ("target", nil, "url base-url server host baseurl remote"),
        ("no-color", nil, "color colour no-colour plain"), ("strict", nil, "warnings-as-errors werror max-warnings"),
        ("output", nil, "out o file save write outfile"), ("format", nil, "reporter style type"),
        ("tenant", nil, "config tenant-file directory"), ("user", nil, "username person login email account"),
        ("policy", nil, "flow user-flow userflow p policy-id"), ("port", nil, "p listen"),
        ("fail-on", nil, "severity level max-severity"), ("fix", nil, "write apply autofix"),
        ("file", nil, "input in f log"), ("shard", nil, "partition split node"), ("trace", nil, "har record"),
        ("settings", nil, "appsettings config"), ("write", nil, "save out output"), ("force", nil, "overwrite f yes y"),
    ])
}
