import JSON
import TenantFiles

/// Shows hosted pages outside of a sign-in, as reports do: a script of a page that draws a hosted page in a document of
/// its own, with the script that the page itself has.
public enum HostedPages {
    /// The style sheet of the pages without its pictures, which would be loaded, and what fits a page into a frame.
    public static let style = StaticAssets.pageStyle.replacing(/url\([^)]*\)/, with: "none") + fitting

    private static let fitting =
        "html { zoom: .8; } [hidden] { display: none !important; } body { min-height: 100vh; }\n"

    /// Declares `hostedPages`: `style` is the style sheet of the pages; `draw(document, settings)` draws the page whose
    /// settings objects (`SETTINGS`, `SA_FIELDS`, ...) are given into the document and returns whether the template was
    /// one of the service. It loads nothing and answers nothing.
    public static let script = """
        const hostedPages = { style: \(JSONWriter.script(.string(style))), draw: (document, settings) => {
        const { SETTINGS, SA_FIELDS, CONTENT, CP, OPENING_MESSAGE } = settings;
        const templates = \(JSONWriter.script(.object(templates)));
        const found = Object.keys(templates).find((folder) => SETTINGS.remoteResource.toLowerCase().includes(folder));
        const window = {}, location = { assign() {}, replace() {} }, navigator = { cookieEnabled: true, language: "en" };
        const addEventListener = () => {}, setTimeout = () => {};
        class XMLHttpRequest {
          open(method, address) { this.isTemplate = method === "GET" && address === SETTINGS.remoteResource; }
          setRequestHeader() {}
          send() {
            if (!this.isTemplate) return;
            this.status = 200;
            this.responseText = templates[found] || Object.values(templates)[0];
            this.onload();
          }
        }
        \(StaticAssets.pageScript)
        return found !== undefined;
        } };

        """

    /// The service's templates by a part of their addresses, in lower case, without pictures, which would be loaded.
    private static var templates: JSONObject {
        JSONObject(
            PageTemplate.allCases.map { template in
                (
                    "/tenant/\(template.folder.lowercased())/",
                    .string(PageFrameHTML(template).document.replacing(/<img [^>]*>/, with: ""))
                )
            })
    }
}
