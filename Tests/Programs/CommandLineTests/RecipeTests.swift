import Foundation
import JSON
import TestSupport
import Testing

/// docs/recipes.md: each recipe runs in the folder that `b2c init` writes, and words find it.
@Suite(.blocking) struct RecipeTests {
    /// Title and steps of each recipe.
    private static func recipes() throws -> [(title: String, steps: String)] {
        let page = String(decoding: try TestFiles.bytes("docs/recipes.md"), as: UTF8.self)
        return page.components(separatedBy: "\n### ").dropFirst().map { section in
            let title = section.components(separatedBy: "\n")[0]
            let blocks = section.components(separatedBy: "```json\n").dropFirst()
            return (title, blocks.first?.components(separatedBy: "\n```")[0] ?? "")
        }
    }

    @Test func `every recipe runs, and fits a terminal`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        #expect(try tool.run("init").status == 0)
        let recipes = try Self.recipes()
        for (number, recipe) in recipes.enumerated() {
            #expect(recipe.steps.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(recipe.title)")
            try tool.write(
                """
                { "name": "\(recipe.title)", "tenant": "../tenants/contoso.json", "app": "ios", "steps": [
                \(recipe.steps)
                ] }

                """, to: "scenarios/recipes/\(number).json")
        }
        let run = try tool.run("run", "scenarios/recipes", "--strict")
        #expect(run.status == 0, "\(run.out)\(run.error)")
        #expect(run.out.contains("\(recipes.count) passed"), "\(run.out)")
    }

    @Test func `words find a recipe, its scenario, and more`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        let found = try tool.run("explain", "close the window")
        #expect(
            found.status == 0 && found.out.hasPrefix("The person closes the window\n"), "\(found.out)\(found.error)")
        let steps = try #require(try Self.recipes().first { $0.title == "The person closes the window" }).steps
        #expect(found.out.contains("\n\(steps)\n"), "\(found.out)")
        #expect(found.out.contains("b2c explain sign-in/window-closed --write"), "\(found.out)")
        #expect(found.out.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(found.out)")
        let like = try JSONParser.parse(try tool.run("explain", "--json", "--like", "cancel").out)
        #expect(like["recipes"]?[0]?["title"] == "The person presses Cancel" && like["similar"]?[0]?["script"] != nil)
        let story = try tool.run(
            "explain", "user cancels, silent call then fails with interaction_required after password reset")
        #expect(story.out.contains("b2c explain B106 --write") && story.out.contains("b2c explain B28 --write"))
        #expect(!story.out.contains("B05"), "\(story.out)")
    }

    @Test func `a scenario that was found can be written and run`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        let written = try tool.run("explain", "sign-in/window-closed", "--write")
        #expect(
            written.out.hasPrefix("sign-in/window-closed  a shipped scenario\n") && written.status == 0,
            "\(written.out)\(written.error)")
        #expect(written.out.contains("now    b2c run scenarios/sign-in/window-closed.json"), "\(written.out)")
        #expect(try tool.run("run", "scenarios/sign-in/window-closed.json").status == 0)
    }

    /// What is known by itself is shown as before, and nothing is about what is not known.
    @Test(arguments: [
        (["AADB2C90118"], "AADB2C90118  Azure AD B2C\n", false), (["acquireToken"], "acquireToken  verb", false),
        (["IDX10223: Lifetime validation failed. The token is expired."], "an error text", false),
        (["token-expired"], "token-expired  ", false), (["B106"], "B106  ", false),
    ])
    func `codes and errors have no similar ones`(_ row: (words: [String], start: String, isSimilar: Bool)) throws {
        let tool = try Tool()
        defer { tool.remove() }
        let run = try tool.run(["explain"] + row.words)
        #expect(run.status == 0 && run.out.hasPrefix(row.start), "\(run.out)\(run.error)")
        #expect(run.out.contains("\nsimilar\n") == row.isSimilar, "\(run.out)")
    }

    @Test(arguments: [
        (["--like", "such a lovely day"], "no recipe, scenario or cause is about \"such a lovely day\""),
        (["--like"], "explain what?"), (["--like", "--file", "x.log"], "--like searches for words"),
    ])
    func `a search that finds nothing says so`(_ row: (arguments: [String], text: String)) throws {
        let tool = try Tool()
        defer { tool.remove() }
        let run = try tool.run(["explain"] + row.arguments)
        #expect(run.status == 1 && run.out.isEmpty && run.error.contains(row.text), "\(run.error)")
    }
}
