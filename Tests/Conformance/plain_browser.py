"""Somebody at a browser without a script engine: the hosted pages played over plain HTTP by their settings objects."""

import html
import json
import re
import urllib.parse


class Answer:
    """What the browser brought to an address where no host of the tenant answers: the app's redirect URI."""

    def __init__(self, url, form=None):
        self.url = url.split("#")[0].split("?")[0]
        parts = urllib.parse.urlsplit(url)
        self.parameters = form or dict(urllib.parse.parse_qsl(parts.query or parts.fragment))
        self.posted = form is not None

    def __repr__(self):
        return f"Answer({self.url} {sorted(self.parameters)})"


class Page:
    """One hosted page, by the settings objects that its script would draw it from."""

    def __init__(self, browser, url, status, text):
        self.browser, self.url, self.status, self.text = browser, url, status, text
        # The sanitizer's rules are code, and the last member.
        settings = self.variable("SETTINGS", lambda found: re.sub(r',"sanitizerPolicy":.*$', "}", found, flags=re.S))
        self.settings = settings or {}
        self.fields = [field["ID"] for field in (self.variable("SA_FIELDS") or {}).get("AttributeFields", [])]
        self.choices = [choice["id"] for choice in (self.variable("CP") or {}).get("list", [])]

    def variable(self, name, trimmed=lambda found: found):
        found = re.search(rf"(?:^|>)var {name} = (.*);$", self.text, re.M)
        return json.loads(trimmed(found[1])) if found else None

    @property
    def is_error(self):
        return self.settings.get("api") in (None, "GlobalException")

    def submit(self, path="SelfAsserted", **form):
        """Posts what was typed; the answer that the page's script would read."""
        # As the script does: the transaction is not encoded.
        target = f"{self.settings['hosts']['tenant']}/{path}?tx={self.settings['transId']}&p={self.settings['hosts']['policy']}"
        if path == "SelfAsserted":
            form = {"request_type": "RESPONSE", **form}
        _, _, text = self.browser.request(
            "POST", urllib.parse.urljoin(self.url, target), urllib.parse.urlencode(form), {
                "X-CSRF-TOKEN": self.settings["csrf"], "X-Requested-With": "XMLHttpRequest", "Referer": self.url,
                "Origin": "{0.scheme}://{0.netloc}".format(urllib.parse.urlsplit(self.url))})
        return json.loads(text)

    def go(self, action, query=""):
        """Follows a link of the page: a page or the app's answer."""
        return self.browser.open(urllib.parse.urljoin(
            self.url,
            f"{self.settings['hosts']['tenant']}/api/{self.settings['api']}/{action}?{query}{'&' if query else ''}"
            f"csrf_token={self.settings['csrf']}&tx={self.settings['transId']}&p={self.settings['hosts']['policy']}"))

    def send(self, **form):
        """Types, presses the button, and goes on."""
        answer = self.submit(**form)
        if answer["status"] != "200":
            raise Refused(answer)
        return self.go("confirmed", "rememberMe=false" if self.settings["api"] == "CombinedSigninAndSignup" else "")

    def sign_in(self, name, password):
        return self.send(**{self.fields[0]: name, self.fields[1]: password})

    def choose(self, exchange):
        return self.go("unified", "claimsexchange=" + exchange)

    def forgot_password(self):
        return self.go("forgotPassword")

    def cancel(self):
        return self.go("error", "code=cancel&desc=cancelled")


class Refused(Exception):
    """The page's own refusal of what was typed."""

    def __init__(self, answer):
        super().__init__(f"{answer.get('errorCode')}: {answer.get('message')}")
        self.answer = answer


class PlainBrowser:
    """Cookies are kept and sent byte for byte; redirects are followed as long as they stay at the server."""

    def __init__(self, server):
        self.server, self.cookies = server, {}

    def request(self, method, url, body=None, headers=None):
        host = urllib.parse.urlsplit(url).netloc
        jar = self.cookies.setdefault(host, {})
        path = url.split(host, 1)[1] or "/"
        fields = {"Accept": "text/html,*/*", **(headers or {})}
        if body is not None:
            fields["Content-Type"] = "application/x-www-form-urlencoded; charset=UTF-8"
        if jar:
            fields["Cookie"] = "; ".join(f"{name}={value}" for name, value in jar.items())
        status, answered, text = self.server.send(method, host, path.split("#")[0], body, fields)
        for line in answered.get_all("Set-Cookie") or []:
            name, value = line.split(";")[0].split("=", 1)
            if value:
                jar[name] = value
            else:
                jar.pop(name, None)
        return status, answered, text

    def open(self, url, method="GET", body=None):
        for _ in range(20):
            if not self.server.has(urllib.parse.urlsplit(url).netloc):
                return Answer(url, None if body is None else dict(urllib.parse.parse_qsl(body)))
            status, answered, text = self.request(method, url, body)
            method, body = "GET", None
            if status in (301, 302, 303, 307, 308):
                url = urllib.parse.urljoin(url, answered["Location"])
                continue
            # An answer as a form that the browser posts by itself.
            form = re.search(r"<form id='auto' method='post' action='([^']*)'", text)
            if not form:
                return Page(self, url, status, text)
            url = urllib.parse.urljoin(url, html.unescape(form[1]))
            method = "POST"
            body = urllib.parse.urlencode([
                (html.unescape(name), html.unescape(value))
                for name, value in re.findall(r"<input[^>]*name=['\"]([^'\"]*)['\"][^>]*value=['\"]([^'\"]*)['\"]", text)])
        raise RuntimeError("more than 20 redirects")
