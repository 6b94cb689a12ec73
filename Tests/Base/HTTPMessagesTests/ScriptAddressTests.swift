import HTTPMessages
import Testing

/// Addresses that run script.
@Suite struct ScriptAddressTests {
    @Test(arguments: [
        "javascript:alert(1)", "JavaScript:alert(1)", "JAVASCRIPT://a.test/%0aalert(1)", " javascript:1",
        "\u{1}\u{1F} \tjavascript:1", "java\tscript:1", "j\na\rvascript:1", "javascript\n:1", "data:text/html,x",
        "DATA:,", "vbscript:x", "blob:https://a.test/1", "FileSystem:https://a.test/x", "\0javascript:1",
    ])
    func `a browser runs these addresses`(text: String) { #expect(ScriptAddress.isOne(text)) }

    @Test(arguments: [
        "", ":", "javascript", "https://a.test/?next=javascript:1", "http://javascript:80/", "msauth.a.b://auth",
        "urn:ietf:wg:oauth:2.0:oob", "javascripts:x", "xjavascript:1", "java script:1", "/javascript:1", "#data:x",
        "datax://auth", "com.data:x", "java\0script:1", "ｊavascript:1",
    ])
    func `these addresses lead somewhere`(text: String) { #expect(!ScriptAddress.isOne(text)) }
}
