import JSON
import JSONRPC
import Testing

struct RPCMessageTests {
    @Test(arguments: [
        (#"{"jsonrpc": "2.0", "id": 1, "method": "a", "params": {"b": 2}}"#, "request 1 a [\"b\"]"),
        (#"{"jsonrpc": "2.0", "id": 1.0, "method": "a"}"#, "request 1 a []"),
        (#"{"jsonrpc": "2.0", "id": "x", "method": "a"}"#, "request \"x\" a []"),
        (#"{"jsonrpc": "2.0", "method": "a", "params": [7]}"#, "notification a []"),
        (#"{"jsonrpc": "2.0", "id": 3, "result": null}"#, "response 3"),
        (#"{"id": 3, "error": {"code": 1}}"#, "response 3"),
        (#"{"jsonrpc": "2.0", "id": null, "method": "a"}"#, "-32600"),
        (#"{"jsonrpc": "2.0", "id": 1.5, "method": "a"}"#, "-32600"),
        (#"{"jsonrpc": "2.0", "id": 1, "method": 7}"#, "-32600"),
        (#"{"jsonrpc": "2", "id": 1, "method": "a"}"#, "-32600"),
        (#"{"jsonrpc": "2.0", "id": 1, "method": "a", "params": [7]}"#, "-32602"),
        ("[]", "-32600"), ("7", "-32600"),
    ])
    func `a message is what its members say`(_ text: String, _ expected: String) throws {
        let value = try JSONParser.parse(text)
        let found: String
        do throws(RPCFault) {
            found =
                switch try RPCMessage(value) {
                case .request(let request):
                    "request \(JSONWriter.compact(request.id)) \(request.method) \(request.params.keys)"
                case .notification(let method, let params): "notification \(method) \(params.keys)"
                case .response(let id): "response \(JSONWriter.compact(id))"
                }
        } catch {
            found = "\(error.code)"
        }
        #expect(found == expected)
    }

    @Test func `an answer has the id of its request`() throws {
        let request = try RPCMessage(JSONParser.parse(#"{"jsonrpc": "2.0", "id": "x", "method": "a"}"#))
        guard case .request(let request) = request else {
            Issue.record("expected a request")
            return
        }
        #expect(JSONWriter.compact(request.answer([])) == #"{"jsonrpc":"2.0","id":"x","result":[]}"#)
        #expect(
            JSONWriter.compact(RPCFault.method("no a").answer(to: request.id))
                == #"{"jsonrpc":"2.0","id":"x","error":{"code":-32601,"message":"no a"}}"#)
    }
}
