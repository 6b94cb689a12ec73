import Testing
import TrustFramework

@Suite struct UnfilledTextTests {
    @Test(arguments: [
        ("https://api.contoso.test/x?a=1", []), ("", []), ("https://{Settings:Host}/x", ["{Settings:Host}"]),
        ("{api_url}/x/{api_url}", ["{api_url}"]), ("https://{{host}}/{id}", ["{{host}}", "{id}"]),
        ("https://${HOST}/#{x}#/$(y)", ["${HOST}", "#{x}#", "$(y)"]), ("https://@url@/x", ["@url@"]),
        ("https://__host__/x", ["__host__"]), ("https://h/#{Octopus}", ["#{Octopus}"]),
        ("https://ada@contoso.test/a_b__c", []), ("https://h/a@b/c@d", []), ("https://h/{}", []), ("{", []),
        ("@@", []), ("https://h/{a/b}", []), ("https://[yourapp].contoso.test/x", ["[yourapp]"]),
        ("https://<your app>.contoso.test/<path>", ["<your app>", "<path>"]), ("https://[::1]/x", []),
        ("https://h/x?a[0]=<b>", []), ("https://[]/<>", []),
        ("https://[::1]:8080/x", []),
    ])
    func `placeholders are found as they are written`(text: String, placeholders: [String]) {
        #expect(UnfilledText.placeholders(in: text) == placeholders)
    }
}
