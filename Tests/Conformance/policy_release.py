"""A release of policies, by the real programs: b2c against a mock-server that is the tenant.

    policy_release.py MOCK_SERVER B2C [--starter-packs FOLDER]

The demonstration of docs/release-policies.md with Microsoft's starter pack; every set of policies that can be had goes into a
tenant and comes back unchanged; b2c is killed at each upload; and what people do wrong. Without the starter packs the
project's own policies stand for them where they can. Only Python's own library is used.
"""

import argparse
import base64
import concurrent.futures
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

from harness import PATIENCE, Server, run_part, until

HERE = os.path.dirname(os.path.abspath(__file__))
SCENARIOS = os.path.normpath(os.path.join(HERE, "..", "..", "scenarios"))
TENANT = os.path.join(SCENARIOS, "tenants", "release.json")
DOMAIN = "contoso.onmicrosoft.com"
PACK = "SocialAndLocalAccountsWithMfa"
SIGN_IN = "B2C_1A_signup_signin"
APP, SECRET = "3f1c9a3e-0000-4000-8000-000000000001", "S3cret-of-the-release"
WEB_SECRET, REDIRECT = "S3cret-of-the-web-app", "http://localhost:5000/signin-oidc"
# Exit codes of the commands.
SUCCESS, USAGE, INPUT, MACHINE, EXPECTATION = 0, 1, 2, 3, 4


class Run:
    """One call of b2c, and what it took."""

    def __init__(self, words, status, out, error, seconds=0.0, megabytes=0.0):
        self.words, self.status, self.out, self.error = words, status, out, error
        self.seconds, self.megabytes = seconds, megabytes

    @property
    def text(self):
        return self.out + self.error

    def has(self, *patterns):
        for pattern in patterns:
            assert re.search(pattern, self.text, re.S | re.I), f"{self}: no {pattern!r} in {self.text[-900:]!r}"
        return self

    def lacks(self, *patterns):
        for pattern in patterns:
            assert not re.search(pattern, self.text, re.S | re.I), f"{self}: {pattern!r} in {self.text[-900:]!r}"
        return self

    def __str__(self):
        return f"b2c {' '.join(self.words)} ended with {self.status}"


class Desk:
    """Somebody who releases policies: a folder, the credential of an app, and the tenant."""

    def __init__(self, b2c, folder, server, client=APP, secret=SECRET, tenant=DOMAIN):
        self.b2c, self.folder, self.server = b2c, folder, server
        os.makedirs(folder, exist_ok=True)
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("AZURE_", "B2C_", "ACTIONS_", "SYSTEM_")) and "_proxy" not in name.lower()}
        self.environment = {
            **kept, "HOME": folder, "AZURE_TENANT_ID": tenant, "AZURE_CLIENT_ID": client, "AZURE_CLIENT_SECRET": secret,
            "B2C_GRAPH_API": f"http://localhost:{server.port}", "POLICY_SECRET": "S3cret-of-a-provider"}

    def start(self, *words):
        return subprocess.Popen(
            [self.b2c, "policy", *words], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def b2c_policy(self, *words, expect=SUCCESS):
        """Runs `b2c policy WORDS` to its end, which has to have one of the expected exit codes."""
        began = time.monotonic()
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as error:
            process = subprocess.Popen(
                [self.b2c, "policy", *words], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                stdout=out, stderr=error)
            timer = threading.Timer(PATIENCE, process.kill)
            timer.start()
            _, status, usage = os.wait4(process.pid, 0)
            timer.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            error.seek(0)
            run = Run(
                ["policy", *words], process.returncode, out.read().decode("utf-8", "replace"),
                error.read().decode("utf-8", "replace"), time.monotonic() - began, usage.ru_maxrss / 1024)
        expected = expect if isinstance(expect, tuple) else (expect,)
        assert run.status in expected, f"{run}, expected {expect}: {run.error[-500:] or run.out[-500:]}"
        for secret in (self.environment["AZURE_CLIENT_SECRET"], self.environment["POLICY_SECRET"]):
            assert secret not in run.text, f"{run}: a secret is in the output"
        return run

    def deploy(self, expect=SUCCESS):
        """Deploys the folder by a plan that runs no sign-ins."""
        self.b2c_policy("plan", "policies", "--structure", "--output", "quick.json", expect=EXPECTATION)
        return self.b2c_policy("deploy", "quick.json", "--policies", "policies", "--yes", expect=expect)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    # MARK: The tenant without b2c

    def send(self, method, path, body=None, headers=None):
        """One request to a host of the mock; status and body."""
        request = urllib.request.Request(
            f"http://localhost:{self.server.port}/_hosts/{path}", data=body, headers=headers or {}, method=method)
        try:
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            with opener.open(request, timeout=PATIENCE) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def graph(self, method, path, body=None, headers=None):
        form = urllib.parse.urlencode({
            "grant_type": "client_credentials", "client_id": APP, "client_secret": SECRET,
            "scope": "https://graph.microsoft.com/.default"}).encode()
        domain = self.environment["AZURE_TENANT_ID"]
        status, answer = self.send("POST", f"login.microsoftonline.com/{domain}/oauth2/v2.0/token", form)
        assert status == 200, answer
        return self.send(
            method, f"graph.microsoft.com/{path}", body,
            {"Authorization": "Bearer " + json.loads(answer)["access_token"], **(headers or {})})

    def policy(self, id):
        """What the tenant has; None if it does not have the policy."""
        status, text = self.graph("GET", f"beta/trustFramework/policies/{id}/$value")
        return text if status == 200 else None

    def policies(self):
        return [row["id"] for row in json.loads(self.graph("GET", "beta/trustFramework/policies")[1])["value"]]

    def put(self, id, text):
        status, answer = self.graph(
            "PUT", f"beta/trustFramework/policies/{id}/$value", text, {"Content-Type": "application/xml; charset=utf-8"})
        assert status in (200, 201), answer

    def app_ids(self):
        rows = json.loads(self.graph("GET", "v1.0/applications")[1])["value"]
        return {row["displayName"]: row["appId"] for row in rows}

    def claims(self, policy=SIGN_IN, person="ada"):
        """The claims of the ID token of a sign-in through the mock."""
        client = self.app_ids()["web"]
        base = f"http://localhost:{self.server.port}/{DOMAIN}/{policy}/oauth2/v2.0"
        query = urllib.parse.urlencode({
            "client_id": client, "response_type": "code", "redirect_uri": REDIRECT, "scope": "openid", "nonce": "n", "state": "s"})
        ended = self.server.control("POST", "/sign-ins?secrets=show", {"url": f"{base}/authorize?{query}", "person": person})
        parameters = ended.get("callback", {}).get("parameters", {})
        assert "code" in parameters, json.dumps(ended)[:600]
        form = urllib.parse.urlencode({
            "grant_type": "authorization_code", "client_id": client, "client_secret": WEB_SECRET, "code": parameters["code"],
            "redirect_uri": REDIRECT, "scope": "openid"}).encode()
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(f"{base}/token", form, timeout=PATIENCE) as answer:
            token = json.loads(answer.read())["id_token"].split(".")[1]
        return json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))


# MARK: Files

def read(path):
    with open(path, encoding="utf-8-sig") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def change(path, old, new):
    """Changes one place of a file; its line."""
    text = read(path)
    assert text.count(old) == 1, f"{path} has {text.count(old)} times {old!r}"
    write(path, text.replace(old, new))
    return text[: text.index(old)].count("\n") + 1


def contents(folder):
    """Every file of a folder, byte for byte."""
    return {name: open(os.path.join(folder, name), "rb").read() for name in sorted(os.listdir(folder))
            if os.path.isfile(os.path.join(folder, name))}


def pack_folder(desk, pack, name="policies"):
    """The starter pack as a team has it: app ids are settings, and an environment has their values."""
    folder = desk.path(name)
    shutil.copytree(pack, folder)
    path = os.path.join(folder, "TrustFrameworkExtensions.xml")
    text = read(path)
    for role in ("ProxyIdentityExperienceFrameworkAppId", "IdentityExperienceFrameworkAppId"):
        text = re.sub(rf"(?<![\w:]){role}(?!\w)", "{Settings:" + role + "}", text)
    write(path, text)
    ids = desk.app_ids()
    write(os.path.join(folder, "appsettings.json"), json.dumps({"Environments": [{
        "Name": "Test", "Production": False, "Tenant": DOMAIN, "PolicySettings": {
            "IdentityExperienceFrameworkAppId": ids["IdentityExperienceFramework"],
            "ProxyIdentityExperienceFrameworkAppId": ids["ProxyIdentityExperienceFramework"]}}]}, indent=2) + "\n")
    return folder


PACK_KEYS = {"keySets": [
    {"name": "TokenSigningKeyContainer", "use": "sig", "type": "rsa", "source": {"generate": True}},
    {"name": "TokenEncryptionKeyContainer", "use": "enc", "type": "rsa", "source": {"generate": True}},
    {"name": "FacebookSecret", "use": "sig", "type": "secret", "source": {"environment": "POLICY_SECRET"}},
]}


def released(b2c, folder, server, pack):
    """A desk whose tenant has the keys and the policies of the pack."""
    desk = Desk(b2c, folder, server)
    pack_folder(desk, pack)
    write(desk.path("keys.json"), json.dumps(PACK_KEYS))
    desk.b2c_policy("keys", "deploy", "--yes")
    desk.b2c_policy("deploy", "policies", "--yes")
    return desk


def small_policy(id, base=None, tenant=DOMAIN, party=False, more=""):
    """A policy by hand."""
    parent = f"<BasePolicy><TenantId>{tenant}</TenantId><PolicyId>{base}</PolicyId></BasePolicy>" if base else ""
    party = ('<RelyingParty><DefaultUserJourney ReferenceId="SignUpOrSignIn" /><TechnicalProfile Id="PolicyProfile">'
             '<DisplayName>P</DisplayName><Protocol Name="OpenIdConnect" /><OutputClaims><OutputClaim ClaimTypeReferenceId="objectId" '
             'PartnerClaimType="sub" /></OutputClaims><SubjectNamingInfo ClaimType="sub" /></TechnicalProfile></RelyingParty>') if party else ""
    return (f'<?xml version="1.0" encoding="UTF-8"?>\n<TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06" '
            f'PolicySchemaVersion="0.3.0.0" TenantId="{tenant}" PolicyId="{id}" PublicPolicyUri="http://{tenant}/{id}">\n'
            f"{parent}\n{more}{party}</TrustFrameworkPolicy>\n")


# MARK: The demonstration

def demonstration(program, b2c, pack, folder, report):
    server = Server(program, TENANT, tls=False)
    try:
        desk = Desk(b2c, folder, server)
        policies = pack_folder(desk, pack)
        base, party = os.path.join(policies, "TrustFrameworkBase.xml"), os.path.join(policies, "SignUpOrSignin.xml")
        precondition = re.search(
            r'<Precondition Type="ClaimsExist" ExecuteActionsIf="true">\s*<Value>isActiveMFASession</Value>(?=\s*'
            r"<Action>SkipThisOrchestrationStep</Action>\s*</Precondition>\s*</Preconditions>\s*<ClaimsExchanges>\s*"
            r'<ClaimsExchange Id="PhoneFactor-Verify")', read(base)).group()
        commands = []
        check = lambda name, action: report.check(f"demonstration: {name}", action)

        def needs():
            desk.b2c_policy("needs", "policies").has(
                "B2C_1A_TokenSigningKeyContainer", "B2C_1A_FacebookSecret", r"policies/TrustFrameworkBase\.xml:\d+", r"graph\.facebook\.com")
            found = json.loads(desk.b2c_policy("needs", "policies", "--environment", "Test", "--json").out)
            names = [key["name"] for key in found["keys"]]
            assert sorted(names) == sorted("B2C_1A_" + one["name"] for one in PACK_KEYS["keySets"]), names

        def no_keys_yet():
            desk.b2c_policy("plan", "policies", expect=(EXPECTATION, INPUT)).has("B2C_1A_TokenSigningKeyContainer", "b2c policy keys deploy")
            assert desk.policies() == [], desk.policies()

        def keys():
            write(desk.path("keys.json"), json.dumps(PACK_KEYS))
            desk.b2c_policy("keys", "plan", expect=EXPECTATION)
            desk.b2c_policy("keys", "deploy", "--yes")
            desk.b2c_policy("keys", "deploy", "--yes").has("nothing to do")
            desk.b2c_policy("keys", "plan")
            desk.b2c_policy("keys", "list", "policies", "--within", "30d").lacks("error")

        def first_release():
            desk.b2c_policy("plan", "policies", expect=EXPECTATION).has(r"6 of 6 policies change")
            desk.b2c_policy("deploy", "policies", "--yes").has("6 policies are live")
            assert len(desk.policies()) == 6, desk.policies()
            desk.b2c_policy("plan", "policies").has("Nothing changes")
            desk.b2c_policy("deploy", "policies", "--yes").has("Nothing changes")
            desk.b2c_policy("drift", "policies")
            desk.b2c_policy("keys", "list", "policies").lacks("Problems")

        def signs_in():
            claims = desk.claims()
            assert claims.get("name") == "Ada" and "authenticationSource" not in claims, claims

        def planted_mistake():
            line = change(base, precondition, precondition.replace('ExecuteActionsIf="true"', 'ExecuteActionsIf="false"'))
            plan = desk.b2c_policy("plan", "policies", "--output", "mistake.json", expect=EXPECTATION).has(
                "1 of 6 policies changes", "gets? weaker", rf"because policies/TrustFrameworkBase\.xml:({'|'.join(str(line + n) for n in range(4))})\b")
            row = next(text for text in plan.out.splitlines() if text.startswith(SIGN_IN) and "! weaker" in text)
            assert re.search(r"phone", row, re.I) and re.search(r"no second factor|without (a )?second factor|no page", row, re.I), row
            commands.append(re.search(r"repeat +b2c policy (trace .*)", plan.out).group(1))
            found = json.loads(read(desk.path("mistake.json")))
            rows = [row for change in found["signIns"] if change["policy"] == SIGN_IN for row in change["notices"]]
            weaker = [row for row in rows if "weaker-sign-in" in row["kinds"]]
            places = {(cause["place"]["file"], cause["place"]["line"]) for row in weaker for cause in row["because"]}
            assert any(file.endswith("TrustFrameworkBase.xml") and line <= at < line + 4 for file, at in places), (line, places)
            desk.b2c_policy("plan", "policies", "--forbid", "weaker-sign-in", expect=EXPECTATION).has("forbidden: weaker-sign-in")
            desk.b2c_policy("plan", "policies", "--structure", "--forbid", "weaker-sign-in,missing-key", expect=SUCCESS)

        def repeated():
            """The command of the plan, typed as it is printed, plays the person."""
            command = commands[0]
            done = subprocess.run(
                ["bash", "-c", f"'{b2c}' policy {command}"], cwd=desk.folder, env=desk.environment, capture_output=True, text=True,
                timeout=PATIENCE, stdin=subprocess.DEVNULL)
            assert done.returncode == 0, (command, done.stderr[-300:])

        def formats():
            for format, begins in [("markdown", "#"), ("json", "{"), ("sarif", "{"), ("html", "<")]:
                file = desk.path("plan." + format)
                desk.b2c_policy("plan", "policies", "--structure", "--format", format, "--output", file, expect=EXPECTATION)
                text = read(file)
                assert text.strip() and (format == "markdown" or text.lstrip().startswith(begins)), (format, text[:200])
                assert "TrustFrameworkBase.xml" in text, format

        def new_claim():
            change(base, precondition.replace('ExecuteActionsIf="true"', 'ExecuteActionsIf="false"'), precondition)
            line = change(party, '        <OutputClaim ClaimTypeReferenceId="identityProvider" />\n',
                          '        <OutputClaim ClaimTypeReferenceId="identityProvider" />\n'
                          '        <OutputClaim ClaimTypeReferenceId="authenticationSource" />\n') + 1
            plan = desk.b2c_policy("plan", "policies", "--output", "plan.json", expect=EXPECTATION).has(
                "1 of 6 policies changes", "authenticationSource", rf"SignUpOrSignin\.xml:{line}\b")
            plan.lacks("weaker")
            desk.b2c_policy("deploy", "plan.json", "--policies", "policies", "--yes").has("1 policy is live", "30 minutes")

        def cached():
            assert "authenticationSource" not in desk.claims()
            server.control("PATCH", "/clock", {"advance": "PT31M"})
            assert desk.claims().get("authenticationSource") == "localAccountAuthentication"

        def rolled_back():
            desk.b2c_policy("deploy", "--rollback", "--yes").has("1 policy is restored")
            server.control("PATCH", "/clock", {"advance": "PT31M"})
            assert "authenticationSource" not in desk.claims()
            # The folder is ahead of the tenant again.
            desk.b2c_policy("plan", "policies", "--structure", expect=EXPECTATION).has("authenticationSource")
            desk.deploy()

        def speed():
            change(party, '<OutputClaim ClaimTypeReferenceId="givenName" />', '<OutputClaim ClaimTypeReferenceId="givenName" PartnerClaimType="first" />')
            plan = desk.b2c_policy("plan", "policies", expect=EXPECTATION).has("first")
            rows = [row for row in plan.out.splitlines() if row.startswith(SIGN_IN)]
            assert rows and len(rows) == len(set(rows)), rows
            print(f"          a plan of the pack with one changed line: {plan.seconds:.2f} s, {plan.megabytes:.0f} MB", flush=True)
            change(party, '<OutputClaim ClaimTypeReferenceId="givenName" PartnerClaimType="first" />', '<OutputClaim ClaimTypeReferenceId="givenName" />')
            desk.b2c_policy("plan", "policies")

        def drift():
            text = desk.policy(SIGN_IN)
            line = b'<OutputClaim ClaimTypeReferenceId="email" />'
            assert text.count(line) == 1
            desk.put(SIGN_IN, text.replace(line, line.replace(b" />", b' PartnerClaimType="mail" />')))
            desk.b2c_policy("drift", "policies", expect=EXPECTATION).has("1 of 6 policies differs", SIGN_IN, r"mail", r"\.xml:\d+")
            desk.b2c_policy("drift", "policies", "--structure", "--format", "github", expect=EXPECTATION).has(
                r"::(warning|error) file=policies/SignUpOrSignin\.xml,line=\d+")
            desk.b2c_policy("drift", "policies", "--structure", "--format", "markdown", expect=EXPECTATION).has("mail")
            desk.put(SIGN_IN, text)
            desk.b2c_policy("drift", "policies")

        def order():
            """A claim goes: with parents first, sign-ins would fail in between."""
            claim = '<ClaimType Id="tier"><DisplayName>Tier</DisplayName><DataType>string</DataType></ClaimType>'
            sent = '<OutputClaim ClaimTypeReferenceId="tier" DefaultValue="gold" />'
            had, whole = read(base), read(party)
            write(base, re.sub(r"(<ClaimsSchema>)", r"\1" + claim, had, count=1))
            write(party, whole.replace("<OutputClaims>", "<OutputClaims>" + sent, 1))
            desk.deploy()
            server.control("PATCH", "/clock", {"advance": "PT31M"})
            assert desk.claims().get("tier") == "gold"
            write(base, had)
            write(party, whole)
            desk.b2c_policy("plan", "policies", "--structure", "--output", "order.json", expect=EXPECTATION).has(
                "this order has no broken state: B2C_1A_signup_signin, B2C_1A_TrustFrameworkBase")
            for words in (["order.json", "--policies", "policies"], ["policies"]):
                _, place = server.requests(server.requests()[1])
                desk.b2c_policy("deploy", *words, "--yes")
                puts = [one["path"] for one in server.requests(place)[0] if one["method"] == "PUT"]
                assert len(puts) == 2 and SIGN_IN in puts[0] and "TrustFrameworkBase" in puts[1], puts
                if words == ["policies"]:
                    break
                desk.b2c_policy("deploy", "--rollback", "--yes")
            server.control("PATCH", "/clock", {"advance": "PT31M"})
            assert "tier" not in desk.claims()

        def staged():
            change(party, '<OutputClaim ClaimTypeReferenceId="displayName" />', '<OutputClaim ClaimTypeReferenceId="displayName" PartnerClaimType="called" />')
            desk.b2c_policy("plan", "policies", "--structure", "--output", "quick.json", expect=EXPECTATION)
            desk.b2c_policy("deploy", "quick.json", "--policies", "policies", "--staged", "V2", "--yes").has("B2C_1A_V2_signup_signin", "--remove-staged V2")
            # A new policy is seen at once; those in use did not change.
            staged, used = desk.claims("B2C_1A_V2_signup_signin"), desk.claims()
            assert staged.get("called") == "Ada" and "called" not in used, (staged, used)
            desk.b2c_policy("deploy", "--remove-staged", "V2", "--yes")
            assert not [id for id in desk.policies() if "_V2_" in id], desk.policies()
            change(party, '<OutputClaim ClaimTypeReferenceId="displayName" PartnerClaimType="called" />', '<OutputClaim ClaimTypeReferenceId="displayName" />')

        def workflow():
            """The commands of the workflow in the document, in their order, with the environment of the pack."""
            text = read(os.path.join(SCENARIOS, "..", "docs", "release-policies.md")).split("## In a pipeline")[1].split("```")[1]
            lines = re.sub(r"\\\n\s*", "", text).splitlines()
            typed = [line.strip().removeprefix("- run: ") for line in lines if re.match(r"\s*(- run: )?b2c policy", line)]
            assert len(typed) == 4, typed
            for command in typed:
                command = command.replace("--environment Live", "--environment Test").replace("b2c policy", f"'{b2c}' policy")
                done = subprocess.run(
                    ["bash", "-ec", command], cwd=desk.folder, env=desk.environment, capture_output=True, text=True, timeout=PATIENCE,
                    stdin=subprocess.DEVNULL)
                assert done.returncode == 0, (command, done.returncode, done.stderr[-500:], done.stdout[-500:])
            assert read(desk.path("plan.md")).strip()

        def no_secret():
            """Nothing that b2c keeps has a secret."""
            for path in glob.glob(desk.path(".b2c", "**", "*"), recursive=True) + glob.glob(desk.path("plan.*")):
                if os.path.isfile(path):
                    kept = open(path, "rb").read()
                    assert SECRET.encode() not in kept and b"S3cret-of-a-provider" not in kept, path

        for name, action in [
            ("needs", needs), ("a plan before there are keys", no_keys_yet), ("keys", keys), ("the first release, and nothing changes", first_release),
            ("sign-in", signs_in), ("plan names who loses the second factor", planted_mistake), ("the printed command repeats it", repeated),
            ("the formats of a plan", formats), ("a new claim is planned and deployed", new_claim), ("sign-ins see it after 30 minutes", cached),
            ("rollback", rolled_back), ("a claim that both tokens have is one row", speed), ("drift", drift), ("the order without a broken state", order), ("staged names", staged),
            ("the workflow of the document", workflow), ("no secret is kept", no_secret),
        ]:
            check(name, action)
    finally:
        server.stop()


# MARK: Every set goes in and comes back

def policy_sets(packs):
    """Folders with policies: (name, path)."""
    found = [("scenarios/policies", os.path.join(SCENARIOS, "policies"))]
    if packs:
        # A collection of packs beside each other is tried whole.
        above = os.path.dirname(os.path.abspath(packs))
        root = above if os.path.basename(above) == "policies" else os.path.abspath(packs)
        for folder, _, names in sorted(os.walk(root)):
            if any(name.lower().endswith(".xml") for name in names):
                found.append((os.path.relpath(folder, root), folder))
    return found


def certificate(folder):
    """A PKCS #12 file for keys that have to be certificates; its password is empty."""
    key, pem, pfx = (os.path.join(folder, name) for name in ("key.pem", "cert.pem", "cert.pfx"))
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", pem, "-days", "400", "-subj", "/CN=policies"],
                   check=True, capture_output=True)
    subprocess.run(["openssl", "pkcs12", "-export", "-inkey", key, "-in", pem, "-out", pfx, "-passout", "pass:pfx"], check=True, capture_output=True)
    return pfx


def key_manifest(needs, pfx):
    entries = []
    for need in needs["keys"]:
        required = next((one["requires"] for one in need["references"] if one.get("requires")), {"type": "rsa"})
        entry = {"name": need["name"], "type": required["type"], "use": required.get("use", "sig"), "source": {"generate": True}}
        if entry["type"] == "secret":
            entry["source"] = {"environment": "POLICY_SECRET"}
        if entry["type"] == "certificate":
            del entry["use"]
            entry["source"] = {"file": pfx, "passwordEnvironment": "PFX_PASSWORD"}
        entries.append(entry)
    return {"keySets": entries}


def complete(policies, packs):
    """Adds the parents that a set leaves to a starter pack, from the pack for local accounts."""
    def ids(folder):
        found = {}
        for path in sorted(glob.glob(os.path.join(folder, "*.xml"))):
            text = read(path)
            id = re.search(r'\sPolicyId="([^"]+)"', text)
            base = re.search(r"<BasePolicy>.*?<PolicyId>\s*([^<\s]+)", text, re.S)
            if id:
                found[id.group(1).lower()] = (path, base.group(1).lower() if base else None)
        return found

    own, parents = ids(policies), ids(os.path.join(packs, "LocalAccounts"))
    missing = {base for _, base in own.values() if base and base not in own}
    while missing & set(parents):
        path, base = parents[(missing & set(parents)).pop()]
        shutil.copy(path, os.path.join(policies, "Pack" + os.path.basename(path)))
        own = ids(policies)
        missing = {base for _, base in own.values() if base and base not in own}


def round_trip(program, b2c, source, folder, pfx, packs=None):
    """One set: what became of it, in words. It raises where the product does not keep its word."""
    os.makedirs(folder)
    policies = os.path.join(folder, "policies")
    shutil.copytree(source, policies, ignore=lambda _, names: [name for name in names if not name.lower().endswith((".xml", ".json"))])
    if packs:
        complete(policies, packs)
    tenant = json.load(open(TENANT))
    named = {re.search(r'<TrustFrameworkPolicy\b[^>]*?\bTenantId="([^"]*)"', read(path), re.S).group(1).lower()
             for path in glob.glob(os.path.join(policies, "*.xml")) if re.search(r'<TrustFrameworkPolicy\b[^>]*?\bTenantId="', read(path), re.S)}
    own = [name for name in named if name.endswith(".onmicrosoft.com") and re.fullmatch(r"[a-z0-9-]+", name.split(".")[0]) and not name.startswith("your")]
    domain = own[0] if len(own) == 1 else DOMAIN
    tenant["name"] = domain.split(".")[0]
    path = os.path.join(folder, "tenant.json")
    write(path, json.dumps(tenant))
    server = Server(program, path, tls=False)
    try:
        desk = Desk(b2c, folder, server, tenant=domain)
        desk.environment["PFX_PASSWORD"] = "pfx"
        built = desk.b2c_policy("build", "policies", "--output", "built", expect=(SUCCESS, INPUT))
        unset = set(re.findall(r"\{Settings:(\w+)\} has no value", built.text))
        if unset:
            # As somebody does who reads the findings.
            path = os.path.join(policies, "appsettings.json")
            settings = json.loads(read(path)) if os.path.exists(path) else {"Environments": [{"Name": "Test", "Tenant": domain}]}
            settings["Environments"][0].setdefault("PolicySettings", {}).update({name: APP for name in unset})
            write(path, json.dumps(settings, indent=2))
            built = desk.b2c_policy("build", "policies", "--output", "built", expect=(SUCCESS, INPUT))
        if built.status:
            built.has(r"policies/[^ ]+:\d+:\d+: error")
            return "does not build"
        needs = json.loads(desk.b2c_policy("needs", "policies", "--json").out)
        manifest = os.path.join(policies, "keys.json")
        if needs["keys"]:
            write(manifest, json.dumps(key_manifest(needs, pfx)))
            desk.b2c_policy("keys", "deploy", "--manifest", manifest, "--yes")
        plan = desk.b2c_policy("plan", "policies", "--format", "json", expect=(EXPECTATION, INPUT))
        deployed = desk.b2c_policy("deploy", "policies", "--yes", expect=(SUCCESS, INPUT))
        # What a plan passes is not refused by the upload, and the other way round.
        assert (plan.status == INPUT) == (deployed.status == INPUT), f"plan ends with {plan.status}, deploy with {deployed.status}: {deployed.error[-400:]}"
        if plan.status == INPUT:
            refused = json.loads(plan.out)["refused"] if plan.out.strip() else []
            assert any(one.get("place", {}).get("line") for one in refused), f"no line: {plan.text[-400:]}"
            return f"is refused, as planned: {refused[0]['message'][:110]}"

        def nothing_changes(name):
            plan = json.loads(desk.b2c_policy("plan", name, "--format", "json", expect=(SUCCESS, EXPECTATION)).out)
            changed = [step["id"] for step in plan["steps"] if step["action"] != "unchanged"]
            assert not changed, f"plan {name}: {changed} change"

        nothing_changes("policies")
        before = contents(policies)
        desk.b2c_policy("pull", "policies").has("nothing changes")
        assert contents(policies) == before, f"pull has changed {[name for name in contents(policies) if contents(policies)[name] != before.get(name)]}"
        desk.b2c_policy("pull", "empty")
        pulled = contents(os.path.join(folder, "empty"))
        assert len([name for name in pulled if name.endswith(".xml")]) == len(desk.policies()), sorted(pulled)
        desk.b2c_policy("pull", "empty").has("nothing changes")
        assert contents(os.path.join(folder, "empty")) == pulled, "the second pull has changed files"
        nothing_changes("empty")
        return f"{len(desk.policies())} policies"
    finally:
        server.stop()


def every_set(program, b2c, packs, folder, report):
    pfx = certificate(folder)
    sets = policy_sets(packs)
    with concurrent.futures.ThreadPoolExecutor(2) as lanes:
        jobs = [(name, lanes.submit(round_trip, program, b2c, path, os.path.join(folder, f"set{number}"), pfx, packs))
                for number, (name, path) in enumerate(sets)]
        outcomes = {}
        for name, job in jobs:
            report.check(f"in and out: {name}", lambda: outcomes.update({name: job.result()}))
            print(f"          {outcomes.get(name, 'failed')}", flush=True)
    whole = [name for name, outcome in outcomes.items() if outcome.endswith("policies")]
    print(f"          {len(whole)} of {len(sets)} sets link", flush=True)


# MARK: Kills

def killed(program, b2c, pack, folder, report):
    server = Server(program, TENANT, tls=False)
    log, place = [], 0

    def requests():
        """The requests that came in so far."""
        nonlocal place
        while True:
            page, next = server.requests(place)
            log.extend(page)
            if next == place or not page:
                return log
            place = next

    try:
        desk = released(b2c, folder, server, pack)
        policies = desk.path("policies")
        files = sorted(glob.glob(os.path.join(policies, "*.xml")))
        journal = desk.path(".b2c", "deploy", DOMAIN, "journal.json")

        def turn(to):
            """Changes every policy; to: whether the folder has the mark."""
            for path in files:
                text = read(path).replace(' DeploymentMode="Production"', "")
                write(path, re.sub(r"(\sPolicySchemaVersion=)", r' DeploymentMode="Production"\1', text, count=1) if to else text)

        def marks():
            """Which policies of the tenant have the mark."""
            return {id: b'DeploymentMode="Production"' in desk.policy(id) for id in desk.policies()}

        def last():
            """The steps of the deployment in the journal."""
            return json.load(open(journal))["deployments"][-1]

        state = {"new": False}

        def kill_at(number, resume, late):
            want = not state["new"]
            turn(want)
            before = len(requests())
            earlier = last()["bundle"]
            desk.b2c_policy("plan", "policies", "--structure", "--output", "plan.json", expect=EXPECTATION)
            process = desk.start("deploy", "plan.json", "--policies", "policies", "--yes")

            def sending():
                if process.poll() is not None:
                    raise RuntimeError("deploy has ended: " + process.stderr.read().decode()[-300:])
                deployment = last()
                return deployment["bundle"] != earlier and deployment["steps"][number]["state"] == "sending"
            end = time.monotonic() + PATIENCE
            while True:
                try:
                    if sending():
                        break
                except (ValueError, OSError):
                    pass
                assert time.monotonic() < end, f"no upload {number + 1}"
                time.sleep(0.002)
            time.sleep(late)
            process.kill()
            process.communicate()
            # The mock answers late; afterwards it has what it took.
            time.sleep(0.25)
            live = sum(one == want for one in marks().values())
            assert live in (number, number + 1), (number, live)
            refusal = desk.b2c_policy("deploy", "policies", "--yes", expect=USAGE).has(
                "stopped in the middle", "--resume", "--rollback", rf"{live} of {len(files)} (is|are) live")
            assert refusal.error.count("\n") <= 3, refusal.error
            assert sum(one == want for one in marks().values()) == live
            if resume:
                desk.b2c_policy("deploy", "--resume").has("goes on")
                assert set(marks().values()) == {want}, marks()
                state["new"] = want
                desk.b2c_policy("plan", "policies", "--structure")
            else:
                desk.b2c_policy("deploy", "--rollback", "--yes").has("restored|has this state already")
                assert set(marks().values()) == {not want}, marks()
            sent = [one for one in requests()[before:] if one.get("method") == "PUT" and "/trustFramework/policies/" in one.get("path", "")]
            most = 1 if resume else 2
            for id in desk.policies():
                puts = [one for one in sent if f"/{id.lower()}/" in one["path"].lower()]
                assert len(puts) <= most, f"{id} was sent {len(puts)} times"

        server.control("PUT", "/faults", {"rules": [{"match": {"endpoint": "graph", "method": "PUT"}, "delay": "PT0.15S"}]})
        for number in range(len(files)):
            report.check(f"kill -9 at upload {number + 1}, --resume", lambda: kill_at(number, True, 0.0 if number % 2 else 0.07))
            report.check(f"kill -9 at upload {number + 1}, --rollback", lambda: kill_at(number, False, 0.07 if number % 2 else 0.0))

        def looked():
            """No policy is written twice without a look at it."""
            written = {}
            puts = 0
            for one in requests():
                match = re.search(r"/trustFramework/policies/([^/]+)/\$value", urllib.parse.unquote(one.get("path", "")), re.I)
                if not match:
                    continue
                id = match.group(1).lower()
                if one["method"] == "PUT":
                    puts += 1
                    assert not written.get(id), f"{id} was written twice without a look"
                written[id] = one["method"] == "PUT"
            assert puts > len(files), puts
        report.check("no policy is written twice without a look", looked)
    finally:
        server.stop()


# MARK: What people do wrong

def bad_input(program, b2c, pack, folder, report):
    tenant = json.load(open(TENANT))
    for name, permissions in [("reader", ["Policy.Read.All"]), ("nobody", [])]:
        client = f"3f1c9a3e-0000-4000-8000-00000000000{len(tenant['apps'])}"
        tenant["apps"][name] = {
            "client": {"kind": "web", "redirectUri": "https://other.contoso.test/unused"},
            "registration": {"clientId": client, "secrets": ["S3cret-of-" + name], "graph": permissions}}
    os.makedirs(folder)
    file, state = os.path.join(folder, "tenant.json"), os.path.join(folder, "state.db")
    write(file, json.dumps(tenant))
    server = Server(program, file, tls=False, options=["--state", state])
    try:
        desk = released(b2c, os.path.join(folder, "desk"), server, pack)
        had = desk.policies()

        def as_app(name):
            registration = tenant["apps"][name]["registration"]
            other = Desk(b2c, desk.folder, server, registration["clientId"], registration["secrets"][0])
            return other

        def one_sentence(run, *patterns):
            """One problem, said once, and nothing of the inside of the program."""
            run.has(*patterns).lacks("fatal error", "Swift", r"Optional\(")
            assert len(run.error.strip().splitlines()) <= 12, run.error
            assert sorted(desk.policies()) == sorted(had), desk.policies()
            return run

        def folder_of(name, files, settings=None):
            path = desk.path(name)
            os.makedirs(path)
            for file, text in files.items():
                write(os.path.join(path, file), text)
            if settings:
                write(os.path.join(path, "appsettings.json"), json.dumps(settings))
            return name

        party = os.path.join("policies", "SignUpOrSignin.xml")

        def no_permission():
            one_sentence(as_app("nobody").b2c_policy("plan", "policies", expect=MACHINE), r"Policy\.Read\.All")
            one_sentence(as_app("nobody").b2c_policy("pull", "pulled", expect=MACHINE), r"Policy\.Read\.All")
            assert not os.path.exists(desk.path("pulled"))
            one_sentence(as_app("nobody").b2c_policy("keys", "list", expect=MACHINE), r"TrustFrameworkKeySet\.Read\.All")

        def only_reading():
            change(desk.path(party), '<OutputClaim ClaimTypeReferenceId="email" />', '<OutputClaim ClaimTypeReferenceId="email" PartnerClaimType="m" />')
            reader = as_app("reader")
            one_sentence(reader.b2c_policy("plan", "policies", "--structure", "--output", "quick.json", expect=EXPECTATION), r"policy keys are not checked.*TrustFrameworkKeySet\.Read\.All")
            one_sentence(reader.b2c_policy("deploy", "quick.json", "--policies", "policies", "--yes", expect=MACHINE), r"Policy\.ReadWrite\.TrustFramework", "0 of 1")
            change(desk.path(party), '<OutputClaim ClaimTypeReferenceId="email" PartnerClaimType="m" />', '<OutputClaim ClaimTypeReferenceId="email" />')

        def wrong_secret():
            other = Desk(b2c, desk.folder, server, secret="not-this-one")
            one_sentence(other.b2c_policy("plan", "policies", expect=(INPUT, MACHINE, USAGE)), "AADSTS7000215|secret")

        def wrong_tenant():
            folder_of("other-tenant", {"Base.xml": small_policy("B2C_1A_Base", tenant="fabrikam.onmicrosoft.com")})
            for command in (["plan", "other-tenant"], ["deploy", "other-tenant", "--yes"], ["drift", "other-tenant"]):
                one_sentence(desk.b2c_policy(*command, expect=INPUT), r"fabrikam\.onmicrosoft\.com", r"contoso\.onmicrosoft\.com")
            other = Desk(b2c, desk.folder, server, tenant="fabrikam.onmicrosoft.com")
            one_sentence(other.b2c_policy("plan", "policies", expect=(USAGE, INPUT, MACHINE)), "fabrikam")

        def parent_missing():
            folder_of("orphan", {"Orphan.xml": small_policy("B2C_1A_Orphan", "B2C_1A_NotThere", party=True)})
            one_sentence(desk.b2c_policy("plan", "orphan", expect=INPUT), r"orphan/Orphan\.xml:\d+", "B2C_1A_NotThere")
            one_sentence(desk.b2c_policy("deploy", "orphan", "--yes", expect=INPUT), "B2C_1A_NotThere")

        def parent_in_the_tenant():
            folder_of("child", {"Child.xml": small_policy("B2C_1A_Child", "B2C_1A_TrustFrameworkExtensions", party=True)})
            desk.b2c_policy("plan", "child", expect=EXPECTATION).lacks("refuse", "warning")

        def cycle():
            folder_of("cycle", {"A.xml": small_policy("B2C_1A_A", "B2C_1A_B"), "B.xml": small_policy("B2C_1A_B", "B2C_1A_A")})
            for command in (["plan", "cycle"], ["build", "cycle", "--output", "out"], ["deploy", "cycle", "--yes"], ["needs", "cycle"]):
                one_sentence(desk.b2c_policy(*command, expect=INPUT), r"cycle/A\.xml:\d+", "inherits from itself")
            assert not os.path.exists(desk.path("out"))

        def too_large():
            filling = "<!-- " + "x" * (1025 * 1024 - len(small_policy("B2C_1A_Large")) - 9) + " -->"
            text = small_policy("B2C_1A_Large", more=filling)
            assert len(text) == 1025 * 1024, len(text)
            folder_of("large", {"Large.xml": text})
            one_sentence(desk.b2c_policy("plan", "large", expect=INPUT), r"large/Large\.xml", r"1,?024")
            one_sentence(desk.b2c_policy("deploy", "large", "--yes", expect=INPUT), r"1,?024")

        def too_deep():
            folder_of("deep", {f"P{level:02}.xml": small_policy(f"B2C_1A_P{level:02}", f"B2C_1A_P{level - 1:02}" if level > 1 else None)
                               for level in range(1, 12)})
            one_sentence(desk.b2c_policy("plan", "deep", expect=INPUT), r"deep/P11\.xml:\d+", "11 levels", "10")

        def double():
            folder_of("double", {"A.xml": small_policy("B2C_1A_A"), "B.xml": small_policy("b2c_1a_a")})
            one_sentence(desk.b2c_policy("plan", "double", expect=INPUT), r"double/B\.xml:\d+", r"double/A\.xml", "second policy")

        def environment():
            one_sentence(desk.b2c_policy("plan", "policies", "--environment", "Nope", expect=(INPUT, USAGE)), "Nope", "Test")
            one_sentence(desk.b2c_policy("deploy", "policies", "--environment", "Nope", "--yes", expect=(INPUT, USAGE)), "Nope", "Test")

        def setting():
            folder_of("unset", {"A.xml": small_policy("B2C_1A_A").replace("</Trust", "<!-- --><BuildingBlocks><ClaimsSchema><ClaimType Id=\"x\"><DisplayName>{Settings:Nme}"
                                "</DisplayName><DataType>string</DataType></ClaimType></ClaimsSchema></BuildingBlocks></Trust")},
                      {"Environments": [{"Name": "Test", "Tenant": DOMAIN, "PolicySettings": {"Name2": "x"}}]})
            one_sentence(desk.b2c_policy("plan", "unset", expect=INPUT), r"unset/A\.xml:\d+:\d+", r"\{Settings:Nme\}", "Test")

        def no_folder():
            one_sentence(desk.b2c_policy("plan", "polices", expect=USAGE), "Did you mean policies")

        def broken_xml():
            folder_of("broken", {"A.xml": small_policy("B2C_1A_A").replace("</TrustFrameworkPolicy>", "")})
            one_sentence(desk.b2c_policy("plan", "broken", expect=INPUT), r"broken/A\.xml:\d+:\d+")
            one_sentence(desk.b2c_policy("deploy", "broken", "--yes", expect=INPUT), r"broken/A\.xml:\d+:\d+")

        def foreign():
            """A policy of the tenant that the folder does not have."""
            desk.put("B2C_1A_Foreign", small_policy("B2C_1A_Foreign").encode())
            desk.b2c_policy("plan", "policies").has("Nothing changes")
            desk.b2c_policy("deploy", "policies", "--yes")
            assert desk.policy("B2C_1A_Foreign")
            desk.b2c_policy("plan", "policies", "--delete", expect=EXPECTATION).has("B2C_1A_Foreign")
            desk.b2c_policy("plan", "policies", "--delete", "--forbid", "deleted-policy", expect=EXPECTATION).has("deleted-policy")
            assert desk.policy("B2C_1A_Foreign")
            desk.b2c_policy("plan", "policies", "--delete", "--output", "plan.json", expect=EXPECTATION)
            desk.b2c_policy("deploy", "plan.json", "--policies", "policies", "--yes").has("stay")
            assert desk.policy("B2C_1A_Foreign")
            desk.b2c_policy("deploy", "policies", "--delete", "--yes").has("B2C_1A_Foreign was deleted")
            assert not desk.policy("B2C_1A_Foreign")
            desk.b2c_policy("deploy", "--rollback", "--yes")
            assert desk.policy("B2C_1A_Foreign")
            desk.graph("DELETE", "beta/trustFramework/policies/B2C_1A_Foreign")

        def stale():
            change(desk.path(party), '<OutputClaim ClaimTypeReferenceId="email" />', '<OutputClaim ClaimTypeReferenceId="email" PartnerClaimType="m" />')
            desk.b2c_policy("plan", "policies", "--structure", "--output", "plan.json", expect=EXPECTATION)
            text = desk.policy(SIGN_IN)
            desk.put(SIGN_IN, text.replace(b'<OutputClaim ClaimTypeReferenceId="surname" />', b""))
            one_sentence(desk.b2c_policy("deploy", "plan.json", "--policies", "policies", "--yes", expect=EXPECTATION), SIGN_IN, "changed since the plan", "Nothing was uploaded")
            desk.put(SIGN_IN, text)
            change(desk.path(party), '<OutputClaim ClaimTypeReferenceId="email" PartnerClaimType="m" />', '<OutputClaim ClaimTypeReferenceId="email" PartnerClaimType="n" />')
            one_sentence(desk.b2c_policy("deploy", "plan.json", "--policies", "policies", "--yes", expect=EXPECTATION), "is not what plan.json was made for", SIGN_IN)
            change(desk.path(party), '<OutputClaim ClaimTypeReferenceId="email" PartnerClaimType="n" />', '<OutputClaim ClaimTypeReferenceId="email" />')
            write(desk.path("cut.json"), read(desk.path("plan.json"))[:200])
            one_sentence(desk.b2c_policy("deploy", "cut.json", "--policies", "policies", "--yes", expect=INPUT), r"cut\.json:\d+")

        def refused():
            """What the service would refuse is foretold with its line."""
            text = read(desk.path(party))
            write(desk.path(party), text.replace('<DefaultUserJourney ReferenceId="SignUpOrSignIn" />', '<DefaultUserJourney ReferenceId="SignUpOrSignOn" />'))
            one_sentence(desk.b2c_policy("plan", "policies", expect=INPUT), r"policies/SignUpOrSignin\.xml:\d+", "SignUpOrSignOn")
            one_sentence(desk.b2c_policy("deploy", "policies", "--yes", expect=INPUT), r"policies/SignUpOrSignin\.xml:\d+", "SignUpOrSignOn")
            write(desk.path(party), text)
            desk.b2c_policy("plan", "policies")

        def refused_by_the_service():
            """A refusal that nobody foresaw: the service's text is placed, and what is live is said."""
            line = change(desk.path(party), '<OutputClaim ClaimTypeReferenceId="email" />', '<OutputClaim ClaimTypeReferenceId="email" PartnerClaimType="r" />')
            message = (f'Validation failed: 1 validation error(s) found in policy "B2C_1A_SIGNUP_SIGNIN" of tenant "{DOMAIN}".Claim type "email" is the '
                       "output claim of the relying party's technical profile, but it is not an output claim in any of the steps of user journey "
                       '"SignUpOrSignIn".')
            server.control("PUT", "/faults", {"rules": [{"match": {"endpoint": "graph", "method": "PUT"}, "respond": {
                "status": 400, "headers": {"Content-Type": "application/json"}, "json": {"error": {"code": "AADB2C", "message": message}}}}]})
            try:
                one_sentence(desk.deploy(INPUT), "not an output claim in any", "0 of 1", SIGN_IN, rf"SignUpOrSignin\.xml:{line}\b")
            finally:
                server.control("DELETE", "/faults")
            # A refused deployment is over: nothing is to be resumed.
            desk.b2c_policy("deploy", "--resume", expect=USAGE)
            change(desk.path(party), '<OutputClaim ClaimTypeReferenceId="email" PartnerClaimType="r" />', '<OutputClaim ClaimTypeReferenceId="email" />')
            desk.b2c_policy("plan", "policies")

        def throttled():
            change(desk.path(party), '<OutputClaim ClaimTypeReferenceId="email" />', '<OutputClaim ClaimTypeReferenceId="email" PartnerClaimType="t" />')
            server.control("PUT", "/faults", {"rules": [
                {"match": {"endpoint": "graph", "method": "PUT"}, "times": 1, "respond": {
                    "status": 429, "headers": {"Retry-After": "1"}, "json": {"error": {"code": "AADB2C95043", "message": "The request was throttled."}}}},
                {"match": {"endpoint": "graph", "method": "PUT"}, "times": 1, "respond": {
                    "status": 409, "json": {"error": {"code": "AADB2C95053", "message": "Parallel requests to update the same object are not allowed."}}}},
                {"match": {"endpoint": "graph", "method": "PUT"}, "times": 1, "network": "truncated"}]})
            try:
                desk.deploy().has("1 policy is live")
            finally:
                server.control("DELETE", "/faults")
            desk.b2c_policy("deploy", "--rollback", "--yes")
            change(desk.path(party), '<OutputClaim ClaimTypeReferenceId="email" PartnerClaimType="t" />', '<OutputClaim ClaimTypeReferenceId="email" />')

        def no_terminal():
            change(desk.path(party), '<OutputClaim ClaimTypeReferenceId="email" />', '<OutputClaim ClaimTypeReferenceId="email" PartnerClaimType="t" />')
            one_sentence(desk.b2c_policy("deploy", "policies", expect=USAGE), "--yes")
            change(desk.path(party), '<OutputClaim ClaimTypeReferenceId="email" PartnerClaimType="t" />', '<OutputClaim ClaimTypeReferenceId="email" />')

        def nobody_there():
            other = Desk(b2c, desk.folder, server)
            other.environment["B2C_GRAPH_API"] = "http://localhost:1"
            one_sentence(other.b2c_policy("plan", "policies", expect=MACHINE), "localhost:1")

        def gone_in_the_middle():
            """The server goes away at an upload; with its state, the next one goes on."""
            nonlocal server
            for path in glob.glob(desk.path("policies", "*.xml")):
                write(path, re.sub(r"(PolicySchemaVersion=)", r'DeploymentMode="Production" \1', read(path), count=1))
            server.control("PUT", "/faults", {"rules": [{"match": {"endpoint": "graph", "method": "PUT"}, "skip": 2, "delay": "PT2S"}]})
            desk.b2c_policy("plan", "policies", "--structure", "--output", "plan.json", expect=EXPECTATION)
            process = desk.start("deploy", "plan.json", "--policies", "policies", "--yes")
            journal = desk.path(".b2c", "deploy", DOMAIN, "journal.json")
            until(lambda: [step["state"] for step in json.load(open(journal))["deployments"][-1]["steps"]][2:3] == ["sending"], "the third upload")
            server.process.kill()
            server.process.wait()
            out, error = process.communicate(timeout=PATIENCE)
            run = Run(["policy", "deploy"], process.returncode, out.decode(), error.decode())
            assert run.status == MACHINE, f"{run}: {run.error[-400:]}"
            run.has("2 of 6 are live|3 of 6 are live", "--resume")
            old = server
            server = Server(program, file, tls=False, options=["--state", state])
            old.stop()
            desk.server = server
            desk.environment["B2C_GRAPH_API"] = f"http://localhost:{server.port}"
            desk.b2c_policy("deploy", "policies", "--yes", expect=USAGE).has("stopped in the middle")
            desk.b2c_policy("deploy", "--resume").has("goes on")
            desk.b2c_policy("plan", "policies", "--structure").has("Nothing changes")

        for name, action in [
            ("an app without permissions", no_permission), ("an app that may only read", only_reading), ("a wrong secret", wrong_secret),
            ("another tenant", wrong_tenant), ("a parent that is missing", parent_missing), ("a parent that only the tenant has", parent_in_the_tenant),
            ("a cycle", cycle), ("a file of 1,025 KB", too_large), ("11 levels", too_deep), ("two policies with one id", double),
            ("an unknown environment", environment), ("a setting without a value", setting), ("no such folder", no_folder), ("broken XML", broken_xml),
            ("a policy that is not in the folder", foreign), ("a plan of yesterday", stale), ("a refusal that is foreseen", refused),
            ("a refusal of the service", refused_by_the_service),
            ("throttling, a write in parallel and a lost answer", throttled), ("nobody to ask", no_terminal), ("nobody at the address", nobody_there),
            ("the server is gone in the middle", gone_in_the_middle),
        ]:
            report.check(f"bad input: {name}", action)
    finally:
        server.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("b2c")
    parser.add_argument("--starter-packs")
    arguments = parser.parse_args()

    def body(report):
        with tempfile.TemporaryDirectory() as folder:
            pack = os.path.join(arguments.starter_packs or "", PACK)
            parts = [demonstration, killed, bad_input] if os.path.isdir(pack) else []
            if not parts:
                print(f"  without the demonstration, kills and bad input: B2C_STARTER_PACKS names no folder with {PACK}", flush=True)
            for part in parts:
                began = time.monotonic()
                part(arguments.server, arguments.b2c, pack, os.path.join(folder, part.__name__), report)
                print(f"          {part.__name__}: {time.monotonic() - began:.0f} s", flush=True)
            began = time.monotonic()
            os.makedirs(os.path.join(folder, "sets"))
            every_set(arguments.server, arguments.b2c, arguments.starter_packs, os.path.join(folder, "sets"), report)
            print(f"          every_set: {time.monotonic() - began:.0f} s", flush=True)

    return run_part("A release of policies", body)


if __name__ == "__main__":
    sys.exit(main())
