#!/usr/bin/env python3
"""Kills mock-server under load, again and again, and looks whether its state file has everything it had answered for.

usage: kill_test.py PATH-OF-mock-server [--seed N] [--kills N]

People sign up, sign in and refresh in several threads over TLS, one of them by curl; an
administrator rotates keys, adds people and moves the clock. What an answer told is written down. At random moments the
server is killed (SIGKILL) and started again with the same file, and everything written down is asked for. At the end the
disk is made full: the server must end by itself, and have lost nothing either. Only Python's own library is used.
"""
import argparse
import base64
import hashlib
import http.client
import json
import os
import random
import re
import resource
import shutil
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

from harness import PATIENCE, Server

CLIENT = "11111111-2222-4333-8444-555555555555"
REDIRECT = "com.contoso.tasks://oauth/done"
TENANT = {
    "name": "contoso",
    # The administrator moves the clock for as long as the load lasts: no code may expire before it is asked for.
    "authority": {"codeLifetime": "PT20H"},
    "policies": {
        # A redeemed refresh token is refused from then on, so that a lost rotation shows.
        "susi": {"id": "B2C_1_susi", "type": "signUpOrSignIn", "emailVerification": "legacy",
                 "tokens": {"refreshTokenReuse": "reject"}},
        "ropc": {"id": "B2C_1_ropc", "type": "ropc", "tokens": {"refreshTokenReuse": "reject"}},
    },
    "apps": {"ios": {
        "registration": {"clientId": CLIENT, "redirectUris": {"native": [REDIRECT]}, "ropc": True,
                         "implicit": {"idToken": True, "accessToken": True}},
        "client": {"kind": "appauth", "policy": "susi", "redirectUri": REDIRECT}}},
    "users": {"ada": {"email": "ada@example.test", "password": "Analytical-1843", "displayName": "Ada"}},
}
HOST = "contoso.b2clogin.com"
SCOPE = "openid offline_access " + CLIENT
VERIFIER = "a-verifier-that-is-long-enough-for-the-rules-of-pkce-1"
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()


class Gone(Exception):
    """The server went away before it answered: what the request asked for may have happened or not."""


class Client:
    """One connection and one browser's cookies."""

    def __init__(self, port):
        self.port, self.cookies = port, {}
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        self.connection = http.client.HTTPSConnection("127.0.0.1", port, context=context, timeout=PATIENCE)

    def send(self, method, path, form=None, headers=None, body=None):
        fields = {"Host": HOST, **(headers or {})}
        if self.cookies:
            fields["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if form is not None:
            body = urllib.parse.urlencode(form)
            fields["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            self.connection.request(method, path, body, fields)
            answer = self.connection.getresponse()
            text = answer.read().decode()
        except (OSError, http.client.HTTPException) as error:
            raise Gone(str(error)) from error
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            name, value = cookie.split(";")[0].split("=", 1)
            if value:
                self.cookies[name.strip()] = value
            else:
                self.cookies.pop(name.strip(), None)
        return answer.status, answer.headers, text

    def control(self, method, path, body=None):
        status, _, text = self.send(
            method, "/_b2c/v1" + path, headers={"Host": "localhost", "Content-Type": "application/json"} if body is not None
            else {"Host": "localhost"}, body=None if body is None else json.dumps(body))
        if status >= 400:
            raise AssertionError(f"{method} {path}: {status} {text}")
        return json.loads(text) if text else None

    def authorize(self, **more):
        return self.send("GET", "/contoso.onmicrosoft.com/B2C_1_susi/oauth2/v2.0/authorize?" + urllib.parse.urlencode({
            "client_id": CLIENT, "redirect_uri": REDIRECT, "response_type": "code", "scope": SCOPE, "state": "s",
            "nonce": "n", "code_challenge": CHALLENGE, "code_challenge_method": "S256", **more}))

    def token(self, policy="B2C_1_susi", **form):
        _, _, text = self.send(
            "POST", f"/contoso.onmicrosoft.com/{policy}/oauth2/v2.0/token", {"client_id": CLIENT, **form})
        return json.loads(text)

    def redeem(self, code):
        return self.token(grant_type="authorization_code", code=code, redirect_uri=REDIRECT, code_verifier=VERIFIER)

    def refresh(self, token, policy="B2C_1_susi"):
        return self.token(policy, grant_type="refresh_token", refresh_token=token, scope=SCOPE)


class Page:
    """A page that a client looks at."""

    def __init__(self, client, text):
        self.client = client
        self.csrf = re.search(r'"csrf":"([^"]+)"', text).group(1)
        self.tx = re.search(r'"transId":"([^"]+)"', text).group(1)
        self.api = re.search(r'"api":"([^"]+)"', text).group(1)
        self.base = "/contoso.onmicrosoft.com/B2C_1_susi"

    def post(self, form):
        _, _, text = self.client.send(
            "POST", f"{self.base}/SelfAsserted?tx={self.tx}&p=B2C_1_susi", form, {"X-CSRF-TOKEN": self.csrf})
        answer = json.loads(text)
        assert answer.get("status") == "200", answer

    def go(self, action, query=""):
        return self.client.send(
            "GET", f"{self.base}/api/{self.api}/{action}?{query}csrf_token={urllib.parse.quote(self.csrf)}&tx={self.tx}"
            "&p=B2C_1_susi")


def code_of(headers):
    return urllib.parse.parse_qs(headers["Location"].split("?", 1)[1])["code"][0]


class Ledger:
    """What the server has told, and so must still hold after a restart."""

    def __init__(self):
        self.lock = threading.Lock()
        self.accounts = {}          # address -> password
        self.refresh = {}           # living refresh token -> policy
        self.rotated = {}           # redeemed refresh token -> policy
        self.codes = set()          # codes not redeemed yet
        self.redeemed = set()       # codes redeemed
        self.sessions = []          # cookies of a browser that is signed in
        self.people = {}            # added by the administrator
        self.key = None             # the key that signs
        self.kids = set()           # keys published
        self.published = 0          # how many the set publishes
        self.clock = ""             # a time that the clock has shown
        self.messages = 0           # e-mails sent
        self.rotations = 0

    def told(self, action):
        with self.lock:
            action()


def sign_up(client, ledger, number, password):
    """A sign-up up to the code; every answer on the way is written down."""
    address = f"person{number}@example.test"
    client.cookies = {}
    page = Page(client, client.authorize()[2])
    page = Page(client, page.go("unified", "local=signup&")[2])
    page.post({"request_type": "VERIFICATION_REQUEST", "claim_id": "email", "claim_value": address})
    ledger.told(lambda: setattr(ledger, "messages", ledger.messages + 1))
    messages = client.control("GET", "/inbox?to=" + urllib.parse.quote(address))["messages"]
    page.post({"request_type": "VALIDATION_REQUEST", "claim_id": "email", "claim_value": address,
               "user_input": messages[-1]["code"]})
    page.post({"request_type": "RESPONSE", "email": address, "newPassword": password, "reenterPassword": password,
               "displayName": f"Person {number}"})
    ledger.told(lambda: ledger.accounts.update({address: password}))
    status, headers, text = page.go("confirmed")
    assert status == 302, text
    return told_code(client, ledger, headers)


def sign_in(client, ledger, address, password):
    client.cookies = {}
    page = Page(client, client.authorize()[2])
    page.post({"request_type": "RESPONSE", "signInName": address, "email": address, "password": password})
    status, headers, text = page.go("confirmed", "rememberMe=false&")
    assert status == 302, text
    return told_code(client, ledger, headers)


def told_code(client, ledger, headers):
    code = code_of(headers)
    cookies = dict(client.cookies)
    with ledger.lock:
        ledger.codes.add(code)
        ledger.sessions.append(cookies)
    return code


def redeem(client, ledger, code):
    with ledger.lock:
        ledger.codes.discard(code)  # until it is answered nobody knows
    answer = client.redeem(code)
    assert "refresh_token" in answer, answer
    with ledger.lock:
        ledger.redeemed.add(code)
        ledger.refresh[answer["refresh_token"]] = "B2C_1_susi"
    return answer["refresh_token"]


def rotate(client, ledger, token, policy="B2C_1_susi"):
    with ledger.lock:
        ledger.refresh.pop(token, None)
    answer = client.refresh(token, policy)
    assert "refresh_token" in answer, answer
    with ledger.lock:
        ledger.rotated[token] = policy
        ledger.refresh[answer["refresh_token"]] = policy
        ledger.rotations += 1
    return answer["refresh_token"]


def person(port, ledger, dice, numbers):
    """One thread: signs up, signs in, refreshes, and leaves some codes unredeemed, until the server is gone."""
    client = Client(port)
    try:
        while True:
            with ledger.lock:
                known = list(ledger.accounts.items())
            if known and dice.random() < 0.4:
                code = sign_in(client, ledger, *dice.choice(known))
            else:
                code = sign_up(client, ledger, next(numbers), f"Password-{dice.randrange(10**6)}")
            if dice.random() < 0.2:
                continue
            token = redeem(client, ledger, code)
            for _ in range(dice.randrange(4)):
                token = rotate(client, ledger, token)
    except Gone:
        pass


def by_curl(port, ledger, curl):
    """The same for the password grant and refreshes, by a client that asks for HTTP/2 first."""
    def ask(form):
        done = subprocess.run(
            [curl, "-sk", "--max-time", "20", "-w", "\n%{http_version}",
             "--connect-to", f"{HOST}:443:127.0.0.1:{port}", "--data", urllib.parse.urlencode({"client_id": CLIENT, **form}),
             f"https://{HOST}/contoso.onmicrosoft.com/B2C_1_ropc/oauth2/v2.0/token"], capture_output=True, text=True)
        if done.returncode != 0:
            raise Gone(done.stderr)
        text, version = done.stdout.rsplit("\n", 1)
        assert version == "1.1", version
        answer = json.loads(text)
        assert "refresh_token" in answer, answer
        return answer["refresh_token"]

    try:
        while True:
            token = ask({"grant_type": "password", "username": "ada@example.test", "password": "Analytical-1843", "scope": SCOPE})
            ledger.told(lambda: ledger.refresh.update({token: "B2C_1_ropc"}))
            for _ in range(2):
                with ledger.lock:
                    ledger.refresh.pop(token, None)
                fresh = ask({"grant_type": "refresh_token", "refresh_token": token, "scope": SCOPE})
                with ledger.lock:
                    ledger.rotated[token] = "B2C_1_ropc"
                    ledger.refresh[fresh] = "B2C_1_ropc"
                    ledger.rotations += 1
                token = fresh
    except Gone:
        pass


def administrator(port, ledger, dice, numbers):
    client = Client(port)
    try:
        while True:
            what = dice.randrange(3)
            if what == 0:
                with ledger.lock:
                    ledger.key = None
                    # A set publishes 64 keys at most.
                    keeps = ledger.published < 50
                    if not keeps:
                        ledger.kids = set()
                service = client.control("POST", "/keys/service/rotate", {"keepPublished": keeps})["keySets"]["service"]
                with ledger.lock:
                    ledger.key = service["use"]
                    ledger.published = len(service["publish"])
                    ledger.kids |= {(key["kid"], key["nbf"]) for key in service["publish"]}
            elif what == 1:
                number = next(numbers)
                name, password = f"added{number}", f"Added-{number}-Password"
                client.control("POST", "/users", {"name": name, "user": {"email": f"{name}@example.test", "password": password}})
                ledger.told(lambda: ledger.people.update({name: password}))
            else:
                now = client.control("PATCH", "/clock", {"advance": "PT5S"})["now"]
                ledger.told(lambda: setattr(ledger, "clock", max(ledger.clock, now)))
            time.sleep(dice.random() * 0.1)
    except Gone:
        pass


class Checks:
    """Asks a server that has started again for everything in the ledger."""

    def __init__(self, server, ledger):
        self.client, self.ledger, self.lost = Client(server.port), ledger, []

    def expect(self, what, holds, shown=""):
        if not holds:
            self.lost.append(f"{what}: {shown}")

    def run(self, dice, most):
        """`most`: of what needs a whole request each, so many at random."""
        ledger, client = self.ledger, self.client

        def some(things):
            things = sorted(things, key=str)
            return things if len(things) <= most else dice.sample(things, most)

        users, start = {}, 0
        while start is not None:
            answer = client.control("GET", f"/users?from={start}&limit=10000")
            users.update(answer["users"])
            start = answer["next"]
        for address in ledger.accounts:
            self.expect("account", address in users, address)
        for name in ledger.people:
            self.expect("person", name in users, name)
        everybody = {**ledger.accounts, **{f"{name}@example.test": word for name, word in ledger.people.items()}}
        for address, password in some(everybody.items()):
            answer = client.token("B2C_1_ropc", grant_type="password", username=address, password=password, scope="openid " + CLIENT)
            self.expect("password", "access_token" in answer, (address, answer))
        keys = client.control("GET", "/keys")["keySets"]["service"]
        published = {(key["kid"], key["nbf"]) for key in keys["publish"]}
        self.expect("key in use", ledger.key is None or keys["use"] == ledger.key, (keys["use"], ledger.key))
        self.expect("published keys", ledger.kids <= published, ledger.kids - published)
        on_the_wire = {key["kid"] for key in json.loads(
            client.send("GET", "/contoso.onmicrosoft.com/B2C_1_susi/discovery/v2.0/keys")[2])["keys"]}
        self.expect("keys on the wire", {kid for kid, _ in ledger.kids} <= on_the_wire, on_the_wire)
        now = client.control("GET", "/clock")["now"]
        self.expect("clock", now >= ledger.clock, (now, ledger.clock))
        messages = len(client.control("GET", "/inbox")["messages"])
        self.expect("messages", messages >= ledger.messages, (messages, ledger.messages))
        for cookies in some(ledger.sessions):
            client.cookies = dict(cookies)
            status, headers, text = client.authorize(prompt="none")
            self.expect("session", status == 302 and "code=" in headers["Location"], headers.get("Location") or text)
        client.cookies = {}
        for token, policy in some(ledger.rotated.items()):
            answer = client.refresh(token, policy)
            self.expect("rotation", "AADB2C90129" in answer.get("error_description", ""), answer)
        for code in some(ledger.redeemed):
            answer = client.redeem(code)
            self.expect("redeemed code", "AADB2C90080" in answer.get("error_description", ""), answer)
        # These change the ledger: a token that is redeemed is rotated out from then on.
        for token, policy in some(ledger.refresh.items()):
            try:
                rotate(client, ledger, token, policy)
            except AssertionError as error:
                self.expect("refresh token", False, error)
        for code in some(ledger.codes):
            try:
                redeem(client, ledger, code)
            except AssertionError as error:
                self.expect("code", False, error)
        return self.lost


def load(server, ledger, dice, numbers, curl, threads=4):
    """Starts everybody; the threads end when the server is gone."""
    jobs = [(person, (server.port, ledger, random.Random(dice.random()), numbers)) for _ in range(threads)]
    jobs.append((administrator, (server.port, ledger, random.Random(dice.random()), numbers)))
    if curl:
        jobs.append((by_curl, (server.port, ledger, curl)))
    failures = []

    def guarded(job, arguments):
        try:
            job(*arguments)
        except Exception as error:  # noqa: BLE001 - told below, with the thread's name
            failures.append(f"{job.__name__}: {type(error).__name__}: {error}")

    running = [threading.Thread(target=guarded, args=job, daemon=True) for job in jobs]
    for thread in running:
        thread.start()
    return running, failures


def wait(running):
    for thread in running:
        thread.join(PATIENCE)
        if thread.is_alive():
            raise RuntimeError("a thread does not end")


class Counter:
    def __init__(self):
        self.number, self.lock = 0, threading.Lock()

    def __next__(self):
        with self.lock:
            self.number += 1
            return self.number


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program")
    arguments.add_argument("--seed", type=int, default=random.randrange(10**6))
    arguments.add_argument("--kills", type=int, default=6)
    arguments = arguments.parse_args()
    dice, began = random.Random(arguments.seed), time.monotonic()
    curl = shutil.which("curl")
    folder = tempfile.mkdtemp()
    tenant, state = os.path.join(folder, "tenant.json"), os.path.join(folder, "state.db")
    with open(tenant, "w") as file:
        json.dump(TENANT, file)
    ledger, numbers, lost, kills = Ledger(), Counter(), [], 0

    def start(**process):
        return Server(arguments.program, tenant, options=["--state", state, "--quiet"], **process)

    server, living, opened = None, 0, 0
    try:
        while kills < arguments.kills and not lost and time.monotonic() - began < 30:
            server = start()
            lost += Checks(server, ledger).run(dice, 15)
            running, failures = load(server, ledger, dice, numbers, curl)
            time.sleep(0.3 + 2.5 * dice.random())
            server.process.kill()
            server.process.wait()
            kills += 1
            wait(running)
            server.stop()
            lost += failures

        # A disk that is full: the server must say so and end, and what it answered for is there.
        size = sum(os.path.getsize(state + end) for end in ("", "-wal") if os.path.exists(state + end))
        before = len(ledger.accounts)
        server = start(restore_signals=False, preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_FSIZE, (size + 200_000, size + 200_000)))
        running, failures = load(server, ledger, dice, numbers, curl)
        wait(running)
        status = server.process.wait(timeout=PATIENCE)
        said = server.output()
        if status != 3 or said.count("cannot be written") != 1:
            lost.append(f"with a full disk the server ended with {status}: {said[-500:]}")
        if len(ledger.accounts) == before:
            lost.append("nobody signed up before the disk was full")
        lost += failures
        server.stop()

        server = start()
        living, opened = len(ledger.refresh), len(ledger.codes)
        lost += Checks(server, ledger).run(dice, 250)
        mode = os.stat(state).st_mode & 0o777
        if mode != 0o600:
            lost.append(f"the state file has mode {mode:o}")
        server.process.terminate()
        if server.process.wait(timeout=PATIENCE) != 0:
            lost.append("the server did not end well: " + server.output()[-500:])
        leftover = [name for name in os.listdir(folder) if name not in ("tenant.json", "state.db")]
        if leftover:
            lost.append(f"after a clean stop there are {leftover}")
    finally:
        if server:
            if server.process.poll() is None:
                server.process.kill()
            server.stop()
        shutil.rmtree(folder, ignore_errors=True)
    for line in lost[:20]:
        print("  LOST  " + line[:600])
    print(f"state: {kills} kills and a full disk, seed {arguments.seed}: lost {len(lost)} of {len(ledger.accounts)} sign-ups, "
          f"{len(ledger.people)} added people, {living} refresh tokens, {ledger.rotations} rotations, "
          f"{len(ledger.redeemed)} redeemed and {opened} open codes, {len(ledger.sessions)} sessions, "
          f"{len(ledger.kids)} keys, {ledger.messages} messages"
          f"{'' if curl else ' (without curl, which is not installed)'}; {time.monotonic() - began:.0f} s")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
