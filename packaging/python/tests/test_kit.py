"""The kit against a running server: every kind of page that it plays, and what it says about bad input."""

import base64
import datetime
import json
import os
import signal
import stat
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

import pytest

from b2c_harness import kit
from b2c_harness.kit import B2CError, PageError, Server

TENANT = {
    "name": "contoso",
    "policies": {
        "susi": {"id": "B2C_1_susi", "type": "signUpOrSignIn", "attributes": ["displayName", "city"], "providers": ["facebook"]},
        "edit": {"id": "B2C_1_edit", "type": "profileEditing", "attributes": ["displayName", "city"], "claims": ["displayName", "city"]},
        "reset": {"id": "B2C_1_reset", "type": "passwordReset"},
    },
    "apis": {"tasks": {"appIdUri": "https://contoso.onmicrosoft.com/tasks", "scopes": ["read"]}},
    "apps": {
        "web": {
            "registration": {"secrets": ["a-secret-for-tests"]},
            "client": {"kind": "web", "policy": "susi", "redirectUri": "https://web.contoso.test/signin-oidc"},
        },
        "spa": {"client": {"kind": "msal-browser", "policy": "susi"}, "platform": {"origin": "http://localhost:3000"}},
        "elsewhere": {
            "registration": {"secrets": ["not-sent"], "redirectUris": {"web": ["https://old.contoso.test/"], "spa": ["http://localhost:3001/"]}},
            "client": {"kind": "msal-browser", "policy": "susi"},
        },
        "nowhere": {"registration": {"redirectUris": {}}, "client": {"kind": "msal-browser", "policy": "susi"}},
    },
    "providers": {"facebook": {"type": "oauth2"}},
    "users": {
        "ada": {
            "email": "ada@example.test", "password": "Analytical-1843", "newPassword": "Difference-1822", "displayName": "Ada",
            "city": "London", "phone": "+442079460000", "providers": {"facebook": {}}},
        "nina": {
            "registered": False, "email": "nina@example.test", "password": "Newcomer-2026", "displayName": "Nina", "city": "Oslo",
            "phone": "+442079460001"},
    },
}


@pytest.fixture(scope="session")
def b2c_server():
    # In place of the plugin's, which takes a file.
    with Server(TENANT) as server:
        yield server


def url(world, policy="susi", app="web", **more):
    """What an app opens."""
    return f"{world.authority(policy)}/oauth2/v2.0/authorize?" + urllib.parse.urlencode({
        "client_id": world.client_id(app), "redirect_uri": world.redirect_uri(app), "response_type": "code", "scope": "openid",
        "state": "s", "nonce": "n", "code_challenge": "c" * 43, "code_challenge_method": "S256", **more})


def claims(token):
    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


# Pages

def test_the_callback_is_a_text_with_parameters(b2c):
    callback = b2c.sign_in(url(b2c), "ada")
    assert callback.startswith("https://web.contoso.test/signin-oidc?")
    assert callback.parameters["state"] == "s" and callback.parameters["code"] and not callback.posted


def test_a_callbacks_own_query_stays_beside_the_answer_in_the_fragment():
    assert kit.Callback("https://app.test/?tenant=1#code=abc&state=s").parameters == {"tenant": "1", "code": "abc", "state": "s"}


def test_an_answer_by_form_post(b2c):
    callback = b2c.sign_in(url(b2c, response_mode="form_post"), "ada")
    assert callback.posted and callback.parameters["state"] == "s"


def test_an_answer_in_the_fragment(b2c):
    assert b2c.sign_in(url(b2c, app="spa", response_mode="fragment"), "ada").parameters["code"]


@pytest.mark.parametrize("verification", ["displayControl", "legacy", "off"])
def test_sign_up(b2c, verification):
    b2c.configure({"policies": {"susi": {"emailVerification": verification}}})
    assert claims(b2c.token("nina", app="spa", id_token=True))["name"] == "Nina"
    assert bool(b2c.inbox) == (verification != "off")
    assert b2c.person("nina")["registered"] and b2c.person("nina")["city"] == "Oslo"
    # The account is there now.
    assert b2c.token("nina")


def test_a_person_of_the_test(b2c):
    record = b2c.add_person("grace", city="New York")
    assert record["email"] == "grace@example.test"
    assert claims(b2c.token("grace"))["name"] == "Grace"


def test_a_record_that_does_not_have_what_a_page_requires(b2c):
    b2c.add_person("kim", registered=False)
    with pytest.raises(PageError, match="requires city, which the record of kim does not have"):
        b2c.token("kim")


@pytest.mark.parametrize("method", ["sms", "call", "email", "totp"])
def test_a_second_factor(b2c, method):
    b2c.configure({"policies": {"susi": {"mfa": {"method": method, "when": "always"}}}})
    assert b2c.token("ada")
    assert b2c.token("nina")
    # Somebody who has set up the second factor already; and a code of an authenticator app is good once.
    b2c.advance(60)
    assert b2c.token("nina")


def test_an_authenticator_app_on_record(b2c):
    b2c.configure({"policies": {"susi": {"mfa": {"method": "totp", "when": "always"}}}})
    b2c.add_person("grace", city="New York", totpSecret="JBSWY3DPEHPK3PXP")
    assert b2c.token("grace")
    # Its time step is over: a code is good once.
    b2c.advance(60)
    assert b2c.token("grace")


def test_a_password_reset(b2c):
    assert "code" in b2c.sign_in(url(b2c, "reset"), "ada").parameters
    assert b2c.code_for("ada")
    with pytest.raises(PageError):
        b2c.sign_in(url(b2c), "ada", password="Analytical-1843")
    assert "code" in b2c.sign_in(url(b2c), "ada").parameters


def test_a_profile_is_edited(b2c):
    b2c.change_person("ada", city="Ockham")
    assert "code" in b2c.sign_in(url(b2c, "edit"), "ada").parameters
    assert b2c.person("ada")["city"] == "Ockham"


def test_a_provider(b2c):
    assert "code" in b2c.sign_in(url(b2c), "ada", provider="facebook").parameters
    with pytest.raises(PageError, match="has no provider google; it has FacebookExchange"):
        b2c.sign_in(url(b2c), "ada", provider="google")
    with pytest.raises(PageError, match="nina stops at .* which says .*nina@example.test has no account at Facebook"):
        b2c.sign_in(url(b2c), "nina", provider="facebook")


def test_buttons(b2c):
    assert b2c.sign_in(url(b2c), "ada", press="cancel").parameters["error_description"].startswith("AADB2C90091")
    assert b2c.sign_in(url(b2c), "ada", press="forgotPassword").parameters["error_description"].startswith("AADB2C90118")
    assert "code" in b2c.sign_in(url(b2c), "nina", press="signUp").parameters
    with pytest.raises(B2CError, match="there is no button next: expected cancel, forgotPassword, signUp"):
        b2c.sign_in(url(b2c), "ada", press="next")


def test_a_session(b2c):
    browser = b2c.browser()
    assert browser.sign_in(url(b2c, prompt="none")).parameters["error"]
    browser.sign_in(url(b2c), "ada")
    assert "code" in browser.sign_in(url(b2c, prompt="none")).parameters
    # Another browser has no session.
    with pytest.raises(PageError, match="shows the sign-in page, and nobody is at the browser"):
        b2c.sign_in(url(b2c))


def test_pages_that_refuse(b2c):
    with pytest.raises(PageError) as wrong:
        b2c.sign_in(url(b2c), "ada", password="guessed")
    assert wrong.value.said and wrong.value.said in str(wrong.value)
    b2c.change_person("ada", accountEnabled=False)
    with pytest.raises(PageError, match="ada stops at the sign-in page"):
        b2c.token("ada")
    with pytest.raises(PageError, match="the server shows an error page to ada: .*redirect"):
        b2c.sign_in(url(b2c, redirect_uri="https://evil.example/"), "ada")
    b2c.configure({"policies": {"susi": {"captcha": True}}})
    with pytest.raises(PageError, match="captcha"):
        b2c.sign_in(url(b2c), "ada")


# Tokens, clock, inbox and faults

def test_tokens(b2c):
    now = b2c.now.timestamp()
    good = claims(b2c.token("ada"))
    assert good["aud"] == b2c.audience() and good["iss"] == b2c.issuer() and good["scp"] == "read" and good["exp"] > now
    assert claims(b2c.token("ada", expired=True))["exp"] < now - 300
    assert claims(b2c.token("ada", not_yet=True))["nbf"] > now + 300
    assert claims(b2c.token("ada", audience="x"))["aud"] == "x"
    assert "scp" not in claims(b2c.token("ada", claims={"scp": None}))
    assert claims(b2c.token("ada", claims={"level": 3}))["exp"] == pytest.approx(good["exp"], abs=60)
    assert claims(b2c.token("ada", id_token=True))["aud"] == b2c.client_id()
    assert b2c.token("ada", alg_none=True).endswith(".")
    assert claims(b2c.token("ada", policy="B2C_1_edit"))["tfp"] == "B2C_1_edit"


@pytest.mark.parametrize("time, seconds", [
    (7200, 7200), (0.5, 0.5), ("PT2H", 7200), ("P1DT1M", 86460), ("P2W", 1209600), ("PT1.5S", 1.5),
    (datetime.timedelta(hours=2), 7200), (datetime.timedelta(days=15, milliseconds=20), 1296000.02)])
def test_how_far_the_clock_moves(b2c, time, seconds):
    before = b2c.now
    b2c.advance(time)
    assert seconds <= (b2c.now - before).total_seconds() < seconds + 60


def test_the_clock(b2c):
    before = b2c.now
    b2c.advance(3600.5)
    assert 3600 < (b2c.now - before).total_seconds() < 3700


def test_the_next_test_gets_a_fresh_tenant(b2c_server):
    world = b2c_server.fresh()
    world.add_person("grace", city="New York")
    world.token("nina")
    world.advance(86400)
    world.rotate_keys()
    world.faults.disconnect()
    world = b2c_server.fresh()
    assert world.inbox == [] and world.faults.rules == [] and world.requests == []
    assert abs(world.now.timestamp() - time.time()) < 60
    assert world.person("nina").get("registered") is False
    with pytest.raises(B2CError, match="no person grace"):
        world.token("grace")


def get(address):
    return json.load(urllib.request.urlopen(address, timeout=10))


def test_faults(b2c):
    b2c.faults.status("discovery", 503, json={"error": "busy"}, times=1)
    b2c.faults.disconnect("keys")
    b2c.faults.delay("discovery", 0.3, times=1)
    with pytest.raises(urllib.error.HTTPError, match="503"):
        get(b2c.metadata_url())
    began = time.monotonic()
    document = get(b2c.metadata_url())
    assert time.monotonic() - began >= 0.3
    get(b2c.metadata_url())
    for _ in range(2):
        with pytest.raises(Exception):
            get(document["jwks_uri"])
    assert [rule["fired"] for rule in b2c.faults.rules] == [1, 2, 1]
    b2c.faults.clear()
    assert get(document["jwks_uri"])["keys"]


def test_faults_of_the_service(b2c):
    b2c.faults.claims(access_token={"scp": "other"}, times=1)
    assert claims(b2c.token("ada"))["scp"] == "other"
    b2c.faults.refuse("token", "AADB2C90080", times=1)
    with pytest.raises(B2CError, match="ada gets no access_token: AADB2C90080"):
        b2c.token("ada")
    assert b2c.token("ada")
    assert any(one.get("endpoint") == "token" and one["response"]["status"] == 400 for one in b2c.requests)


def test_the_status_of_a_fault_is_named(b2c):
    b2c.faults.status("token", 503, times=1)
    with pytest.raises(B2CError, match=r"^ada gets no access_token: the answer has none \(HTTP 503\)$"):
        b2c.token("ada")
    b2c.faults.status("token", 429, json={"error": "slow down"}, times=1)
    with pytest.raises(B2CError, match=r"^ada gets no access_token: slow down \(HTTP 429\)$"):
        b2c.token("ada")
    b2c.faults.status("discovery", 503, times=1)
    with pytest.raises(B2CError, match=r"openid-configuration names no issuer: the answer has none \(HTTP 503\)$"):
        b2c.issuer()
    b2c.faults.status("authorize", 503, times=1)
    with pytest.raises(PageError, match=r"^the server shows an error page to ada \(HTTP 503\): {}$"):
        b2c.sign_in(url(b2c), "ada")


# Bad input

def test_an_app_that_names_no_redirect_uri_uses_the_one_registered_for_its_platform(b2c):
    assert b2c.redirect_uri("spa") == "http://localhost:3000/"
    assert b2c.redirect_uri("elsewhere") == "http://localhost:3001/"
    assert claims(b2c.token("ada", app="elsewhere"))["azp"] == b2c.client_id("elsewhere")


_ADVANCE = 'advance takes a number of seconds above 0, a timedelta or an ISO 8601 duration such as "PT2H", not '


@pytest.mark.parametrize("what, sentence", [
    (lambda b2c: b2c.token("bob"), "the tenant has no person bob. It has ada, nina."),
    (lambda b2c: b2c.token("adda"), "the tenant has no person adda. Did you mean ada?"),
    (lambda b2c: b2c.sign_in(url(b2c), "bob"), "the tenant has no person bob. It has ada, nina."),
    (lambda b2c: b2c.change_person("bob", city="x"), "the tenant has no person bob. It has ada, nina."),
    (lambda b2c: b2c.token("ada", app="ios"), "the tenant has no app ios. It has web, spa, elsewhere, nowhere."),
    (lambda b2c: b2c.client_id("sap"), "the tenant has no app sap. Did you mean spa?"),
    (lambda b2c: b2c.audience("x"), "the tenant has no API x. It has tasks."),
    (lambda b2c: b2c.authority("x"), "the tenant has no policy x. It has susi, edit, reset."),
    (lambda b2c: b2c.redirect_uri("nowhere"), "the app `nowhere` has no redirect URI: add one to `registration.redirectUris.spa`"),
    (lambda b2c: b2c.client_secret("spa"), "the app spa has no secret: add `secrets` to its registration"),
    (lambda b2c: b2c.token("ada", expired=True, not_yet=True), "expired and not_yet exclude each other"),
    (lambda b2c: b2c.token("ada", wrong_key=True, alg_none=True), "wrong_key and alg_none exclude each other: one signs, one does not"),
    (lambda b2c: b2c.advance(0), _ADVANCE + "0"),
    (lambda b2c: b2c.advance(-1.5), _ADVANCE + "-1.5"),
    (lambda b2c: b2c.advance(float("nan")), _ADVANCE + "nan"),
    (lambda b2c: b2c.advance(float("inf")), _ADVANCE + "inf"),
    (lambda b2c: b2c.advance(""), _ADVANCE + "''"),
    (lambda b2c: b2c.advance("2h"), _ADVANCE + "'2h'"),
    (lambda b2c: b2c.advance("PT"), _ADVANCE + "'PT'"),
    (lambda b2c: b2c.advance("P"), _ADVANCE + "'P'"),
    (lambda b2c: b2c.advance("PT0S"), _ADVANCE + "'PT0S'"),
    (lambda b2c: b2c.advance("-PT2H"), _ADVANCE + "'-PT2H'"),
    (lambda b2c: b2c.advance("P1Y"), _ADVANCE + "'P1Y'"),
    (lambda b2c: b2c.advance(None), _ADVANCE + "None"),
    (lambda b2c: b2c.advance(True), _ADVANCE + "True"),
    (lambda b2c: b2c.advance([60]), _ADVANCE + "[60]"),
    (lambda b2c: b2c.advance(datetime.timedelta(0)), _ADVANCE + "datetime.timedelta(0)"),
    (lambda b2c: b2c.code_for("x@example.test"), "no code has gone to x@example.test; codes have gone to nobody"),
])
def test_what_it_says(b2c, what, sentence):
    with pytest.raises(B2CError) as found:
        what(b2c)
    assert str(found.value) == sentence


def test_what_it_says_of_addresses(b2c):
    for wrong in ["", "x", "http://evil.example/", b2c.url.replace("http:", "https:") + "/x", b2c.url + "0/x"]:
        with pytest.raises(B2CError, match="is not a sign-in address of this server: expected one that begins with http://localhost:"):
            b2c.sign_in(wrong, "ada")


def test_what_it_says_of_rules(b2c):
    with pytest.raises(B2CError, match=r'/rules/0/match/endpoint: `endpoint` cannot be "tokn"'):
        b2c.faults.status("tokn", 500)
    with pytest.raises(B2CError, match='unknown key "polices" in tenant file. Did you mean "policies"'):
        b2c.configure({"polices": {}})


def test_servers_that_do_not_start(tmp_path, monkeypatch):
    (tmp_path / "bad.json").write_text('{"name": 3}')
    with pytest.raises(B2CError, match=r"mock-server did not start \(exit code 2\): .*bad.json:1:10: error: `name` must be a string"):
        Server(tmp_path / "bad.json")
    with pytest.raises(B2CError, match=r"mock-server did not start \(exit code 2\): .*none.json cannot be read: No such file"):
        Server(tmp_path / "none.json")
    with pytest.raises(B2CError, match="/nothing/here cannot be run: No such file or directory"):
        Server(program="/nothing/here")
    silent = tmp_path / "silent"
    silent.write_text("#!/bin/sh\nexit 9\n")
    silent.chmod(silent.stat().st_mode | stat.S_IXUSR)
    with pytest.raises(B2CError, match=r"mock-server did not start \(exit code 9\): it says nothing"):
        Server(program=str(silent))
    monkeypatch.setenv("MOCK_SERVER", str(tmp_path / "none"))
    with pytest.raises(B2CError, match="MOCK_SERVER names .*none, which is not a program"):
        Server()


def test_a_program_that_is_not_found(monkeypatch):
    monkeypatch.delenv("MOCK_SERVER", raising=False)
    monkeypatch.setenv("PATH", "/nothing/here")
    monkeypatch.setattr(kit, "_packaged", lambda name: (_ for _ in ()).throw(FileNotFoundError(name)))
    with pytest.raises(B2CError) as found:
        Server()
    assert str(found.value) == (
        "the program mock-server is not found: install the wheel b2c-harness, put mock-server on the PATH, or set MOCK_SERVER")


# Each of them alone would keep the server from starting, or change it.
FOREIGN = {
    "B2C_TLS": "1", "B2C_TENANT": "/nothing/here", "B2C_CONTROL_TOKEN": "a-token", "B2C_PUBLIC_URL": "not a url",
    "B2C_JOURNEY_RECORDER": "/nothing/here/log", "B2C_CERTIFICATE_DIRECTORY": "/nothing/here", "B2C_FORWARDED": "1",
    "B2C_PARENT": "0", "B2C_SIGNER": "none",
}


def test_options_of_the_environment_are_not_used(monkeypatch):
    for name, value in FOREIGN.items():
        monkeypatch.setenv(name, value)
    with Server() as server:
        assert server.url.startswith("http://") and server.fresh().domain == "contoso.onmicrosoft.com"


def test_a_server_that_has_ended():
    with Server() as server:
        world = server.fresh()
        address = url(world, app="spa")
    with pytest.raises(B2CError, match="no server answers at http://localhost:.*refused"):
        world.token("ada")
    with pytest.raises(B2CError, match="no server answers at http://localhost:.*refused"):
        world.browser().sign_in(address)
    server.stop()


def until(what, holds):
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline, f"{what} after 30 seconds"
        time.sleep(0.02)


def is_gone(address, ca_file):
    try:
        Server.attach(address, ca_file=ca_file)
    except B2CError:
        return True
    return False


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL])
def test_a_run_that_is_killed_leaves_no_server_and_no_key(number, tmp_path):
    script = "from b2c_harness.kit import Server\nserver = Server(tls=True)\nprint(server.url, flush=True)\ninput()"
    # A group of its own, and the signal goes to all of it, as Ctrl-C does.
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        start_new_session=True, env={**os.environ, "TMPDIR": str(tmp_path)})
    address = process.stdout.readline().strip()
    assert address.startswith("https://")
    folder, = tmp_path.iterdir()
    assert (folder / "certificates" / "ca.pem").exists()
    os.killpg(process.pid, number)
    process.wait(timeout=30)
    until("the folder of the server is there", lambda: not list(tmp_path.iterdir()))
    until(f"the server at {address} is there", lambda: is_gone(address, None))


def test_a_run_that_is_killed_at_once_leaves_no_server_and_no_folder(tmp_path):
    script = (
        "import os, signal, subprocess\nfrom b2c_harness.kit import Server\nstart = subprocess.Popen\n"
        "def dying(*arguments, **more):\n    print(start(*arguments, **more).pid, flush=True)\n    os.kill(os.getpid(), signal.SIGKILL)\n"
        "subprocess.Popen = dying\nServer(tls=True)")
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env={**os.environ, "TMPDIR": str(tmp_path)})
    server = int(run.stdout)

    def has_ended():
        try:
            os.kill(server, 0)
        except ProcessLookupError:
            return True
        try:
            with open(f"/proc/{server}/stat", encoding="utf-8") as state:
                return ") Z " in state.read()
        except OSError:
            return False

    until(f"the server {server} is there", has_ended)
    assert not list(tmp_path.iterdir())


def test_a_forked_process_leaves_the_server_and_its_folder(tmp_path):
    script = (
        "import os, sys\nfrom b2c_harness.kit import Server\nserver = Server(tls=True)\nchild = os.fork()\n"
        "if not child:\n    sys.exit()\nos.waitpid(child, 0)\nserver.fresh()\nassert os.path.exists(server.ca_file)")
    subprocess.run([sys.executable, "-c", script], check=True, env={**os.environ, "TMPDIR": str(tmp_path)})
    assert not list(tmp_path.iterdir())


def test_attach(b2c_server, monkeypatch):
    monkeypatch.delenv("B2C_URL", raising=False)
    with pytest.raises(B2CError, match="no server is named: give its url, or set B2C_URL"):
        Server.attach()
    for wrong, sentence in [("x", "x is not the address of a server"), ("http://127.0.0.1:9", "no server answers at http://127.0.0.1:9")]:
        with pytest.raises(B2CError, match=sentence):
            Server.attach(wrong)
    with pytest.raises(B2CError, match="the certificate file /nothing/here cannot be read"):
        Server.attach("https://127.0.0.1:9", ca_file="/nothing/here")
    monkeypatch.setenv("B2C_URL", b2c_server.url + "/")
    with Server.attach() as attached:
        assert attached.fresh().token("ada")
    # It goes on after that.
    assert b2c_server.fresh().token("ada")


# The plugin, in a pytest of its own

def run(folder, *arguments, **environment):
    found = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "B2C_"))}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *PLUGIN, *arguments], cwd=folder, env={**found, **environment},
        capture_output=True, text=True)
    return done.returncode, done.stdout


# An installed wheel names the plugin itself.
PLUGIN = [] if "site-packages" in kit.__file__ else ["-p", "b2c_harness.pytest_plugin"]


@pytest.fixture
def suite(tmp_path):
    (tmp_path / "test_it.py").write_text(
        "def test_one(b2c): assert b2c.token(as_='ada')\n"
        "def test_two(b2c): b2c.token(as_='ada'); assert b2c.inbox == [] and b2c.requests == []\n")
    return tmp_path


def test_the_plugin_shows_the_requests_of_a_test_that_fails(suite):
    code, said = run(suite)
    assert code == 1 and "1 failed, 1 passed" in said
    assert "- Requests to the B2C tenant -" in said and "/oauth2/v2.0/token -> 200" in said
    assert "Analytical" not in said.split("Requests to the B2C tenant")[1]


def test_the_plugin_takes_a_tenant_file(suite):
    (suite / "bad.json").write_text('{"name": 3}')
    code, said = run(suite, "--b2c-tenant", "bad.json")
    assert code == 1 and "mock-server did not start (exit code 2): bad.json:1:10: error: `name` must be a string" in said
    assert "Traceback" not in said
    (suite / "pytest.ini").write_text("[pytest]\nb2c_tenant = tenants/good.json\n")
    (suite / "tenants").mkdir()
    (suite / "tenants" / "good.json").write_text(json.dumps({**TENANT, "name": "fabrikam"}))
    (suite / "test_it.py").write_text("def test_one(b2c): assert b2c.domain == 'fabrikam.onmicrosoft.com' and b2c.url.startswith('https:')\n")
    code, said = run(suite, "--b2c-tls")
    assert code == 0, said


def test_the_plugin_uses_a_server_that_runs(suite, b2c_server):
    (suite / "test_it.py").write_text(f"def test_one(b2c): assert b2c.url == {b2c_server.url!r}\n")
    code, said = run(suite, B2C_URL=b2c_server.url)
    assert code == 0, said
    pytest.importorskip("xdist")
    code, said = run(suite, "-n", "2", B2C_URL=b2c_server.url)
    assert code == 1 and "B2C_URL names one server, and pytest-xdist runs tests side by side: unset B2C_URL, or run without -n" in said


def test_tests_run_side_by_side(suite):
    pytest.importorskip("xdist")
    (suite / "test_it.py").write_text(
        "import pytest\n"
        "@pytest.mark.parametrize('number', range(20))\n"
        "def test_one(b2c, number):\n"
        "    b2c.add_person('grace', registered=False)\n"
        "    assert b2c.token(as_='grace') and len(b2c.inbox) == 1\n")
    code, said = run(suite, "-n", "4")
    assert code == 0 and "20 passed" in said, said
