import Determinism
import HTTPMessages
import JSON
import Testing

@testable import Capture

/// A capture of twice the length takes twice the work.
struct GrowthTests {
    private static let base = "https://fabrikam.b2clogin.com/fabrikam.onmicrosoft.com/b2c_1_susi/oauth2/v2.0"

    /// How the requests for tokens of a capture find their sign-ins.
    enum Way: CaseIterable {
        /// By the code.
        case code
        /// The capture hides the code: by the app.
        case app
        /// The capture does not show how the sign-in ended: by the policy.
        case policy
        /// The token endpoint failed once, and the app asked again.
        case again
    }

    /// All sign-ins first and then all requests for tokens, so that each of these has many to choose from.
    private static func story(_ count: Int, _ way: Way) throws -> CapturedFlow {
        var exchanges: [CapturedExchange] = []
        var now = Timestamp(seconds: 1_768_478_400)
        func add(_ request: RequestMessage, _ response: ResponseMessage) {
            now += .seconds(1)
            exchanges.append(
                CapturedExchange(
                    started: now, request: request, response: response, place: "entry \(exchanges.count + 1)"))
        }
        for number in 0..<count {
            let app = way == .app ? "app\(number)" : "app"
            let code = way == .app ? "hidden" : "code\(number)"
            let url = try #require(
                WebURL("\(base)/authorize?client_id=\(app)&redirect_uri=https%3A%2F%2Fa.test%2F&state=s\(number)"))
            let answer =
                way == .policy
                ? ResponseMessage.html(200, "") : .redirect("https://a.test/?state=s\(number)&code=\(code)")
            add(RequestMessage(method: "GET", url: url, headers: [:]), answer)
        }
        let token = try #require(WebURL("\(base)/token"))
        for number in 0..<count {
            let form: FormItems = [
                "client_id": way == .app ? "app\(number)" : "app", "grant_type": "authorization_code",
                "code": way == .app ? "shown\(number)" : "code\(number)",
            ]
            let request = RequestMessage.post(token, form: form, headers: [:])
            if way == .again { add(request, .json(503, [:])) }
            add(request, .json(200, ["expires_in": 3600]))
        }
        var traffic = Traffic(exchanges)
        return CapturedFlow(&traffic)
    }

    @Test(arguments: Way.allCases)
    func `requests for tokens find their sign-ins in linear work`(_ way: Way) throws {
        let few = try Self.story(100, way)
        let many = try Self.story(200, way)
        for (story, count) in [(few, 100), (many, 200)] {
            #expect(story.items.count == count)
            let isTaken = story.items.allSatisfy { item in
                guard case .flow(let flow) = item, let token = flow.token else { return false }
                return token.isGood && token.earlier.count == (way == .again ? 1 : 0)
            }
            #expect(isTaken)
        }
        #expect(few.steps >= 100)
        #expect(many.steps < few.steps * 21 / 10)
    }

    /// Answers that reach the app by requests of their own, in the order of their states and in the other one.
    @Test(arguments: [false, true])
    func `answers find their sign-ins in linear work`(_ isReversed: Bool) throws {
        func story(_ count: Int) throws -> CapturedFlow {
            var exchanges: [CapturedExchange] = []
            func add(_ address: String, _ response: ResponseMessage) throws {
                let url = try #require(WebURL(address))
                exchanges.append(
                    CapturedExchange(
                        started: Timestamp(seconds: 1_768_478_400 + Int64(exchanges.count)),
                        request: RequestMessage(method: "GET", url: url, headers: [:]), response: response,
                        place: "entry \(exchanges.count + 1)"))
            }
            for number in 0..<count {
                try add(
                    "\(Self.base)/authorize?client_id=app&redirect_uri=http%3A%2F%2Flocalhost%3A7000&state=s\(number)",
                    .html(200, "<html></html>"))
            }
            for number in 0..<count {
                let state = isReversed ? count - 1 - number : number
                try add("http://localhost:7001/?state=s\(state)&code=code\(state)", .html(200, ""))
                try add("http://localhost:7001/?state=other\(state)&code=other", .html(200, ""))
            }
            var traffic = Traffic(exchanges)
            return CapturedFlow(&traffic)
        }
        let few = try story(100)
        let many = try story(200)
        for story in [few, many] {
            let isAnswered = story.items.allSatisfy { $0.flow.map { $0.ending != nil } ?? false }
            #expect(isAnswered)
        }
        #expect(few.steps >= 100)
        #expect(many.steps < few.steps * 21 / 10)
    }

    @Test func `values of people are looked for only in texts that have words of them`() {
        var people = People()
        people[people.person(signInName: "grace@x.test")].password = "Pass-word 1"
        _ = people.attribute("displayName", "Ada Lovelace")
        let standIns = CaptureImport.StandIns(people)
        let texts: [(text: String, replaced: String?)] = [
            ("ADA LOVELACE and ada", "Name 1 and Name 1"), ("adamant", nil), ("lovelace's", "Name 1's"),
            ("x pass-WORD 1.", "x Imported-Pass-1."), ("Pass-word 12", nil),
            ("write to grace@x.test", "write to person1@example.com"),
            ("nobody", nil),
        ]
        for (text, replaced) in texts {
            #expect(standIns.withoutNames(text) == replaced ?? text)
            #expect(replaced == nil || people.mayOccur(in: text))
        }
        #expect(!people.mayOccur(in: "The account could not be found."))
        people[0].newPassword = "????"
        #expect(people.mayOccur(in: "The account could not be found."))
    }

    @Test func `many names of one word take linear work`() {
        func steps(_ count: Int) -> Int {
            var names = UniqueNames()
            var given: Set<String> = []
            for number in 0..<count {
                let name = names.take("signIn")
                #expect(name == (number == 0 ? "signIn" : "signIn\(number + 1)"))
                given.insert(name)
            }
            #expect(given.count == count)
            return names.steps
        }
        let few = steps(200)
        #expect(few >= 200)
        #expect(steps(400) < few * 21 / 10)
    }

    @Test func `a name that was given with its number is not given again`() {
        var names = UniqueNames()
        let given = ["api2", "api", "api", "api", "api2"].map { names.take($0) }
        #expect(given == ["api2", "api", "api3", "api4", "api22"])
    }

    @Test func `stand-ins of values keep their order`() {
        var people = People()
        let values: [JSONValue] = ["a", "b", "a", "c", "b"]
        #expect(
            values.map { people.attribute("extension_X", $0) } == ["X 1", "X 2", "X 1", "X 3", "X 2"])
        #expect(["x", "y", "x"].map { people.wrongPassword($0) } == ["Wrong-Pass-1", "Wrong-Pass-2", "Wrong-Pass-1"])
    }

    @Test func `a second address of a person has its own stand-in`() {
        var people = People()
        let person = people.person(signInName: "a@x.test")
        people.link("b@x.test", to: person)
        #expect(people.scrubbed("a@x.test b@x.test") == "person1@example.com also.person1@example.com")
    }
}
