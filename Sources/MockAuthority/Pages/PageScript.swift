extension StaticAssets {
    /// The script of all hosted pages: fetches the template, draws the fields of `SA_FIELDS` into the element `api` under
    /// the element ids that tests of live tenants use, and speaks the page protocol. Written for this project; it knows
    /// nothing of the mock beyond the settings objects.
    static let pageScript = #"""
        (function () {
          "use strict";
          var settings = SETTINGS;
          var fields = (typeof SA_FIELDS === "object" && SA_FIELDS.AttributeFields) || [];
          var choices = (typeof CP === "object" && CP.list) || [];
          var phones = (typeof UV_PHONE === "object" && UV_PHONE.PhoneNumbers) || null;
          var content = typeof CONTENT === "object" ? CONTENT : {};
          var config = settings.config || {};
          var root, pageError, proved = {};

          // ---- texts: CONTENT is HTML-escaped
          function plain(escaped) {
            var area = document.createElement("textarea");
            area.innerHTML = escaped;
            return area.value;
          }
          function text(id, otherwise) { return content[id] ? plain(content[id]) : otherwise; }
          function isOn(name) { return String(config[name] || "").toLowerCase() === "true"; }

          // ---- elements
          function make(tag, attributes, children) {
            var element = document.createElement(tag);
            Object.keys(attributes || {}).forEach(function (name) {
              var value = attributes[name];
              if (name === "text") element.textContent = value;
              else if (name === "click") element.addEventListener("click", value);
              else if (value === true) element.setAttribute(name, name);
              else if (value !== false && value !== undefined && value !== null) element.setAttribute(name, value);
            });
            (children || []).forEach(function (child) { if (child) element.appendChild(child); });
            return element;
          }
          function byId(id) { return document.getElementById(id); }
          function button(id, label, action, type) {
            return make("button", { id: id, type: type || "button", text: label, click: action });
          }
          function errorLine(id, level) {
            return make("p", { id: id, "class": "error " + level, role: "alert", hidden: true });
          }
          function showError(element, message) {
            element.textContent = message || text("unknown_error", "Something went wrong. Try again.");
            element.hidden = false;
          }
          function clearErrors() {
            [].forEach.call(root.querySelectorAll(".error"), function (line) { line.hidden = true; });
          }

          // ---- the wire
          function encode(pairs) {
            return pairs.map(function (pair) {
              return encodeURIComponent(pair[0]) + "=" + encodeURIComponent(pair[1]);
            }).join("&");
          }
          function post(path, body, done) {
            var request = new XMLHttpRequest();
            request.open("POST", settings.hosts.tenant + "/" + path + "?tx=" + settings.transId + "&p=" + settings.hosts.policy);
            request.setRequestHeader("X-CSRF-TOKEN", settings.csrf);
            request.setRequestHeader("X-Requested-With", "XMLHttpRequest");
            request.setRequestHeader("Accept", "application/json, text/javascript, */*; q=0.01");
            request.setRequestHeader("Content-Type", "application/x-www-form-urlencoded; charset=UTF-8");
            if (settings.isPageViewIdSentWithHeader) request.setRequestHeader("x-ms-cpim-pageviewid", settings.pageViewId);
            request.timeout = Number(config.timeout) || 90000;
            request.onload = function () {
              var answer;
              try { answer = JSON.parse(request.responseText); } catch (ignored) { answer = { status: "400" }; }
              done(answer);
            };
            request.onerror = request.ontimeout = function () { done({ status: "400", message: text("service_unavailable", "") }); };
            request.send(body);
          }
          function navigate(action, query) {
            location.href = settings.hosts.tenant + "/api/" + settings.api + "/" + action + "?" + (query ? query + "&" : "") +
              "csrf_token=" + settings.csrf + "&tx=" + settings.transId + "&p=" + settings.hosts.policy;
          }
          function report(code, description) {
            navigate("error", "code=" + code + (description ? "&desc=" + encodeURIComponent(description) : ""));
          }
          function cancel() { report("cancel", text("cancel_message", "")); }
          function userHint() {
            var first = fields[0] && byId(fields[0].ID);
            return isOn("sendHintOnSignup") && first && first.value ? "&hint=" + encodeURIComponent(first.value) : "";
          }

          // ---- fields
          function inputOf(field) {
            var kind = field.UX_INPUT_TYPE || field.USER_INPUT_TYPE || "TextBox";
            var common = { id: field.ID, name: field.ID, readonly: !!field.IS_RDO, required: !!field.IS_REQ };
            if (kind === "DropdownSingleSelect") {
              return make("select", common, [make("option", { value: "", text: "" })].concat((field.OPTIONS || []).map(function (option) {
                return make("option", { value: option.VAL, text: option.DISP, selected: option.VAL === field.PRE });
              })));
            }
            if (kind === "RadioSingleSelect" || kind === "CheckboxMultiSelect") {
              var type = kind === "RadioSingleSelect" ? "radio" : "checkbox";
              return make("div", { id: field.ID, "data-choices": type }, (field.OPTIONS || []).map(function (option) {
                var id = field.ID + "_" + option.VAL;
                return make("div", {}, [
                  make("input", { id: id, type: type, name: field.ID, value: option.VAL, checked: option.VAL === field.PRE }),
                  make("label", { "for": id, "class": "inline", text: option.DISP })
                ]);
              }));
            }
            if (kind === "Paragraph") return make("p", { id: field.ID, text: field.PRE || "" });
            var types = { Password: "password", EmailBox: "email", DateTimeDropdown: "date" };
            common.type = types[kind] || "text";
            common.value = field.PRE;
            common.readonly = common.readonly || kind === "Readonly";
            return make("input", common);
          }
          function valueOf(field) {
            var element = byId(field.ID);
            if (!element) return "";
            if (element.hasAttribute("data-choices")) {
              return [].map.call(element.querySelectorAll("input:checked"), function (box) { return box.value; }).join(",");
            }
            var value = element.value === undefined ? "" : element.value;
            return element.type === "password" && settings.trimSpacesInPassword ? value.trim() : value;
          }
          function isControl(field) { return (field.UX_INPUT_TYPE || field.USER_INPUT_TYPE) === "DisplayControl"; }
          function entry(field) {
            if (isControl(field)) return controlEntry(field);
            return make("div", { "class": "attr entry", "data-claim": field.ID }, [
              make("label", { "for": field.ID, text: plain(field.DN || field.ID) }),
              errorLine(field.ID + "_error", "itemLevel"),
              inputOf(field),
              field.U_HELP ? make("div", { "class": "helpText", text: plain(field.U_HELP) }) : null,
              field.VERIFY ? verification(field) : null
            ]);
          }
          function allFields() {
            var all = [];
            fields.forEach(function (field) {
              if (isControl(field)) (field.DISPLAY_FIELDS || []).forEach(function (inner) { all.push(inner); });
              else all.push(field);
            });
            return all;
          }
          // Inputs first, then drop-downs, as the service's own page posts them.
          function values() {
            var inputs = [], menus = [];
            allFields().forEach(function (field) {
              if ((field.UX_INPUT_TYPE || "") === "Paragraph") return;
              ((field.UX_INPUT_TYPE || "") === "DropdownSingleSelect" ? menus : inputs).push([field.ID, valueOf(field)]);
            });
            return inputs.concat(menus);
          }
          function isValid() {
            var valid = true;
            allFields().forEach(function (field) {
              var line = byId(field.ID + "_error"), value = valueOf(field);
              if (!line) return;
              if (field.IS_REQ && value === "") {
                showError(line, text("required_field", "This information is required."));
                valid = false;
              } else if (field.PAT && value !== "" && !new RegExp(field.PAT).test(value)) {
                showError(line, field.PAT_DESC ? plain(field.PAT_DESC) : text("error_fieldIncorrect", "This value is not valid."));
                valid = false;
              }
            });
            var password = byId("newPassword"), again = byId("reenterPassword");
            if (password && again && password.value !== again.value) {
              showError(byId("passwordEntryMismatch"), text("error_passwordEntryMismatch", "The two passwords differ."));
              valid = false;
            }
            return valid;
          }

          // ---- proving an address, page layout 1.x
          function verification(field) {
            var id = field.ID;
            function send() {
              clearErrors();
              post("SelfAsserted", "&" + encode([["request_type", "VERIFICATION_REQUEST"], ["claim_id", id], ["claim_value", valueOf(field)]]), function (answer) {
                if (answer.status != "200") return showError(byId("claimVerificationServerError"), answer.message);
                byId(id + "_ver_input").hidden = byId(id + "_ver_but_verify").hidden = byId(id + "_ver_but_resend").hidden = false;
                byId(id + "_ver_but_send").hidden = true;
              });
            }
            function verify() {
              clearErrors();
              post("SelfAsserted", "&" + encode([["request_type", "VALIDATION_REQUEST"], ["claim_id", id], ["claim_value", valueOf(field)], ["user_input", byId(id + "_ver_input").value]]), function (answer) {
                if (answer.status != "200") return showError(byId("claimVerificationServerError"), answer.message);
                byId(id).readOnly = true;
                byId(id + "_ver_input").hidden = byId(id + "_ver_but_verify").hidden = byId(id + "_ver_but_resend").hidden = true;
                byId(id + "_ver_but_edit").hidden = false;
              });
            }
            function edit() {
              byId(id).readOnly = false;
              byId(id + "_ver_but_edit").hidden = true;
              byId(id + "_ver_but_send").hidden = false;
            }
            var part = make("div", { "class": "verify" }, [
              button(id + "_ver_but_send", text("ver_but_send", "Send verification code"), send),
              make("input", { id: id + "_ver_input", type: "text", "aria-label": text("ver_input", "Verification code") }),
              button(id + "_ver_but_verify", text("ver_but_verify", "Verify code"), verify),
              button(id + "_ver_but_resend", text("ver_but_resend", "Send new code"), send),
              button(id + "_ver_but_edit", text("ver_but_edit", "Change"), edit)
            ]);
            [].slice.call(part.children, 1).forEach(function (child) { child.hidden = true; });
            return part;
          }

          // ---- display controls, page layout 2.x
          function controlEntry(field) {
            var id = field.ID, inner = field.DISPLAY_FIELDS || [];
            function act(action, done) {
              clearErrors();
              post("SelfAsserted/DisplayControlAction/vbeta/" + id + "/" + action, encode(inner.map(function (part) { return [part.ID, valueOf(part)]; })), function (answer) {
                var line = byId(id + "_error");
                if (answer.status != "200") return showError(line, answer.message);
                done();
              });
            }
            function lock(isLocked) {
              inner.slice(0, -1).forEach(function (part) { if (byId(part.ID)) byId(part.ID).readOnly = isLocked || !!part.IS_RDO; });
            }
            function send() {
              act("SendCode", function () {
                byId(id + "_but_verify_code").hidden = byId(id + "_but_send_new_code").hidden = false;
                byId(id + "_but_send_code").hidden = true;
                if (code) code.hidden = false;
              });
            }
            function verify() {
              act("VerifyCode", function () {
                proved[id] = true;
                lock(true);
                byId(id + "_but_verify_code").hidden = byId(id + "_but_send_new_code").hidden = true;
                byId(id + "_but_change_claims").hidden = false;
                if (code) code.hidden = true;
              });
            }
            function change() {
              proved[id] = false;
              lock(false);
              byId(id + "_but_change_claims").hidden = true;
              byId(id + "_but_send_code").hidden = false;
            }
            var entries = inner.map(entry), code = inner.length > 1 ? entries[entries.length - 1] : null;
            var verifies = (field.DISPLAY_CONTROL_TYPE || "VerificationControl") === "VerificationControl" && code;
            if (!verifies) return make("div", { id: id, "class": "displayControl" }, [errorLine(id + "_error", "pageLevel")].concat(entries));
            code.hidden = true;
            var verifyButton = button(id + "_but_verify_code", text("but_verify_code", "Verify code"), verify);
            var againButton = button(id + "_but_send_new_code", text("but_send_new_code", "Send new code"), send);
            var changeButton = button(id + "_but_change_claims", text("but_change_claims", "Change e-mail"), change);
            verifyButton.hidden = againButton.hidden = changeButton.hidden = true;
            return make("div", { id: id, "class": "displayControl" }, [errorLine(id + "_error", "pageLevel")].concat(entries, [
              button(id + "_but_send_code", text("but_send_code", "Send verification code"), send), verifyButton, againButton, changeButton
            ]));
          }

          // ---- pages
          function submit(next) {
            clearErrors();
            if (!isValid()) return;
            post("SelfAsserted", encode(values().concat([["request_type", "RESPONSE"]])), function (answer) {
              if (answer.status == "200") return next();
              showError(pageError, answer.message);
            });
          }
          function form(id, parts, action) {
            var element = make("form", { id: id, novalidate: true }, parts);
            element.addEventListener("submit", function (event) { event.preventDefault(); action(); });
            return element;
          }
          function providerButtons() {
            return choices.filter(function (choice) { return !choice.displayType || choice.displayType === "Button"; }).map(function (choice) {
              return make("button", { id: choice.id, "class": "accountButton", type: "button", text: plain(choice.description), click: function () {
                navigate("unified", "claimsexchange=" + encodeURIComponent(choice.id));
              } });
            });
          }
          function heading() { return make("h1", { "class": "heading", text: text("heading", document.title) }); }

          function combined() {
            var remember = isOn("enableRememberMe") ? make("div", { "class": "rememberMe entry" }, [
              make("input", { id: "rememberMe", type: "checkbox", name: "rememberMe", value: "True" }),
              make("label", { "for": "rememberMe", "class": "inline", text: text("remember_me", "Keep me signed in") })
            ]) : null;
            var forgot = config.forgotPasswordLinkLocation !== "None" ? make("p", {}, [make("a", { id: "forgotPassword", href: "#", text: text("forgotpassword_link", "Forgot your password?"), click: function (event) {
              event.preventDefault();
              if (config.forgotPasswordLinkOverride) navigate("unified", "claimsexchange=" + encodeURIComponent(config.forgotPasswordLinkOverride) + userHint());
              else navigate("forgotPassword", userHint().slice(1));
            } })]) : null;
            var signUp = isOn("showSignupLink") ? make("p", { "class": "create" }, [make("a", { id: "createAccount", href: "#", text: text("createaccount_one_link", "Sign up now"), click: function (event) {
              event.preventDefault();
              navigate("unified", "local=signup" + userHint());
            } })]) : null;
            var local = fields.length ? form("localAccountForm", [heading()].concat(fields.map(entry), [
              remember, forgot, make("button", { id: "next", type: "submit", text: text("button_signin", "Sign in") }), signUp
            ]), function () {
              submit(function () {
                var box = byId("rememberMe");
                navigate("confirmed", "rememberMe=" + !!(box && box.checked));
              });
            }) : heading();
            return [pageError, local].concat(providerButtons());
          }
          function selfAsserted() {
            return [heading(), pageError].concat(
              ["claimVerificationServerError", "requiredFieldMissing", "fieldIncorrect", "passwordEntryMismatch"].map(function (id) { return errorLine(id, "pageLevel"); }),
              [form("attributeVerification", fields.map(entry).concat([
                make("button", { id: "continue", type: "submit", text: text("button_continue", "Continue") }),
                isOn("showCancelButton") ? button("cancel", text("button_cancel", "Cancel"), cancel) : null
              ]), function () { submit(function () { navigate("confirmed"); }); })]);
          }
          function phoneFactor() {
            var number = [];
            function phone() {
              if (phones && phones.length) {
                var chosen = root.querySelector("input[name=phone]:checked");
                return [["id", chosen ? chosen.value : phones[0].Id]];
              }
              return [["id", "UserAsserted"], ["number", byId("countryCode").value + byId("localNumber").value]];
            }
            function ask(type) {
              clearErrors();
              post("Phonefactor/verify", encode([["request_type", "VERIFICATION_REQUEST"], ["auth_type", type]].concat(phone())), function (answer) {
                if (answer.status != "200") return showError(pageError, answer.message);
                if (type === "dialphone") return poll(Number(config.pollLimit) || 20);
                byId("codePart").hidden = false;
              });
            }
            function verify() {
              clearErrors();
              post("Phonefactor/verify", encode([["request_type", "VALIDATION_REQUEST"], ["verification_code", byId("verificationCode").value]]), function (answer) {
                if (answer.status == "200") return navigate("confirmed");
                showError(pageError, answer.message);
              });
            }
            function poll(left) {
              post("Phonefactor/verify", encode([["request_type", "VALIDATION_REQUEST"]]), function (answer) {
                if (answer.status == "200") return navigate("confirmed");
                if (answer.status == "449" && left > 1) return setTimeout(function () { poll(left - 1); }, Number(config.pollIntervalInMilliseconds) || 5000);
                showError(pageError, answer.message);
              });
            }
            if (phones && phones.length) {
              number = phones.map(function (entry, index) {
                return make("div", {}, [
                  make("input", { id: "phone_" + entry.Id, type: "radio", name: "phone", value: entry.Id, checked: index === 0 }),
                  make("label", { "for": "phone_" + entry.Id, "class": "inline", text: entry.MaskedNumber })
                ]);
              });
            } else {
              number = [
                make("label", { "for": "countryCode", text: text("country_code_label", "Country code") }), make("input", { id: "countryCode", type: "text", value: "+" }),
                make("label", { "for": "localNumber", text: text("number_label", "Phone number") }), make("input", { id: "localNumber", type: "tel" })
              ];
            }
            return [heading(), pageError].concat(number, [
              button("verifyCode", text("button_send_code", "Send code"), function () { ask("onewaysms"); }),
              button("verifyPhone", text("button_call", "Call me"), function () { ask("dialphone"); }),
              make("div", { id: "codePart", hidden: true }, [
                make("label", { "for": "verificationCode", text: text("code_label", "Code") }), make("input", { id: "verificationCode", type: "text" }),
                button("continue", text("button_verify", "Verify code"), verify),
                button("retryCode", text("button_retry", "Send a new code"), function () { ask("onewaysms"); })
              ]),
              button("cancel", text("button_cancel", "Cancel"), cancel)
            ]);
          }
          var pages = { CombinedSigninAndSignup: combined, SelfAsserted: selfAsserted, Phonefactor: phoneFactor, ClaimsProviderSelection: function () {
            return [heading(), pageError].concat(providerButtons());
          } };

          // ---- the template
          function draw(html) {
            var parsed = new DOMParser().parseFromString(html, "text/html");
            // Scripts of a template run only where the policy allows them.
            if (settings.pageMode !== 1) [].forEach.call(parsed.querySelectorAll("script"), function (script) { script.remove(); });
            [].forEach.call(parsed.querySelectorAll("style,link[rel=stylesheet]"), function (style) { document.head.appendChild(style); });
            document.body.innerHTML = parsed.body.innerHTML;
            root = byId("api");
            if (!root) return report("UX017", "the template has no element with the id api");
            root.setAttribute("data-name", settings.api === "CombinedSigninAndSignup" ? "Unified" : settings.api);
            pageError = errorLine("pageError", "pageLevel");
            pages[settings.api]().forEach(function (part) { if (part) root.appendChild(part); });
            if (typeof OPENING_MESSAGE === "string") showError(pageError, plain(OPENING_MESSAGE));
            var first = root.querySelector("input:not([readonly]),select");
            if (first) first.focus();
          }
          function start() {
            if (!navigator.cookieEnabled) { byId("no_cookie").hidden = false; return; }
            if (!pages[settings.api]) return;
            var request = new XMLHttpRequest();
            request.open("GET", settings.remoteResource);
            request.timeout = window.initializationTimeout;
            request.onload = function () {
              if (request.status === 404) return report("UX005");
              draw(request.responseText);
            };
            request.onerror = function () { report("UX004"); };
            request.ontimeout = function () { report("UX003"); };
            request.send();
          }
          if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start); else start();
        })();
        """#
}
