import CommandKit
import Diagnosis
import JSON
import Reports

/// What `b2c explain` prints of recipes, shipped scenarios and causes that are about somebody's words.
package struct SimilarText {
    /// A shipped scenario, or a cause that none plays.
    private struct Entry {
        var title: String
        /// What `b2c explain` knows it by.
        var name: String
        var script: String?

        init(_ script: ShippedScript) {
            title = script.name
            name = String(script.entry ?? script.path[...])
            self.script = script.file
        }

        init(_ cause: Cause) {
            title = cause.cause
            name = cause.id
        }

        var command: String { "b2c explain \(name)" + (script == nil ? "" : " --write") }

        var json: JSONValue {
            ["title": .string(title), "name": .string(name), "script": script.map { .string($0) } ?? .null]
        }
    }

    /// More than these are not read.
    private static let mostRecipes = 2, mostEntries = 6

    private var recipes: [(recipe: Recipe, scripts: [Entry])] = []
    private var entries: [Entry] = []

    init(_ similar: [Similar]) {
        for case .recipe(let recipe) in similar.prefix(4) where recipes.count < Self.mostRecipes {
            recipes.append((recipe, recipe.scripts.compactMap { ShippedScript.named($0) }.map { Entry($0) }))
        }
        // What a recipe names is not listed again.
        let named = Set(recipes.flatMap(\.scripts).map(\.name))
        for subject in similar where entries.count < Self.mostEntries {
            switch subject {
            case .recipe: continue
            case .script(let script): entries.append(Entry(script))
            case .cause(let cause): entries.append(Entry(cause))
            }
            if let last = entries.last, named.contains(last.name) { entries.removeLast() }
        }
    }

    /// The script that shows the first of them.
    var script: String? { recipes.first?.scripts.first?.script ?? entries.lazy.compactMap(\.script).first }

    /// For a terminal of 80 columns. Steps are printed as they are copied: without indentation.
    package func text(_ style: Style) -> String {
        var parts = recipes.map { recipe, scripts in
            Explanation(title: recipe.title, facts: [("", recipe.text)]).text(style) + "\n\(recipe.steps)\n\n"
                + scripts.map { "  \(style.label("more")) \($0.command)\n" }.joined()
        }
        if !entries.isEmpty {
            let lines = entries.flatMap { entry in
                Explanation.wrapped(entry.title, columns: HelpText.columns - 2).map { "  " + $0 } + [
                    "    " + entry.command
                ]
            }
            parts.append(([style.heading("similar")] + lines).joined(separator: "\n") + "\n")
        }
        return parts.joined(separator: "\n")
    }

    /// For programs.
    package var json: JSONObject {
        [
            "recipes": .array(
                recipes.map { recipe, scripts in
                    [
                        "title": .string(recipe.title), "text": .string(recipe.text), "steps": .string(recipe.steps),
                        "scripts": .array(scripts.map(\.json)),
                    ]
                }),
            "similar": .array(entries.map(\.json)),
        ]
    }
}
