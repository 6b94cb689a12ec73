extension StaticAssets {
    /// The script of all hosted pages: fetches the template, draws the fields of `SA_FIELDS` into the element `api` under
    /// the element ids that tests of live tenants use, and speaks the page protocol. It knows nothing of the mock beyond
    /// the settings objects.
    ///
    /// Element ids, classes and nesting: Microsoft docs, customize-ui-with-html, and pages recorded from live tenants
    /// (layouts unifiedssp 2.1, selfasserted 2.1, multifactor 1.2).
    static let pageScript =
        "(function () {\n\"use strict\";\n" + scriptTexts + scriptElements + scriptWire + scriptFields
        + scriptValidation + scriptControls + scriptQRCode + scriptPhone + scriptPages + scriptDisarm
        + scriptTemplate + "})();\n"

    /// Settings, and the elements that pages are made of.
    static let scriptElements = #"""
        const settings = SETTINGS;
        const config = settings.config || {};
        const content = typeof CONTENT === "object" ? CONTENT : {};
        const fields = (typeof SA_FIELDS === "object" && SA_FIELDS.AttributeFields) || [];
        const choices = (typeof CP === "object" && CP.list) || [];
        const language = (settings.locale && settings.locale.lang) || "en";
        const nonce = document.currentScript ? document.currentScript.nonce : "";
        let root, serverError;

        // Texts of the settings objects are HTML-escaped.
        function plain(escaped) {
          const area = document.createElement("textarea");
          area.innerHTML = escaped;
          return area.value;
        }
        // The policy's text, else the page's own in the language, else in English.
        function text(id, ...inserts) {
          let found = content[id] ? plain(content[id]) : undefined;
          if (found === undefined) found = (ownTexts[language] || {})[id];
          if (found === undefined) found = ownTexts.en[id] || "";
          return inserts.reduce((result, insert, place) => result.replace("{" + place + "}", () => insert), found);
        }
        function isOn(name) { return String(config[name] || "").toLowerCase() === "true"; }
        function byId(id) { return document.getElementById(id); }
        function label(field) { return plain(field.DN || field.ID); }

        function make(tag, attributes, ...children) {
          const element = document.createElement(tag);
          for (const [name, value] of Object.entries(attributes || {})) {
            if (name === "text") element.textContent = value;
            else if (name === "click") element.addEventListener("click", value);
            else if (value === true) element.setAttribute(name, name);
            else if (value !== false && value !== undefined && value !== null) element.setAttribute(name, value);
          }
          element.append(...children.flat().filter(child => child));
          return element;
        }
        function show(element, isShown) {
          if (!element) return;
          element.style.display = isShown ? (element.tagName === "BUTTON" ? "inline" : "block") : "none";
          element.setAttribute("aria-hidden", String(!isShown));
        }
        function hidden(element) { show(element, false); return element; }
        function button(id, name, action, kind) {
          return make("button", { id: id, type: "button", "class": kind, "aria-label": name, text: name, click: action });
        }
        // One at a time: nobody sends a form twice by a double click.
        function busy(isBusy) {
          root.classList.toggle("busy", isBusy);
          root.setAttribute("aria-busy", String(isBusy));
        }
        function isBusy() { return root.classList.contains("busy"); }

        function pageError(id) {
          return hidden(make("div", { id: id, "class": "error pageLevel", role: "alert" }, make("p")));
        }
        function itemError() {
          return hidden(make("div", { "class": "error itemLevel", role: "alert" }, make("p")));
        }
        function showError(element, message) {
          (element.querySelector("p") || element).textContent = message || text("unknown_error");
          show(element, true);
        }
        function markField(id, message) {
          const input = byId(id), line = root.querySelector('.error[data-for="' + id + '"]');
          if (line) {
            showError(line, message);
            line.id = id + "_error";
          }
          if (input) {
            input.classList.add("highlightError");
            input.setAttribute("aria-invalid", "true");
            if (line) input.setAttribute("aria-describedby", line.id);
          }
        }
        function clearErrors() {
          root.querySelectorAll(".error:not(.verificationErrorText)").forEach(line => show(line, false));
          root.querySelectorAll(".highlightError").forEach(input => {
            input.classList.remove("highlightError");
            input.removeAttribute("aria-invalid");
            input.removeAttribute("aria-describedby");
          });
        }
        // What is typed anew is no mistake any more.
        function forgive(input) {
          if (!input.classList.contains("highlightError")) return;
          input.classList.remove("highlightError");
          input.removeAttribute("aria-invalid");
          show(root.querySelector('.error[data-for="' + input.id + '"]'), false);
          if (root.querySelector(".highlightError")) return;
          for (const id of ["requiredFieldMissing", "fieldIncorrect", "passwordEntryMismatch"]) show(byId(id), false);
        }
        function focusFirst(selector) {
          const found = [...root.querySelectorAll(selector)].find(element => element.offsetParent !== null);
          if (found) found.focus();
        }

        """#

    /// The requests of the page protocol.
    static let scriptWire = #"""
        function encode(pairs) {
          return pairs.map(pair => encodeURIComponent(pair[0]) + "=" + encodeURIComponent(pair[1])).join("&");
        }
        function post(path, body, done) { exchange("POST", path, "", body, done); }
        function get(path, query, done) { exchange("GET", path, "&" + query, null, done); }
        function exchange(method, path, query, body, done) {
          const retry = settings.xhrSettings || {};
          const deed = settings.hosts.tenant + "/" + path + "?tx=" + settings.transId + "&p=" + settings.hosts.policy + query;
          busy(true);
          attempt(1);

          function attempt(number) {
            const request = new XMLHttpRequest();
            request.open(method, deed);
            request.setRequestHeader("X-CSRF-TOKEN", settings.csrf);
            request.setRequestHeader("X-Requested-With", "XMLHttpRequest");
            request.setRequestHeader("Accept", "application/json, text/javascript, */*; q=0.01");
            if (body !== null) request.setRequestHeader("Content-Type", "application/x-www-form-urlencoded; charset=UTF-8");
            if (settings.isPageViewIdSentWithHeader) request.setRequestHeader("x-ms-cpim-pageviewid", settings.pageViewId);
            request.timeout = Number(config.timeout) || 90000;
            request.onload = () => {
              let answer;
              try { answer = JSON.parse(request.responseText); } catch (ignored) { answer = { status: String(request.status) }; }
              answered(answer);
            };
            request.onerror = () => failed("error");
            request.ontimeout = () => failed("timeout");
            request.send(body);

            function failed(how) {
              const again = retry.retryEnabled && (retry.retryOn || []).includes(how) && number < (retry.retryMaxAttempts || 3);
              if (!again) return answered({ status: "400", message: text("service_unavailable") });
              setTimeout(() => attempt(number + 1), (retry.retryDelay || 200) * Math.pow(retry.retryExponent || 2, number - 1));
            }
          }
          function answered(answer) {
            busy(false);
            done(answer, String(answer.status) === "200");
          }
        }
        function diagnostics() {
          return "&diags=" + encodeURIComponent(JSON.stringify({ pageViewId: settings.pageViewId, pageId: settings.api, trace: [] }));
        }
        function address(action, query) {
          return settings.hosts.tenant + "/api/" + settings.api + "/" + action + "?" + (query ? query + "&" : "") +
            "csrf_token=" + settings.csrf + "&tx=" + settings.transId + "&p=" + settings.hosts.policy;
        }
        function navigate(action, query) {
          busy(true);
          location.assign(address(action, query) + diagnostics());
        }
        function report(code, description) {
          location.replace(address("error", "code=" + code + (description ? "&desc=" + encodeURIComponent(description) : "")) +
            diagnostics());
        }
        function cancel() {
          navigate("error", "code=cancel&desc=" + encodeURIComponent(text("cancel_message")));
        }
        function choose(exchange, more) { navigate("unified", "claimsexchange=" + encodeURIComponent(exchange) + (more || "")); }

        """#
}
