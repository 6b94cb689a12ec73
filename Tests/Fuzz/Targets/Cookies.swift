import Determinism

@testable import HTTPMessages

extension FuzzTarget {
    static let cookie = FuzzTarget(
        name: "cookie", meaning: "Set-Cookie fields, the jar, and the Cookie field it sends",
        longest: 1024,
        words: [
            "; Path=/", "; Domain=.contoso.com", "; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "; Max-Age=0",
            "; Max-Age=-1",
            "; Max-Age=9223372036854775807", "; Secure", "; HttpOnly", "; SameSite=None", "; SameSite=Lax", "__Host-",
            "__Secure-",
            "\n", "co.uk", "=",
        ],
        seeds: {
            Seeds.texts(
                "x-ms-cpim-sso:contoso_0=a.b; Domain=login.contoso.com; Path=/; Secure; SameSite=None; HttpOnly\n"
                    + "a=\"b\"; Expires=Wed, 21-Oct-26 07:28:00 GMT\na=; Max-Age=0\n__Host-x=1; Secure; Path=/",
                "a=1\nb=2; Path=/tenant\nc=3; Path=/tenant/policy; SameSite=Strict\nc=4; Path=/tenant/policy; Max-Age=60"
            )
        },
        run: { bytes in
            var jar = CookieJar()
            var now = Timestamp(seconds: 1_768_478_400)
            let places = [
                "https://login.contoso.com/tenant/policy/x", "http://localhost/x", "https://[::1]/", "https://a.co.uk",
            ]
            .compactMap { WebURL($0) }
            let contexts = [
                CookieContext(), CookieContext(topLevelSite: places[1], isTopLevelNavigation: false),
                CookieContext(method: "POST", initiator: places[3]),
            ]
            for (number, line) in bytes.split(separator: 10).enumerated() {
                let field = String(decoding: line, as: UTF8.self)
                let place = places[number % places.count]
                let before = jar.all.count
                let refusal = jar.store(field, from: place, at: now, context: contexts[number % contexts.count])
                if refusal != nil { check(jar.all.count == before, "a cookie that is refused changes nothing") }
                now = now + .seconds(1)
                _ = CookieRules.date(field)
            }
            for cookie in jar.all {
                check(!cookie.name.isEmpty, "a cookie has a name")
                check(
                    cookie.name.utf8.count + cookie.value.utf8.count <= CookieJar.maximumBytes, "a cookie has its size")
                check(
                    HeaderRules.isValue(cookie.name + cookie.value),
                    "a cookie has no control characters")
            }
            for place in places {
                for context in contexts {
                    let sent = jar.header(for: place, at: now, context: context)
                    check(sent.header?.isEmpty != true, "a Cookie field holds something")
                    if let header = sent.header {
                        check(
                            HeaderField(name: "Cookie", value: header).problem == nil, "a Cookie field can be sent")
                    }
                }
            }
            jar.endSession()
            check(jar.all.allSatisfy { $0.expires != nil }, "no session cookie outlives the session")
        })
}
