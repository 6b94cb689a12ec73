"""A person at the hosted pages, over HTTP: what a browser sends, without a browser.

The pages draw themselves from settings objects in their text (docs/pages.md). This module reads the same objects, types what
the person's record says, and sends what the page's script would send.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import html
import html.parser
import http.client
import json
import re
import ssl
import time
import urllib.parse
from typing import Any, Callable, Mapping, Protocol

__all__ = ["B2CError", "PageError", "Callback", "Browser"]

# Ids of fields by their purpose, in lower case, as tenants have them.
_NAMES = {"username", "userid", "signinnames.username", "signinname", "logonidentifier", "user"}
_ADDRESSES = {
    "email", "emailaddress", "signinnames.emailaddress", "readonlyemail", "displayemailaddress", "emailmfa", "signinname",
    "logonidentifier"}
_PHONES = {"number", "phonenumber", "nationalnumber", "strongauthenticationphonenumber", "mobile", "displayphonenumber"}
_CODES = {
    "verificationcode", "emailverificationcode", "otpcode", "totpverificationcode", "verification_code", "user_input", "code",
    "phoneverificationcode"}
_APP_CODES = {"otpcode", "totpverificationcode"}

# How the buttons of docs/pages.md are named here.
PRESSES = ("cancel", "forgotPassword", "signUp")


class B2CError(Exception):
    """What is wrong, in one sentence."""


class PageError(B2CError):
    """A sign-in that stops at a page. `said` is the text that the page shows, or an empty text."""

    def __init__(self, sentence: str, said: str = "") -> None:
        super().__init__(sentence)
        self.said = said


class Callback(str):
    """The address by which the app gets the answer. It is a text; its parameters are in `parameters`.

    An answer by form post has its form fields in the query, and `posted` is true.
    """

    posted: bool = False

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters of the query and of the fragment."""
        parts = urllib.parse.urlsplit(self)
        # A redirect URI may have a query of its own, and the answer in the fragment.
        both = [urllib.parse.parse_qsl(part, keep_blank_values=True) for part in (parts.query, parts.fragment)]
        return dict(both[0] + both[1])


class Mail(Protocol):
    """What a person who signs in looks up: their record, and the newest code that was sent to them."""

    def person(self, name: str) -> Mapping[str, Any]: ...

    def newest_code(self, *addresses: str) -> str | None: ...

    def seconds(self) -> float: ...

    def keep_secret(self, name: str, secret: str) -> None: ...


class _Form(html.parser.HTMLParser):
    """The first form of a page: its action, its inputs and its buttons."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.action: str | None = None
        self.id = ""
        self.inputs: list[dict[str, str]] = []
        self.buttons: list[dict[str, str]] = []
        self.ended = False
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attributes}
        if tag == "form" and self.action is None:
            self.action, self.id = found.get("action", ""), found.get("id", "")
        elif self.action is not None and not self.ended:
            if tag == "button" or tag == "input" and found.get("type") == "submit":
                self.buttons.append(found)
            elif tag == "input":
                self.inputs.append(found)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form" and self.action is not None:
            self.ended = True


class _Page:
    """One page, by the settings objects that its script draws it from."""

    def __init__(self, url: str, status: int, text: str) -> None:
        self.url, self.status, self.text = url, status, text
        # The rules of the sanitizer are code, not JSON, and the last member.
        settings = self._variable("SETTINGS", lambda found: re.sub(r',"sanitizerPolicy":.*$', "}", found, flags=re.S))
        self.settings: dict[str, Any] = settings or {}
        self.fields: list[dict[str, Any]] = (self._variable("SA_FIELDS") or {}).get("AttributeFields") or []
        self.choices: list[str] = [choice["id"] for choice in (self._variable("CP") or {}).get("list") or []]
        self.phones: list[dict[str, Any]] = (self._variable("UV_PHONE") or {}).get("PhoneNumbers") or []
        self.texts: dict[str, Any] = self._variable("CONTENT") or {}
        self.api: str = self.settings.get("api", "")
        self.csrf: str = self.settings.get("csrf", "")

    def _variable(self, name: str, trimmed: Callable[[str], str] = lambda found: found) -> Any:
        found = re.search(rf"(?:^|>)var {name} = (.*);$", self.text, re.M)
        return json.loads(trimmed(found[1])) if found else None

    @property
    def is_sign_in(self) -> bool:
        return self.api == "CombinedSigninAndSignup"

    @property
    def is_phone(self) -> bool:
        return self.api == "Phonefactor"

    @property
    def name(self) -> str:
        """The page in words."""
        if self.is_sign_in:
            return "the sign-in page"
        if self.is_phone:
            return "the page for a phone number"
        ids = [field["ID"] for field in self.all_fields if field["UX_INPUT_TYPE"] != "DisplayControl"]
        return f"the page with {', '.join(ids)}" if ids else f"the page at {urllib.parse.urlsplit(self.url).path}"

    @property
    def all_fields(self) -> list[dict[str, Any]]:
        """The fields with those inside display controls."""
        return [one for field in self.fields for one in (field, *field.get("DISPLAY_FIELDS", []))]

    @property
    def error(self) -> str | None:
        """The text of an error page."""
        if self.settings and self.api != "GlobalException":
            return None
        detail = self._variable("GLOBALEX") if self.settings else None
        if detail:
            return str(detail.get("Detail") or detail.get("ErrorCode") or "an error")
        if self.settings or self.status >= 400:
            return _words(self.text) or f"HTTP {self.status}"
        return None

    def config(self, name: str) -> str:
        return str(self.settings.get("config", {}).get(name, "")).lower()


class Browser:
    """A browser with its own cookies. A second sign-in with the same one uses the single sign-on session of the first."""

    def __init__(self, origins: tuple[str, ...], mail: Mail, tls: ssl.SSLContext | None = None) -> None:
        """`origins` are the addresses of the server, such as `http://127.0.0.1:9400`: what is elsewhere is the app's."""
        self._origins, self._mail, self._tls = origins, mail, tls
        self._cookies: dict[str, dict[str, str]] = {}

    def sign_in(
        self, url: str, as_: str | None = None, *, password: str | None = None, press: str | None = None,
        provider: str | None = None,
    ) -> Callback:
        """Plays a person at a sign-in address, and returns the address by which the app gets the answer.

        - `as_`: a name of the tenant file. A person without an account signs up. Without a name nobody types anything, which
          is enough if there is a session, or for `prompt=none`.
        - `password`: another password than the one on record.
        - `press`: `"cancel"`, `"forgotPassword"` or `"signUp"`: what the person presses on the first page.
        - `provider`: an identity provider of the tenant file, such as `"facebook"`.

        Raises `PageError` if the sign-in stops at a page, with what the page says.
        """
        if not self._is_ours(url):
            raise B2CError(f"{url[:200]} is not a sign-in address of this server: expected one that begins with {self._origins[0]}/")
        if press is not None and press not in PRESSES:
            raise B2CError(f"there is no button {press}: expected {', '.join(PRESSES)}")
        record = dict(self._mail.person(as_)) if as_ else {}
        if password is not None:
            record["password"] = password
        who = as_ or "nobody"
        found = self._open(url)
        for _ in range(40):
            if isinstance(found, Callback):
                return found
            if found.error is not None:
                raise PageError(f"the server shows an error page to {who}: {found.error}", found.error)
            if press is not None:
                found, press = self._press(found, press, who), None
                continue
            if not as_:
                raise PageError(f"the server shows {found.name}, and nobody is at the browser: name a person with as_")
            if not found.settings:
                found = self._provider_page(found, record, who)
            elif provider is not None and found.choices:
                found, provider = self._choose(found, provider), None
            elif found.is_sign_in and record.get("registered") is False and found.config("showSignupLink") != "false":
                # The next page creates the account: do not press it twice.
                record["registered"] = True
                found = self._press(found, "signUp", who)
            else:
                found = self._act(found, record, who)
        raise PageError(f"{who} was shown 40 pages, and the sign-in has not ended; the last is {getattr(found, 'name', 'the callback')}")

    # What a person does on a page

    def _press(self, page: _Page, button: str, who: str) -> _Page | Callback:
        if button == "cancel":
            return self._go(page, "error", "code=cancel&desc=cancelled")
        if not page.is_sign_in or button == "signUp" and page.config("showSignupLink") == "false":
            raise PageError(f"{page.name} has no button {button} for {who}")
        if button == "signUp":
            return self._go(page, "unified", "local=signup")
        exchange = page.settings.get("config", {}).get("forgotPasswordLinkOverride")
        return self._go(page, "unified", f"claimsexchange={exchange}") if exchange else self._go(page, "forgotPassword")

    def _choose(self, page: _Page, provider: str) -> _Page | Callback:
        wanted = provider.lower()
        for choice in page.choices:
            if choice.lower() in (wanted, f"{wanted}exchange"):
                return self._go(page, "unified", f"claimsexchange={choice}")
        raise PageError(f"{page.name} has no provider {provider}; it has {', '.join(page.choices)}")

    def _provider_page(self, page: _Page, record: dict[str, Any], who: str) -> _Page | Callback:
        form = _Form(page.text)
        if form.action is None:
            raise PageError(f"{who} stops at {page.name}, which has no form")
        if record.get("_provider") == form.action:
            # The same form again: it does not let this person in.
            said = _words(page.text)
            raise PageError(f"{who} stops at {page.name}, which says \"{said}\"", said)
        record["_provider"] = form.action
        sent = {}
        for one in form.inputs:
            name = one.get("name", "")
            if one.get("type") == "password":
                sent[name] = record.get("password") or "provider-password"
            elif one.get("type") == "hidden":
                sent[name] = one.get("value", "")
            else:
                sent[name] = record.get("email") or record.get("username") or who
        for button in form.buttons:
            if "cancel" not in (button.get("id"), button.get("value")) and button.get("name"):
                sent[button["name"]] = button.get("value", "")
                break
        return self._open(urllib.parse.urljoin(page.url, form.action), "POST", urllib.parse.urlencode(sent))

    def _act(self, page: _Page, record: dict[str, Any], who: str) -> _Page | Callback:
        if page.is_phone:
            return self._prove_phone(page, record, who)
        typed = self._typed(page, record, who)
        for field in page.fields:
            if field.get("VERIFY"):
                self._prove_claim(page, field["ID"], typed, record, who)
            elif field["UX_INPUT_TYPE"] == "DisplayControl":
                self._prove_control(page, field, typed, record, who)
        # A code that an earlier page had sent goes into a field like any other.
        for field in page.all_fields:
            name = field["ID"].lower()
            if name in _CODES - _APP_CODES and not field.get("IS_RDO") and not typed.get(field["ID"]):
                typed[field["ID"]] = self._code(record, who)
        form = {
            field["ID"]: typed[field["ID"]] for field in page.all_fields
            if field["UX_INPUT_TYPE"] not in ("DisplayControl", "Paragraph") and field["ID"] in typed}
        self._submit(page, "SelfAsserted", {"request_type": "RESPONSE", **form}, who)
        return self._go(page, "confirmed", "rememberMe=false" if page.is_sign_in else "")

    def _typed(self, page: _Page, record: dict[str, Any], who: str) -> dict[str, str]:
        """What the person types into each field."""
        typed: dict[str, str] = {}
        ids = {field["ID"].lower() for field in page.all_fields}
        sets_password = "newpassword" in ids and not ids & {"displayname", "email", "givenname"} and not page.is_sign_in
        missing = []
        shown = next((field.get("PRE") for field in page.all_fields if field["ID"] == "secretKey"), None)
        if shown and not record.get("totpSecret"):
            # A person who sets an authenticator app up scans its key off the page, and uses it from then on.
            record["totpSecret"] = shown
            self._mail.keep_secret(who, shown)
        for field in page.all_fields:
            kind, name, key = field["UX_INPUT_TYPE"], field["ID"], field["ID"].lower()
            if kind == "DisplayControl":
                if field.get("DISPLAY_CONTROL_TYPE") == "CaptchaControl":
                    raise PageError(f"{page.name} shows a captcha, which the kit does not solve: set `captcha` of the policy to false")
                continue
            if kind == "Paragraph":
                continue
            value: str | None = None
            if kind == "Password":
                old = page.is_sign_in or key in ("password", "oldpassword")
                value = record.get("password") if old or not sets_password else record.get("newPassword")
            elif key in _APP_CODES:
                value = totp(str(record["totpSecret"]), self._mail.seconds()) if record.get("totpSecret") else None
            elif key in _CODES:
                continue
            elif name in record:
                value = _text(record[name])
            elif key in _NAMES and (page.is_sign_in or "email" in ids or key not in _ADDRESSES):
                by_name = page.config("operatingMode") == "username" or not page.is_sign_in
                first, second = ("username", "email") if by_name else ("email", "username")
                value = record.get(first) or record.get(second) or who
            elif key in _ADDRESSES:
                value = record.get("email")
            elif key in _PHONES:
                value = record.get("phone")
            if value is None:
                value = field.get("PRE")
            if not value and field.get("IS_REQ") and not field.get("IS_RDO"):
                missing.append("newPassword" if kind == "Password" and sets_password else name)
            if value is not None or kind in ("TextBox", "EmailBox", "Password"):
                typed[name] = value or ""
        if missing:
            raise PageError(f"{page.name} requires {', '.join(missing)}, which the record of {who} does not have")
        if sets_password and record.get("newPassword"):
            # From the next page on, this is the password.
            record["password"] = record["newPassword"]
        return typed

    def _code(self, record: Mapping[str, Any], who: str) -> str:
        addresses = [str(record[name]) for name in ("email", "phone") if record.get(name)]
        code = self._mail.newest_code(*addresses)
        if code is None:
            raise PageError(f"no code has come for {who} at {' or '.join(addresses) or 'any address'}")
        return code

    def _prove_claim(self, page: _Page, name: str, typed: Mapping[str, str], record: Mapping[str, Any], who: str) -> None:
        claim = {"claim_id": name, "claim_value": typed.get(name, "")}
        self._submit(page, "SelfAsserted", {"request_type": "VERIFICATION_REQUEST", **claim}, who)
        code = self._code(record, who)
        self._submit(page, "SelfAsserted", {"request_type": "VALIDATION_REQUEST", **claim, "user_input": code}, who)

    def _prove_control(
        self, page: _Page, control: Mapping[str, Any], typed: dict[str, str], record: Mapping[str, Any], who: str,
    ) -> None:
        fields = [field["ID"] for field in control.get("DISPLAY_FIELDS", [])]
        codes = [name for name in fields if name.lower() in _CODES - _APP_CODES]
        if not codes:
            return
        path = f"SelfAsserted/DisplayControlAction/vbeta/{control['ID']}/"
        form = {name: typed.get(name, "") for name in fields if name not in codes}
        self._submit(page, path + "SendCode", form, who)
        typed[codes[0]] = self._code(record, who)
        self._submit(page, path + "VerifyCode", {**form, codes[0]: typed[codes[0]]}, who)

    def _prove_phone(self, page: _Page, record: Mapping[str, Any], who: str) -> _Page | Callback:
        calls = page.config("authenticationMode") == "phone"
        form = {"request_type": "VERIFICATION_REQUEST", "auth_type": "dialphone" if calls else "onewaysms"}
        if page.phones:
            form["id"] = str(page.phones[0]["Id"])
        elif record.get("phone"):
            form.update(id="UserAsserted", number=str(record["phone"]))
        else:
            raise PageError(f"{page.name} requires phone, which the record of {who} does not have")
        self._submit(page, "Phonefactor/verify", form, who)
        if calls:
            # A call is answered, not typed: the page asks until the service knows.
            for _ in range(20):
                if self._post(page, "Phonefactor/verify", {"request_type": "VALIDATION_REQUEST"})[0] == "200":
                    break
                time.sleep(0.05)
            else:
                raise PageError(f"{who} does not answer the call")
        else:
            code = self._code(record, who)
            self._submit(page, "Phonefactor/verify", {"request_type": "VALIDATION_REQUEST", "verification_code": code}, who)
        return self._go(page, "confirmed")

    # What the page's script sends

    def _post(self, page: _Page, path: str, form: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        # As the script does: the transaction is not encoded.
        target = f"{page.settings['hosts']['tenant']}/{path}?tx={page.settings['transId']}&p={page.settings['hosts']['policy']}"
        status, headers, text = self._request(
            "POST", urllib.parse.urljoin(page.url, target), urllib.parse.urlencode(form), {
                "X-CSRF-TOKEN": page.csrf, "X-Requested-With": "XMLHttpRequest", "Referer": page.url,
                "Origin": "{0.scheme}://{0.netloc}".format(urllib.parse.urlsplit(page.url))})
        # An answer may set the token again, and the page goes on with that one.
        for line in headers.get_all("Set-Cookie") or []:
            if line.startswith("x-ms-cpim-csrf=") and line.split(";")[0].split("=", 1)[1]:
                page.csrf = line.split(";")[0].split("=", 1)[1]
        try:
            answer = json.loads(text)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise PageError(f"{page.name} gets HTTP {status} instead of an answer to its script", text[:200])
        return str(answer.get("status", status)), answer

    def _submit(self, page: _Page, path: str, form: Mapping[str, str], who: str) -> None:
        status, answer = self._post(page, path, form)
        if status != "200":
            said = html.unescape(str(answer.get("message") or page.texts.get(f"error_{status}") or f"status {status}"))
            raise PageError(f"{who} stops at {page.name}, which says \"{said}\"", said)

    def _go(self, page: _Page, action: str, query: str = "") -> _Page | Callback:
        hosts = page.settings["hosts"]
        return self._open(urllib.parse.urljoin(
            page.url,
            f"{hosts['tenant']}/api/{page.api}/{action}?{query}{'&' if query else ''}"
            f"csrf_token={page.csrf}&tx={page.settings['transId']}&p={hosts['policy']}"))

    # HTTP

    def _is_ours(self, url: str) -> bool:
        return any(url == origin or url.startswith((origin + "/", origin + "?")) for origin in self._origins)

    def _open(self, url: str, method: str = "GET", body: str | None = None) -> _Page | Callback:
        for _ in range(20):
            if not self._is_ours(url):
                if body is None:
                    return Callback(url)
                found = Callback(f"{url}{'&' if '?' in url else '?'}{body}")
                found.posted = True
                return found
            status, headers, text = self._request(method, url, body)
            if status in (301, 302, 303, 307, 308):
                url, method, body = urllib.parse.urljoin(url, headers["Location"]), "GET", None
                continue
            page = _Page(url, status, text)
            if page.settings or "<form" not in text:
                return page
            form = _Form(text)
            if form.id != "auto":
                return page
            # An answer by form post: the browser sends it by itself.
            url, method = urllib.parse.urljoin(url, form.action or ""), "POST"
            body = urllib.parse.urlencode([(one["name"], one.get("value", "")) for one in form.inputs if one.get("name")])
        raise PageError("the server redirects more than 20 times")

    def _request(
        self, method: str, url: str, body: str | None = None, headers: Mapping[str, str] | None = None,
    ) -> tuple[int, http.client.HTTPMessage, str]:
        parts = urllib.parse.urlsplit(url)
        # Byte for byte: cookies of B2C have characters that cookie jars change.
        jar = self._cookies.setdefault(parts.netloc, {})
        sent = {"Accept": "text/html,*/*", **(headers or {})}
        if body is not None:
            sent["Content-Type"] = "application/x-www-form-urlencoded; charset=UTF-8"
        if jar:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in jar.items())
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        try:
            status, answered, text = request(parts, method, path, body, sent, self._tls)
        except (OSError, http.client.HTTPException) as error:
            raise PageError(f"{parts.scheme}://{parts.netloc}{parts.path} cannot be loaded: {error or type(error).__name__}") from error
        for line in answered.get_all("Set-Cookie") or []:
            name, value = line.split(";")[0].split("=", 1)
            if value:
                jar[name] = value
            else:
                jar.pop(name, None)
        return status, answered, text


def request(
    address: urllib.parse.SplitResult, method: str, path: str, body: str | None, headers: Mapping[str, str],
    tls: ssl.SSLContext | None,
) -> tuple[int, http.client.HTTPMessage, str]:
    """One request to the server; no proxy of the environment is used, since the server is on this machine."""
    connection: http.client.HTTPConnection
    if address.scheme == "https":
        connection = http.client.HTTPSConnection(address.hostname or "", address.port, timeout=60, context=tls)
    else:
        connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=60)
    try:
        connection.request(method, path, body, dict(headers))
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode("utf-8", "replace")
    finally:
        connection.close()


def totp(secret: str, seconds: float) -> str:
    """The code of an authenticator app (RFC 6238)."""
    letters = re.sub(r"[\s=-]", "", secret).upper()
    key = base64.b32decode(letters + "=" * (-len(letters) % 8))
    digest = hmac.new(key, int(seconds // 30).to_bytes(8, "big"), hashlib.sha1).digest()
    start = digest[-1] & 15
    return f"{(int.from_bytes(digest[start:start + 4], 'big') & 0x7FFFFFFF) % 1_000_000:06}"


def _words(text: str) -> str:
    """The text of a page without its markup."""
    return " ".join(html.unescape(re.sub(r"(?s)<(script|style|title).*?</\1>|<[^>]*>", " ", text)).split())[:300]


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ",".join(_text(one) for one in value)
    return str(value)
