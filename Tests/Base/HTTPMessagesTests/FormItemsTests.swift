import Determinism
import HTTPMessages
import JSON
import Testing

@Suite struct FormItemsTests {
    @Test func `.NET's encoding is that of B2C's redirects`() {
        let items: FormItems = [
            "error": "access_denied",
            "error_description": "AADB2C90118: The user has forgotten their password.\r\n",
            "state": "a-b_c.d!e*f(g)~'\"/é",
        ]
        #expect(
            items.dotNetEncoded
                == "error=access_denied&error_description=AADB2C90118%3a+The+user+has+forgotten+their+password.%0d%0a"
                + "&state=a-b_c.d!e*f(g)%7e%27%22%2f%c3%a9")
        #expect(FormItems(parsing: items.dotNetEncoded) == items)
    }

    @Test func `other encodings differ`() {
        let items: FormItems = ["a b": "c&d=e+f~*é/"]
        #expect(items.encoded == "a+b=c%26d%3De%2Bf%7E*%C3%A9%2F")
        #expect(items.percentEncoded == "a%20b=c%26d%3De%2Bf~%2A%C3%A9%2F")
        #expect(PercentCoding.encodeComponent("openid https://x/y~ä") == "openid%20https%3A%2F%2Fx%2Fy~%C3%A4")
        #expect(FormItems().encoded == "")
    }

    @Test(
        arguments: [
            ("", []), ("a=1", [("a", "1")]), ("a", [("a", "")]), ("=b", [("", "b")]), ("a=b=c", [("a", "b=c")]),
            ("&&a=1&", [("a", "1")]), ("a+b=c+d", [("a b", "c d")]), ("a=%41%7C%7c", [("a", "A||")]),
            ("a=%", [("a", "%")]), ("a=%4", [("a", "%4")]), ("a=%zz%41", [("a", "%zzA")]),
            ("a=%ff", [("a", "\u{fffd}")]), ("a=1&a=2", [("a", "1"), ("a", "2")]), ("é=ü", [("é", "ü")]),
        ] as [(String, [(String, String)])])
    func `forms are parsed`(text: String, items: [(String, String)]) {
        #expect(FormItems(parsing: text) == FormItems(items.map { (name: $0.0, value: $0.1) }))
        #expect(FormItems(parsing: Array(text.utf8)) == FormItems(parsing: text))
    }

    @Test func `any text comes back from every encoding`() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            func word() -> String {
                String(
                    String.UnicodeScalarView(
                        (0..<random.below(12)).map { _ in
                            Unicode.Scalar(UInt32(random.below(random.below(4) == 0 ? 0xd7ff : 0x80))) ?? " "
                        }))
            }
            let items: FormItems = [word(): word(), "x" + word(): word()]
            for text in [items.encoded, items.dotNetEncoded, items.percentEncoded] {
                #expect(FormItems(parsing: text) == items)
            }
        }
    }

    @Test func `items are changed`() {
        var items: FormItems = ["a": "1", "b": "2", "a": "3"]
        #expect(items["a"] == "1" && items.all("a") == ["1", "3"] && items["A"] == nil)
        #expect(items.json == ["a": ["1", "3"], "b": "2"])
        items["a"] = "4"
        #expect(items == ["a": "4", "b": "2"])
        items["c"] = "5"
        items["b"] = nil
        #expect(items == ["a": "4", "c": "5"])
        #expect(items != ["c": "5", "a": "4"])
    }

    @Test func `components are decoded`() {
        #expect(PercentCoding.decode("a+b%20c", plusIsSpace: false) == "a+b c")
        #expect(PercentCoding.decode("a+b%20c", plusIsSpace: true) == "a b c")
        #expect(PercentCoding.decode("%e4%b8%96", plusIsSpace: true) == "世")
    }

    @Test(.timeLimit(.minutes(2))) func `a form with one name many times stays quick`() {
        let items = FormItems(parsing: String(repeating: "a=1&", count: 400_000))
        #expect(items.json["a"]?.arrayValue?.count == 400_000)
        #expect((["b": "2", "a": "1", "b": "3"] as FormItems).json == ["b": ["2", "3"], "a": "1"])
    }
}
