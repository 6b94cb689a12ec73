import JSON
import Testing

@Suite struct LooseScriptTests {
    private func read(_ literal: String) -> JSONValue? {
        LooseScript.assignments(in: "<script>var SETTINGS = \(literal);</script>", names: ["SETTINGS"])["SETTINGS"]
    }

    @Test(
        arguments: [
            (#"{"a":"b","c":[1,true,null]}"#, ["a": "b", "c": [1, true, nil]]), ("{}", [:]), ("[]", []),
            (#"{a:1,$b_2:'x',"c":"y",3:4}"#, ["a": 1, "$b_2": "x", "c": "y", "3": 4]),
            (#"{a:'it\'s "so"',b:"\x41\u00e9\u{1F600}\ud83d\ude00\/\0"}"#, ["a": "it's \"so\"", "b": "Aé😀😀/\u{0}"]),
            ("{a:1,b:2,}", ["a": 1, "b": 2]), ("[1,,2,]", [1, nil, 2]),
            (
                "{a:.5,b:-3,c:+4,d:0xFF,e:1e3,f:0b11}",
                ["a": 0.5, "b": -3, "c": 4, "d": 255, "e": 1000.0, "f": 3]
            ),
            ("{/* one */a:1, // two\n b:2}", ["a": 1, "b": 2]),
            ("{a:!0,b:!1,c:void 0,d:undefined}", ["a": true, "b": false]),
            ("{a:function(x){return {b:[1,2]}; /* } */ }, c:3}", ["c": 3]),
            ("{a:(x,y)=>({z:1}),b:x=>x+1,c:3}", ["c": 3]),
            ("{a(){return '}'},get b(){return 1},[c]:2,...d,e,f:3}", ["f": 3]),
            ("{a:/[}\"'/]+\\//g,b:1}", ["b": 1]), ("{a:function(){return /}/.test(x)},b:1}", ["b": 1]),
            ("{a:10/2,b:(x)/2,c:'q'/3,d:1}", ["d": 1]), ("{a:`t\n1`,b:`x${ {y:`}`} }z`,c:2}", ["a": "t\n1", "c": 2]),
            ("{a:'x'+'y'+\"z\",b:'x'+y,c:window.location,d:new Date(1,2),e:1}", ["a": "xyz", "e": 1]),
            ("[function(){},1,x]", [nil, 1, nil]), ("{a:NaN,b:Infinity}", ["a": nil, "b": nil]),
            ("{a:'one\\\ntwo'}", ["a": "onetwo"]),
            ("{a:'\\é😀'}", ["a": "é😀"]), ("{a:1,a:2}", ["a": 2]), (#""text""#, "text"), ("-7", -7),
        ] as [(String, JSONValue)])
    func `literals of JavaScript`(literal: String, value: JSONValue) {
        #expect(read(literal) == value)
    }

    @Test(arguments: [
        "{", "{a:", "{a:1", "{a:'x", "{a:'x\ny'}", "{a:1]", "[1}", "window.x", "{a:function(){ }", "{a:/x}", "", "=1",
        "{:1}",
        "{a:`x${", "{a:(1}",
    ])
    func `what is cut off or no literal is absent`(literal: String) {
        #expect(read(literal) == nil)
    }

    @Test func `assignments are found in scripts only, whole names only, the first literal of each`() {
        let html = """
            <!DOCTYPE html><!-- Build: 1 --><p>SETTINGS = {"p": 1}</p>
            <SCRIPT data-container="true" nonce="a>b">
            var MY_SETTINGS = {"no": 1}; if (SETTINGS == {}) { }
            var CP = {"list":[{"id":"FacebookExchange"}]};
            var SA_FIELDS={"AttributeFields":[{"ID":"email","PAT":"^[a-z<>/]+$"}]};window.CONTENT = {"a": "x; SETTINGS = 1"};
            var SETTINGS = {"api":"SelfAsserted","sanitizerPolicy":{allow:['a','b'],filter:function(n){return n}}};
            </SCRIPT><script>SETTINGS = {"second": true}; CP = null; UV_PHONE = compute();</script>
            """
        let names = ["SETTINGS", "SA_FIELDS", "CP", "CONTENT", "UV_PHONE", "MISSING", ""]
        let found = LooseScript.assignments(in: html, names: names)
        #expect(
            found == [
                "CP": ["list": [["id": "FacebookExchange"]]],
                "SA_FIELDS": ["AttributeFields": [["ID": "email", "PAT": "^[a-z<>/]+$"]]],
                "CONTENT": ["a": "x; SETTINGS = 1"],
                "SETTINGS": ["api": "SelfAsserted", "sanitizerPolicy": ["allow": ["a", "b"]]],
            ])
    }

    @Test func `a bare script will do, a script that does not end too`() {
        #expect(LooseScript.assignments(in: "SETTINGS={a:1}", names: ["SETTINGS"]) == ["SETTINGS": ["a": 1]])
        #expect(LooseScript.assignments(in: "<script>SETTINGS={a:1}", names: ["SETTINGS"]) == ["SETTINGS": ["a": 1]])
        #expect(LooseScript.assignments(in: "<script", names: ["SETTINGS"]).isEmpty)
        #expect(LooseScript.assignments(in: "", names: ["SETTINGS"]).isEmpty)
    }

    @Test func `depth is bounded`() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(read(deep) == nil)
        #expect(read("{a:\(String(repeating: "(", count: 100_000))}") == nil)
        let allowed = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        #expect(read(allowed) != nil)
    }

    @Test func `what the writer writes for a script is read back`() throws {
        let value: JSONValue = ["csrf": "a</script>b", "n": [1, 2.5, nil, true], "t": "é\u{2028}\n\"'\\"]
        #expect(read(JSONWriter.script(value)) == value)
    }

    @Test(arguments: [
        "{\"a\":1}", "{\"a\":1,\"b\":[{}]}", "{\"a\":2}", "{a:1}", "{a:1,a:2}", "{\"a\":\"}\"}", "[1]", "\"x\"", "{",
        "=1",
    ])
    func `a literal that comes again is what it was, whatever follows it`(literal: String) {
        func read(_ rest: String, recurring: [String]) -> JSONValue? {
            LooseScript.assignments(
                in: Array("<script>var AGAIN = \(literal)\(rest)</script>".utf8), names: ["AGAIN"],
                recurring: recurring)["AGAIN"]
        }
        for rest in [";", "", ";", ",B=2", "}", "]};", " ; AGAIN = {\"z\":0}"] {
            #expect(read(rest, recurring: ["AGAIN"]) == read(rest, recurring: []))
        }
    }

    @Test func `many literals that come again are distinguished`() {
        for round in 0..<3 {
            for number in 0..<12 {
                let script = "AGAIN = {\"number\":\(number),\"text\":\"\(String(repeating: "x", count: number))\"}"
                let found = LooseScript.assignments(in: script, names: ["AGAIN"], recurring: ["AGAIN"])["AGAIN"]
                #expect(found?["number"]?.intValue == Int64(number), "round \(round)")
                #expect(found?["text"]?.stringValue?.count == number)
            }
        }
    }
}
