import B2CProtocol
import HTTPMessages
import JSON
import Records

/// A visit of the browser.
package struct Open: WireCall {
    package var request = WireRequest()
    package var frame = false

    package init() {}

    package static let name = "open"
    package static let doc = "The browser goes to an address and follows it as far as it leads; nothing is redeemed."
    package static let traits = VerbTraits.user
    package static let shape = wireShape()
    package static let settings: [Setting<Open>] = {
        var table = requestTable
        table.add("frame", \.frame, .bool, "In a hidden frame.")
        return table.rows
    }()

    package var needsClient: Bool { true }

    package func needs(keys: [String]) -> [(capability: Capability, reason: String)] {
        frame ? [(.browserRequests, "opens a hidden frame")] : []
    }

    package struct Returned: ResultRecord {
        /// Where the browser stopped.
        package var url: String
        /// The page at which it stopped; `nil` for an app's own address.
        package var page: PageRecord?
        /// What was sent to the authorization endpoint.
        package var sent: WebURL
        package var state: String?
        package var nonce: String?
        package var codeVerifier: String?
        /// What the authorization endpoint answered.
        package var response: JSONObject?
        /// The client that took the redirect URI.
        package var delivered: String?

        package init(url: String, sent: WebURL) {
            self.url = url
            self.sent = sent
        }

        package static let members: [ResultMember<Returned>] = {
            var table = ResultTable<Returned>()
            table.add("url", .text, ResultDocs.url) { $0.url }
            table.add("status", .number, ResultDocs.status) { $0.page?.status }
            table.add("page", .json(.ref("page")), "The page at which the browser stopped.") { $0.page?.json }
            table.add(
                "request", .members,
                "What was sent to the authorization endpoint: `query`, `state`, `nonce`, `codeVerifier`."
            ) { $0.request }
            table.add(
                "response", .members, "What the authorization endpoint answered: `code`, `state`, `error` and others."
            ) { $0.response }
            table.add(
                "delivered", ResultForm<String>.text.orNull(), "The client that took the redirect URI, or null."
            ) { .some($0.delivered) }
            return table.members
        }()

        private var request: JSONObject {
            var request: JSONObject = ["query": .object(sent.queryItems.json)]
            if let state { request["state"] = .string(state) }
            if let nonce { request["nonce"] = .string(nonce) }
            if let codeVerifier { request["codeVerifier"] = .string(codeVerifier) }
            return request
        }
    }

    package static let results: [any ResultRecord.Type] = [Returned.self]
}
