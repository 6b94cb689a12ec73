"""The hosted pages in a real browser: every page by the element ids that tests of B2C pages use.

    browser.py MOCK_SERVER [--browser chromium|firefox|webkit] [--plain] [--screenshots DIR] [--record]

The list of pages and element ids in docs/pages.md comes from what is seen here, and has to stay so; `--record` writes
it anew, with the pictures.
"""

import argparse
import base64
import hashlib
import json
import os
import secrets
import struct
import hmac
import sys
import time
import urllib.parse

from harness import BROWSERS, Server, Window, run_part

HERE = os.path.dirname(os.path.abspath(__file__))
TENANT = os.path.join(HERE, "browser", "tenant.json")
HOST = "contoso.b2clogin.com"
DOMAIN = "contoso.onmicrosoft.com"
APP = "5c9f43f0-3c47-4c5d-8a0e-2f3d0b8f4a11"
REDIRECT = "https://app.contoso.test/"
HOSTS = [HOST, "app.contoso.test", "static.contoso.test", "facebook.provider.test", "google.provider.test", "www.facebook.com"]


DOCS = os.path.join(HERE, "..", "..", "docs")

# The pages that docs/pages.md lists, in its order.
TITLES = {
    "sign-in": "Sign in or sign up", "sign-in-providers": "Sign in with several providers",
    "sign-in-wrong-password": "A wrong password", "sign-in-empty": "Nothing filled in",
    "sign-up": "Sign up", "sign-up-code-sent": "Sign up, a code has been sent", "sign-up-verified": "Sign up, filled in",
    "sign-up-passwords-differ": "Two different passwords", "sign-up-legacy": "Sign up in page layout 1.x",
    "sign-up-legacy-code-sent": "Sign up in page layout 1.x, a code has been sent",
    "complete-profile": "Complete the profile after a provider", "edit-profile": "Edit the profile",
    "forgot-password": "Forgot password", "new-password": "New password",
    "mfa-phone": "Second factor: a number on record", "mfa-phone-new-number": "Second factor: a new number",
    "mfa-phone-code": "Second factor: the code", "mfa-call": "Second factor: a call", "mfa-email": "Second factor: e-mail",
    "mfa-authenticator-set-up": "Authenticator app: set up", "mfa-authenticator-code": "Authenticator app: the code",
    "error": "Error", "signed-out": "Signed out", "provider": "A stub provider",
    "custom-template": "A template of the tenant file",
    "provider-selection": "A custom policy's choice of providers", "local-account": "A custom policy's page for the local account",
    "custom-fields": "A custom policy's page with every kind of field", "custom-fields-wrong": "The same, filled in wrong",
    "custom-display-control": "A custom policy's own display control", "sign-in-german": "Sign in, German", "sign-up-german": "Sign up, German",
    "error-german": "Error, German",
}

# What a test may look for on a page: its ids, by what they are for.
ELEMENTS = """
    const found = { name: "", definition: "", fields: [], buttons: [], texts: [] };
    const api = document.getElementById("api") || document.body;
    found.name = api.getAttribute("data-name") || "";
    const own = document.querySelector("meta[name=b2c-harness-page]");
    if (own && own.content.includes("ContentDefinition: ")) found.definition = own.content.split(";")[0].split(": ")[1];
    const words = element => (element.labels && element.labels[0] && element.labels[0].textContent || element.getAttribute("aria-label") ||
      (element.querySelector("legend") || element).textContent || "").trim().replace(/\\s+/g, " ");
    for (const element of api.querySelectorAll("[id]")) {
      const tag = element.tagName.toLowerCase(), row = [element.id, words(element)];
      if (["path", "svg", "option"].includes(tag) && tag !== "svg") continue;
      if (["input", "select", "fieldset"].includes(tag)) found.fields.push(row);
      else if (["button", "a"].includes(tag)) found.buttons.push(row);
      else if (tag !== "label") found.texts.push([element.id]);
    }
    return found;"""


def make_small(path):
    """Pages have few colours; pictures of them need no more."""
    try:
        from PIL import Image
    except ImportError:
        return
    Image.open(path).convert("RGB").quantize(48).save(path, optimize=True)


def described(seen):
    """The list of pages as docs/pages.md has it."""
    lines = []
    for key, title in TITLES.items():
        page = seen.get(key)
        if not page:
            continue
        lines += [f"### {title}", "", f"![{title}](images/pages/{key}.png)", ""]
        facts = [f"`data-name` {page['name']}" if page["name"] else "", f"content definition `{page['definition']}`" if page["definition"] else ""]
        if any(facts):
            lines += ["Page: " + ", ".join(fact for fact in facts if fact) + ".", ""]
        for head, rows in [("field", page["fields"]), ("button or link", page["buttons"])]:
            if rows:
                lines += [f"| {head} | label |", "| --- | --- |"]
                lines += [f"| `{id}` | {label.replace('|', '/')} |" for id, label in rows] + [""]
        if page["texts"]:
            lines += ["Other elements: " + ", ".join(f"`{row[0]}`" for row in page["texts"]) + ".", ""]
    return "\n".join(lines)


def hold_docs(seen, record):
    """docs/pages.md lists what was seen; `record` makes it so."""
    path = os.path.join(DOCS, "pages.md")
    text = open(path).read()
    begin, end = "<!-- pages: begin -->\n", "<!-- pages: end -->\n"
    before, rest = text.split(begin)
    listed, after = rest.split(end)
    wanted = described(seen) + "\n"
    if record:
        open(path, "w").write(before + begin + wanted + end + after)
        return
    for line, (old, new) in enumerate(zip(listed.splitlines() + [""] * 999, wanted.splitlines() + [""]), 1):
        assert old == new, f"docs/pages.md differs at line {line} of the list: it has {old!r}, the page {new!r}; run with --record"
    assert len(listed.splitlines()) == len(wanted.splitlines()), "docs/pages.md lists pages that were not seen; run with --record"


def totp(secret, at):
    key = base64.b32decode(secret.upper() + "=" * (-len(secret) % 8))
    digest = hmac.new(key, struct.pack(">Q", int(at) // 30), hashlib.sha1).digest()
    place = digest[-1] & 15
    return str((struct.unpack(">I", digest[place:place + 4])[0] & 0x7FFFFFFF) % 1_000_000).zfill(6)


class Person(Window):
    """Somebody at the browser, who finds elements by id as Selenium tests do."""

    def __init__(self, server, screenshots=None, **options):
        super().__init__(server, HOSTS, **options)
        self.screenshots = screenshots
        self.seen = {}
        self.verifier = ""

    # -- the app

    def authorize(self, policy, **more):
        self.verifier = secrets.token_urlsafe(48)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(self.verifier.encode()).digest()).decode().rstrip("=")
        query = {
            "client_id": APP, "redirect_uri": REDIRECT, "response_type": "code", "response_mode": "query",
            "scope": "openid offline_access", "state": "s1", "nonce": "n1", "code_challenge": challenge,
            "code_challenge_method": "S256", **more,
        }
        self.policy = policy
        try:
            self.driver.get(
                self.server.origin(HOST) + f"/{DOMAIN}/{policy}/oauth2/v2.0/authorize?{urllib.parse.urlencode(query)}")
        except Exception as error:  # straight back at the app, where nobody listens
            if "net::ERR" not in str(error):
                raise

    def callback(self):
        self.until(lambda: self.driver.current_url.startswith(REDIRECT), "the app's redirect URI")
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.driver.current_url).query))

    def tokens(self):
        """What the app gets for the code that the browser brought: the claims of the ID token."""
        answer = self.callback()
        assert answer.get("state") == "s1", answer
        assert "code" in answer, answer
        status, _, text = self.server.send(
            "POST", HOST, f"/{DOMAIN}/{self.policy}/oauth2/v2.0/token",
            urllib.parse.urlencode({
                "client_id": APP, "grant_type": "authorization_code", "code": answer["code"], "redirect_uri": REDIRECT,
                "code_verifier": self.verifier}),
            {"Content-Type": "application/x-www-form-urlencoded", "Origin": "https://app.contoso.test"})
        assert status == 200, text
        payload = json.loads(text)["id_token"].split(".")[1]
        return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))

    # -- the page

    def is_hidden(self, id):
        return not self.element(id).is_displayed()

    def choose(self, id, value):
        from selenium.webdriver.support.select import Select
        Select(self.sees(id)).select_by_value(value)

    def error(self, selector=".error.pageLevel"):
        def visible():
            found = [one.text for one in self.driver.find_elements("css selector", selector) if one.is_displayed() and one.text]
            return found and found[0]
        return self.until(visible, f"a visible {selector}")

    def sign_in(self, name, password, field="email"):
        self.fill(**{field: name, "password": password})
        self.press("next")

    def sign_in_at_provider(self, name):
        field = self.until(
            lambda: self.is_idle() and self.driver.find_element("css selector", "input:not([type=hidden])"), "a field of the provider")
        field.clear()
        field.send_keys(name)
        for password in self.driver.find_elements("css selector", "input[type=password]"):
            password.send_keys("provider-password")
        self.click(lambda: self.driver.find_element("css selector", "button[type=submit]"), "the provider's button")

    def code(self, to, after=0):
        return self.until(lambda: self.server.codes(to)[after:], f"a code for {to}")[-1]

    def shot(self, name):
        """Notes what the page is made of, and keeps its picture."""
        if name in TITLES:
            self.seen[name] = self.driver.execute_script(ELEMENTS)
        if self.screenshots:
            path = os.path.join(self.screenshots, name + ".png")
            panel = self.driver.find_elements("css selector", "main")
            # Of an element WebKit's driver now and then never gives a picture.
            if panel and not name.startswith("phone") and self.browser != "webkit":
                panel[0].screenshot(path)
            else:
                self.driver.save_screenshot(path)
            make_small(path)

    def console(self):
        """What the browser complained about, the template of a test aside."""
        return [entry["message"] for entry in self.driver.get_log("browser")
                if entry["level"] == "SEVERE" and "favicon" not in entry["message"] and "app.contoso.test" not in entry["message"]]


def verify_email(person, address, control="emailVerificationControl", code="emailVerificationCode", field="email"):
    sent = len(person.server.codes(address))
    if field:
        person.fill(**{field: address})
    person.press(f"{control}_but_send_code")
    person.sees(code)
    person.fill(**{code: person.code(address, sent)})
    person.press(f"{control}_but_verify_code")
    person.until(lambda: person.is_hidden(f"{control}_but_verify_code"), "the address to be verified")


def checks(person, report):
    def page_is_accessible(name):
        """Names for all fields, one main heading, a language, and no width that a phone has not."""
        problems = person.driver.execute_script("""
            const found = [];
            for (const field of document.querySelectorAll("input,select,button,a")) {
              if (field.offsetParent === null || field.type === "hidden") continue;
              const named = field.labels && field.labels.length || field.getAttribute("aria-label") || field.textContent.trim();
              if (!named) found.push("no name: " + field.outerHTML.slice(0, 80));
            }
            if (document.querySelectorAll("h1").length !== 1) found.push("headings: " + document.querySelectorAll("h1").length);
            if (!document.documentElement.lang) found.push("no language");
            if (!document.title) found.push("no title");
            if (document.documentElement.scrollWidth > innerWidth) found.push("wider than the window");
            if (document.querySelector("[onclick],[onsubmit],[onload]")) found.push("inline handler");
            const ids = [...document.querySelectorAll("[id]")].map(element => element.id);
            for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) found.push("twice the id " + id);
            return found;""")
        assert not problems, f"{name}: {problems}"

    def sign_in():
        person.authorize("B2C_1_susi")
        for id in ["email", "password", "next", "createAccount", "forgotPassword", "rememberMe", "FacebookExchange", "localAccountForm"]:
            person.sees(id)
        assert person.element("api").get_attribute("data-name") == "Unified"
        person.until(lambda: person.driver.switch_to.active_element.get_attribute("id") == "email", "the focus in the first field")
        page_is_accessible("sign-in")
        person.shot("sign-in")
        person.sign_in("ada@example.test", "Analytical-1843")
        claims = person.tokens()
        assert claims["name"] == "Ada" and claims["nonce"] == "n1", claims

    def single_sign_on():
        person.authorize("B2C_1_susi")
        assert person.tokens()["name"] == "Ada"

    def sign_out():
        person.driver.get(person.server.origin(HOST) + f"/{DOMAIN}/B2C_1_susi/oauth2/v2.0/logout?ui_locales=en")
        assert "signed out" in person.text(), person.text()
        page_is_accessible("signed out")
        person.shot("signed-out")
        person.authorize("B2C_1_susi")
        person.sees("password")

    def keyboard():
        from selenium.webdriver.common.keys import Keys
        person.authorize("B2C_1_plain")
        person.until(lambda: person.driver.switch_to.active_element.get_attribute("id") == "email", "the focus in the first field")
        person.driver.switch_to.active_element.send_keys("ada@example.test")
        person.element("password").send_keys("Analytical-1843", Keys.ENTER)
        assert person.tokens()["name"] == "Ada"
        person.driver.get(person.server.origin(HOST) + f"/{DOMAIN}/B2C_1_plain/oauth2/v2.0/logout")

    def wrong_password():
        person.authorize("B2C_1_susi", prompt="login")
        person.sign_in("ada@example.test", "not-this-one")
        assert person.error() == "Your password is incorrect.", person.error()
        person.shot("sign-in-wrong-password")
        person.sign_in("ada@example.test", "Analytical-1843")
        assert person.tokens()["name"] == "Ada"

    def empty_fields():
        person.authorize("B2C_1_susi", prompt="login")
        person.press("next")
        assert "Email Address" in person.error(".error.itemLevel")
        assert person.element("email").get_attribute("aria-invalid") == "true"
        assert "highlightError" in person.element("password").get_attribute("class")
        person.shot("sign-in-empty")

    def login_hint():
        person.authorize("B2C_1_plain", prompt="login", login_hint="ada@example.test")
        person.sees("email")
        assert person.element("email").get_attribute("value") == "ada@example.test"

    def keep_signed_in():
        person.authorize("B2C_1_susi", prompt="login")
        person.press("rememberMe")
        person.sign_in("ada@example.test", "Analytical-1843")
        person.tokens()
        person.driver.get(person.server.origin(HOST) + f"/{DOMAIN}/B2C_1_susi/v2.0/.well-known/openid-configuration")
        session = [cookie for cookie in person.driver.get_cookies() if cookie["name"].startswith("x-ms-cpim-sso")]
        assert session and session[0].get("expiry"), session
        person.driver.get(person.server.origin(HOST) + f"/{DOMAIN}/B2C_1_susi/oauth2/v2.0/logout")

    def sign_up():
        person.authorize("B2C_1_susi", prompt="login")
        person.press("createAccount")
        person.sees("emailVerificationControl")
        page_is_accessible("sign-up")
        person.shot("sign-up")
        # A wrong code first.
        person.fill(email="nina@example.test")
        person.press("emailVerificationControl_but_send_code")
        person.sees("emailVerificationCode")
        person.shot("sign-up-code-sent")
        person.fill(emailVerificationCode="000000")
        person.press("emailVerificationControl_but_verify_code")
        person.sees("emailVerificationControl_error_message")
        person.fill(emailVerificationCode=person.code("nina@example.test"))
        person.press("emailVerificationControl_but_verify_code")
        person.sees("emailVerificationControl_success_message")
        person.sees("emailVerificationControl_but_change_claims")
        # Passwords that differ.
        person.fill(newPassword="Newcomer-2026", reenterPassword="Newcomer-2027", displayName="Nina", city="Oslo")
        person.press("continue")
        person.sees("passwordEntryMismatch")
        person.shot("sign-up-passwords-differ")
        person.fill(reenterPassword="Newcomer-2026")
        person.shot("sign-up-verified")
        person.press("continue")
        claims = person.tokens()
        assert claims["name"] == "Nina" and claims["emails"] == ["nina@example.test"], claims

    def sign_up_again():
        person.authorize("B2C_1_susi", prompt="login")
        person.press("createAccount")
        verify_email(person, "ada@example.test")
        person.fill(newPassword="Newcomer-2026", reenterPassword="Newcomer-2026", displayName="Ada", city="London")
        person.press("continue")
        assert "already" in person.error("#claimVerificationServerError")

    def weak_password():
        person.authorize("B2C_1_signup", prompt="login")
        person.fill(newPassword="abc")
        person.sees("newPassword_requirements")
        person.press("continue")
        person.sees("requiredFieldMissing")
        person.sees("fieldIncorrect")

    def legacy_sign_up():
        person.authorize("B2C_1_signup", prompt="login")
        person.sees("email_ver_but_send")
        page_is_accessible("legacy sign-up")
        person.shot("sign-up-legacy")
        person.fill(email="old@example.test")
        person.press("email_ver_but_send")
        person.sees("email_ver_input")
        person.shot("sign-up-legacy-code-sent")
        person.fill(email_ver_input=person.code("old@example.test"))
        person.press("email_ver_but_verify")
        person.sees("email_ver_but_edit")
        person.fill(newPassword="Newcomer-2026", reenterPassword="Newcomer-2026", displayName="Old")
        person.press("continue")
        assert person.tokens()["name"] == "Old"

    def cancel():
        person.authorize("B2C_1_edit", prompt="login")
        person.sign_in("ada@example.test", "Analytical-1843")
        person.press("cancel")
        answer = person.callback()
        assert answer["error"] == "access_denied" and "AADB2C90091" in answer["error_description"], answer

    def edit_profile():
        person.authorize("B2C_1_edit", prompt="login")
        person.sign_in("ada@example.test", "Analytical-1843")
        person.sees("attributeVerification")
        assert person.element("city").get_attribute("value") == "London"
        page_is_accessible("edit profile")
        person.shot("edit-profile")
        person.fill(city="Ockham")
        person.press("continue")
        assert person.tokens()["city"] == "Ockham"

    def forgot_redirect():
        person.authorize("B2C_1_plain", prompt="login")
        person.press("forgotPassword")
        answer = person.callback()
        assert answer["error"] == "access_denied" and "AADB2C90118" in answer["error_description"], answer

    def forgot_in_flow():
        person.authorize("B2C_1_susi", prompt="login")
        person.press("forgotPassword")
        person.sees("emailVerificationControl")
        person.shot("forgot-password")
        verify_email(person, "grace@example.test", "emailVerificationControl")
        person.press("continue")
        person.sees("newPassword")
        page_is_accessible("new password")
        person.shot("new-password")
        person.fill(newPassword="Nanosecond-1906", reenterPassword="Nanosecond-1906")
        person.press("continue")
        assert person.tokens()["name"] == "Grace"
        person.authorize("B2C_1_plain", prompt="login")
        person.sign_in("grace@example.test", "Nanosecond-1906")
        assert person.tokens()["name"] == "Grace"

    def reset_policy():
        person.authorize("B2C_1_reset", prompt="login")
        verify_email(person, "grace@example.test", "emailVerificationControl")
        person.press("continue")
        person.fill(newPassword="Compiler-1952", reenterPassword="Compiler-1952")
        person.press("continue")
        person.tokens()

    def sms():
        person.authorize("B2C_1_sms", prompt="login")
        person.sign_in("ada@example.test", "Analytical-1843")
        person.sees("verifyCode")
        assert person.element("api").get_attribute("data-name") == "Phonefactor"
        page_is_accessible("phone")
        person.shot("mfa-phone")
        sent = len(person.server.codes("+442079460000"))
        person.press("verifyCode")
        person.sees("verificationCode")
        person.shot("mfa-phone-code")
        person.fill(verificationCode="000000")
        person.press("verifyCode")
        person.error()
        person.fill(verificationCode=person.code("+442079460000", sent))
        person.press("verifyCode")
        assert person.tokens()["name"] == "Ada"

    def new_number():
        person.authorize("B2C_1_sms", prompt="login")
        person.sign_in("grace@example.test", "Compiler-1952")
        person.sees("localNumber")
        person.choose("countryCode", "+49")
        person.shot("mfa-phone-new-number")
        page_is_accessible("new number")
        person.fill(localNumber="030 12345678")
        person.press("verifyCode")
        person.fill(verificationCode=person.code("+493012345678"))
        person.press("verifyCode")
        assert person.tokens()["name"] == "Grace"

    def call():
        person.authorize("B2C_1_call", prompt="login")
        person.sign_in("ada@example.test", "Analytical-1843")
        person.sees("verifyPhone")
        person.shot("mfa-call")
        person.press("verifyPhone")
        assert person.tokens()["name"] == "Ada"

    def email_factor():
        person.authorize("B2C_1_email", prompt="login")
        person.sign_in("ada@example.test", "Analytical-1843")
        person.sees("emailVerificationControl-RO")
        person.shot("mfa-email")
        page_is_accessible("e-mail factor")
        verify_email(person, "ada@example.test", "emailVerificationControl-RO", field=None)
        person.press("continue")
        assert person.tokens()["name"] == "Ada"

    def authenticator():
        person.authorize("B2C_1_totp", prompt="login")
        person.sign_in("ada@example.test", "Analytical-1843")
        person.sees("totpQrCodeControl-img")
        page_is_accessible("authenticator")
        person.shot("mfa-authenticator-set-up")
        address = person.element("totpQrCodeControl-picture").get_attribute("title")
        secret = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query))["secret"]
        # The driver of WebKit never answers when it is asked for the picture of one element of this page.
        if person.browser != "webkit":
            read = picture_says(person.element("totpQrCodeControl-img").screenshot_as_png)
            assert read is None or read == address, (read, address)
        person.press("continue")
        person.sees("otpCode")
        person.shot("mfa-authenticator-code")
        person.fill(otpCode="000000")
        person.press("continue")
        person.error("#claimVerificationServerError")
        person.fill(otpCode=totp(secret, time.time()))
        person.press("continue")
        assert person.tokens()["name"] == "Ada"

    def provider():
        person.authorize("B2C_1_social", prompt="login")
        person.sees("GoogleExchange")
        person.shot("sign-in-providers")
        person.press("FacebookExchange")
        person.until(lambda: "facebook.provider.test" in person.driver.current_url, "the provider's page")
        page_is_accessible("provider")
        person.shot("provider")
        person.sign_in_at_provider("sam@example.test")
        person.until(lambda: DOMAIN in person.driver.current_url or person.driver.current_url.startswith(REDIRECT), "the way back")
        if DOMAIN in person.driver.current_url:
            person.sees("continue")
            page_is_accessible("complete profile")
            person.shot("complete-profile")
            if not person.element("displayName").get_attribute("value"):
                person.fill(displayName="Sam")
            person.press("continue")
        assert person.tokens()["name"] == "Sam"

    def german():
        person.authorize("B2C_1_susi", prompt="login", ui_locales="de")
        person.sees("next")
        assert person.element("next").text == "Anmelden"
        assert person.driver.find_element("tag name", "html").get_attribute("lang") == "de"
        person.shot("sign-in-german")
        person.sign_in("ada@example.test", "falsch-falsch")
        assert "falsch" in person.error(), person.error()
        person.press("createAccount")
        person.sees("emailVerificationControl_but_send_code")
        person.shot("sign-up-german")
        english = [word for word in ["Send", "Verify", "Continue", "Cancel", "Create", "Password", "code"]
                   if word in person.text()]
        assert not english, english

    def error_page():
        person.authorize("B2C_1_susi", client_id="00000000-0000-0000-0000-000000000000", ui_locales="de")
        assert "AADB2C90018" in person.text() and "Correlation ID: " in person.text(), person.text()
        page_is_accessible("error")
        person.shot("error-german")
        person.authorize("B2C_1_susi", client_id="00000000-0000-0000-0000-000000000000")
        assert person.driver.find_element("css selector", "#api[data-name=GlobalException] .error-page-correlationid")
        person.shot("error")

    def template():
        person.authorize("B2C_1_branded", client_id="00000000-0000-0000-0000-000000000000")
        person.until(lambda: "Contoso Tasks" in person.text() and "AADB2C90018" in person.text(), "the error in the template")
        person.authorize("B2C_1_branded", prompt="login")
        person.sees("next")
        assert not person.driver.find_elements("css selector", ".harness-page"), "the built-in template"
        assert "Contoso Tasks" in person.text() and person.driver.title == "Contoso", "a script of the template has run"
        person.shot("custom-template")
        person.sign_in("ada@example.test", "Analytical-1843")
        assert person.tokens()["name"] == "Ada"

    def provider_selection():
        person.authorize("B2C_1A_ProviderSelection", prompt="login")
        for id in ["GitlikeExchange", "WorkExchange", "LocalExchange"]:
            person.sees(id)
        assert person.element("api").get_attribute("data-name") == "ClaimsProviderSelection"
        page_is_accessible("provider selection")
        person.shot("provider-selection")
        person.press("LocalExchange")
        person.sees("continue")
        page_is_accessible("local account")
        person.shot("local-account")
        person.fill(email="ada@example.test", password="Analytical-1843")
        person.press("continue")
        assert person.tokens()["name"] == "Ada"

    def all_fields():
        person.authorize("B2C_1A_Fields")
        person.sees("nickname")
        page_is_accessible("all kinds of fields")
        person.shot("custom-fields")
        assert person.element("notice").text == "Members may leave at any time."
        assert person.element("memberNumber").get_attribute("readonly")
        person.fill(nickname="x1")
        person.press("continue")
        assert "letters" in person.error('[data-for="nickname"]')
        person.shot("custom-fields-wrong")
        person.fill(nickname="Countess", contact="ada@elsewhere.test", **{"pass": "a phrase"})
        for part, value in [("day", "10"), ("month", "12"), ("year", "1915")]:
            person.choose("born_" + part, value)
        person.choose("branch", "lisbon")
        for id in ["plan_plus", "news_events"]:
            person.press(id)
        person.press("continue")
        claims = person.tokens()
        wanted = {"memberNumber": "M-1843", "nickname": "Countess", "contact": "ada@elsewhere.test", "born": "1915-12-10", "branch": "lisbon",
                  "plan": "plus", "news": "events,terms"}
        found = {name: claims.get(name) for name in wanted}
        assert found == wanted, found

    def own_mail():
        """A display control of the policy's own, whose codes another service sends."""
        person.authorize("B2C_1A_OwnMail")
        since = person.server.requests()[1]
        person.fill(email="eve@example.test")
        person.press("ownMailControl_but_send_code")
        person.sees("emailVerificationCode")
        page_is_accessible("own mail")
        person.shot("custom-display-control")
        sent = [one for one in person.server.control("GET", f"/requests?since={since}&secrets=show")["requests"] if one["endpoint"] == "rest"]
        assert sent[0]["json"]["to"] == "eve@example.test", sent
        person.fill(emailVerificationCode="nonsense")
        person.press("ownMailControl_but_verify_code")
        assert "not the code" in person.error("#ownMailControl_error_message")
        person.fill(emailVerificationCode=sent[0]["json"]["code"])
        person.press("ownMailControl_but_verify_code")
        person.sees("ownMailControl_success_message")
        person.press("continue")
        assert person.tokens()["email"] == "eve@example.test"

    def custom_sign_up():
        """A custom policy asks a web API before it writes the account."""
        person.authorize("B2C_1A_loyalty", prompt="login")
        person.press("createAccount")
        verify_email(person, "lee@example.test")
        person.fill(newPassword="Newcomer-2026", reenterPassword="Newcomer-2026", displayName="Lee")
        person.press("continue")
        claims = person.tokens()
        assert claims["tier"] == "gold" and claims["name"] == "Lee", claims

    def username():
        person.authorize("B2C_1_username", prompt="login")
        person.sees("logonIdentifier")
        person.sign_in("ada", "Analytical-1843", field="logonIdentifier")
        assert person.tokens()["name"] == "Ada"

    def back_and_reload():
        person.authorize("B2C_1_susi", prompt="login")
        person.press("createAccount")
        person.sees("emailVerificationControl")
        person.driver.refresh()
        person.sees("emailVerificationControl")
        page = person.element("email").get_attribute("type")
        assert page == "email"

    def lockout():
        person.authorize("B2C_1_plain", prompt="login")
        for _ in range(12):
            # The same wrong password again, or one much like it, would not count.
            person.sign_in("grace@example.test", secrets.token_urlsafe(9))
            message = person.until(lambda: person.driver.find_element("id", "api").get_attribute("aria-busy") != "true" and person.error(), "an answer")
            if "locked" in message:
                return
        raise AssertionError(message)

    for check in [
        sign_in, single_sign_on, sign_out, keyboard, wrong_password, empty_fields, login_hint, keep_signed_in, sign_up, sign_up_again,
        weak_password, legacy_sign_up, cancel, edit_profile, forgot_redirect, forgot_in_flow, reset_policy, sms, new_number, call,
        email_factor, authenticator, provider, german, error_page, template, provider_selection,
        all_fields, own_mail, custom_sign_up, username, back_and_reload, lockout,
    ]:
        report.check(check.__name__.replace("_", " "), check)
    if person.browser != "chromium":
        return
    problems = person.console()
    report.check("nothing in the browser's console", lambda: (_ for _ in ()).throw(AssertionError(problems[0])) if problems else None)


def phone_width(person, report):
    """The same pages on a phone: nothing is wider than the screen, and buttons are large enough for a finger."""
    def fits(name):
        sizes = person.driver.execute_script("""
            const small = [...document.querySelectorAll("button,input:not([type=checkbox]):not([type=radio]),select")]
              .filter(element => element.offsetParent !== null && !element.classList.contains("textButton") && element.offsetHeight < 40)
              .map(element => element.id);
            return { width: document.documentElement.scrollWidth, window: innerWidth, small: small };""")
        assert sizes["width"] <= sizes["window"], (name, sizes)
        assert not sizes["small"], (name, sizes)

    def sign_in():
        person.authorize("B2C_1_susi")
        person.sees("next")
        fits("sign-in")
        person.shot("phone-sign-in")

    def sign_up():
        person.press("createAccount")
        person.sees("emailVerificationControl_but_send_code")
        fits("sign-up")
        person.shot("phone-sign-up")

    def phone():
        person.authorize("B2C_1_sms", prompt="login")
        person.sign_in("ada@example.test", "Analytical-1843")
        person.sees("verifyCode")
        fits("phone")
        person.shot("phone-mfa")

    for check in [sign_in, sign_up, phone]:
        report.check("phone: " + check.__name__.replace("_", " "), check)


def picture_says(png):
    """What a QR code says; None without a reader."""
    try:
        import io
        import zxingcpp
        from PIL import Image
    except ImportError:
        return None
    found = zxingcpp.read_barcodes(Image.open(io.BytesIO(png)))
    assert found, "the picture is no readable QR code"
    return found[0].text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("--screenshots")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--browser", choices=BROWSERS, default="chromium")
    parser.add_argument("--plain", action="store_true", help="without TLS, at http://localhost")
    arguments = parser.parse_args()
    if arguments.record:
        arguments.screenshots = os.path.join(DOCS, "images", "pages")
    if arguments.screenshots:
        os.makedirs(arguments.screenshots, exist_ok=True)

    def body(report):
        server = Server(arguments.server, TENANT, tls=not arguments.plain)
        try:
            for options, part in [({"height": 1400}, checks), ({"width": 500, "height": 900}, phone_width)]:
                person = Person(server, arguments.screenshots, browser=arguments.browser, **options)
                try:
                    if part is phone_width and arguments.browser == "chromium":
                        # A window of Chromium cannot be narrower than 500; a phone is.
                        person.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                            "width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True})
                    part(person, report)
                    if part is checks:
                        report.check("docs/pages.md lists these pages", lambda: hold_docs(person.seen, arguments.record))
                finally:
                    person.close()
        finally:
            server.stop()

    return run_part(f"pages in {BROWSERS[arguments.browser]}" + (" without TLS" if arguments.plain else ""), body)


if __name__ == "__main__":
    sys.exit(main())
