(function () {
"use strict";
const ownTexts = {
  en: {
    heading_SelfAsserted: "User Details",
    heading_CombinedSigninAndSignup: "Sign in",
    heading_ClaimsProviderSelection: "Sign in",
    heading_Phonefactor: "Second factor",
    unknown_error: "Something went wrong. Please try again.",
    service_unavailable: "The service cannot be reached. Please try again.",
    social_intro: "Sign in with your social account",
    local_intro_generic: "Sign in with your {0}",
    divider_title: "OR",
    button_signin: "Sign in",
    createaccount_intro: "Don't have an account?",
    createaccount_one_link: "Sign up now",
    forgotpassword_link: "Forgot your password?",
    remember_me: "Keep me signed in",
    requiredField_generic: "Please enter your {0}",
    requiredField_password: "Please enter your password",
    invalid_generic: "Please enter a valid {0}",
    button_continue: "Continue",
    button_cancel: "Cancel",
    initial_intro: "Please provide the following details.",
    required_field: "This information is required.",
    error_requiredFieldMissing: "A required field is empty. Fill in all of them and try again.",
    error_fieldIncorrect: "A field is filled in wrongly. Check them and try again.",
    error_passwordEntryMismatch: "The two passwords differ. Type the same one twice.",
    helplink_text: "What is this?",
    verifying_blurb: "Please wait while we process your information.",
    cancel_message: "The user has cancelled entering self-asserted information",
    day: "Day",
    month: "Month",
    year: "Year",
    months: "January,February,March,April,May,June,July,August,September,October,November,December",
    ver_intro_msg: "Verification is necessary. Please click Send button.",
    ver_info_msg: "A code is on its way. Copy it from the message into the field below.",
    ver_input: "Verification code",
    ver_but_send: "Send verification code",
    ver_but_verify: "Verify code",
    ver_but_resend: "Send new code",
    ver_but_edit: "Change e-mail",
    ver_success_msg: "E-mail address verified. You can now continue.",
    ver_fail_retry: "That code is incorrect. Please try again.",
    ver_fail_server: "The address could not be verified. Please try again.",
    intro_msg: "Verification is necessary. Please click Send button.",
    success_send_code_msg: "Verification code has been sent. Please copy it to the input box below.",
    failure_send_code_msg: "The code could not be sent. Please try again.",
    success_verify_code_msg: "E-mail address verified. You can now continue.",
    failure_verify_code_msg: "The address could not be verified. Please try again.",
    but_send_code: "Send verification code",
    but_verify_code: "Verify code",
    but_send_new_code: "Send new code",
    but_change_claims: "Change e-mail",
    title_text: "",
    qr_link: "Open in the authenticator app of this device",
    intro_sms: "We send a code to a phone to make sure that it is you.",
    intro_phone: "We call a phone to make sure that it is you.",
    intro_mixed: "We send a code to a phone, or call it, to make sure that it is you.",
    country_code_label: "Country Code",
    number_label: "Phone Number",
    number_input_placeholder_text: "Phone number",
    code_label: "Verification Code",
    ver_info_sms: "A code is on its way. Copy it from the message into the field below.",
    button_send_code: "Send Code",
    button_verify_code: "Verify Code",
    button_verify: "Call Me",
    send_code_a_new_code: "Send a new code",
    intro_wait: "We are calling. Please answer the phone.",
    requiredField_code: "Please enter the verification code you received",
    requiredField_number: "Please enter your phone number",
    invalid_code: "Please enter the 6-digit code you received",
    invalid_number: "Please enter a valid phone number",
    error_tryagain: "The number is busy or cannot be reached. Check it and try again.",
    captcha_picture: "Picture with characters to type in",
    captcha_input: "Characters of the picture",
    captcha_new: "Another picture",
    captcha_required: "Enter the characters of the picture.",
    captcha_wrong: "These are not the characters of the picture. Here is another one."
  },
  de: {
    heading_SelfAsserted: "Ihre Angaben",
    heading_CombinedSigninAndSignup: "Anmelden",
    heading_ClaimsProviderSelection: "Anmelden",
    heading_Phonefactor: "Zweiter Faktor",
    unknown_error: "Etwas ist schiefgegangen. Bitte erneut versuchen.",
    service_unavailable: "Der Dienst ist nicht erreichbar. Bitte erneut versuchen.",
    social_intro: "Mit einem vorhandenen Konto anmelden",
    local_intro_generic: "Mit {0} anmelden",
    divider_title: "ODER",
    button_signin: "Anmelden",
    createaccount_intro: "Noch kein Konto?",
    createaccount_one_link: "Jetzt registrieren",
    forgotpassword_link: "Kennwort vergessen?",
    remember_me: "Angemeldet bleiben",
    requiredField_generic: "Bitte {0} eingeben.",
    requiredField_password: "Bitte das Kennwort eingeben.",
    invalid_generic: "{0}: Eingabe ungültig.",
    button_continue: "Weiter",
    button_cancel: "Abbrechen",
    initial_intro: "Bitte Folgendes ausfüllen.",
    required_field: "Diese Angabe wird benötigt.",
    error_requiredFieldMissing: "Ein Pflichtfeld ist leer. Bitte alle ausfüllen und erneut versuchen.",
    error_fieldIncorrect: "Ein Feld ist falsch ausgefüllt. Bitte prüfen und erneut versuchen.",
    error_passwordEntryMismatch: "Die beiden Kennwörter sind verschieden. Bitte zweimal dasselbe eingeben.",
    helplink_text: "Was ist das?",
    verifying_blurb: "Bitte warten, die Angaben werden geprüft.",
    cancel_message: "Der Vorgang wurde abgebrochen",
    day: "Tag",
    month: "Monat",
    year: "Jahr",
    months: "Januar,Februar,März,April,Mai,Juni,Juli,August,September,Oktober,November,Dezember",
    ver_intro_msg: "Die Adresse muss bestätigt werden. Die Schaltfläche schickt einen Code.",
    ver_info_msg: "Ein Code ist unterwegs. Bitte aus der Nachricht in das Feld unten übertragen.",
    ver_input: "Prüfcode",
    ver_but_send: "Prüfcode senden",
    ver_but_verify: "Code prüfen",
    ver_but_resend: "Neuen Code senden",
    ver_but_edit: "E-Mail-Adresse ändern",
    ver_success_msg: "Die Adresse ist bestätigt. Es kann weitergehen.",
    ver_fail_retry: "Dieser Code ist falsch. Bitte erneut versuchen.",
    ver_fail_server: "Die Adresse konnte nicht bestätigt werden. Bitte erneut versuchen.",
    intro_msg: "Die Adresse muss bestätigt werden. Die Schaltfläche schickt einen Code.",
    success_send_code_msg: "Ein Code ist unterwegs. Bitte aus der Nachricht in das Feld unten übertragen.",
    failure_send_code_msg: "Der Code konnte nicht gesendet werden. Bitte erneut versuchen.",
    success_verify_code_msg: "Die Adresse ist bestätigt. Es kann weitergehen.",
    failure_verify_code_msg: "Die Adresse konnte nicht bestätigt werden. Bitte erneut versuchen.",
    but_send_code: "Prüfcode senden",
    but_verify_code: "Code prüfen",
    but_send_new_code: "Neuen Code senden",
    but_change_claims: "E-Mail-Adresse ändern",
    qr_link: "In der Authentifizierungs-App dieses Geräts öffnen",
    intro_sms: "Zur Sicherheit senden wir einen Code an ein Telefon.",
    intro_phone: "Zur Sicherheit rufen wir ein Telefon an.",
    intro_mixed: "Zur Sicherheit senden wir einen Code an ein Telefon oder rufen es an.",
    country_code_label: "Landesvorwahl",
    number_label: "Telefonnummer",
    number_input_placeholder_text: "Telefonnummer",
    code_label: "Prüfcode",
    ver_info_sms: "Ein Code ist unterwegs. Bitte aus der Nachricht in das Feld unten übertragen.",
    button_send_code: "Code senden",
    button_verify_code: "Code prüfen",
    button_verify: "Anrufen",
    send_code_a_new_code: "Neuen Code senden",
    intro_wait: "Wir rufen an. Bitte den Anruf annehmen.",
    requiredField_code: "Bitte den erhaltenen Code eingeben.",
    requiredField_number: "Bitte die Telefonnummer eingeben.",
    invalid_code: "Bitte die sechs erhaltenen Ziffern eingeben.",
    invalid_number: "Dies ist keine Telefonnummer.",
    error_tryagain: "Die Nummer ist besetzt oder nicht erreichbar. Bitte prüfen und erneut versuchen.",
    captcha_picture: "Bild mit Zeichen zum Abschreiben",
    captcha_input: "Zeichen auf dem Bild",
    captcha_new: "Anderes Bild",
    captcha_required: "Bitte die Zeichen auf dem Bild eingeben.",
    captcha_wrong: "Das sind nicht die Zeichen auf dem Bild. Hier ist ein anderes."
  }
};
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
// Typing clears the error of a field.
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
      try { answer = JSON.parse(request.responseText); } catch { answer = { status: String(request.status) }; }
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
function matches(pattern, value) {
  try { return new RegExp(pattern).test(value); } catch { return true; }
}
function holds(predicate, value) {
  const given = predicate.PARAMS || {};
  switch (Number(predicate.METHOD)) {
    case 1: return !given.CharacterSet || matches("[" + given.CharacterSet.replace(/[[\]]/g, "\\$&") + "]", value);
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
const qrCorrection = [0, 10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26];
const qrBlocks = [0, 1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16];

// Modules for data and error correction of a version, in bits.
function qrBits(version) {
  let bits = (16 * version + 128) * version + 64;
  if (version > 1) {
    const marks = Math.floor(version / 7) + 2;
    bits -= (25 * marks - 10) * marks - 55;
    if (version > 6) bits -= 36;
  }
  return bits;
}
function qrData(version) { return Math.floor(qrBits(version) / 8) - qrCorrection[version] * qrBlocks[version]; }

function qrCodewords(bytes, version) {
  const bits = [];
  const put = (value, count) => { for (let bit = count - 1; bit >= 0; bit -= 1) bits.push((value >>> bit) & 1); };
  put(4, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  bytes.forEach(byte => put(byte, 8));
  const room = qrData(version) * 8;
  put(0, Math.min(4, room - bits.length));
  while (bits.length % 8) bits.push(0);
  const words = [];
  for (let start = 0; start < bits.length; start += 8) words.push(parseInt(bits.slice(start, start + 8).join(""), 2));
  for (let pad = 0xec; words.length < qrData(version); pad ^= 0xec ^ 0x11) words.push(pad);
  return words;
}
function qrTimes(left, right) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    product ^= ((right >>> bit) & 1) * left;
  }
  return product;
}
// Splits the words in blocks, adds each block's check words, and mixes the blocks.
function qrProtected(words, version) {
  const count = qrBlocks[version], length = qrCorrection[version], all = Math.floor(qrBits(version) / 8);
  const short = count - all % count, size = Math.floor(all / count);
  const divisor = Array.from({ length }, () => 0);
  divisor[length - 1] = 1;
  let power = 1;
  for (let term = 0; term < length; term += 1) {
    for (let place = 0; place < length; place += 1) divisor[place] = qrTimes(divisor[place], power) ^ (divisor[place + 1] || 0);
    power = qrTimes(power, 2);
  }
  const blocks = [];
  for (let number = 0, start = 0; number < count; number += 1) {
    const data = words.slice(start, start + size - length + (number < short ? 0 : 1));
    start += data.length;
    const rest = Array.from({ length }, () => 0);
    data.forEach(word => {
      const factor = word ^ rest.shift();
      rest.push(0);
      divisor.forEach((term, place) => { rest[place] ^= qrTimes(term, factor); });
    });
    blocks.push({ data: data, rest: rest });
  }
  const mixed = [];
  for (let place = 0; place <= size - length; place += 1) blocks.forEach(block => { if (place < block.data.length) mixed.push(block.data[place]); });
  for (let place = 0; place < length; place += 1) blocks.forEach(block => mixed.push(block.rest[place]));
  return mixed;
}
const qrMasks = [
  (x, y) => (x + y) % 2, (x, y) => y % 2, (x) => x % 3, (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2, (x, y) => x * y % 2 + x * y % 3,
  (x, y) => (x * y % 2 + x * y % 3) % 2, (x, y) => ((x + y) % 2 + x * y % 3) % 2
];
function qrMatrix(message) {
  const bytes = [...new TextEncoder().encode(message)];
  let version = 1;
  while (version < qrBlocks.length && qrData(version) * 8 < 4 + (version < 10 ? 8 : 16) + bytes.length * 8) version += 1;
  if (version >= qrBlocks.length) return null;
  const size = version * 4 + 17;
  const modules = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  const fixed = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  const set = (x, y, dark) => { modules[y][x] = !!dark; fixed[y][x] = true; };

  for (let place = 0; place < size; place += 1) { set(6, place, place % 2 === 0); set(place, 6, place % 2 === 0); }
  for (const [left, top] of [[3, 3], [size - 4, 3], [3, size - 4]]) {
    for (let dy = -4; dy <= 4; dy += 1) for (let dx = -4; dx <= 4; dx += 1) {
      const ring = Math.max(Math.abs(dx), Math.abs(dy)), x = left + dx, y = top + dy;
      if (x >= 0 && x < size && y >= 0 && y < size) set(x, y, ring !== 2 && ring !== 4);
    }
  }
  const marks = [];
  if (version > 1) {
    const count = Math.floor(version / 7) + 2, step = Math.ceil((size - 13) / (count * 2 - 2)) * 2;
    for (let place = size - 7; marks.length < count - 1; place -= step) marks.unshift(place);
    marks.unshift(6);
  }
  const last = marks.length - 1;
  marks.forEach((y, row) => marks.forEach((x, column) => {
    if ((row === 0 && column === 0) || (row === 0 && column === last) || (row === last && column === 0)) return;
    for (let dy = -2; dy <= 2; dy += 1) for (let dx = -2; dx <= 2; dx += 1) set(x + dx, y + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
  }));
  function format(mask) {
    let rest = mask;
    for (let step = 0; step < 10; step += 1) rest = (rest << 1) ^ ((rest >>> 9) * 0x537);
    const bits = (mask << 10 | rest) ^ 0x5412, bit = place => (bits >>> place) & 1;
    for (let place = 0; place <= 5; place += 1) set(8, place, bit(place));
    set(8, 7, bit(6)); set(8, 8, bit(7)); set(7, 8, bit(8));
    for (let place = 9; place < 15; place += 1) set(14 - place, 8, bit(place));
    for (let place = 0; place < 8; place += 1) set(size - 1 - place, 8, bit(place));
    for (let place = 8; place < 15; place += 1) set(8, size - 15 + place, bit(place));
    set(8, size - 8, true);
  }
  format(0);
  if (version >= 7) {
    let rest = version;
    for (let step = 0; step < 12; step += 1) rest = (rest << 1) ^ ((rest >>> 11) * 0x1f25);
    const bits = version << 12 | rest;
    for (let place = 0; place < 18; place += 1) {
      const far = size - 11 + place % 3, near = Math.floor(place / 3);
      set(far, near, (bits >>> place) & 1);
      set(near, far, (bits >>> place) & 1);
    }
  }
  const words = qrProtected(qrCodewords(bytes, version), version);
  let next = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step += 1) for (const x of [right, right - 1]) {
      const y = ((right + 1) & 2) === 0 ? size - 1 - step : step;
      if (!fixed[y][x] && next < words.length * 8) {
        modules[y][x] = ((words[next >>> 3] >>> (7 - (next & 7))) & 1) === 1;
        next += 1;
      }
    }
  }
  let best = null;
  qrMasks.forEach((mask, number) => {
    format(number);
    const masked = modules.map((row, y) => row.map((dark, x) => fixed[y][x] ? dark : dark !== (mask(x, y) === 0)));
    const cost = qrCost(masked);
    if (!best || cost < best.cost) best = { cost: cost, modules: masked };
  });
  return best.modules;
}
// How hard a picture is to read: runs, blocks, things that look like finders, and uneven darkness.
function qrCost(modules) {
  const size = modules.length;
  let cost = 0, dark = 0;
  const lines = modules.map(row => row.map(Number).join(""));
  for (let x = 0; x < size; x += 1) lines.push(modules.map(row => Number(row[x])).join(""));
  for (const line of lines) {
    for (const run of line.match(/0{5,}|1{5,}/g) || []) cost += run.length - 2;
    for (let start = 0; start + 11 <= size; start += 1) {
      const part = line.slice(start, start + 11);
      if (part === "10111010000" || part === "00001011101") cost += 40;
    }
  }
  for (let y = 0; y < size; y += 1) for (let x = 0; x < size; x += 1) {
    if (modules[y][x]) dark += 1;
    if (x && y && modules[y][x] === modules[y - 1][x] && modules[y][x] === modules[y][x - 1] && modules[y][x] === modules[y - 1][x - 1]) cost += 3;
  }
  return cost + Math.floor(Math.abs(dark * 20 - size * size * 10) / (size * size)) * 10;
}
function qrPicture(message, id, title) {
  const modules = qrMatrix(message), names = "http://www.w3.org/2000/svg";
  if (!modules) return make("p", { id: id, text: message });
  const side = modules.length + 8;
  const picture = document.createElementNS(names, "svg"), path = document.createElementNS(names, "path");
  for (const [name, value] of [["id", id], ["viewBox", "0 0 " + side + " " + side], ["role", "img"], ["aria-label", title], ["shape-rendering", "crispEdges"]]) picture.setAttribute(name, value);
  path.setAttribute("d", modules.map((row, y) => row.map((dark, x) => dark ? "M" + (x + 4) + " " + (y + 4) + "h1v1h-1z" : "").join("")).join(""));
  picture.append(path);
  return picture;
}
// Calling codes by region (ITU-T E.164).
const callingCodes = "AC247AD376AE971AF93AG1AI1AL355AM374AO244AR54AS1AT43AU61AW297AX358AZ994BA387BB1BD880BE32BF226BG359BH973BI257BJ229BL590BM1BN673BO591BQ599BR55BS1BT975BW267BY375BZ501CA1CC61CD243CF236CG242CH41CI225CK682CL56CM237CN86CO57CR506CU53CV238CW599CX61CY357CZ420DE49DJ253DK45DM1DO1DZ213EC593EE372EG20EH212ER291ES34ET251FI358FJ679FK500FM691FO298FR33GA241GB44GD1GE995GF594GG44GH233GI350GL299GM220GN224GP590GQ240GR30GT502GU1GW245GY592HK852HN504HR385HT509HU36ID62IE353IL972IM44IN91IO246IQ964IR98IS354IT39JE44JM1JO962JP81KE254KG996KH855KI686KM269KN1KP850KR82KW965KY1KZ7LA856LB961LC1LI423LK94LR231LS266LT370LU352LV371LY218MA212MC377MD373ME382MF590MG261MH692MK389ML223MM95MN976MO853MP1MQ596MR222MS1MT356MU230MV960MW265MX52MY60MZ258NA264NC687NE227NF672NG234NI505NL31NO47NP977NR674NU683NZ64OM968PA507PE51PF689PG675PH63PK92PL48PM508PR1PS970PT351PW680PY595QA974RE262RO40RS381RU7RW250SA966SB677SC248SD249SE46SG65SH290SI386SJ47SK421SL232SM378SN221SO252SR597SS211ST239SV503SX1SY963SZ268TA290TC1TD235TG228TH66TJ992TK690TL670TM993TN216TO676TR90TT1TV688TW886TZ255UA380UG256US1UY598UZ998VA39VC1VE58VG1VI1VN84VU678WF681WS685XK383YE967YT262ZA27ZM260ZW263";

function regionName(region) {
  try { return new Intl.DisplayNames([language], { type: "region" }).of(region) || region; } catch { return region; }
}
function countryList() {
  let own = {};
  try { own = JSON.parse(text("countryList") || "{}"); } catch { own = {}; }
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
    const typed = byId("localNumber").value.replace(/[\s()./-]/g, "");
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
// The address works when opened elsewhere; a click adds the name typed so far.
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
/*DISARM*/
// A script parsed from text does not run: a copy of the element does.
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
})();
