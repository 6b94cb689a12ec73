import JSON
import ModelContext
import Testing

/// Messages that are wrong, and what the answer says.
struct BadMessageTests {
    private static let version = "io.modelcontextprotocol/protocolVersion"
    private static let capabilities = "io.modelcontextprotocol/clientCapabilities"

    private static func meta(_ version: String) -> String {
        #""_meta":{"\#(Self.version)":\#(version),"\#(capabilities)":{}}"#
    }

    @Test(
        arguments: [
            (#"{"jsonrpc""#, -32700, nil, "column "), ("nonsense", -32700, nil, "column "),
            (String(repeating: "[", count: 5000), -32700, nil, "128 deep"), ("7", -32600, nil, "a message is number"),
            (#"{"jsonrpc":"2.0","id":1}"#, -32600, 1, "`method` is missing"),
            (#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600, 1, "`method`"),
            (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600, 1, "`jsonrpc`"),
            (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600, nil, "`id` is null"),
            (#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#, -32600, nil, "`id` is boolean"),
            (
                #"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600, nil,
                "`id` is number, expected a string or a whole"
            ),
            (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, -32602, 1, "`params` is array"),
            ("[]", -32600, nil, "the array is empty"),
            ("[\(request(1, "ping"))]", -32600, nil, "only version 2025-03-26"),
            (request(1, "nonsense"), -32601, 1, "version 2025-11-25 of this server has no method nonsense"),
            (request(1, "logging/setLevel"), -32601, 1, "no method logging/setLevel"),
            (request(1, "subscriptions/listen", meta: stateless), -32601, 1, "version 2026-07-28"),
            (request(1, "initialize"), -32602, 1, "`protocolVersion` is missing"),
            (request(1, "tools/call"), -32602, 1, "`name` is missing, expected string"),
            (request(1, "tools/call", params: #""name":7"#), -32602, 1, "`name` is number"),
            (request(1, "tools/call", params: #""name":"quik""#), -32602, 1, "no tool quik. Did you mean quick?"),
            (request(1, "tools/call", params: #""name":"zzz""#), -32602, 1, "Known: quick, slow and failing."),
            (request(1, "tools/call", params: #""name":"quick","arguments":"x""#), -32602, 1, "`arguments` is string"),
            (request(1, "tools/list", params: #""_meta":7"#), -32602, 1, "`_meta` is number"),
            (
                request(1, "tools/call", params: #""name":"quick","_meta":{"progressToken":true}"#), -32602, 1,
                "is boolean"
            ),
            (request(1, "tools/list", params: #""cursor":"x""#), -32602, 1, "`nextCursor`"),
            (request(1, "tools/list", params: #""cursor":"7""#), -32602, 1, "`nextCursor`"),
            (request(1, "tools/list", params: #""cursor":"-100""#), -32602, 1, "`nextCursor`"),
            (request(1, "resources/read"), -32602, 1, "`uri` is missing"),
            (request(1, "prompts/get", params: #""name":"reviw""#), -32602, 1, "Did you mean review?"),
            (request(1, "prompts/get", params: #""name":"review""#), -32602, 1, "`folder` is missing"),
            (
                request(1, "prompts/get", params: #""name":"review","arguments":{"foldr":"f"}"#), -32602, 1,
                "no argument foldr. Did you mean folder?"
            ),
            (
                request(1, "prompts/get", params: #""name":"review","arguments":{"folder":7}"#), -32602, 1,
                "`folder` is number"
            ),
            (request(1, "completion/complete"), -32602, 1, "`type` is missing"),
            (
                request(1, "completion/complete", params: #""ref":{"type":"x"}"#), -32602, 1,
                "ref/prompt or ref/resource"
            ),
            (
                request(1, "completion/complete", params: #""ref":{"type":"ref/resource","uri":"b2c://x"}"#), -32602, 1,
                "no resource template b2c://x"
            ),
            (request(1, "tools/list", meta: meta("7")), -32602, 1, "`\(version)` is number"),
            (
                request(1, "tools/list", meta: meta(#""2099-01-01""#)), -32022, 1,
                "2099-01-01 of the protocol is not supported"
            ),
            (request(1, "tools/list", meta: meta(#""2025-11-25""#)), -32022, 1, "needs `initialize`"),
            (
                request(1, "tools/list", meta: #""_meta":{"\#(version)":"2026-07-28"}"#), -32602, 1,
                "no `\(capabilities)`"
            ),
        ] as [(String, Int64, Int64?, String)])
    func `a wrong message gets an error`(_ line: String, code: Int64, id: Int64?, piece: String) async throws {
        let answers = await FakeServer().answers([initialize("2025-11-25"), line])
        #expect(answers.count == 2)
        let answer = try JSONParser.parse(try #require(answers.last))
        #expect(answer["id"] == id.map { .integer($0) } ?? .null)
        #expect(answer["error", "code"] == .integer(code))
        let message = answer["error", "message"]?.stringValue ?? ""
        #expect(message.contains(piece), "\(message)")
    }

    @Test func `without a handshake the missing key is named`() async {
        let answers = await FakeServer().answers([request(1, "tools/list"), request(2, "server/discover")])
        #expect(answers.count == 2)
        for answer in answers {
            #expect(answer.contains(#""code":-32602"#) && answer.contains("`\(Self.version)`"), "\(answer)")
        }
    }

    @Test func `a version that is not supported is answered with those that are`() async {
        let answers = await FakeServer().answers([request(1, "tools/list", meta: Self.meta(#""2099-01-01""#))])
        let supported = #"["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"]"#
        #expect(
            answers == [
                #"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"#
                    + #""message":"version 2099-01-01 of the protocol is not supported","#
                    + #""data":{"supported":\#(supported),"requested":"2099-01-01"}}}"#
            ])
    }

    @Test(arguments: [
        "", " \t", "\r", #"{"jsonrpc":"2.0","method":"notifications/nonsense"}"#,
        #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":7}"#,
        #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}"#,
        #"{"jsonrpc":"2.0","id":1,"result":{}}"#, #"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}"#,
    ])
    func `what needs no answer gets none`(_ line: String) async {
        let answers = await FakeServer().answers([line, request(1, "ping") + "\r"])
        #expect(answers == [#"{"jsonrpc":"2.0","id":1,"result":{}}"#])
    }

    @Test func `bytes that are not UTF-8 are not JSON`() async {
        let fake = FakeServer()
        fake.server.receive(Array(#"{"jsonrpc":"2.0","id":1,"method":""#.utf8) + [0xFF, 0x22, 0x7D])
        #expect(fake.sent.texts.count == 1 && fake.sent.texts[0].contains(#""id":null,"error":{"code":-32700"#))
    }

    @Test(arguments: [
        (#"{}"#, ["`/text` is missing. It is required."]),
        (
            #"{"txt":"a","text":7}"#,
            ["`/text` is number, expected string.", "`/txt` is not known. Did you mean `text`?"]
        ),
    ])
    func `arguments that do not fit are an error of the tool`(_ arguments: String, problems: [String]) async {
        for (first, member) in [(initialize("2024-11-05"), nil), (initialize("2025-11-25"), nil), ("", stateless)] {
            let call = request(1, "tools/call", params: #""name":"quick","arguments":\#(arguments)"#, meta: member)
            let answers = await FakeServer().answers([first, call])
            let text = (["The arguments of quick do not fit. Fix them and call it again."] + problems)
                .joined(separator: #"\n"#)
            let piece = #""content":[{"type":"text","text":"\#(text)"}],"isError":true"#
            #expect(answers.last?.contains(piece) == true, "\(answers)")
        }
    }
}
