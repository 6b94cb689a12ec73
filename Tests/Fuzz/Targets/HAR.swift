import Capture
import Diagnostics
import JSON
import Scenarios
import TenantFiles

extension FuzzTarget {
    static let har = FuzzTarget(
        name: "har", meaning: "HAR files, and the script and tenant file made of them",
        longest: 8192,
        words: [
            "\"log\":{", "\"entries\":[", "\"request\":{", "\"response\":{", "\"postData\":{", "\"text\":\"",
            "\"encoding\":\"base64\"",
            "\"startedDateTime\":\"2026-01-15T12:00:00.250+01:00\"", "/oauth2/v2.0/token", "/oauth2/v2.0/authorize?",
            "/SelfAsserted?tx=",
            "/api/CombinedSigninAndSignup/confirmed?", "/oauth2/v2.0/logout?", "grant_type=refresh_token",
            "error=access_denied",
            "client_id=", "redirect_uri=", "scope=openid", "B2C_1A_", "\"_error\":", "\"redirectURL\":\"",
            "\"status\":302", "data:",
        ],
        seeds: { [har(signIn), har(refresh), har(signIn + refresh)] },
        run: { bytes in
            let file: HARFile
            do throws(InvalidInput) {
                file = try HARFile(file: harFile, bytes: bytes)
            } catch {
                checkFindings(error, bytes, file: harFile)
                return
            }
            let made: CaptureImport.Files
            do throws(InvalidInput) {
                made = try CaptureImport.files(
                    from: file.exchanges, CaptureImport.Options(source: harFile, notes: file.notes))
            } catch {
                check(
                    !error.diagnostics.isEmpty && error.diagnostics.allSatisfy { !$0.message.isEmpty },
                    "a capture that is refused has a reason")
                return
            }
            check(
                made.steps.count <= made.origins.count || made.origins.isEmpty || !made.steps.isEmpty,
                "steps have origins")
            let tenant = Array(JSONWriter.pretty(.object(made.tenant)).utf8)
            do throws(InvalidInput) {
                _ = try TenantFile.read(file: "tenants/\(made.name).json", bytes: tenant)
            } catch {
                check(false, "the tenant file that is made can be read: \(error.diagnostics.first?.description ?? "")")
            }
            do throws(InvalidInput) {
                let script = Array(JSONWriter.pretty(.object(made.scenario)).utf8)
                _ = try ScenarioReader.read(file: "\(made.name).json", bytes: script) { _ in tenant }
            } catch {
                check(false, "the script that is made can be read: \(error.diagnostics.first?.description ?? "")")
            }
        })

    private static let harFile = "fuzz.har"

    private static func har(_ entries: [JSONValue]) -> [UInt8] {
        let archive: JSONValue = [
            "log": [
                "version": "1.2", "creator": ["name": "WebInspector", "version": "537.36"], "entries": .array(entries),
            ]
        ]
        return JSONWriter.compactBytes(archive)
    }

    private static func entry(
        _ second: Int, _ method: String, _ url: String, form: String? = nil, status: Int64 = 200, location: String = "",
        type: String = "text/html", text: String = ""
    ) -> JSONValue {
        var request: JSONObject = ["method": .string(method), "url": .string(url), "headers": []]
        if let form { request["postData"] = ["mimeType": "application/x-www-form-urlencoded", "text": .string(form)] }
        return [
            "startedDateTime": .string("2026-01-15T12:00:0\(second).000Z"), "request": .object(request),
            "response": [
                "status": .integer(status), "headers": [], "redirectURL": .string(location),
                "content": ["mimeType": .string(type), "text": .string(text)],
            ],
        ]
    }

    private static let base = "https://fabrikam.b2clogin.com/fabrikam.onmicrosoft.com/b2c_1a_susi"
    private static let page = """
        <html><script>var CP = {"list":[]}; var SA_FIELDS = {"AttributeFields":[{"UX_INPUT_TYPE":"EmailBox","ID":"signInName","DN":"Email"},{"UX_INPUT_TYPE":"Password","ID":"password","DN":"Password"}]};
        var SETTINGS = {"api":"CombinedSigninAndSignup","csrf":"c","transId":"StateProperties=abc","config":{"operatingMode":"Email"},"hosts":{"tenant":"/fabrikam.onmicrosoft.com/B2C_1A_susi","policy":"B2C_1A_susi"}};
        </script></html>
        """

    private static let signIn: [JSONValue] = [
        entry(
            0, "GET",
            "\(base)/oauth2/v2.0/authorize?client_id=11111111-2222-3333-4444-555555555555&redirect_uri=https%3A%2F%2Fapp.fabrikam.com%2F&response_type=code&scope=openid%20offline_access&state=s&code_challenge=abc&code_challenge_method=S256",
            text: page),
        entry(
            1, "POST", "\(base)/SelfAsserted?tx=StateProperties=abc&p=B2C_1A_susi",
            form: "request_type=RESPONSE&signInName=jane%40fabrikam.com&password=Secret-123", type: "application/json",
            text: #"{"status":"200"}"#),
        entry(
            2, "GET", "\(base)/api/CombinedSigninAndSignup/confirmed?tx=StateProperties=abc&p=B2C_1A_susi", status: 302,
            location: "https://app.fabrikam.com/?code=xyz&state=s"),
        entry(
            3, "POST", "\(base)/oauth2/v2.0/token",
            form:
                "grant_type=authorization_code&client_id=11111111-2222-3333-4444-555555555555&code=xyz&code_verifier=v&redirect_uri=https%3A%2F%2Fapp.fabrikam.com%2F",
            type: "application/json",
            text:
                #"{"id_token":"eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.","token_type":"Bearer","refresh_token":"r","not_before":1}"#
        ),
    ]

    private static let refresh: [JSONValue] = [
        entry(
            5, "POST", "\(base)/oauth2/v2.0/token",
            form: "grant_type=refresh_token&client_id=11111111-2222-3333-4444-555555555555&refresh_token=r",
            status: 400,
            type: "application/json",
            text: #"{"error":"invalid_grant","error_description":"AADB2C90080: The provided grant has expired."}"#),
        entry(6, "GET", "\(base)/oauth2/v2.0/logout?post_logout_redirect_uri=https%3A%2F%2Fapp.fabrikam.com%2F"),
    ]
}
