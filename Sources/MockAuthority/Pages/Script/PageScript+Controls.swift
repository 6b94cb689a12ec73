extension StaticAssets {
    /// Proving an address, and the pictures and texts of an authenticator app.
    static let scriptControls = #"""
        // Enter in one of these fields does what its button does, and not what the page's form does.
        function onEnter(part, action) {
          part.addEventListener("keydown", event => {
            if (event.key !== "Enter" || event.target.tagName !== "INPUT") return;
            event.preventDefault();
            action();
          });
        }

        // A picture whose characters only a person reads: shown when the page opens, checked before the page is posted.
        let captcha = null;
        function isCaptcha(field) { return field.DISPLAY_CONTROL_TYPE === "CaptchaControl"; }
        function proven(next) { if (captcha) captcha.check(next); else next(); }
        function newPicture() { if (captcha) captcha.load(); }
        function captchaControl(field) {
          const id = field.ID, deed = "SelfAsserted/DisplayControlAction/vbeta/" + id + "/";
          const line = itemError();
          line.setAttribute("data-for", id);
          const picture = make("img", { id: id + "_picture", alt: text("captcha_picture"), width: "200", height: "64" });
          const input = make("input", { id: id, "class": "textInput", type: "text", autocomplete: "off", spellcheck: "false", placeholder: text("captcha_input"), "aria-required": "true" });
          let region = "", isSolved = false;
          captcha = {
            load() {
              isSolved = false;
              input.value = "";
              get(deed + "GetChallenge", "challengeType=Visual", (answer, isGood) => {
                if (!isGood) return showError(serverError, answer.message);
                picture.src = answer.challengeString;
                input.setAttribute("data-challenge", answer.challengeId);
                region = answer.azureregion || answer.azureRegion || "";
              });
            },
            check(next) {
              if (isSolved) return next();
              clearErrors();
              const typed = input.value.trim();
              if (!typed) {
                markField(id, text("captcha_required"));
                return input.focus();
              }
              post(deed + "VerifyChallenge", encode([["challengeId", input.getAttribute("data-challenge") || ""], ["captchaEntered", typed], ["challengeType", "Visual"], ["azureRegion", region]]), (answer, isGood) => {
                isSolved = isGood && ["solved", "usermessageifbypass"].includes(String(answer.reason).toLowerCase());
                if (isSolved) return next();
                captcha.load();
                markField(id, answer.message || text("captcha_wrong"));
                input.focus();
              });
            }
          };
          return make("div", { id: id + "_content", "class": "captchaControlContent" },
            make("label", { id: id + "_label", "for": id, "class": "required", text: label(field) }), line,
            make("div", { "class": "captchaPicture" }, picture), input,
            button(id + "_but_new", text("captcha_new"), () => { if (!isBusy()) captcha.load(); }, "textButton"));
        }

        // What has to be proved before the page can go on. Until then the main button says that it is not ready; pressed
        // all the same, it is the server that refuses (inferred).
        const unproven = new Set();
        function prove(id, isProven) {
          if (isProven) unproven.delete(id); else if (mustBeProven(id)) unproven.add(id);
          const main = byId("continue");
          if (main) main.setAttribute("aria-disabled", String(unproven.size > 0));
        }
        function mustBeProven(id) {
          return fields.some(field => field.ID === id && (field.VERIFY ? field.IS_REQ
            : isControl(field) && isProving(field) && (field.DISPLAY_FIELDS || []).every(part => part.IS_REQ)));
        }

        // Page layout 1.x: a field with VERIFY.
        function verification(field) {
          const id = field.ID;
          const element = name => byId(id + "_ver_" + name);
          const note = (name, message) => hidden(make("div", { id: id + "_" + name, role: "alert", text: message }));
          function state(name) {
            prove(id, name === "success");
            for (const one of ["intro", "info", "success", "fail_server"]) show(byId(id + "_" + one), one === name);
            const isSent = name === "info";
            show(element("but_send"), name === "intro");
            show(byId(id + "_ver_entry"), isSent);
            for (const one of ["but_verify", "but_resend"]) show(element(one), isSent);
            show(element("but_edit"), name === "success");
            byId(id).readOnly = isSent || name === "success" || !!field.IS_RDO;
          }
          function ask(pairs, next, focus) {
            if (isBusy()) return;
            clearErrors();
            if (mistakes([field]).size) return focusFirst(".highlightError");
            show(element("wait"), true);
            post("SelfAsserted", "&" + encode(pairs.concat([["claim_id", id], ["claim_value", valueOf(field)]])), (answer, isGood) => {
              show(element("wait"), false);
              if (!isGood) {
                showError(byId("claimVerificationServerError"), answer.message || text("ver_fail_server"));
                return;
              }
              state(next);
              if (byId(focus)) byId(focus).focus();
            });
          }
          const send = () => proven(() => ask([["request_type", "VERIFICATION_REQUEST"]], "info", id + "_ver_input"));
          function verify() {
            if (isBusy()) return;
            clearErrors();
            show(element("wait"), true);
            // The order of the members is the one that B2C's script posts.
            post("SelfAsserted", "&" + encode([["request_type", "VALIDATION_REQUEST"], ["claim_id", id], ["claim_value", valueOf(field)], ["user_input", element("input").value]]), (answer, isGood) => {
              show(element("wait"), false);
              if (!isGood) return showError(byId("claimVerificationServerError"), answer.message || text("ver_fail_retry"));
              state("success");
            });
          }
          const code = hidden(make("div", { id: id + "_ver_entry", "class": "verificationCode" },
            make("label", { id: id + "_ver_input_label", "for": id + "_ver_input", text: text("ver_input") }),
            make("input", { id: id + "_ver_input", "class": "textInput", type: "text", placeholder: text("ver_input"), autocomplete: "one-time-code", inputmode: "numeric" })));
          onEnter(code, verify);
          const intro = note("intro", text("ver_intro_msg"));
          show(intro, true);
          return make("div", { "class": "verify", id: id + "_ver_content" },
            make("div", { "class": "verificationInfoText" }, intro, note("info", text("ver_info_msg"))),
            make("div", { "class": "verificationSuccessText" }, note("success", text("ver_success_msg"))),
            make("div", { "class": "verificationErrorText error" }, note("fail_server", text("ver_fail_server"))),
            hidden(make("div", { id: id + "_ver_wait", "class": "working" })), code,
            make("div", { "class": "buttons" },
              button(id + "_ver_but_send", text("ver_but_send"), send, "sendButton"),
              hidden(button(id + "_ver_but_verify", text("ver_but_verify"), verify, "verifyButton")),
              hidden(button(id + "_ver_but_resend", text("ver_but_resend"), send, "sendButton secondary")),
              hidden(button(id + "_ver_but_edit", text("ver_but_edit"), () => { state("intro"); byId(id).focus(); }, "editButton secondary"))));
        }

        // Page layout 2.x.
        function controlEntry(field) {
          const kinds = { QrCodeControl: qrCodeControl, AuthenticatorInfoControl: accountControl, CaptchaControl: captchaControl };
          const draw = kinds[field.DISPLAY_CONTROL_TYPE || ""] || (isProving(field) ? provingControl : plainControl);
          return make("li", { "class": (field.DISPLAY_CONTROL_TYPE || "VerificationControl") + " " + field.ID + "_li" }, make("div", { "class": "attrEntry" }, draw(field)));
        }
        function isProving(field) {
          return (field.DISPLAY_CONTROL_TYPE || "VerificationControl") === "VerificationControl" && (field.DISPLAY_FIELDS || []).length > 1;
        }
        function controlText(field, id) {
          const own = content[field.ID + "_" + id];
          return own ? plain(own) : text(id);
        }
        function plainControl(field) {
          return make("div", { id: field.ID, "class": "controlContent" }, make("ul", {}, (field.DISPLAY_FIELDS || []).map(entry)));
        }
        function provingControl(field) {
          const id = field.ID, inner = field.DISPLAY_FIELDS, codeField = inner[inner.length - 1], claims = inner.slice(0, -1);
          const message = name => byId(id + "_" + name + "_message");
          function say(name, words) {
            for (const one of ["info", "success", "error"]) show(message(one), one === name && !!words);
            if (words) message(name).textContent = words;
          }
          function state(name) {
            prove(id, name === "proved");
            show(byId(id + "_but_send_code"), name === "open");
            show(root.querySelector('[id="' + id + '"] [data-claim="' + codeField.ID + '"]'), name === "sent");
            for (const one of ["_but_verify_code", "_but_send_new_code"]) show(byId(id + one), name === "sent");
            // An address that the page shows for reading only cannot be changed here.
            show(byId(id + "_but_change_claims"), name === "proved" && claims.some(claim => !claim.IS_RDO && kindOf(claim) !== "Readonly"));
            for (const claim of claims) if (byId(claim.ID)) byId(claim.ID).readOnly = name !== "open" || !!claim.IS_RDO || kindOf(claim) === "Readonly";
          }
          function act(action, posted, failure, done) {
            if (isBusy()) return;
            clearErrors();
            if (mistakes(posted).size) return focusFirst(".highlightError");
            post("SelfAsserted/DisplayControlAction/vbeta/" + id + "/" + action, encode(posted.map(part => [part.ID, valueOf(part)])), (answer, isGood) => {
              if (isGood) return done();
              say("error", answer.message || controlText(field, failure));
            });
          }
          function send() {
            say("error", "");
            proven(() => act("SendCode", claims, "failure_send_code_msg", () => {
              byId(codeField.ID).value = "";
              state("sent");
              say("success", controlText(field, "success_send_code_msg"));
              byId(codeField.ID).focus();
            }));
          }
          function verify() {
            say("error", "");
            act("VerifyCode", inner, "failure_verify_code_msg", () => {
              state("proved");
              say("success", controlText(field, "success_verify_code_msg"));
              focusFirst("input:not([readonly]):not([type=checkbox]), #continue");
            });
          }
          function change() {
            state("open");
            say("info", controlText(field, "intro_msg"));
            byId(claims[0].ID).focus();
          }
          const entries = inner.map(entry);
          hidden(entries[entries.length - 1]);
          entries.forEach((part, place) => onEnter(part, () => {
            if (place === entries.length - 1) verify();
            else if (byId(id + "_but_send_code").style.display !== "none") send();
          }));
          const note = name => hidden(make("div", { id: id + "_" + name + "_message", role: "alert" }));
          const intro = make("div", { id: id + "_info_message", "aria-hidden": "false", text: controlText(field, "intro_msg") });
          return make("div", { id: id, "class": "verificationControlContent" },
            make("div", { "class": "verificationInfoText" }, intro),
            make("div", { "class": "verificationSuccessText" }, note("success")),
            make("div", { "class": "verificationErrorText error", style: "display:block" }, note("error")),
            make("ul", {}, entries),
            make("div", { "class": "buttons verify" },
              button(id + "_but_send_code", controlText(field, "but_send_code"), send, "sendCode"),
              hidden(button(id + "_but_verify_code", controlText(field, "but_verify_code"), verify, "verifyCode")),
              hidden(button(id + "_but_send_new_code", controlText(field, "but_send_new_code"), send, "sendNewCode secondary")),
              hidden(button(id + "_but_change_claims", controlText(field, "but_change_claims"), change, "changeClaims secondary"))));
        }
        // The key of an authenticator app as a picture, and as a link for the phone that shows the page itself.
        function qrCodeControl(field) {
          const id = field.ID, uri = ((field.DISPLAY_FIELDS || [])[0] || {}).PRE || "";
          return make("div", { id: id, "class": "qrCodeControlContent" },
            make("p", { id: id + "-title", text: controlText(field, "title_text") }),
            make("div", { id: id + "_info_message", "class": "qrCodeInfo", text: content[id + "_info_msg"] ? plain(content[id + "_info_msg"]) : "" }),
            make("div", { id: id + "-picture", title: uri }, qrPicture(uri, id + "-img", controlText(field, "title_text"))),
            hidden(make("div", { id: id + "-text", text: uri })),
            make("a", { href: uri, text: text("qr_link") }));
        }
        // The same to type in.
        function accountControl(field) {
          const id = field.ID, names = ["account_name", "secret"];
          const details = (field.DISPLAY_FIELDS || []).map((part, place) => make("div", { id: id + "-" + (names[place] || part.ID) },
            make("span", { "class": "name", text: label(part) + ": " }), make("span", { id: part.ID, "class": "value", text: part.PRE || "" })));
          return make("div", { id: id, "class": "authenticatorInfoContent" },
            make("p", { id: id + "-title", text: controlText(field, "title_text") }), details);
        }

        """#
}
