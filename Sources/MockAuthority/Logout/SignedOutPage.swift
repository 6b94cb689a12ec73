import JSON

/// The page after sign-out: for requests that name no place to go to, or with the frames of single sign-out.
enum SignedOutPage {
    static func html(frames: [String], next: String?) -> String {
        let iframes = frames.map { "<iframe hidden src=\"\(HTML.attribute($0))\"></iframe>" }.joined()
        let onward = next.map { address in
            // A slash in the text cannot end the script element.
            let literal = JSONWriter.compact(.string(address)).split(separator: "</").joined(separator: "<\\/")
            return "<p><a id=\"next\" href=\"\(HTML.attribute(address))\">Continue</a></p>"
                + "<script>window.onload=function(){location.replace(\(literal));};</script>"
        }
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>Signed out</title>\
            <link rel="stylesheet" href="/static/harness/page.css"></head>
            <body><div id="api" class="panel" data-name="SignedOut" role="main">
            <h1 class="heading">You are signed out.</h1>\(iframes)\(onward ?? "")
            </div></body></html>
            """
    }
}
