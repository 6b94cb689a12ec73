import Diagnostics
import Testing

/// What an output prints, as CI services and terminals read it.
@Suite struct PrintedTextTests {
    @Test(
        arguments: [
            ([:], []), (["TF_BUILD": "True"], [.azure]), (["GITHUB_ACTIONS": "true"], [.gitHub]),
            (["TF_BUILD": "1", "GITHUB_ACTIONS": "true"], [.azure, .gitHub]),
            (["TF_BUILD": "False", "GITHUB_ACTIONS": ""], []),
        ] as [([String: String], Set<LogService>)])
    func `a service is known by its variable`(variables: [String: String], services: Set<LogService>) {
        #expect(LogService.running { variables[$0] } == services)
    }

    /// Texts that are written one after the other, and what is printed for each service.
    static let texts: [(parts: [String], azure: String, gitHub: String)] = [
        (["plain # ## [x] :: text\n"], "plain # ## [x] :: text\n", "plain # ## [x] :: text\n"),
        (["a ##vso[task.x]1\n"], "a ##vso\\u{5b}task.x]1\n", "a ##vso\\u{5b}task.x]1\n"),
        (["a ##VsO[x]"], "a ##VsO\\u{5b}x]", "a ##VsO\\u{5b}x]"),
        (["###[x] ####vso[y]"], "###\\u{5b}x] ####vso\\u{5b}y]", "###\\u{5b}x] ####vso\\u{5b}y]"),
        (["##", "v", "so[x]"], "##vso\\u{5b}x]", "##vso\\u{5b}x]"),
        (["##\n[x] ##v\nso[y]"], "##\n[x] ##v\nso[y]", "##\n[x] ##v\nso[y]"),
        (["##\u{200b}vso[x]"], "##\\u{200b}vso[x]", "##\\u{200b}vso[x]"),
        (["x\n::stop::y"], "x\n::stop::y", "x\n:\\u{3a}stop::y"),
        (["::a"], "::a", ":\\u{3a}a"),
        ([" \t::a\r\n::b"], " \t::a\r\n::b", " \t:\\u{3a}a\r\n:\\u{3a}b"),
        (["x\n", ":", ":a"], "x\n::a", "x\n:\\u{3a}a"),
        (["x", "::a"], "x::a", "x::a"),
        (
            ["\u{1b}[31m\u{9b}1m\u{202e}\ra"], "\\u{1b}[31m\\u{9b}1m\\u{202e}\\u{d}a",
            "\\u{1b}[31m\\u{9b}1m\\u{202e}\\u{d}a"
        ),
    ]

    @Test(arguments: texts)
    func `no text for people is obeyed`(parts: [String], azure: String, gitHub: String) {
        for (service, expected) in [(LogService.azure, azure), (.gitHub, gitHub)] {
            var printed = PrintedText(isTerminal: false, services: [service])
            #expect(parts.map { printed.people($0) }.joined() == expected)
        }
        var printed = PrintedText(isTerminal: false, services: [])
        #expect(parts.map { printed.people($0) }.joined() == VisibleText.forFile(parts.joined()))
    }

    @Test(arguments: [
        ("{\"a\": \"##vso[x]\", \"b\": [\"##[y\"]}\n", "{\"a\": \"##vso\\u005bx]\", \"b\": [\"##\\u005by\"]}\n"),
        ("[\n  \"##[\"]", "[\n  \"##\\u005b\"]"), ("<a b='##vso[x'>\n::c</a>", "<a b='##vso&#91;x'>\n:&#58;c</a>"),
        ("<!DOCTYPE html><script>\"##[\"", "<!DOCTYPE html><script>\"##\\u005b\""),
        ("eyJ.x.y\n", "eyJ.x.y\n"), ("a\u{200d}b\u{202e}##[", "a\u{200d}b\u{202e}##\\u{5b}"),
    ])
    func `what programs read keeps its meaning`(text: String, expected: String) {
        var printed = PrintedText(isTerminal: false, services: [.azure, .gitHub])
        #expect(printed.data(text) == expected)
        var elsewhere = PrintedText(isTerminal: false, services: [])
        #expect(elsewhere.data(text) == text)
    }

    @Test func `our own commands stay, and those of another service do not`() {
        var printed = PrintedText(isTerminal: false, services: [.azure, .gitHub])
        #expect(printed.commands("::error::a ##[b]\n", of: .gitHub) == "::error::a ##\\u{5b}b]\n")
        #expect(printed.commands("##vso[task.x]a\n::b\n", of: .azure) == "##vso[task.x]a\n:\\u{3a}b\n")
        #expect(PrintedText.withoutMarks("a ##vso[b] ##[c] d") == "a ##vso\\u{5b}b] ##\\u{5b}c] d")
    }

    @Test func `a terminal keeps our colours`() {
        var printed = PrintedText(isTerminal: true, services: [.azure])
        #expect(printed.people("\u{1b}[31m##[\u{1b}[0m\u{9b}") == "\u{1b}[31m##\\u{5b}\u{1b}[0m\\u{9b}")
    }
}
