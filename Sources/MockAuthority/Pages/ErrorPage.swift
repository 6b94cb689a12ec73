import Determinism

/// The page `GlobalException`: what went wrong, for the person at the browser, with the ids support asks for.
public struct ErrorPageDraft: Sendable {
    /// `AADB2Cnnnnn: text`, or the text without a number.
    public var detail: String
    public var correlationID: GUID
    /// `2026-01-15 12:00:00Z`.
    public var timestamp: String

    func html() -> String {
        """
        <!DOCTYPE html>
        <!-- Build: \(pageBuild) -->
        <!-- StateVersion: 2.1.1 -->
        <!-- DeploymentMode: Production -->
        <!-- CorrelationId: \(correlationID) -->
        <!-- DataCenter: DB3 -->
        <!-- Slice: 001-000 -->
        <html lang="en"><head><meta charset="utf-8"><title>Error</title>\
        <link rel="stylesheet" href="/static/harness/page.css"></head>
        <body><div id="api" class="error-page-content" data-name="GlobalException" role="main">
        <h1 class="heading">Signing in did not work.</h1>
        <p class="error-page-help">Something is wrong with the request or with the policy that served it. \
        Close the browser, open the app again and try once more.</p>
        <div class="error-page-messagedetails">
        <div class="error-page-correlationid">Correlation ID: \(correlationID)</div>
        <div class="error-page-timestamp">Timestamp: \(timestamp)</div>
        <div class="error-page-detail">\(HTML.text(detail))</div>
        </div></div></body></html>
        """
    }
}
