import Diagnostics

/// What a column or a member of a row means, by its name in any of the forms in which logs are exported.
enum LogColumn: Hashable {
    case time, message, dimensions, role, operation, item, itemCount
    case correlation, policy, tenant, event, version

    /// The events API nests its members: `cloud/roleInstance`, `trace/message`.
    init?(_ name: String) {
        var name = name.trimmingWhitespace.lowercased()
        for zone in [" [utc]", " [local time]"] where name.hasSuffix(zone) { name.removeLast(zone.count) }
        for prefix in ["customdimensions.", "customdimensions_", "properties.", "properties_"]
        where name.hasPrefix(prefix) { name.removeFirst(prefix.count) }
        switch name {
        case "timestamp", "timegenerated", "time": self = .time
        case "message", "trace/message": self = .message
        case "customdimensions", "properties": self = .dimensions
        case "cloud_roleinstance", "cloud/roleinstance", "approleinstance": self = .role
        case "operation_id", "operationid": self = .operation
        case "itemid", "_itemid", "id": self = .item
        case "itemcount": self = .itemCount
        case "correlationid": self = .correlation
        case "userjourney": self = .policy
        case "tenant": self = .tenant
        case "eventname": self = .event
        case "version": self = .version
        default: return nil
        }
    }
}
