extension StaticAssets {
    /// The phone page.
    static let scriptPhone = #"""
        // Calling codes by region (ITU-T E.164).
        const callingCodes = "\#(callingCodes)";

        function regionName(region) {
          try { return new Intl.DisplayNames([language], { type: "region" }).of(region) || region; } catch (ignored) { return region; }
        }
        function countryList() {
          let own = {};
          try { own = JSON.parse(text("countryList") || "{}"); } catch (ignored) { own = {}; }
          const home = (settings.locale && settings.locale.country) || (navigator.language || "").split("-")[1] || "US";
          const rows = callingCodes.match(/[A-Z]{2}\d+/g).map(entry => {
            const region = entry.slice(0, 2);
            return { region: region, code: "+" + entry.slice(2), name: own[region] || regionName(region) };
          }).sort((left, right) => left.name.localeCompare(right.name, language));
          return make("select", { id: "countryCode", "aria-label": text("country_code_label"), autocomplete: "tel-country-code" },
            rows.map(row => make("option", { value: row.code, "data-region": row.region, text: row.name + " (" + row.code + ")", selected: row.region === home })));
        }
        function phoneFactor() {
          const phones = (typeof UV_PHONE === "object" && UV_PHONE.PhoneNumbers) || [];
          const mode = (config.authenticationMode || "mixed").toLowerCase();
          const canText = mode !== "phone", canCall = mode !== "sms";
          let isSent = false;

          function number() {
            if (phones.length) {
              const chosen = root.querySelector("input[name=phone]:checked");
              return [["id", chosen ? chosen.value : phones[0].Id]];
            }
            // A number typed with its country code stands for itself.
            const typed = byId("localNumber").value.replace(/[\s().\/-]/g, "");
            if (!typed) { markField("localNumber", text("requiredField_number")); byId("localNumber").focus(); return null; }
            if (!/^\+?\d+$/.test(typed)) { markField("localNumber", text("invalid_number")); byId("localNumber").focus(); return null; }
            return [["id", "UserAsserted"], ["number", typed.startsWith("+") ? typed : byId("countryCode").value + typed.replace(/^0+/, "")]];
          }
          function failed(answer) {
            showError(serverError, answer.message || text("error_tryagain"));
            if (isSent) byId("verificationCode").focus();
          }
          function ask(type) {
            if (isBusy()) return;
            clearErrors();
            const chosen = number();
            if (!chosen) return;
            proven(() => post("Phonefactor/verify", encode([["request_type", "VERIFICATION_REQUEST"], ["auth_type", type]].concat(chosen)), (answer, isGood) => {
              newPicture();
              if (!isGood) return failed(answer);
              if (type === "dialphone") return wait();
              isSent = true;
              show(byId("codeVerification"), true);
              show(byId("phoneEntry"), false);
              show(byId("verifyPhone"), false);
              byId("verifyCode").textContent = text("button_verify_code");
              byId("verifyCode").setAttribute("aria-label", text("button_verify_code"));
              byId("verificationCode").value = "";
              byId("verificationCode").focus();
            }));
          }
          function check() {
            if (isBusy()) return;
            clearErrors();
            const code = byId("verificationCode").value.trim();
            if (!code || !matches("^(?:" + (text("code_pattern") || "\\d{6}") + ")$", code)) {
              markField("verificationCode", text(code ? "invalid_code" : "requiredField_code"));
              return byId("verificationCode").focus();
            }
            post("Phonefactor/verify", encode([["request_type", "VALIDATION_REQUEST"], ["verification_code", code]]), (answer, isGood) => {
              if (isGood) return navigate("confirmed");
              failed(answer);
            });
          }
          // The phone rings: the page asks until somebody has answered.
          function wait() {
            show(byId("dialing_blurb"), true);
            poll(Number(config.pollLimit) || 20);
          }
          function poll(left) {
            post("Phonefactor/verify", encode([["request_type", "VALIDATION_REQUEST"]]), (answer, isGood) => {
              if (isGood) return navigate("confirmed");
              if (String(answer.status) === "449" && left > 1) return setTimeout(() => poll(left - 1), Number(config.pollIntervalInMilliseconds) || 5000);
              show(byId("dialing_blurb"), false);
              failed(answer);
            });
          }
          function line(id) {
            const error = itemError();
            error.setAttribute("data-for", id);
            return error;
          }
          const word = canText && canCall ? "mixed" : canText ? "sms" : "phone";
          const intro = phones.length ? text("intro_" + word + (phones.length > 1 ? "_p" : "")) : text("intro_entry_" + word) || text("intro_" + word);
          const entry = phones.length ? make("div", { "class": "phoneNumbers", role: "radiogroup", "aria-label": text("number_label") }, phones.map((phone, place) =>
            make("div", { "class": "choice phoneNumber" },
              make("input", { id: "phone_" + phone.Id, type: "radio", name: "phone", value: phone.Id, checked: place === 0 }),
              make("label", { "for": "phone_" + phone.Id, text: plain(phone.MaskedNumber) })))) : [
            make("div", { "class": "phoneNumber" }, make("label", { "for": "countryCode", text: text("country_code_label") }), countryList()),
            make("div", { "class": "phoneNumber" }, make("label", { "for": "localNumber", text: text("number_label") }), line("localNumber"),
              make("input", { id: "localNumber", "class": "textInput", type: "tel", autocomplete: "tel-national", placeholder: text("number_input_placeholder_text") }))
          ];
          const code = hidden(make("div", { id: "codeVerification" },
            make("p", { "class": "info", role: "status", text: text("ver_info_sms") }),
            make("label", { "for": "verificationCode", text: text("code_label") }), line("verificationCode"),
            make("input", { id: "verificationCode", "class": "textInput", type: "text", inputmode: "numeric", autocomplete: "one-time-code", placeholder: text("code_label") }),
            button("retryCode", text("send_code_a_new_code"), () => ask("onewaysms"), "textButton")));
          const main = canText ? make("button", { id: "verifyCode", type: "submit", "class": "sendInitialCodeButton", "aria-label": text("button_send_code"), text: text("button_send_code") }) : null;
          serverError = pageError("phoneError");
          return [heading(), make("div", { "class": "intro" }, make("p", { text: intro })), serverError,
            form("phonefactor_initial", "", [
              make("div", { id: "phoneEntry", "class": "phoneEntry" }, entry), fields.filter(isCaptcha).map(captchaControl), code,
              hidden(make("div", { id: "dialing_blurb", role: "status", text: text("intro_wait") })),
              make("div", { "class": "buttons" }, main,
                canCall ? button("verifyPhone", text("button_verify"), () => ask("dialphone"), canText ? "secondary" : "") : null,
                isOn("showCancelButton") ? button("cancel", text("button_cancel"), cancel, "secondary") : null)
            ], () => { if (isSent) check(); else if (canText) ask("onewaysms"); else ask("dialphone"); })];
        }

        """#

    private static let callingCodes = """
        AC247AD376AE971AF93AG1AI1AL355AM374AO244AR54AS1AT43AU61AW297AX358AZ994BA387BB1BD880BE32BF226BG359BH973BI257\
        BJ229BL590BM1BN673BO591BQ599BR55BS1BT975BW267BY375BZ501CA1CC61CD243CF236CG242CH41CI225CK682CL56CM237CN86CO57\
        CR506CU53CV238CW599CX61CY357CZ420DE49DJ253DK45DM1DO1DZ213EC593EE372EG20EH212ER291ES34ET251FI358FJ679FK500\
        FM691FO298FR33GA241GB44GD1GE995GF594GG44GH233GI350GL299GM220GN224GP590GQ240GR30GT502GU1GW245GY592HK852HN504\
        HR385HT509HU36ID62IE353IL972IM44IN91IO246IQ964IR98IS354IT39JE44JM1JO962JP81KE254KG996KH855KI686KM269KN1KP850\
        KR82KW965KY1KZ7LA856LB961LC1LI423LK94LR231LS266LT370LU352LV371LY218MA212MC377MD373ME382MF590MG261MH692MK389\
        ML223MM95MN976MO853MP1MQ596MR222MS1MT356MU230MV960MW265MX52MY60MZ258NA264NC687NE227NF672NG234NI505NL31NO47\
        NP977NR674NU683NZ64OM968PA507PE51PF689PG675PH63PK92PL48PM508PR1PS970PT351PW680PY595QA974RE262RO40RS381RU7\
        RW250SA966SB677SC248SD249SE46SG65SH290SI386SJ47SK421SL232SM378SN221SO252SR597SS211ST239SV503SX1SY963SZ268\
        TA290TC1TD235TG228TH66TJ992TK690TL670TM993TN216TO676TR90TT1TV688TW886TZ255UA380UG256US1UY598UZ998VA39VC1VE58\
        VG1VI1VN84VU678WF681WS685XK383YE967YT262ZA27ZM260ZW263
        """
}
