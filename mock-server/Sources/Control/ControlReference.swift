import JSON

/// The reference page of the control interface, written from the table of its calls: `docs/control-api.md`.
enum ControlReference {
    static let markdown: String = {
        var lines = [
            "# Control API", "",
            "A running `mock-server` can be steered while apps and browsers use it: its clock, settings, people, keys, faults and logs.",
            "Everything is under `\(ControlAPI.prefix)`, takes and gives JSON, and is described for tools at `\(ControlAPI.prefix)/openapi.json` (OpenAPI 3.1).",
            "The same is done by hand on the inspector page, `/_b2c/`.", "",
            "- The header `B2C-World` names the world; without it the world `default`, which everybody shares.",
            "- The name of a world that `POST /worlds` makes cannot be guessed. A sign-in request with that name in `B2C-World` plays in that world and may move its clock; nothing moves the clock of `default` but `PATCH /clock`.",
            "- Calls with a body have `Content-Type: application/json`; send `{}` when there is nothing to say.",
            "- Only programs on the same machine may call: `curl`, `b2c run --target`, the request helpers of Playwright and Cypress. With `--control-token TEXT` anybody may who sends `Authorization: Bearer TEXT`.",
            "- Web pages may not call. The sign-in pages are at this address too, so a script in one of them would otherwise read every password. Browsers mark the requests of pages (`Origin`, `Sec-Fetch-Site`), and a page cannot change these marks.",
            "- The inspector page has a port of its own, `--control-port N`, with nothing but the control API beside it. `/_b2c/` at the main port leads there.",
            "- Without TLS the host is a name of this machine, such as `localhost` or `127.0.0.1`: at other names browsers do not mark requests.",
            "- Passwords, tokens, codes and cookies are masked in what is read, unless the query has `secrets=show`.",
            "", "```",
            "curl http://localhost:9400\(ControlAPI.prefix)/clock",
            "curl -X PATCH -H 'Content-Type: application/json' -d '{\"advance\":\"PT61M\"}' http://localhost:9400\(ControlAPI.prefix)/clock",
            "```", "",
            "An error is `{\"error\":{\"code\":...,\"message\":...,\"findings\":[...]}}`; each finding names the JSON pointer, what is wrong and how to fix it.",
            "", "| code | status | meaning |", "| --- | --- | --- |",
        ]
        for code in ControlFault.Code.allCases { lines.append("| `\(code.rawValue)` | \(code.status) | \(code.doc) |") }
        var tag = ""
        for route in ControlRoutes.all {
            if OpenAPIDocument.tag(route) != tag {
                tag = OpenAPIDocument.tag(route)
                lines += ["", "## \(tag)"]
            }
            lines += section(route)
        }
        return lines.joined(separator: "\n") + "\n"
    }()

    private static func section(_ route: ControlRoute) -> [String] {
        var lines = ["", "### `\(route.method) \(route.path)`", "", route.doc]
        let rows =
            route.parts.map { ("`\($0.name)` in the path", "text", $0.doc) }
            + route.query.map { ("`\($0.name)` in the query", words($0.kind), $0.doc) }
            + (route.body?.fields ?? []).map { field in
                (
                    "`\(field.name)`", ShapeWords.text(field.shape),
                    field.doc + (field.required ? " Required." : "")
                        + (field.defaultText.map { " Default: \($0)." } ?? "")
                )
            }
        if !rows.isEmpty {
            lines += ["", "| name | takes | meaning |", "| --- | --- | --- |"]
            lines += rows.map { "| \($0.0) | \($0.1) | \($0.2) |" }
        }
        lines += ["", "Answer: \(route.answer.status). \(route.answer.doc)"]
        if case .object(let object)? = route.answer.shape, !object.fields.isEmpty {
            lines += ["", "| member | is | meaning |", "| --- | --- | --- |"]
            lines += object.fields.map { "| `\($0.name)` | \(ShapeWords.text($0.shape)) | \($0.doc) |" }
        }
        if let example = route.example {
            lines += ["", "```json", JSONWriter.compact(example), "```"]
        }
        return lines
    }

    private static func words(_ kind: ControlRoute.Query.Kind) -> String {
        switch kind {
        case .number: "number"
        case .text: "text"
        case .oneOf(let words): words.map { "`\($0)`" }.joined(separator: " ")
        }
    }
}

/// A shape in a few words.
enum ShapeWords {
    static func text(_ shape: Shape) -> String {
        switch shape {
        case .any: "any value"
        case .bool: "true or false"
        case .integer, .number: "number"
        case .string, .nonEmptyString, .name: "text"
        case .duration: "duration"
        case .instant: "instant"
        case .url: "URL"
        case .pattern(_, let hint): hint
        case .oneOf(let choices): choices.map { "`\($0.value)`" }.joined(separator: " ")
        case .array(let element): "list: \(text(element))"
        case .map(_, let hint, _): "object by \(hint)"
        case .object(let object): object.title
        case .anyOf(let shapes): shapes.map(text).joined(separator: " or ")
        case .nullable(let shape): "\(text(shape)) or null"
        case .ref(let name): name == "faultRule" ? "fault rule, as in scripts" : name
        }
    }
}
