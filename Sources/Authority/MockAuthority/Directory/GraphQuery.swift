import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import Journeys

/// The query options of a request for people (Microsoft docs: query-parameters).
struct GraphQuery: Sendable {
    /// Properties in Graph's spelling; `nil`: the standard ones. `*` stands for all.
    var select: [String]?
    var filter: GraphFilter?
    var pageSize = 100
    /// The last person of the previous page.
    var after: GUID?
    var order: (property: String, descending: Bool)?
    var wantsCount = false

    /// - Throws: What is wrong with an option, or that it needs `ConsistencyLevel: eventual`.
    init(_ request: RequestMessage, _ users: GraphUsers) throws(GraphFault) {
        let isEventual = request.headers["ConsistencyLevel"]?.lowercased() == "eventual"
        for (name, value) in request.url.queryItems.items where name.hasPrefix("$") {
            switch name.lowercased() {
            case "$select": select = try Self.select(value)
            case "$filter": filter = try GraphFilterReader.read(value, users)
            case "$top": pageSize = try Self.pageSize(value)
            case "$skiptoken": after = try Self.place(value)
            case "$orderby": order = try Self.order(value)
            case "$count": wantsCount = value.lowercased() == "true"
            case "$search", "$expand": throw .notSimulated("\(name) of people")
            default: throw GraphFault(400, "Request_BadRequest", "'\(name)' is not supported by the service.")
            }
        }
        // Without the field there is no count, and no error (reported: microsoft-graph-docs#8586).
        let isAdvanced = isEventual && wantsCount
        wantsCount = isAdvanced
        guard !isAdvanced else { return }
        let part = filter?.advancedPart ?? (order != nil && filter != nil ? "Sorting a filtered list" : nil)
        guard let part else { return }
        guard isEventual else { throw .needsConsistencyLevel(part) }
        throw .unsupportedQuery("\(part) is not supported without $count=true.")
    }

    private static func select(_ text: String) throws(GraphFault) -> [String] {
        var names: [String] = []
        for part in text.split(separator: ",") {
            let name = part.filter { $0 != " " }
            if name == "*" || GraphExtension(name) != nil {
                names.append(name)
            } else if let property = GraphUserProperty.named(name) {
                names.append(property.name)
            } else {
                throw GraphFault(
                    400, "BadRequest",
                    "Parsing OData Select and Expand failed: Could not find a property named '\(name)' on type "
                        + "'microsoft.graph.user'.")
            }
        }
        return names
    }

    private static func pageSize(_ text: String) throws(GraphFault) -> Int {
        guard let size = Int(text), (1...999).contains(size) else {
            throw .unsupportedQuery("Invalid page size specified: '\(text)'. Must be between 1 and 999 inclusive.")
        }
        return size
    }

    private static func order(_ text: String) throws(GraphFault) -> (property: String, descending: Bool) {
        let words = text.split(separator: " ").map { $0.lowercased() }
        guard (1...2).contains(words.count), let property = GraphUserProperty.named(words[0]),
            ["displayName", "userPrincipalName", "createdDateTime"].contains(property.name),
            words.count == 1 || ["asc", "desc"].contains(words[1])
        else {
            throw .unsupportedQuery(
                "Sorting not supported for current query.",
                why: "people are sorted by displayName, userPrincipalName or createdDateTime, asc or desc")
        }
        return (property.name, words.last == "desc")
    }

    // MARK: Pages

    private static func place(_ text: String) throws(GraphFault) -> GUID {
        guard let bytes = Base64URL.decode(text), let id = GUID(bytes: bytes) else { throw .badPage }
        return id
    }

    /// A page of accounts: what it shows, how many there are in all, and the option of the next page.
    struct AccountPage {
        var accounts: [Account]
        var count: Int
        var next: String?
    }

    func page(of directory: Directory, _ users: GraphUsers) throws(GraphFault) -> AccountPage {
        var all = directory.objectIDs.compactMap { directory[$0] }
        if let filter { all = all.filter { filter.holds(for: $0, users, in: directory) } }
        if let order {
            let keyed = all.enumerated().map { place, account in
                (
                    key: users.value(order.property, of: account, in: directory)?.stringValue?.lowercased() ?? "",
                    place: place, account: account
                )
            }
            all = keyed.sorted { one, two in
                if one.key == two.key { return one.place < two.place }
                return order.descending ? one.key > two.key : one.key < two.key
            }.map(\.account)
        }
        var start = 0
        if let after {
            guard let last = all.firstIndex(where: { $0.objectID == after }) else { throw .badPage }
            start = last + 1
        }
        let shown = Array(all[start...].prefix(pageSize))
        let isLast = start + shown.count >= all.count
        return AccountPage(
            accounts: shown, count: all.count,
            next: isLast ? nil : shown.last.map { Base64URL.encode($0.objectID.bytes) })
    }

    /// The address of the next page: this one with another `$skiptoken`.
    static func nextLink(_ url: WebURL, token: String) -> String {
        let kept = url.queryItems.items.filter { $0.name.lowercased() != "$skiptoken" }
        let options = (kept + [("$skiptoken", token)]).map { "\($0.0)=\(PercentCoding.encodeComponent($0.1))" }
        return "\(url.origin)\(url.path)?" + options.joined(separator: "&")
    }
}

extension GraphFault {
    fileprivate static let badPage = GraphFault(
        400, "Directory_ExpiredPageToken",
        "The specified page token value has expired and can no longer be included in your request.")
}
