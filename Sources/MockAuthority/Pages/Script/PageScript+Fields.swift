extension StaticAssets {
    /// Drawing the fields and reading their values.
    static let scriptFields = #"""
        function kindOf(field) { return field.UX_INPUT_TYPE || field.USER_INPUT_TYPE || "TextBox"; }
        function isControl(field) { return kindOf(field) === "DisplayControl"; }

        // What password managers and phones should offer.
        const autocomplete = {
          email: "email", signInName: "username", logonIdentifier: "username", UserId: "username", newPassword: "new-password",
          reenterPassword: "new-password", givenName: "given-name", surname: "family-name", surName: "family-name",
          displayName: "name", city: "address-level2", state: "address-level1", country: "country-name", postalCode: "postal-code",
          streetAddress: "street-address", jobTitle: "organization-title", companyName: "organization", telephoneNumber: "tel",
          mobile: "tel", verificationCode: "one-time-code", emailVerificationCode: "one-time-code", otpCode: "one-time-code",
          totpVerificationCode: "one-time-code"
        };
        function inputOf(field, name) {
          const kind = kindOf(field);
          const common = {
            id: field.ID, name: name, "class": "textInput", title: field.U_HELP ? plain(field.U_HELP) : undefined,
            "aria-required": field.IS_REQ ? "true" : undefined, "aria-readonly": field.IS_RDO ? "true" : undefined
          };
          if (kind === "DropdownSingleSelect") {
            const isChosen = (field.OPTIONS || []).some(option => option.VAL === field.PRE);
            return make("select", common, isChosen ? null : make("option", { value: "", text: "" }), (field.OPTIONS || []).map(option =>
              make("option", { value: option.VAL, text: plain(option.DISP), selected: option.VAL === field.PRE })));
          }
          if (kind === "RadioSingleSelect" || kind === "CheckboxMultiSelect") return boxes(field, kind === "RadioSingleSelect" ? "radio" : "checkbox");
          if (kind === "DateTimeDropdown") return dateLists(field);
          if (kind === "Paragraph") return make("p", { id: field.ID, text: field.PRE || "" });
          const types = { Password: "password", EmailBox: "email" };
          common.type = types[kind] || (autocomplete[field.ID] === "tel" ? "tel" : "text");
          common.placeholder = label(field);
          common.autocomplete = kind === "Password" && settings.api === "CombinedSigninAndSignup" ? "current-password" : autocomplete[field.ID];
          if (common.autocomplete === "one-time-code") common.inputmode = "numeric";
          if (settings.api === "CombinedSigninAndSignup" && kind !== "Password") common.autocomplete = "username";
          common.readonly = !!field.IS_RDO || kind === "Readonly";
          const input = make("input", common);
          if (field.PRE) input.value = field.PRE;
          return input;
        }
        function boxes(field, type) {
          return make("fieldset", { id: field.ID, "data-choices": type }, make("legend", { text: label(field) }),
            (field.OPTIONS || []).map(option => {
              const id = field.ID + "_" + option.VAL;
              const chosen = type === "radio" ? [field.PRE] : String(field.PRE || "").split(",");
              return make("div", { "class": "choice" },
                make("input", { id: id, type: type, name: field.ID, value: option.VAL, checked: chosen.includes(option.VAL) }),
                make("label", { "for": id, text: plain(option.DISP) }));
            }));
        }
        // A date is three lists; what is posted is one value, yyyy-mm-dd.
        function dateLists(field) {
          const given = String(field.PRE || "").split("-");
          const months = text("months").split(",").map(month => month.trim());
          const years = [];
          for (let year = (new Date).getFullYear() + 10; year >= 1900; year -= 1) years.push(String(year));
          function list(part, name, values, names, chosen) {
            return make("select", { id: field.ID + "_" + part, "aria-label": name, "data-part": part },
              make("option", { value: "", text: name }),
              values.map((value, place) => make("option", { value: value, text: names[place], selected: value === chosen })));
          }
          const days = Array.from({ length: 31 }, (_, day) => String(day + 1).padStart(2, "0"));
          const numbers = days.slice(0, 12);
          return make("fieldset", { id: field.ID, "data-choices": "date" }, make("legend", { text: label(field) }),
            list("day", text("day"), days, days.map(Number), given[2]),
            list("month", text("month"), numbers, months, given[1]),
            list("year", text("year"), years, years, given[0]));
        }
        function valueOf(field) {
          const element = byId(field.ID);
          if (!element) return "";
          switch (element.getAttribute("data-choices")) {
            case "date": {
              const part = name => element.querySelector("[data-part=" + name + "]").value;
              const all = [part("year"), part("month"), part("day")];
              return all.every(one => one === "") ? "" : all.join("-");
            }
            case "radio":
            case "checkbox":
              return [...element.querySelectorAll("input:checked")].map(box => box.value).join(",");
          }
          if (element.value === undefined) return field.PRE || "";
          return element.type === "password" && settings.trimSpacesInPassword ? element.value.trim() : element.value;
        }
        function hasOwnLegend(field) { return ["RadioSingleSelect", "CheckboxMultiSelect", "DateTimeDropdown"].includes(kindOf(field)); }

        // A line of the attribute list.
        function entry(field) {
          if (isControl(field)) return controlEntry(field);
          const line = itemError();
          line.setAttribute("data-for", field.ID);
          const input = inputOf(field);
          const help = field.U_HELP && plain(field.U_HELP) !== label(field) ? helpLink(plain(field.U_HELP)) : null;
          return make("li", { "class": kindOf(field) + " " + field.ID + "_li", "data-claim": field.ID },
            make("div", { "class": "attrEntry" },
              hasOwnLegend(field) ? null : make("label", { id: field.ID + "_label", "for": field.ID, "class": field.IS_REQ ? "required" : "", text: label(field) }),
              line, input, rules(field), help, field.VERIFY ? verification(field) : null));
        }
        function helpLink(message) {
          const note = hidden(make("div", { "class": "helpText", role: "status", text: message }));
          const link = make("a", { "class": "helpLink tiny", href: "#", "data-help": message, text: text("helplink_text"), click: event => {
            event.preventDefault();
            show(note, note.style.display === "none");
          } });
          return make("div", { "class": "help" }, link, note);
        }
        function allFields() { return fields.flatMap(field => isControl(field) && !isCaptcha(field) ? field.DISPLAY_FIELDS || [] : [field]); }
        // Inputs first, then drop-downs, as the service's own page posts them.
        function values() {
          const inputs = [], menus = [];
          for (const field of allFields()) {
            if (kindOf(field) === "Paragraph") continue;
            (kindOf(field) === "DropdownSingleSelect" ? menus : inputs).push([field.ID, valueOf(field)]);
          }
          return inputs.concat(menus);
        }

        """#

    /// What the page finds wrong before it asks the server.
    static let scriptValidation = #"""
        function matches(pattern, value) {
          try { return new RegExp(pattern).test(value); } catch (notOurDialect) { return true; }
        }
        function holds(predicate, value) {
          const given = predicate.PARAMS || {};
          switch (Number(predicate.METHOD)) {
            case 1: return !given.CharacterSet || matches("[" + given.CharacterSet.replace(/[\[\]]/g, "\\$&") + "]", value);
            case 2: return !given.RegularExpression || matches(given.RegularExpression, value);
            case 3: return value.length >= Number(given.Minimum || 0) && value.length <= Number(given.Maximum || Infinity);
            case 4: {
              const day = name => given[name] === "Today" ? (new Date).toISOString().slice(0, 10) : given[name];
              return (!given.Minimum || value >= day("Minimum")) && (!given.Maximum || value <= day("Maximum"));
            }
          }
          return true;
        }
        // The first group of rules that does not hold, in words.
        function broken(field, value) {
          for (const group of (field.INPUT_VALIDATION || {}).PREDICATE_GROUPS || []) {
            const failed = group.PREDICATES.filter(predicate => !holds(predicate, value));
            const isMet = group.PREDICATES.length - failed.length >= group.MATCH_AT_LEAST;
            if (isMet !== !!group.REJECT) continue;
            const named = group.REJECT ? group.PREDICATES : failed;
            return [group.HELP_TEXT].concat(named.map(predicate => predicate.HELP_TEXT)).filter(Boolean).map(plain).join(" ");
          }
          return null;
        }
        // The rules of a password beside its field, ticked off while typing.
        function rules(field) {
          const groups = (field.INPUT_VALIDATION || {}).PREDICATE_GROUPS || [];
          if (kindOf(field) !== "Password" || !groups.length || config.includePasswordRequirements === "False") return null;
          const list = make("ul", { "class": "requirements", id: field.ID + "_requirements", "aria-live": "polite" });
          const lines = groups.flatMap(group => group.PREDICATES.map(predicate => {
            const line = make("li", { text: plain(predicate.HELP_TEXT || group.HELP_TEXT || "") });
            list.append(line);
            return { line: line, predicate: predicate };
          }));
          hidden(list);
          root.addEventListener("input", event => {
            if (event.target.id !== field.ID) return;
            show(list, event.target.value !== "");
            lines.forEach(one => one.line.classList.toggle("met", holds(one.predicate, event.target.value)));
          });
          return list;
        }
        function isAddress(value) { return /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)*$/.test(value); }
        function isSignInAddress(field) {
          return settings.api === "CombinedSigninAndSignup" && field === fields[0] && String(config.operatingMode).toLowerCase() === "email";
        }
        function required(field) {
          if (settings.api !== "CombinedSigninAndSignup") return text("required_field");
          return kindOf(field) === "Password" ? text("requiredField_password") : text("requiredField_generic", label(field));
        }
        function incorrect(field) {
          if (field.PAT_DESC) return plain(field.PAT_DESC);
          return settings.api === "CombinedSigninAndSignup" ? text("invalid_generic", label(field)) : text("error_fieldIncorrect");
        }
        // Marks what is wrong with these fields; the kinds of mistakes found.
        function mistakes(some) {
          const found = new Set();
          for (const field of some) {
            const kind = kindOf(field);
            if (kind === "Paragraph" || field.IS_RDO || kind === "Readonly") continue;
            const value = valueOf(field);
            const rule = value === "" ? null : broken(field, value);
            if (value === "") {
              if (field.IS_REQ) { markField(field.ID, required(field)); found.add("requiredFieldMissing"); }
            } else if (field.PAT && !matches(field.PAT, value)) {
              markField(field.ID, incorrect(field)); found.add("fieldIncorrect");
            } else if ((kind === "EmailBox" || isSignInAddress(field)) && !isAddress(value)) {
              markField(field.ID, incorrect(field)); found.add("fieldIncorrect");
            } else if (kind === "DateTimeDropdown" && (value.length !== 10 || !isDay(value))) {
              markField(field.ID, incorrect(field)); found.add("fieldIncorrect");
            } else if (rule !== null) {
              markField(field.ID, rule || incorrect(field)); found.add("fieldIncorrect");
            }
          }
          return found;
        }
        function isDay(value) {
          const day = new Date(value + "T00:00:00Z");
          return !isNaN(day) && day.toISOString().slice(0, 10) === value;
        }
        function isValid() {
          const found = mistakes(allFields());
          const first = byId("newPassword"), again = byId("reenterPassword");
          if (first && again && first.value !== again.value) {
            found.add("passwordEntryMismatch");
            again.classList.add("highlightError");
            again.setAttribute("aria-invalid", "true");
          }
          for (const id of found) if (byId(id)) showError(byId(id), text("error_" + id));
          if (found.size) focusFirst(".highlightError");
          return found.size === 0;
        }

        """#
}
