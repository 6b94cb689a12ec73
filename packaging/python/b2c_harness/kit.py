"""Tests of a Python app against an Azure AD B2C tenant on this machine.

    from b2c_harness.kit import Server

    with Server() as server:
        world = server.fresh()
        token = world.token(as_="ada", expired=True)

With pytest the fixtures `b2c_server` and `b2c` do this: see `b2c_harness.pytest_plugin`. The kit needs Python 3.9 and nothing else.
"""

from __future__ import annotations

import base64
import dataclasses
import datetime
import difflib
import hashlib
import http.client
import json
import math
import os
import re
import secrets
import shutil
import ssl
import subprocess
import tempfile
import time
import urllib.parse
import weakref
from typing import Any, Iterable, Mapping

from . import path as _packaged

__all__ = ["B2CError", "Browser", "Callback", "Faults", "Message", "PageError", "Server", "World"]

# What a person may press on the first page, by the names of docs/pages.md.
_PRESSES = ("cancel", "forgotPassword", "signUp")


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


class Server:
    """A tenant on this machine: `mock-server` at a free port, or one that runs already.

    Use it as a context manager, or call `stop`. The tests of one server run one after another; for tests side by side
    start several servers, as the pytest plugin does for each worker of pytest-xdist. A start takes about 0.1 seconds.
    """

    def __init__(
        self, tenant: str | os.PathLike[str] | Mapping[str, Any] | None = None, *, tls: bool = False, seed: int = 1,
        program: str | None = None,
    ) -> None:
        """Starts a server and waits until it answers.

        - `tenant`: a tenant file, or its content without policy files. Default: the embedded tenant, the one that `b2c init`
          writes, with the people `ada` and `nina`.
        - `tls`: serve https, by a new certificate authority in `ca_file`.
        - `seed`: ids and codes are drawn from it.
        - `program`: the file of `mock-server`. Default: the environment variable `MOCK_SERVER`, the program in this package, or
          the one on the `PATH`.

        Raises `B2CError` if the program is not found, or does not start: with what it says.
        """
        command = [program or find_program(), "--port", "0", "--seed", str(seed), "--quiet"]
        folder = tempfile.mkdtemp(prefix="b2c-")
        self._process: subprocess.Popen[bytes] | None = None
        # Also for a test run that ends in the middle.
        self._end = weakref.finalize(self, _remove, None, folder, os.getpid())
        ready, log = os.path.join(folder, "ready"), os.path.join(folder, "log")
        if isinstance(tenant, Mapping):
            file = os.path.join(folder, "tenant.json")
            with open(file, "w", encoding="utf-8") as written:
                json.dump(tenant, written)
            command += ["--tenant", file]
        elif tenant is not None:
            command += ["--tenant", os.fspath(tenant)]
        self.ca_file: str | None = None
        if tls:
            command += ["--tls", "--certificate-directory", os.path.join(folder, "certificates")]
            self.ca_file = os.path.join(folder, "certificates", "ca.pem")
        # Options that the program would read from the environment: a test must not depend on the shell that runs it.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("B2C_")}
        # However this process ends, the server ends after it and removes the folder.
        environment.update(B2C_PARENT=str(os.getpid()), B2C_PARENT_FOLDER=folder)
        try:
            with open(log, "wb") as output:
                # In a session of its own: of Ctrl-C it learns by the end of this process, and cleans up then.
                process = subprocess.Popen(
                    [*command, "--end-with-parent", "--ready-file", ready], stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                    env=environment, start_new_session=True)
        except OSError as error:
            self._end()
            raise B2CError(f"{command[0]} cannot be run: {error.strerror}") from error
        self._process = process
        self._end.detach()
        # The folder stays until nobody uses this object: apps read the certificate file in it also when the server is down.
        self._end = weakref.finalize(self, _remove, process, folder, os.getpid())
        deadline = time.monotonic() + 60
        while not (os.path.exists(ready) and os.path.getsize(ready)):
            if process.poll() is not None or time.monotonic() > deadline:
                with open(log, encoding="utf-8", errors="replace") as output_text:
                    said = output_text.read().strip()
                how = "did not become ready in 60 seconds" if process.poll() is None else f"did not start (exit code {process.poll()})"
                self._end()
                raise B2CError(f"mock-server {how}: {said or 'it says nothing'}")
            time.sleep(0.005)
        with open(ready, encoding="utf-8") as file_of_address:
            self._connect(file_of_address.read().strip())

    @classmethod
    def attach(cls, url: str | None = None, *, ca_file: str | None = None) -> Server:
        """A server that runs already: at `url`, or at the address in `B2C_URL`, which `b2c exec` sets. `stop` does not end it."""
        address = url or os.environ.get("B2C_URL")
        if not address:
            raise B2CError("no server is named: give its url, or set B2C_URL")
        server = cls.__new__(cls)
        server._process = None
        server.ca_file = ca_file or os.environ.get("B2C_CA_FILE")
        server._connect(address.rstrip("/"))
        server.call("GET", "/clock")
        return server

    def _connect(self, url: str) -> None:
        self.url: str = url
        self._seen = 0
        self._address = urllib.parse.urlsplit(url)
        if self._address.scheme not in ("http", "https") or not self._address.hostname:
            raise B2CError(f"{url} is not the address of a server: expected one such as http://localhost:9400")
        self._tls = None
        if self._address.scheme == "https":
            try:
                self._tls = ssl.create_default_context(cafile=self.ca_file)
            except OSError as error:
                raise B2CError(f"the certificate file {self.ca_file} cannot be read: {error.strerror or error}") from error

    @property
    def origins(self) -> tuple[str, ...]:
        """The addresses at which a browser on this machine reaches the server."""
        port = f":{self._address.port}" if self._address.port else ""
        names = dict.fromkeys([self._address.hostname, "localhost", "127.0.0.1"])
        return tuple(f"{self._address.scheme}://{name}{port}" for name in names)

    def fresh(self) -> World:
        """The tenant as its file says: no sessions, no messages, no faults, the system's clock. What was changed is undone."""
        self.call("POST", "/reset", {"to": "start"})
        return World(self)

    def call(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """One call of the control API (docs/control-api.md), such as `call("GET", "/clock")`: its JSON, or None."""
        headers = {"Content-Type": "application/json"} if body is not None else {}
        token = os.environ.get("B2C_CONTROL_TOKEN")
        if token and self._process is None:
            headers["Authorization"] = f"Bearer {token}"
        try:
            status, _, text = request(
                self._address, method, f"/_b2c/v1{path}", None if body is None else json.dumps(body), headers, self._tls)
        except (OSError, http.client.HTTPException) as error:
            raise B2CError(f"no server answers at {self.url}: {error or type(error).__name__}") from error
        try:
            answer = json.loads(text) if text else None
        except ValueError:
            raise B2CError(f"{self.url} is not a mock-server: {method} {path} gives HTTP {status} without JSON") from None
        if status >= 400:
            fault = answer.get("error", {}) if isinstance(answer, dict) else {}
            findings = [
                f"{one.get('pointer')}: {one['message']}" + (f". {one['remedy'][:1].upper()}{one['remedy'][1:]}" if one.get("remedy") else "")
                for one in fault.get("findings") or [] if one.get("message")]
            raise B2CError("; ".join(findings) or fault.get("message") or f"{method} {path} gives HTTP {status}")
        return answer

    def stop(self) -> None:
        """Ends the server, if this object started it. Its address refuses connections from then on."""
        if self._process is not None:
            _end(self._process)

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _remove(process: subprocess.Popen[bytes] | None, folder: str, owner: int) -> None:
    # A process that was forked off has copies of all objects, and the server is not its own.
    if os.getpid() != owner:
        return
    if process is not None:
        _end(process)
    shutil.rmtree(folder, ignore_errors=True)


def find_program(name: str = "mock-server") -> str:
    """The file of a program: that of the environment (`MOCK_SERVER`, `B2C`), of this package, or on the `PATH`."""
    variable = name.upper().replace("-", "_")
    named = os.environ.get(variable)
    if named:
        if not os.access(named, os.X_OK):
            raise B2CError(f"{variable} names {named}, which is not a program")
        return named
    try:
        return _packaged(name)
    except FileNotFoundError:
        found = shutil.which(name)
    if not found:
        raise B2CError(f"the program {name} is not found: install the wheel b2c-harness, put {name} on the PATH, or set {variable}")
    return found


@dataclasses.dataclass(frozen=True)
class Message:
    """An e-mail, SMS or call that went out."""

    to: str
    """The address or phone number."""
    kind: str
    """`email`, `sms`, `call` or `captcha`."""
    code: str | None = dataclasses.field(repr=False)
    """The code in it."""


class World:
    """One tenant in one test: people, sign-ins, tokens, inbox, clock and faults. `Server.fresh` makes it."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.faults = Faults(server)
        # The log goes on over a reset: what was before belongs to other tests.
        self._seen = _end_of_log(server)
        self._settings: dict[str, Any] | None = None
        # What the server says of each app.
        self._apps: dict[str, Any] = {}
        self._issuers: dict[str, str] = {}

    # Addresses and names

    @property
    def url(self) -> str:
        """The server's address."""
        return self.server.url

    @property
    def ca_file(self) -> str | None:
        """The PEM file by which the server is trusted, for `REQUESTS_CA_BUNDLE` or `SSL_CERT_FILE`; None without https."""
        return self.server.ca_file

    @property
    def settings(self) -> dict[str, Any]:
        """The tenant file with all defaults filled in."""
        if self._settings is None:
            answer = self.server.call("GET", "/tenant?secrets=show")
            self._settings = dict(answer["tenant"], written=answer["written"])
            self._apps = answer["apps"]
        return self._settings

    def configure(self, patch: Mapping[str, Any]) -> None:
        """Lays a merge patch (RFC 7396) over the tenant file, such as `{"policies": {"susi": {"mfa": {"when": "always"}}}}`."""
        self.server.call("PATCH", "/tenant", {"patch": patch})
        self._settings = None

    @property
    def domain(self) -> str:
        """The tenant's domain, such as `contoso.onmicrosoft.com`."""
        return f"{self.settings['name']}.onmicrosoft.com"

    def authority(self, policy: str | None = None) -> str:
        """What an app is configured with: server, domain and policy. `policy` is a name of the tenant file or an id; default: the first."""
        return f"{self.url}/{self.domain}/{self._policy(policy)['id']}"

    def metadata_url(self, policy: str | None = None) -> str:
        """The address of a policy's discovery document."""
        return f"{self.authority(policy)}/v2.0/.well-known/openid-configuration"

    def issuer(self, policy: str | None = None) -> str:
        """The `iss` of a policy's tokens."""
        authority = self.authority(policy)
        if authority not in self._issuers:
            url = f"{authority}/v2.0/.well-known/openid-configuration"
            status, document = self._fetch(url)
            if not document.get("issuer"):
                raise B2CError(f"{url} names no issuer: {_reason(document, status)}")
            self._issuers[authority] = document["issuer"]
        return self._issuers[authority]

    def client_id(self, app: str | None = None) -> str:
        """The client id of an app; of the first by default."""
        return str(self._app(app)["registration"]["clientId"])

    def client_secret(self, app: str | None = None) -> str:
        """The first secret of an app."""
        found = self.settings["written"]["apps"][self._named("app", "apps", app)].get("registration", {}).get("secrets")
        if not found:
            raise B2CError(f"the app {self._named('app', 'apps', app)} has no secret: add `secrets` to its registration")
        return str(found[0])

    def redirect_uri(self, app: str | None = None) -> str:
        """Where an app gets its answers; of the first by default."""
        name = self._named("app", "apps", app)
        found = self._apps[name]
        if found["redirectUri"] is None:
            raise B2CError(found["problem"])
        return str(found["redirectUri"])

    def audience(self, api: str | None = None) -> str:
        """The `aud` of the access tokens for an API; for the first by default."""
        return str(self.settings["apis"][self._named("API", "apis", api)]["clientId"])

    def scopes(self, api: str | None = None) -> list[str]:
        """The scopes of an API, as an app asks for them; of the first by default."""
        found = self.settings["apis"][self._named("API", "apis", api)]
        return [f"{found['appIdUri'].rstrip('/')}/{scope}" for scope in found["scopes"]]

    # People

    def person(self, name: str) -> dict[str, Any]:
        """The record of a person, with their password as it is now."""
        self._known(name)
        row = self.server.call("GET", f"/users/{urllib.parse.quote(name, safe='')}?secrets=show")
        written = self.settings["written"].get("users", {}).get(name, {})
        return {**written, **{key: value for key, value in row.items() if value is not None}}

    def _known(self, name: str) -> None:
        people = self.settings["written"].get("users", {})
        if name not in people and name not in self._people():
            raise _unknown("person", name, list(people) or self._people())

    def _people(self) -> list[str]:
        return list(self.server.call("GET", "/users")["users"])

    def add_person(
        self, name: str, *, email: str | None = None, password: str = "Password-2026", registered: bool = True, **attributes: Any,
    ) -> dict[str, Any]:
        """Adds a person, and returns their record.

        - `email`: default: the name at `example.test`.
        - `registered`: False: a person without an account, who signs up at their first sign-in.
        - `attributes`: attributes of the directory, and what `b2c explain users` lists, such as `phone="+442079460000"`.
        """
        record = {"email": email or f"{name}@example.test", "password": password, "displayName": name.capitalize(), **attributes}
        if not registered:
            record["registered"] = False
        self.server.call("POST", "/users", {"name": name, "user": record})
        self._settings = None
        return self.person(name)

    def change_person(self, name: str, **changes: Any) -> None:
        """Changes a person, such as `accountEnabled=False`. A new password revokes older refresh tokens."""
        self._known(name)
        self.server.call("PATCH", f"/users/{urllib.parse.quote(name, safe='')}", changes)
        self._settings = None

    # Signing in

    def browser(self) -> Browser:
        """A new browser with its own cookies, for several sign-ins of one person."""
        return Browser(self, secrets.token_hex(8))

    def sign_in(
        self, url: str, as_: str | None = None, *, password: str | None = None, press: str | None = None,
        provider: str | None = None,
    ) -> Callback:
        """Plays a person at the sign-in address that the app opens, in a new browser: see `Browser.sign_in`."""
        return Browser(self).sign_in(url, as_, password=password, press=press, provider=provider)

    def token(
        self, as_: str | None = None, *, app: str | None = None, policy: str | None = None, scopes: Iterable[str] | None = None,
        id_token: bool = False, expired: bool = False, not_yet: bool = False, wrong_key: bool = False, alg_none: bool = False,
        audience: str | None = None, claims: Mapping[str, Any] | None = None,
    ) -> str:
        """Signs a person in and returns an access token, or the ID token. Call it before you set faults.

        - `as_`, `app`, `policy`: names of the tenant file. Default: the first person, the first app, the app's policy.
        - `scopes`: default: the app's, else all of the first API.
        - `expired`: it ended ten minutes ago. `not_yet`: it begins in an hour.
        - `wrong_key`: a key has signed it that nobody publishes. `alg_none`: it is unsigned.
        - `audience`, `claims`: another `aud`, other claims. None removes a claim.
        """
        if expired and not_yet:
            raise B2CError("expired and not_yet exclude each other")
        if wrong_key and alg_none:
            raise B2CError("wrong_key and alg_none exclude each other: one signs, one does not")
        token = self._issued(as_ or self._first_person(), app, policy, scopes, "id_token" if id_token else "access_token")
        changed: dict[str, Any] = {}
        if expired or not_yet:
            # A token that is good for an hour, as B2C issues them.
            begin = int(self.now.timestamp()) + (3600 if not_yet else -4200)
            changed.update(iat=begin, nbf=begin, exp=begin + 3600)
        if audience is not None:
            changed["aud"] = audience
        changed.update(claims or {})
        order: dict[str, Any] = {"from": token, "claims": changed}
        if wrong_key:
            order["key"] = "a key that nobody publishes"
        if alg_none:
            order["alg"] = "none"
        if not changed and len(order) == 2:
            return token
        if "exp" not in changed and "lifetime" not in order:
            # Without this the copy would be valid for an hour from now.
            changed["exp"] = _payload(token)["exp"]
        return str(self.server.call("POST", "/tokens", order)["token"])

    def _issued(self, person: str, app: str | None, policy: str | None, scopes: Iterable[str] | None, member: str) -> str:
        settings = self._app(app)
        base = self.authority(policy or settings["client"].get("policy"))
        asked = list(scopes or settings["client"].get("scopes") or (self.scopes() if self.settings.get("apis") else []))
        # An app may ask for a token for itself.
        asked = asked or [self.client_id(app)]
        verifier, redirect = secrets.token_urlsafe(48), self.redirect_uri(app)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        query = urllib.parse.urlencode({
            "client_id": self.client_id(app), "redirect_uri": redirect, "response_type": "code",
            "scope": " ".join(["openid", "offline_access", *asked]), "state": "kit", "nonce": "kit", "code_challenge": challenge, "code_challenge_method": "S256"})
        answer = self.sign_in(f"{base}/oauth2/v2.0/authorize?{query}", person).parameters
        if "code" not in answer:
            raise B2CError(f"{person} gets no code: {_reason(answer)}")
        form = {
            "grant_type": "authorization_code", "client_id": self.client_id(app), "code": answer["code"], "redirect_uri": redirect,
            "code_verifier": verifier}
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        uris = settings["registration"]["redirectUris"]
        if redirect in uris["web"]:
            form["client_secret"] = self.client_secret(app)
        elif redirect in uris["spa"]:
            # The service gives a single-page app tokens only across origins.
            headers["Origin"] = "{0.scheme}://{0.netloc}".format(urllib.parse.urlsplit(redirect))
        status, granted = self._fetch(f"{base}/oauth2/v2.0/token", urllib.parse.urlencode(form), headers)
        if member not in granted:
            raise B2CError(f"{person} gets no {member}: {_reason(granted, status)}")
        return str(granted[member])

    def _fetch(self, url: str, body: str | None = None, headers: Mapping[str, str] | None = None) -> tuple[int, dict[str, Any]]:
        parts = urllib.parse.urlsplit(url)
        try:
            status, _, text = request(parts, "GET" if body is None else "POST", parts.path, body, headers or {}, self.server._tls)
        except (OSError, http.client.HTTPException) as error:
            raise B2CError(f"{url} cannot be loaded: {error or type(error).__name__}") from error
        try:
            found = json.loads(text)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise B2CError(f"{url} gives HTTP {status} without JSON")
        return status, found

    def _first_person(self) -> str:
        people = list(self.settings["written"].get("users", {})) or self._people()
        if not people:
            raise B2CError("the tenant has no person: add one with add_person")
        return people[0]

    # Keys

    def rotate_keys(self, *, keep_published: bool = True, key_set: str = "service") -> None:
        """Lets the tenant sign with another key from now on. `keep_published`: the old keys stay published."""
        self.server.call("POST", f"/keys/{urllib.parse.quote(key_set, safe='')}/rotate", {"keepPublished": keep_published})

    # Inbox

    @property
    def inbox(self) -> list[Message]:
        """The e-mails, SMS and calls that went out, oldest first."""
        return self._messages("")

    def _messages(self, to: str) -> list[Message]:
        query = f"?to={urllib.parse.quote(to, safe='')}" if to else ""
        return [
            Message(to=one.get("to", ""), kind=one.get("kind", ""), code=one.get("code"))
            for one in self.server.call("GET", f"/inbox{query}")["messages"]]

    def code_for(self, to: str) -> str:
        """The newest code that went to an address, a phone number or a person.

        Raises `B2CError` if there is none.
        """
        codes = [message.code for message in self._messages(to) if message.code]
        if not codes:
            others = sorted({message.to for message in self.inbox if message.code})
            raise B2CError(f"no code has gone to {to}; codes have gone to {', '.join(others) or 'nobody'}")
        return codes[-1]

    # Clock

    @property
    def now(self) -> datetime.datetime:
        """What the tenant's clock shows."""
        text = str(self.server.call("GET", "/clock")["now"])
        return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))

    def advance(self, seconds: float | str | datetime.timedelta) -> None:
        """Moves the tenant's clock forward: refresh tokens, sessions and codes of the tenant get older.

        `seconds`: a number of seconds, a `timedelta`, or an ISO 8601 duration such as "PT2H" or "P15D".

        The clock of your app does not move. For a token that has expired, use `token(expired=True)`.
        """
        self.server.call("PATCH", "/clock", {"advance": _duration(seconds)})

    # What happened

    @property
    def requests(self) -> list[dict[str, Any]]:
        """The requests that came in since the test began, with the reason of each refusal (`refusal`); secrets are masked."""
        return _log(self.server, self._seen)[0]

    # Names

    def _named(self, what: str, key: str, name: str | None) -> str:
        known = self.settings.get(key) or {}
        if name is None:
            if not known:
                raise B2CError(f"the tenant has no {what}")
            return str(next(iter(known)))
        if name not in known:
            raise _unknown(what, name, list(known))
        return name

    def _app(self, name: str | None) -> dict[str, Any]:
        return dict(self.settings["apps"][self._named("app", "apps", name)])

    def _policy(self, name: str | None) -> dict[str, Any]:
        for policy in self.settings["policies"].values():
            if name is not None and policy["id"].lower() == name.lower():
                return dict(policy)
        return dict(self.settings["policies"][self._named("policy", "policies", name)])


class Browser:
    """A browser with its own cookies. A second sign-in with the same one uses the single sign-on session of the first."""

    def __init__(self, world: World, name: str | None = None) -> None:
        """`name`: by which the server keeps the cookies; None: it keeps none."""
        self._world, self._name = world, name

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
        origins = self._world.server.origins
        if not any(url == origin or url.startswith((origin + "/", origin + "?")) for origin in origins):
            raise B2CError(f"{url[:200]} is not a sign-in address of this server: expected one that begins with {origins[0]}/")
        if press is not None and press not in _PRESSES:
            raise B2CError(f"there is no button {press}: expected {', '.join(_PRESSES)}")
        if as_:
            self._world._known(as_)
        order: dict[str, Any] = {"url": url}
        more = {"person": as_ or None, "password": password, "provider": provider, "browser": self._name}
        order.update({key: value for key, value in more.items() if value is not None})
        if press == "cancel":
            order["cancel"] = True
        elif press:
            order["actions"] = [{"press": press}]
        return _answer(self._world.server.call("POST", "/sign-ins?secrets=show", order), as_)


def _answer(end: Mapping[str, Any], as_: str | None) -> Callback:
    """The callback in which a sign-in has ended, or why there is none."""
    who = as_ or "nobody"
    if end["end"] == "callback":
        callback = end["callback"]
        text, form = callback["url"], callback.get("form")
        if form is None:
            return Callback(text)
        found = Callback(f"{text}{'&' if '?' in text else '?'}{urllib.parse.urlencode(form)}")
        found.posted = True
        return found
    page = end.get("page") or {}
    said = str(page.get("error") or "")
    name = _page_in_words(page)
    if page.get("name") == "error":
        # The service's own error page has the status 200.
        status = f" (HTTP {page['status']})" if page.get("status", 200) >= 400 else ""
        raise PageError(f"the server shows an error page to {who}{status}: {said}", said)
    if end["end"] == "closed":
        raise PageError(f"{who} has closed the window")
    if end.get("missing"):
        raise PageError(f"{name} requires {', '.join(end['missing'])}, which the record of {who} does not have")
    if end.get("problem"):
        raise PageError(str(end["problem"]), said)
    if not as_:
        raise PageError(f"the server shows {name}, and nobody is at the browser: name a person with as_", said)
    raise PageError(f"{who} stops at {name}" + (f", which says \"{said}\"" if said else ""), said)


def _page_in_words(page: Mapping[str, Any]) -> str:
    if page.get("name") == "signIn":
        return "the sign-in page"
    if page.get("fields"):
        return f"the page with {', '.join(page['fields'])}"
    return f"the page {page.get('name', '')} at {urllib.parse.urlsplit(page.get('url', '')).path}"


class Faults:
    """Rules that make the server fail. The first rule that matches a request applies.

    `endpoint` is `discovery`, `keys`, `authorize`, `page`, `token`, `userinfo`, `logout`, `graph` or another that
    `b2c explain faults` lists; None matches all. `times` is how many requests fail; default: all.
    """

    def __init__(self, server: Server) -> None:
        self._server = server

    def status(self, endpoint: str | None, status: int, *, json: Any = None, times: int | None = None) -> None:
        """Answers with this HTTP status."""
        self.add({"respond": {"status": status, "json": {} if json is None else json}}, endpoint, times)

    def disconnect(self, endpoint: str | None = None, *, times: int | None = None) -> None:
        """Closes the connection without an answer."""
        self.add({"network": "reset"}, endpoint, times)

    def delay(self, endpoint: str | None, seconds: float, *, times: int | None = None) -> None:
        """Lets the answer wait."""
        self.add({"delay": f"PT{seconds:.3f}S"}, endpoint, times)

    def refuse(self, endpoint: str | None, code: str, *, times: int | None = None) -> None:
        """Refuses the request as the service does for an error code, such as `AADB2C90080`."""
        self.add({"b2cError": code}, endpoint, times)

    def claims(
        self, *, id_token: Mapping[str, Any] | None = None, access_token: Mapping[str, Any] | None = None, times: int | None = None,
    ) -> None:
        """Issues tokens with other claims. None removes a claim."""
        patch = {name: dict(value) for name, value in [("idToken", id_token), ("accessToken", access_token)] if value is not None}
        self.add({"claims": patch}, "token", times)

    def add(self, rule: Mapping[str, Any], endpoint: str | None = None, times: int | None = None) -> None:
        """Adds a fault rule as scenarios have it (docs/scenario-files.md#fault-rule)."""
        new = dict(rule)
        if endpoint is not None:
            new["match"] = {**new.get("match", {}), "endpoint": endpoint}
        if times is not None:
            new["times"] = times
        rules = self.rules
        self._server.call("PUT", "/faults", {
            "rules": [one["rule"] for one in rules] + [new],
            # The older rules go on counting.
            "counts": [{"met": one["met"], "fired": one["fired"]} for one in rules] + [{"met": 0, "fired": 0}]})

    @property
    def rules(self) -> list[dict[str, Any]]:
        """The rules in force, with how often each matched (`met`) and applied (`fired`)."""
        return list(self._server.call("GET", "/faults")["rules"])

    def clear(self) -> None:
        """Removes all rules."""
        self._server.call("DELETE", "/faults")


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


def _log(server: Server, since: int) -> tuple[list[dict[str, Any]], int]:
    """The requests after a place in the log, and where it ends."""
    found: list[dict[str, Any]] = []
    while True:
        answer = server.call("GET", f"/requests?since={since}")
        since = answer["next"]
        if not answer["requests"]:
            return found, since
        found += answer["requests"]


def _end_of_log(server: Server) -> int:
    server._seen = _log(server, server._seen)[1]
    return server._seen


def _unknown(what: str, name: str, known: list[str]) -> B2CError:
    near = difflib.get_close_matches(name, known, 1)
    hint = f"Did you mean {near[0]}?" if near else f"It has {', '.join(known)}."
    return B2CError(f"the tenant has no {what} {name}. {hint}")


_DURATION = re.compile(
    r"P(?=.)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?", re.ASCII)


def _duration(time: object) -> str:
    """What `advance` was given, as the server takes it."""
    expected = 'advance takes a number of seconds above 0, a timedelta or an ISO 8601 duration such as "PT2H"'
    seconds: float | None = None
    if isinstance(time, datetime.timedelta):
        seconds = time.total_seconds()
    elif isinstance(time, (int, float)) and not isinstance(time, bool):
        try:
            seconds = float(time)
        except OverflowError:
            seconds = math.inf
    elif isinstance(time, str):
        parts = _DURATION.fullmatch(time)
        if parts:
            units = (604800, 86400, 3600, 60, 1)
            seconds = sum(float(part) * unit for part, unit in zip(parts.groups(), units) if part)
            if 0 < seconds < math.inf:
                return time
    if seconds is None or not 0 < seconds < math.inf:
        raise B2CError(f"{expected}, not {time!r}")
    return f"PT{seconds:.3f}S".replace(".000S", "S")


def _reason(answer: Mapping[str, Any], status: int | None = None) -> str:
    """Why an answer has not what it should: its error in one line, and the HTTP status if it has one."""
    text = str(answer.get("error_description") or answer.get("error") or "the answer has none").splitlines()[0].strip()
    return text if status is None else f"{text} (HTTP {status})"


def _payload(token: str) -> dict[str, Any]:
    part = token.split(".")[1]
    return dict(json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))))
