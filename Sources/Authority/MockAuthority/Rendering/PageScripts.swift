import JOSE

/// The scripts inside pages that have one and load nothing, and the content security policies of these pages: each allows
/// the one script of the page and no other (W3C CSP3, section 2.3.1).
public enum PageScripts {
    /// Of a page that carries an answer in a form.
    static let submit = "document.getElementById('auto').submit();"
    /// Of a page that goes on once its frames are loaded.
    static let goOn = "window.onload=function(){location.replace(document.getElementById('next').href);};"

    /// The policy of a plain page: it has no script.
    public static let nonePolicy =
        "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'"
    /// The policy of a page that carries an answer in a form.
    public static let submitPolicy = nonePolicy + "; script-src '\(source(submit))'"
    /// The policy of the page after a sign-out, which has frames of the other apps of the session.
    static let goOnPolicy =
        "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; frame-src http: https:; "
        + "script-src '\(source(goOn))'"

    private static func source(_ script: String) -> String {
        "sha256-" + Base64.encode(SHA2.sha256(Array(script.utf8)))
    }
}
