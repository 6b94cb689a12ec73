import Determinism
import TenantFiles

extension Authority {
    /// Files of the service that pages refer to.
    mutating func staticAsset(_ name: String, _ call: Call) -> Reply {
        guard let (text, type) = StaticAssets.file(name) else {
            return notFound(call, why: "there is no static file \(name)")
        }
        return .send(Draft(headers: .document, body: .text(text, contentType: type)), after: .zero)
    }
}

enum StaticAssets {
    /// The file and its media type; names are compared without letter case, as the service does (inferred).
    static func file(_ name: String) -> (text: String, type: String)? {
        let path = name.lowercased()
        switch path {
        case "harness/page.js": return (pageScript, "application/javascript; charset=utf-8")
        case "harness/error.js": return (errorScript, "application/javascript; charset=utf-8")
        case "harness/page.css": return (pageStyle, "text/css; charset=utf-8")
        default:
            if path.hasPrefix("harness/"), let picture = pictures[String(path.dropFirst("harness/".count))] {
                return (picture, "image/svg+xml; charset=utf-8")
            }
            guard let file = templates.first(where: { path.hasSuffix("/" + $0.name) }) else { return nil }
            return (PageFrameHTML(template(at: path), file.container).document, htmlContentType)
        }
    }

    /// The page template to which a file of the service belongs (Microsoft docs: customize-ui-with-html). Folders that
    /// no document names get Ocean Blue (inferred).
    static func template(at path: String) -> PageTemplate {
        let path = path.lowercased()
        return PageTemplate.allCases.first { path.contains("tenant/\($0.folder.lowercased())/") } ?? .oceanBlue
    }

    /// The files of a page template, and the class by which its style sheets know the page.
    private static let templates: [(name: String, container: String)] = [
        ("unified.cshtml", "unified_container"), ("selfasserted.cshtml", "self_asserted_container"),
        ("updateprofile.cshtml", "self_asserted_container"), ("multifactor-1.0.0.cshtml", "phonefactor_container"),
        ("phonefactor.cshtml", "phonefactor_container"), ("idpselector.cshtml", "unified_container"),
        ("exception.cshtml", "self_asserted_container"),
    ]
}

/// The HTML around the element `api` in a page template of the service.
///
/// Nesting, classes and ids are those of the service's templates (read from Microsoft's sample templates and from copies
/// of its pages); style and pictures are ours.
struct PageFrameHTML {
    let template: PageTemplate
    /// Class of the page's outermost element in Ocean Blue and Slate Gray.
    let container: String

    init(_ template: PageTemplate, _ container: String = "self_asserted_container") {
        self.template = template
        self.container = container
    }

    /// Attributes of the body.
    var bodyClass: String { "harness-page \(template.cssClass)" }

    /// What comes before the element `api`.
    var opening: String {
        let background = """
            <div id="background_branding_container" data-tenant-branding-background-color="true">\
            <img data-tenant-branding-background="true" src="/static/harness/\(template.cssClass).svg" alt=""></div>
            """
        let logo = """
            <img class="companyLogo" data-tenant-branding-logo="true" src="/static/harness/logo.svg" alt="Company Logo">
            """
        switch template {
        case .oceanBlue, .slateGray:
            return """
                \(background)<div class="container \(container)" role="presentation"><div class="row">\
                <div class="col-lg-6"><div class="panel panel-default"><div class="panel-body">\(logo)
                """
        case .classic:
            return """
                \(background)<div class="panel" id="panel"><table class="panel_layout" role="presentation"><tbody>\
                <tr class="panel_layout_row"><td id="panel_left"></td><td id="panel_center">\
                <div class="inner_container"><div class="api_container normaltext">\(logo)
                """
        }
    }

    /// What comes after the element `api`.
    var closing: String {
        switch template {
        case .oceanBlue, .slateGray: "</div></div></div></div></div>"
        case .classic: "</div></div></td><td id=\"panel_right\"></td></tr></tbody></table></div>"
        }
    }

    /// The template as the page's script loads it.
    var document: String {
        """
        <!DOCTYPE html>
        <html><head><title></title></head>
        <body class="\(bodyClass)">\(opening)<div id="api" role="main"></div>\(closing)</body></html>
        """
    }
}

extension PageTemplate {
    /// Class of the body, and name of the background picture.
    var cssClass: String {
        switch self {
        case .oceanBlue: "ocean-blue"
        case .slateGray: "slate-gray"
        case .classic: "classic"
        }
    }
}
