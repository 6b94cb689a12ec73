import CAssets
import Diagnostics

/// The files of hosted pages, which are in the folder `Files`.
extension StaticAssets {
    /// The script of all hosted pages: fetches the template, draws the fields of `SA_FIELDS` into the element `api` under
    /// the element ids that tests of live tenants use, and speaks the page protocol. It knows nothing of the mock beyond
    /// the settings objects.
    ///
    /// Element ids, classes and nesting: Microsoft docs, customize-ui-with-html, and pages recorded from live tenants
    /// (layouts unifiedssp 2.1, selfasserted 2.1, multifactor 1.2).
    static let pageScript = withDisarm(asset_hosted_page_script())

    /// The script of error pages with a template of the policy's own: what the page says moves into the template's
    /// element `api`. Where the template cannot be loaded the page stays as it came.
    static let errorScript = withDisarm(asset_hosted_page_error())

    /// The look of all pages. Rules under `.harness-page` apply to the service's own page templates alone; the others
    /// apply in custom templates too and only keep the drawn elements usable.
    static let pageStyle = asset_hosted_page_style().text.replacing("/*PROVIDERS*/", with: providerStyle)

    /// A script with the function that removes what could run from a template.
    private static func withDisarm(_ script: CAsset) -> String {
        script.text.replacing("/*DISARM*/\n", with: asset_hosted_page_disarm().text)
    }
}
