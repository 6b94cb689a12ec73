import HTTPMessages
import Markup

/// An ordinary HTML form: the pages of identity providers and of a plain directory, and the form that posts a response
/// to the app by itself.
struct PlainForm: Sendable, Hashable {
    struct FormInput: Sendable, Hashable {
        var id: String
        var name: String
        var type: String
        var value: String
        var label: String
        var required: Bool
        var options: [String]
    }

    struct Button: Sendable, Hashable {
        var id: String
        var name: String
        var value: String
        var text: String
    }

    var id: String
    var action: String
    var method: String
    /// What it is sent for shows in another tab.
    var opensNewTab = false
    var inputs: [FormInput]
    var buttons: [Button]

    /// The first form of a page.
    static func first(in html: HTMLScanner) -> PlainForm? {
        guard let start = html.tags.firstIndex(where: { $0.name == "form" }) else { return nil }
        let head = html.tags[start]
        var form = PlainForm(
            id: head["id"] ?? "", action: head["action"] ?? "", method: (head["method"] ?? "get").uppercased(),
            opensNewTab: head["target"] == "_blank", inputs: [], buttons: [])
        var labels: [(id: String, text: String)] = []
        var selecting: Int?
        for tag in html.tags[(start + 1)...] {
            switch tag.name {
            case "/form":
                form.setLabels(labels)
                return form
            case "label":
                labels.append((tag["for"] ?? "", tag.textAfter))
            case "input":
                let type = (tag["type"] ?? "text").lowercased()
                if type == "submit" || type == "button" {
                    form.buttons.append(
                        Button(
                            id: tag["id"] ?? "", name: tag["name"] ?? "", value: tag["value"] ?? "",
                            text: tag["value"] ?? ""))
                } else {
                    form.inputs.append(
                        FormInput(
                            id: tag["id"] ?? tag["name"] ?? "", name: tag["name"] ?? "", type: type,
                            value: tag["value"] ?? "",
                            label: tag["aria-label"] ?? "", required: tag["required"] != nil, options: []))
                }
            case "select":
                selecting = form.inputs.count
                form.inputs.append(
                    FormInput(
                        id: tag["id"] ?? tag["name"] ?? "", name: tag["name"] ?? "", type: "select", value: "",
                        label: "",
                        required: tag["required"] != nil, options: []))
            case "/select":
                selecting = nil
            case "option":
                guard let selecting else { continue }
                let value = tag["value"] ?? tag.textAfter
                form.inputs[selecting].options.append(value)
                if tag["selected"] != nil { form.inputs[selecting].value = value }
            case "button":
                form.buttons.append(
                    Button(id: tag["id"] ?? "", name: tag["name"] ?? "", value: tag["value"] ?? "", text: tag.textAfter)
                )
            default:
                continue
            }
        }
        form.setLabels(labels)
        return form
    }

    private mutating func setLabels(_ labels: [(id: String, text: String)]) {
        for index in inputs.indices {
            if let label = labels.first(where: { $0.id == inputs[index].id && !$0.id.isEmpty }) {
                inputs[index].label = label.text
            }
        }
    }

    /// The button that a script means: by id or value, or by what such buttons are mostly called.
    func button(_ name: String) -> Button? {
        let aliases: [String: [String]] = [
            "signIn": ["signIn", "accept"], "continue": ["continue", "accept", "signIn"],
            "accept": ["accept", "signIn", "continue"], "deny": ["deny", "cancel"], "cancel": ["cancel", "deny"],
        ]
        for candidate in [name] + (aliases[name] ?? []) {
            if let found = buttons.first(where: { $0.id == candidate || $0.value == candidate }) { return found }
        }
        return nil
    }

    /// What the hidden inputs say.
    var hidden: FormItems {
        var items = FormItems()
        for input in inputs where input.type == "hidden" && !input.name.isEmpty {
            items.append(input.name, input.value)
        }
        return items
    }
}
