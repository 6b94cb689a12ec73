import Browser
import Clients
import HTTPMessages
import JSON

/// An interactive operation between its two halves.
struct Interaction: Sendable {
    enum Kind: Sendable {
        case library(InteractiveSession)
        case open(OpenedRequest)
    }

    var client: String
    var tab: TabID
    var kind: Kind
    /// A callback that was delivered by hand while the operation waited.
    var delivered: WebURL?
}

/// A call of an app's library that a step has begun or gone on with.
struct OpenCall: Sendable {
    var client: String
    var session: InteractiveSession
    /// `nil` until the browser has opened.
    var tab: TabID?
}

/// What an `open` or `acquireToken` step sent to the authorize endpoint, for the result of `open` and for `http` steps that
/// redeem its code.
struct OpenedRequest: Sendable {
    var url: WebURL
    var state: String?
    var nonce: String?
    var codeVerifier: String?
    var redirectURI: String?
    var policy: String?
    var response: JSONObject = JSONObject()

    /// The parameters of an answer, from the form, the query or the fragment.
    static func response(_ url: WebURL, _ form: FormItems?) -> JSONObject {
        var response = JSONObject()
        for item in url.queryItems.items + url.fragmentItems.items + (form?.items ?? []) {
            response[item.name] = .string(item.value)
        }
        return response
    }
}
