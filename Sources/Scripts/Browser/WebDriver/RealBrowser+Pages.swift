import B2CProtocol
import Determinism
import HTTPMessages
import JSON

/// Waiting until a page has come to rest, and reading it.
extension RealBrowser {
    /// Waits until a page shows (nil) or the app's address was asked for.
    ///
    /// On a busy machine an answer may take seconds, and until it comes the previous page still shows and is quiet. So
    /// nothing is read while Chromium's log says that a document is loading. The log may name the document that a press
    /// asked for late, so a page that the press certainly leaves (`leaves`) does not count as its answer.
    func settle(
        in tab: TabID, _ session: WebDriverSession, leaves: Bool = false
    ) async throws(WebDriverError) -> BrowseEnd? {
        for round in 0..<Self.rounds {
            let isLoading = round < Self.loadingRounds && !(documents[session.id] ?? []).isEmpty
            let least: Int64 = isLoading || (leaves && round > 0) || round > 20 ? 400 : 0
            let state: String
            do throws(WebDriverError) {
                state = try await session.executeAsync(Self.waiting, [.integer(least)]).stringValue ?? ""
            } catch {
                // The page went away under the script: another is coming.
                guard error.code != nil else { throw error }
                state = "gone"
            }
            if let end = try await callback(in: tab, session) {
                await leave(session)
                return end
            }
            if round < Self.loadingRounds, !(documents[session.id] ?? []).isEmpty { continue }
            guard state == "quiet" else { continue }
            switch try await read(in: tab, isLeaving: leaves && round < Self.leavingRounds, session) {
            case .notYet: continue
            case .page: return nil
            case .end(let end): return end
            }
        }
        return .failed(.timeout)
    }

    /// Goes on in a tab of its own.
    ///
    /// Chromium asks whether to open an address of an app's scheme, and on a busy machine does so late. The question
    /// takes all keys and clicks of its tab, whatever page is in it by then, and the driver cannot answer it.
    private func leave(_ session: WebDriverSession) async {
        documents[session.id] = nil
        do throws(WebDriverError) {
            let next = try await session.newWindow()
            try await session.closeWindow()
            try await session.switchTo(window: next)
            try await session.repeatHeaders()
        } catch {
            try? await session.navigate(to: "about:blank")
        }
    }

    /// How often the page is read, every 0.4 s while a document loads; and for how many of these rounds a document
    /// whose end is missing in the log counts as loading.
    private static let rounds = 140
    private static let loadingRounds = 100
    /// For how many rounds a page that was pressed on is believed to be about to go, 5 s in all: what a browser finds
    /// wrong with a field keeps the page after all.
    private static let leavingRounds = 12

    /// Said to a page before it is pressed on: whatever it asks for, it was not quiet until now.
    static let pressed = "if (window.__watched) window.__watched.since = performance.now();"
    private static let emptyPages: Set = ["data:,", "about:blank"]

    /// Counts what the page's script asks for, remembers the last answer, and says when nothing is under way any more: a
    /// page of B2C has then drawn itself or shown what the service said.
    private static let waiting = """
        const done = arguments[arguments.length - 1], least = performance.now() + arguments[0];
        if (!window.__watched) {
          const watched = window.__watched = { open: 0, last: null, since: performance.now(), leaving: false };
          const send = XMLHttpRequest.prototype.send;
          XMLHttpRequest.prototype.send = function () {
            watched.open += 1;
            this.addEventListener("loadend", () => {
              watched.open -= 1;
              watched.since = performance.now();
              try { watched.last = JSON.parse(this.responseText); } catch (other) { watched.last = null; }
            });
            return send.apply(this, arguments);
          };
          addEventListener("beforeunload", () => { watched.leaving = true; watched.since = performance.now(); });
        }
        const watched = window.__watched, end = performance.now() + 15000;
        (function look() {
          const now = performance.now(), api = document.getElementById("api");
          const isHosted = typeof SETTINGS === "object";
          const isDrawn = document.readyState === "complete" && (!isHosted || (api && api.children.length > 0));
          if (now < least) return setTimeout(look, 40);
          if (watched.leaving && now - watched.since > 1500) {
            watched.leaving = false;
            watched.since = now + 1500;
            return done("left");
          }
          if (isDrawn && !watched.leaving && watched.open === 0 && now - watched.since > 250) return done("quiet");
          if (now > end) return done("late");
          setTimeout(look, 40);
        })();
        """

    /// Whether one of the addresses asked for since the last look is the app's. Chromium's log has them all, also those
    /// that it cannot load itself.
    private func callback(in tab: TabID, _ session: WebDriverSession) async throws(WebDriverError) -> BrowseEnd? {
        let entries = (try? await session.log("performance")) ?? []
        let messages = entries.compactMap { entry -> JSONValue? in
            entry["message"]?.stringValue.flatMap { try? JSONParser.parse($0)["message"] }
        }
        follow(messages, session)
        guard let rule = tabs[tab.number]?.request.callback else { return nil }
        for message in messages {
            guard let parameters = message["params"] else { continue }
            switch message["method"]?.stringValue {
            case "Network.requestWillBeSent":
                guard parameters["type"]?.stringValue == "Document", let request = parameters["request"],
                    let url = Self.address(
                        request["url"]?.stringValue, fragment: request["urlFragment"]?.stringValue), rule.takes(url)
                else { continue }
                let form = request["postData"]?.stringValue.map { FormItems(parsing: Array($0.utf8)) }
                return .callback(url, form: request["method"]?.stringValue == "POST" ? form ?? FormItems() : nil)
            case "Network.responseReceivedExtraInfo":
                // A redirect to a scheme of an app ends there.
                let headers = parameters["headers"]?.objectValue?.members ?? []
                guard let location = headers.first(where: { $0.key.lowercased() == "location" })?.value.stringValue,
                    let url = WebURL(location), url.scheme != "https", url.scheme != "http", rule.takes(url)
                else { continue }
                return .callback(url, form: nil)
            default: continue
            }
        }
        // Other drivers have no such log: the address that shows is then all there is.
        if let url = WebURL((try? await session.url()) ?? ""), rule.takes(url) { return .callback(url, form: nil) }
        return nil
    }

    /// Notes which documents have been asked for and have not come yet.
    private func follow(_ messages: [JSONValue], _ session: WebDriverSession) {
        var loading = documents[session.id] ?? []
        for message in messages {
            guard let parameters = message["params"], let id = parameters["requestId"]?.stringValue else { continue }
            switch message["method"]?.stringValue {
            case "Network.requestWillBeSent" where parameters["type"]?.stringValue == "Document":
                let address = parameters["request"]?["url"]?.stringValue ?? ""
                if address.hasPrefix("http") { loading.insert(id) } else { loading.remove(id) }
            case "Network.responseReceivedExtraInfo":
                // A redirect to a scheme of an app ends there.
                let location = parameters["headers"]?.objectValue?.members.first { $0.key.lowercased() == "location" }
                if let url = location?.value.stringValue.flatMap({ WebURL($0) }), url.scheme != "https",
                    url.scheme != "http"
                {
                    loading.remove(id)
                }
            case "Network.loadingFinished", "Network.loadingFailed": loading.remove(id)
            default: continue
            }
        }
        documents[session.id] = loading
    }

    private static func address(_ text: String?, fragment: String?) -> WebURL? {
        text.flatMap { WebURL($0 + (fragment ?? "")) }
    }

    private enum Reading {
        case page
        case end(BrowseEnd)
        case notYet
    }

    /// What shows now: another page, or the same with a message, where that can be the answer to a press.
    private func read(
        in tab: TabID, isLeaving: Bool, _ session: WebDriverSession
    ) async throws(WebDriverError) -> Reading {
        let seen: JSONValue
        do throws(WebDriverError) {
            seen = try await session.execute(Self.reading)
        } catch {
            // The page went away under the script: another is coming.
            guard error.code != nil else { throw error }
            return .notYet
        }
        let html = seen["html"]?.stringValue ?? ""
        let address = seen["url"]?.stringValue ?? ""
        // Browsers show a page of their own where an address does not answer (Chromium, Firefox).
        if address.hasPrefix("chrome-error:") || address.hasPrefix("about:neterror") {
            return .end(await failed(session))
        }
        // An address that leads to an app leaves an empty page behind, and the log may have it late.
        guard !Self.emptyPages.contains(address), let url = WebURL(address) else { return .notYet }
        let isSame = seen["known"]?.boolValue ?? false
        if isSame, tabs[tab.number]?.page != nil {
            if isLeaving { return .notYet }
            clearError(in: tab)
            if let error = seen["error"]?.stringValue, !error.isEmpty {
                showError(error, code: seen["answer"]?["errorCode"]?.stringValue, in: tab)
            }
            return .page
        }
        let status = seen["status"]?.intValue.flatMap { Int(exactly: $0) } ?? 200
        guard case .page(var page) = ShownPage.read(.html(status == 0 ? 200 : status, html), at: url) else {
            return .page
        }
        if case .hosted = page.content, let error = seen["error"]?.stringValue, !error.isEmpty {
            page.record.error = error
        }
        entered[tab.number] = [:]
        show(page, in: tab)
        return .page
    }

    /// An address that did not answer, perhaps since the browser may not ask there.
    private func failed(_ session: WebDriverSession) async -> BrowseEnd {
        let host = WebURL((try? await session.url()) ?? "")?.host ?? ""
        if let onlyHosts, !host.isEmpty, !onlyHosts.contains(host) {
            await witness.blocked(
                "\(host) is not a host of this target, so nothing was sent there. Add it to `hosts` of the target file if "
                    + "the tenant sends people there")
            return .failed(.other("\(host) is not a host of the target"))
        }
        return .failed(.dns)
    }

    /// The settings objects of a hosted page as the text that they came as, else the page itself; and what the page says
    /// is wrong. A page that was read before says so.
    private static let reading = """
        const isKnown = !!window.__read;
        window.__read = true;
        let html = "";
        if (typeof SETTINGS === "object") {
          for (const node of document.childNodes) if (node.nodeType === 8) html += "<!--" + node.data + "-->\\n";
          const own = document.querySelector("meta[name=b2c-harness-page]");
          if (own) html += own.outerHTML;
          const names = ["CP", "SA_FIELDS", "UV_PHONE", "CONTENT", "SETTINGS"];
          html += "<script>" + names.filter(name => typeof window[name] === "object")
            .map(name => "var " + name + " = " + JSON.stringify(window[name]).replace(/</g, "\\\\u003c") + ";").join("\\n") + "</" + "script>";
        } else html = document.documentElement.outerHTML;
        const lines = [...document.querySelectorAll(".error, .verificationErrorText > div, [id$=_fail_retry], [id$=_fail_server]")]
          .filter(line => line.offsetParent !== null && line.innerText.trim());
        const page = performance.getEntriesByType("navigation")[0];
        const told = lines.find(line => line.classList.contains("itemLevel")) || lines[0];
        return { url: location.href, html: html, known: isKnown, status: page ? page.responseStatus : 200,
          error: told ? told.innerText.trim() : "", answer: (window.__watched || {}).last || {} };
        """
}
