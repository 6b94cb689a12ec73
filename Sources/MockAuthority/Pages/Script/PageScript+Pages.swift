extension StaticAssets {
    /// The other pages.
    static let scriptPages = #"""
        // The policy's words, else the template's, else what a page of this kind is for.
        function headingText() { return text("heading") || document.title || text("heading_" + settings.api); }
        function heading() { return make("div", { "class": "heading" }, make("h1", { role: "heading", text: headingText() })); }
        function form(id, kind, parts, action) {
          const element = make("form", { id: id, "class": kind, novalidate: true }, parts);
          element.addEventListener("submit", event => {
            event.preventDefault();
            if (!isBusy()) action();
          });
          return element;
        }
        function submit(next) {
          clearErrors();
          if (!isValid()) return;
          // The combined page posts the kind of request first, the others last.
          const kind = [["request_type", "RESPONSE"]];
          const body = settings.api === "CombinedSigninAndSignup" ? kind.concat(values()) : values().concat(kind);
          proven(() => post("SelfAsserted", encode(body), (answer, isGood) => {
            if (isGood) return next();
            newPicture();
            showError(serverError, answer.message);
            // Where a password was refused it is most often typed again.
            focusFirst("input[type=password]");
          }));
        }
        function isLink(choice) { return choice.displayType === "TextLink"; }
        function providerButtons() {
          const offered = choices.filter(choice => choice.id !== config.forgotPasswordLinkOverride && !isLink(choice));
          if (!offered.length) return null;
          const intro = text("social_intro");
          return make("div", { "class": "claims-provider-list-buttons social", role: "group", "aria-label": intro },
            make("div", { "class": "intro" }, make("h2", { text: intro })),
            make("div", { "class": "options" }, offered.map((choice, place) => make("div", {}, make("button", {
              id: choice.id, type: "button", "class": "accountButton" + (place ? "" : " firstButton") + " claims-provider-selection",
              text: plain(choice.description), click: () => choose(choice.id)
            })))));
        }
        // Claims exchanges that the policy wants as links in the text.
        function textLinks() {
          const offered = choices.filter(choice => choice.displayType === "TextLink" && choice.id !== config.forgotPasswordLinkOverride);
          return offered.length ? make("div", { "class": "claims-provider-list-text-links" }, offered.map(choice =>
            make("p", {}, link(choice.id, plain(choice.description), "unified", "claimsexchange=" + encodeURIComponent(choice.id))))) : null;
        }
        function divider() { return make("div", { "class": "divider" }, make("h2", { text: text("divider_title") })); }
        // The address is there for whoever opens it elsewhere; the name typed so far goes along when it is clicked.
        function link(id, name, action, query) {
          return make("a", { id: id, href: address(action, query), text: name, click: event => {
            event.preventDefault();
            const first = fields[0] && byId(fields[0].ID);
            const hint = isOn("sendHintOnSignup") && first && first.value ? "hint=" + encodeURIComponent(first.value) : "";
            navigate(action, [query, hint].filter(Boolean).join("&"));
          } });
        }
        function forgotPassword() {
          const exchange = config.forgotPasswordLinkOverride;
          return exchange ? link("forgotPassword", text("forgotpassword_link"), "unified", "claimsexchange=" + encodeURIComponent(exchange))
            : link("forgotPassword", text("forgotpassword_link"), "forgotPassword", "");
        }
        function signUpLinks() {
          return make("p", {}, text("createaccount_intro") + " ", link("createAccount", text("createaccount_one_link"), "unified", "local=signup"));
        }
        function combined() {
          serverError = pageError("pageError");
          const place = config.forgotPasswordLinkLocation;
          const intro = fields.length ? text("local_intro_generic", label(fields[0])) : "";
          const item = field => {
            const isPassword = kindOf(field) === "Password";
            const line = itemError();
            line.setAttribute("data-for", field.ID);
            const name = make("label", { "for": field.ID, text: label(field) });
            return make("div", { "class": "entry-item" },
              isPassword && place === "AfterLabel" ? make("div", { "class": "password-label" }, name, " ", forgotPassword()) : name, line,
              inputOf(field, label(field)), isPassword && place === "AfterInput" ? make("div", { "class": "forgot-password" }, forgotPassword()) : null);
          };
          const local = fields.length ? form("localAccountForm", "localAccount", [
            make("div", { "class": "intro" }, make("h2", { text: intro })),
            serverError,
            make("div", { "class": "entry" }, fields.map(field => isCaptcha(field) ? make("div", { "class": "entry-item" }, captchaControl(field)) : item(field)),
              make("div", { "class": "working" }),
              isOn("enableRememberMe") ? make("div", { "class": "rememberMe choice" },
                make("input", { id: "rememberMe", type: "checkbox", name: "rememberMe" }), make("label", { "for": "rememberMe", text: text("remember_me") })) : null,
              make("div", { "class": "buttons" }, make("button", { id: "next", type: "submit", form: "localAccountForm", text: text("button_signin") })),
              place === "AfterButtons" ? make("div", { "class": "forgot-password" }, forgotPassword()) : null),
            isOn("showSignupLink") ? make("div", { "class": "create" }, signUpLinks()) : null
          ], () => submit(() => {
            const box = byId("rememberMe");
            navigate("confirmed", "rememberMe=" + !!(box && box.checked));
          })) : null;
          if (local) local.setAttribute("aria-label", intro);
          const social = providerButtons();
          return [config.showHeading === "False" ? null : heading(), local ? null : serverError, social, social && local ? divider() : null, local, textLinks()];
        }
        function selfAsserted() {
          const error = id => hidden(make("div", { id: id, "class": "error pageLevel", role: "alert" }));
          serverError = error("claimVerificationServerError");
          fields.filter(field => mustBeProven(field.ID)).forEach(field => unproven.add(field.ID));
          const main = config.showContinueButton === "False" ? null
            : make("button", { id: "continue", type: "submit", "aria-disabled": String(unproven.size > 0), form: "attributeVerification", "aria-label": text("button_continue"), text: text("button_continue") });
          const back = isOn("showCancelButton") ? button("cancel", text("button_cancel"), cancel, "secondary") : null;
          return [heading(), make("div", { "class": "intro" }, make("p", { text: text("initial_intro") })),
            form("attributeVerification", "", [
              error("passwordEntryMismatch"), error("requiredFieldMissing"), error("fieldIncorrect"), serverError,
              make("div", { id: "attributeList", "class": "attr" }, make("ul", {}, fields.map(entry))),
              make("div", { "class": "buttons" }, main, back),
              make("div", { "class": "verifying-modal", "aria-live": "polite" }, hidden(make("div", { id: "verifying_blurb", text: text("verifying_blurb") })))
            ], () => submit(() => navigate("confirmed")))];
        }
        function providerSelection() {
          serverError = pageError("pageError");
          return [heading(), serverError, providerButtons(), textLinks()];
        }
        const pages = { CombinedSigninAndSignup: combined, SelfAsserted: selfAsserted, Phonefactor: phoneFactor, ClaimsProviderSelection: providerSelection };

        """#

    /// Taking what could run out of a template.
    static let scriptDisarm = #"""
        // Where the policy does not allow scripts, nothing of a template may run.
        function disarm(parsed) {
          parsed.querySelectorAll("script,iframe,object,embed,base,meta[http-equiv]").forEach(element => element.remove());
          parsed.querySelectorAll("*").forEach(element => {
            for (const attribute of [...element.attributes]) {
              const isAddress = ["href", "src", "action", "formaction", "xlink:href"].includes(attribute.name);
              if (attribute.name.startsWith("on") || (isAddress && /^\s*(javascript|vbscript|data:text)/i.test(attribute.value))) element.removeAttribute(attribute.name);
            }
          });
        }
        """#

    /// Loading the template, and drawing the page into it.
    static let scriptTemplate = #"""
        // A script that came as text runs only when it is made anew.
        function revive(script) {
          const copy = document.createElement("script");
          for (const attribute of script.attributes) copy.setAttribute(attribute.name, attribute.value);
          copy.nonce = nonce;
          copy.async = false;
          copy.textContent = script.textContent;
          document.body.append(copy);
        }
        function draw(html) {
          const parsed = new DOMParser().parseFromString(html, "text/html");
          const scripts = settings.pageMode === 1 ? [...parsed.querySelectorAll("script")] : [];
          scripts.forEach(script => script.remove());
          disarm(parsed);
          parsed.querySelectorAll("style,link[rel=stylesheet],link[rel~=icon]").forEach(style => document.head.append(style));
          document.title = parsed.title || headingText();
          for (const attribute of parsed.body.attributes) document.body.setAttribute(attribute.name, attribute.value);
          document.body.replaceChildren(...parsed.body.childNodes);
          root = byId("api");
          if (!root) return report("UX017", "the template has no element with the id api");
          if (["ar", "fa", "he", "ur"].includes(language)) document.documentElement.dir = "rtl";
          root.setAttribute("data-name", settings.api === "CombinedSigninAndSignup" ? "Unified" : settings.api);
          root.addEventListener("input", event => forgive(event.target));
          root.replaceChildren(...pages[settings.api]().filter(part => part));
          newPicture();
          if (typeof OPENING_MESSAGE === "string") showError(serverError, plain(OPENING_MESSAGE));
          const first = "input:not([readonly]):not([type=checkbox]):not([type=radio]),select";
          focusFirst([...root.querySelectorAll(first)].some(element => element.offsetParent !== null) ? first : ".accountButton,button");
          scripts.forEach(revive);
        }
        function start() {
          if (!navigator.cookieEnabled) { byId("no_cookie").hidden = false; return; }
          if (!pages[settings.api]) return;
          // A page that comes back from the browser's memory can be used again.
          addEventListener("pageshow", event => { if (event.persisted && root) busy(false); });
          const request = new XMLHttpRequest();
          request.open("GET", settings.remoteResource);
          request.timeout = window.initializationTimeout || 30000;
          request.onload = () => {
            if (request.status === 404) return report("UX005");
            if (request.status >= 400) return report("UX004");
            draw(request.responseText);
          };
          request.onerror = () => report("UX004");
          request.ontimeout = () => report("UX003");
          request.send();
        }
        if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start); else start();

        """#

    /// The script of error pages with a template of the policy's own: what the page says moves into the template's
    /// element `api`. Where the template cannot be loaded the page stays as it came.
    static let errorScript =
        "(function () {\n\"use strict\";\n" + scriptDisarm
            + #"""
            const request = new XMLHttpRequest();
            request.open("GET", document.body.getAttribute("data-template"));
            request.timeout = 30000;
            request.onload = () => {
              const parsed = new DOMParser().parseFromString(request.responseText, "text/html");
              const place = parsed.getElementById("api"), said = document.getElementById("api");
              if (request.status >= 400 || !place) return;
              parsed.querySelectorAll("script").forEach(script => script.remove());
              disarm(parsed);
              parsed.querySelectorAll("style,link[rel=stylesheet],link[rel~=icon]").forEach(style => document.head.append(style));
              place.replaceWith(said);
              document.body.removeAttribute("class");
              for (const attribute of parsed.body.attributes) document.body.setAttribute(attribute.name, attribute.value);
              document.body.replaceChildren(...parsed.body.childNodes);
            };
            request.send();
            })();

            """#
}
