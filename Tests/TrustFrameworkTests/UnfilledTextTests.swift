import Testing
import TrustFramework

@Suite struct UnfilledTextTests {
    @Test(arguments: [
        ("https://api.contoso.test/x?a=1", []), ("", []), ("https://{Settings:Host}/x", ["{Settings:Host}"]),
        ("{api_url}/x/{api_url}", ["{api_url}"]), ("https://{{host}}/{id}", ["{{host}}", "{id}"]),
        ("https://${HOST}/#{x}#/$(y)", ["${HOST}", "#{x}#", "$(y)"]), ("https://@url@/x", ["@url@"]),
        ("https://__host__/x", ["__host__"]), ("https://h/#{Octopus}", ["#{Octopus}"]),
        ("https://ada@contoso.test/a_b__c", []), ("https://h/a@b/c@d", []), ("https://h/{}", []), ("{", []),
        ("@@", []), ("https://h/{a/b}", []),
    ])
    func `placeholders are found as they are written`(text: String, placeholders: [String]) {
        #expect(UnfilledText.placeholders(in: text) == placeholders)
    }
}
