import Determinism
import JSON
import JourneyLogs

/// Writes rows in the forms in which logs are exported.
enum Exports {
    static let columns = [
        "timestamp", "message", "customDimensions", "cloud_RoleInstance", "operation_Id", "itemId", "itemCount",
    ]

    /// A file in each form.
    static let forms: [(name: String, write: @Sendable ([RecorderRow]) -> [UInt8])] = [
        ("events API", { Array(eventsAPI($0).utf8) }),
        ("query API", { Array(queryAPI($0).utf8) }),
        ("query API, older names", { Array(older($0).utf8) }),
        ("CSV", { Array(csv($0).utf8) }),
        ("CSV of a German Excel", { [0xEF, 0xBB, 0xBF] + Array(csv($0, separator: ";", end: "\r\n").utf8) }),
        ("CSV with tabs in UTF-16", { utf16(csv($0, separator: "\t", end: "\r\n")) }),
        ("CSV with bars", { Array(csv($0, separator: "|").utf8) }),
        ("portal CSV", { Array(csv($0, header: "timestamp [UTC]").utf8) }),
        ("JSON lines", { Array(rows($0).map { JSONWriter.compact($0) }.joined(separator: "\n").utf8) }),
        ("list of rows", { Array(JSONWriter.pretty(.array(rows($0))).utf8) }),
        ("workspace table", { Array(workspace($0).utf8) }),
        ("messages as values", { Array(JSONWriter.compact(.array(values($0))).utf8) }),
    ]

    private static func dimensions(_ row: RecorderRow) -> String { JSONWriter.compact(.object(row.dimensions.json)) }

    private static func cells(_ row: RecorderRow) -> [String] {
        [
            row.time.text, row.message, dimensions(row), row.roleInstance ?? "", row.operationID ?? "",
            row.itemID ?? "", String(row.itemCount),
        ]
    }

    static func queryAPI(_ rows: [RecorderRow]) -> String {
        let table: JSONValue = [
            "name": "PrimaryResult",
            "columns": .array(columns.map { ["name": .string($0), "type": "string"] }),
            "rows": .array(rows.map { .array(cells($0).map { .string($0) }) }),
        ]
        return JSONWriter.compact(["tables": [table]])
    }

    private static func older(_ rows: [RecorderRow]) -> String {
        let table: JSONValue = [
            "TableName": "Table_0",
            "Columns": .array(columns.map { ["ColumnName": .string($0), "DataType": "String"] }),
            "Rows": .array(rows.map { .array(cells($0).map { .string($0) }) }),
        ]
        return JSONWriter.compact(["Tables": [table]])
    }

    private static func eventsAPI(_ rows: [RecorderRow]) -> String {
        let value = rows.map { row -> JSONValue in
            [
                "id": .string(row.itemID ?? ""), "timestamp": .string(row.time.text),
                "cloud": ["roleInstance": .string(row.roleInstance ?? "")], "trace": ["message": .string(row.message)],
                "customDimensions": .object(row.dimensions.json),
            ]
        }
        return JSONWriter.compact(["@odata.context": "x", "value": .array(value)])
    }

    static func rows(_ rows: [RecorderRow]) -> [JSONValue] {
        rows.map { .object(JSONObject(zip(columns, cells($0)).map { ($0, .string($1)) })) }
    }

    private static func values(_ rows: [RecorderRow]) -> [JSONValue] {
        Exports.rows(rows).map { row in
            guard let message = row["message"]?.stringValue, let value = try? JSONParser.parse(message) else {
                return row
            }
            return row.merging(patch: ["message": value])
        }
    }

    private static func workspace(_ rows: [RecorderRow]) -> String {
        let names = [
            "TimeGenerated", "Message", "Properties", "AppRoleInstance", "OperationId", "_ItemId", "ItemCount",
        ]
        let value = rows.map { row in JSONValue.object(JSONObject(zip(names, cells(row)).map { ($0, .string($1)) })) }
        return JSONWriter.pretty(.array(value))
    }

    static func csv(
        _ rows: [RecorderRow], separator: String = ",", end: String = "\n", header: String = "timestamp"
    ) -> String {
        func quoted(_ text: String) -> String {
            "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
        }
        let head = [header] + columns.dropFirst()
        return
            ([head.joined(separator: separator)]
            + rows.map { row in cells(row).map(quoted).joined(separator: separator) }).joined(separator: end) + end
    }

    private static func utf16(_ text: String) -> [UInt8] {
        [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }
}

/// Sessions to write.
enum Sessions {
    static let correlation = "0a1b2c3d-0000-4000-8000-00000000ada0"

    static func time(_ milliseconds: Int64, rest: Int = 0) -> RecorderTime {
        RecorderTime(Timestamp(milliseconds: 1_793_610_611_000 + milliseconds), rest: rest)
    }

    static func message(
        _ event: String, correlation: String = correlation, policy: String = "B2C_1A_loyalty", _ clips: [RecorderClip]
    ) -> RecorderMessage {
        RecorderMessage(
            clips: [
                .headers(
                    RecorderHeaders(
                        correlationID: correlation, eventInstance: event, tenantID: "contoso.onmicrosoft.com",
                        policyID: policy))
            ] + clips)
    }

    /// The rows of messages, one a second; long ones in pieces.
    static func rows(
        _ messages: [RecorderMessage], correlation: String = correlation, policy: String = "B2C_1A_loyalty",
        limit: Int = RecorderRow.characterLimit, from start: Int64 = 0
    ) -> [RecorderRow] {
        var rows: [RecorderRow] = []
        for (index, message) in messages.enumerated() {
            let pieces = RecorderRow.pieces(of: JSONWriter.compact(message.json), limit: limit)
            for (number, piece) in pieces.enumerated() {
                rows.append(
                    RecorderRow(
                        time: time(start + Int64(index) * 1000, rest: number), message: piece,
                        dimensions: RecorderDimensions(
                            correlationID: correlation, tenant: "contoso.onmicrosoft.com", userJourney: policy),
                        roleInstance: "CPIM_IN_\(index % 2)", operationID: "op",
                        itemID: "\(correlation)-\(index)-\(number)"
                    ))
            }
        }
        return rows
    }
}
