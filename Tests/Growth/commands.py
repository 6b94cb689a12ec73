"""The cases of `b2c`: every command that reads a file, with the options that name one."""

import base64
import json
import os
import zipfile

import journeylogs as logs
import policies
from cases import ROOT, Command
from shapes import DOCUMENTS, FEW, MARKUP, TEXTS

CASES = []

# Which option of which command has cases, `""` for arguments without a name.
COVERED = set()


def add(subject, shape, arguments, write, covers=(), **bounds):
    COVERED.update(covers)
    CASES.append(Command(subject, shape, arguments, write, **bounds))


def family(subject, shapes, arguments, write, covers=(), short=(), start=1024, **bounds):
    """A case for each shape; `write` takes the text of a shape instead of its size."""
    for shape, make in shapes.items():
        def whole(folder, size, bench, make=make):
            return write(folder, make(size))
        add(subject, shape, arguments, whole, covers, start=start, short=shape in short, **bounds)


def put(name):
    """Writes a text as a file of that name."""
    def write(folder, text):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if isinstance(text, str) else json.dumps(text), "utf-8", "surrogatepass")
    return write


def file(name, make):
    return lambda folder, size, bench: put(name)(folder, make(size))


# MARK: Tenants and scenarios

def tenant(**changes):
    return {
        "name": "contoso",
        "policies": {"susi": {"id": "B2C_1_susi", "type": "signUpOrSignIn"}},
        "apis": {"tasks": {"appIdUri": "https://contoso.onmicrosoft.com/tasks", "scopes": ["read"]}},
        "apps": {"ios": {"client": {"kind": "msal-ios", "policy": "susi"}, "platform": {"bundleId": "com.contoso.app"}}},
        "users": {"ada": {"email": "ada@example.test", "password": "Analytical-1843", "displayName": "Ada"}},
        **changes}


def more(key, make):
    """The tenant with many entries of a kind beside those that it has."""
    def grown(size):
        whole = tenant()
        whole.setdefault(key, {}).update({f"{key}{number}": make(number) for number in range(size)})
        return whole
    return grown


def user(number):
    return {"email": f"person{number}@example.test", "password": f"Analytical-{number}", "displayName": f"Person {number}"}


def app(number):
    return {"client": {"kind": "msal-ios", "policy": "susi"}, "platform": {"bundleId": f"com.contoso.app{number}"}}


TENANTS = {
    "users": more("users", user),
    "apps": more("apps", app),
    "policies": more("policies", lambda number: {"id": f"B2C_1_policy{number}", "type": "signUpOrSignIn"}),
    "apis": more("apis", lambda number: {"scopes": ["read"]}),
    "providers": more("providers", lambda number: {"type": "oidc"}),
    "rest-stubs": more("rest", lambda number: {
        "match": {"url": f"https://rest{number}.contoso.test/"}, "reply": {"json": {"a": number}}}),
    "policy-keys": more("policyKeys", lambda number: {"secret": f"secret-of-key-{number}"}),
    "key-sets": more("keySets", lambda number: {"use": "k1"}),
    "scopes": lambda n: tenant(apis={"tasks": {"scopes": [f"scope{number}" for number in range(n)]}}),
    "hosts": lambda n: tenant(hosts=[f"host{number}.contoso.test" for number in range(n)]),
    "attributes": lambda n: tenant(policies={"susi": {
        "id": "B2C_1_susi", "type": "signUpOrSignIn", "attributes": [f"extension_a{number}" for number in range(n)]}}),
    "claims-of-a-user": lambda n: tenant(users={"ada": {
        **tenant()["users"]["ada"], **{f"extension_a{number}": "v" for number in range(n)}}}),
    "redirect-uris": lambda n: tenant(apps={"ios": {**app(1), "registration": {"redirectUris": {
        "native": ["msauth.com.contoso.app1://auth"] + [f"http://localhost/{number}" for number in range(n)]}}}}),
    "routes": lambda n: tenant(apis={"tasks": {"scopes": ["read"], "routes": {f"/tasks/{number}": {} for number in range(n)}}}),
    "unknown-keys": lambda n: {**tenant(), **{f"unknown{number}": 1 for number in range(n)}},
    "long-unknown-key": lambda n: {**tenant(), "polices" * n: 1},
    "wrong-values": lambda n: tenant(users={f"user{number}": 1 for number in range(n)}),
    "unknown-policies": lambda n: tenant(apps={f"app{number}": {
        "client": {"kind": "msal-ios", "policy": f"unknown{number}"}} for number in range(n)}),
    "same-emails": lambda n: tenant(users={f"user{number}": user(0) for number in range(n)}),
}


def scenario(steps=None, **changes):
    return {
        "name": "Grown", "tenant": tenant(), "app": "ios",
        "steps": steps if steps is not None else [{"acquireToken": {}, "user": "ada"}], **changes}


SIGN_IN = {"acquireToken": {}, "user": "ada"}
SILENT = {"acquireTokenSilent": {}}


def nested(count, whole, opening, inner, closing):
    """A text of JSON with so many values within one another at the mark; Python writes no deep ones."""
    return json.dumps(whole).replace('"@@"', opening * count + json.dumps(inner) + closing * count)


SCENARIOS = {
    "steps": lambda n: scenario([SIGN_IN] + [SILENT] * n),
    "sign-ins": lambda n: scenario([SIGN_IN] * n),
    "cases": lambda n: scenario(cases={f"case {number}": {"set": {"a": number}} for number in range(n)}),
    "variables": lambda n: scenario(variables={f"name{number}": number for number in range(n)}),
    "faults": lambda n: scenario(faults=[
        {"match": {"endpoint": "token", "query": {f"a{number}": "b"}}, "network": "reset", "optional": True}
        for number in range(n)]),
    "clients": lambda n: scenario(clients={f"client{number}": {"app": "ios"} for number in range(n)}),
    "branches": lambda n: scenario([SIGN_IN, {"parallel": [SILENT] * n}]),
    "alternatives": lambda n: scenario([{**SIGN_IN, "expect": {"result": {"idToken": {"claims": {"name": {
        "$any": [f"name {number}" for number in range(n)] + ["Ada"]}}}}}}]),
    "expected-members": lambda n: scenario([{**SIGN_IN, "expect": {"result": {"idToken": {"claims": {
        f"claim{number}": {"$exists": False} for number in range(n)}}}}}]),
    "expected-requests": lambda n: scenario([
        SIGN_IN, {"repeat": n, "acquireTokenSilent": {"forceRefresh": True}},
        {"steps": [{"repeat": n, "acquireTokenSilent": {"forceRefresh": True}}],
         "expect": {"requests": [{"endpoint": "token"}] * n}}]),
    "expected-strangers": lambda n: scenario([
        {"steps": [SIGN_IN, {"repeat": n, "acquireTokenSilent": {"forceRefresh": True}}],
         "expect": {"requests": [{"endpoint": "token"}] * n + [{"endpoint": "userinfo"}] * n}}]),
    "nested-steps": lambda n: nested(n, scenario(["@@"]), '{"steps":[', SIGN_IN, "]}"),
    "nested-not": lambda n: nested(n, scenario([{**SIGN_IN, "expect": {"result": "@@"}}]), '{"$not":', {"a": 1}, "}"),
    "nested-any": lambda n: nested(n, scenario([{**SIGN_IN, "expect": {"result": "@@"}}]), '{"$any":[', {"a": 1}, "]}"),
    "nested-then": lambda n: nested(n, scenario([{**SIGN_IN, "then": ["@@"]}]), '{"acquireTokenSilent":{},"then":[', SILENT, "]}"),
    "templates": lambda n: scenario([SIGN_IN, {"http": {"endpoint": "token", "form": {"a": "{{app}}" * n}}}]),
    "form": lambda n: scenario([{"http": {
        "endpoint": "token", "form": {f"name{number}": "value" for number in range(n)}}, "expect": {"result": {"status": 400}}}]),
    "headers": lambda n: scenario([{"http": {
        "endpoint": "keys", "headers": {f"x-name-{number}": "value" for number in range(n)}}}]),
    "actions": lambda n: scenario([{"acquireToken": {}, "user": [{"fill": {"email": f"a{number}"}} for number in range(n)]}]),
    "patches": lambda n: scenario([{"configure": {"users": {"ada": {"displayName": f"Ada {number}"}}}} for number in range(n)]),
    "tags": lambda n: scenario(tags=[f"tag{number}" for number in range(n)]),
    "unknown-keys": lambda n: {**scenario(), **{f"unknown{number}": 1 for number in range(n)}},
    "unknown-names": lambda n: scenario([{"acquireToken": {}, "user": f"person{number}"} for number in range(n)]),
    "unknown-verbs": lambda n: scenario([{f"acquireTokn{number}": {}} for number in range(n)]),
    "long-unknown-key": lambda n: scenario([{"acquireToke" * n: {}}]),
    "pattern": lambda n: scenario([{**SIGN_IN, "expect": {"result": {"idToken": {"claims": {"name": {
        "$matches": "(a|b)*" * n}}}}}}]),
}


# Readers that stop at the first size where something is deep say so; the rest grows by what a scenario has.
CHECK = ["check", "--no-prove", "{}/a.json"]
for shape, make in SCENARIOS.items():
    small = {"steps": 16, "sign-ins": 8, "cases": 16, "patches": 8, "expected-requests": 8, "expected-strangers": 8}.get(shape, 16)
    add("check-scenario", shape, CHECK, file("a.json", make), [("check", "")], start=64, short=shape == "unknown-names")
    add("run", shape, ["run", "{}/a.json", "--seed", "1"], file("a.json", make), [("run", "")], start=small,
        short=shape == "cases")
    # It runs the scenario once for each line, so lines times their number is its work: what one run decides is doubled.
    if shape in ("cases", "alternatives", "expected-members"):
        add("prove", shape, ["check", "--prove", "{}/a.json"], file("a.json", make), [("check", "")], start=4,
            short=shape == "alternatives")
for shape, make in TENANTS.items():
    add("check-tenant", shape, CHECK, file("a.json", make), start=64, short=shape == "users")
    add("run-tenant", shape, ["run", "{}/a.json", "--seed", "1"], file("a.json", lambda n, make=make: scenario(tenant=make(n))),
        start=32, short=shape == "rest-stubs")
family("check-document", DOCUMENTS, CHECK, put("a.json"), short=("deep-objects", "many-keys"))
family("check-text", FEW, CHECK, lambda folder, text: put("a.json")(folder, scenario(description=text)))
add("check", "files", ["check", "--no-prove", "{}"], lambda folder, n, bench: [
    put(f"a{number}.json")(folder, scenario()) for number in range(n)] and None, start=16)

# Reports, of a run that fails at many places.
REPORTS = {
    "junit": ["--report-junit"], "json": ["--report-json"], "html": ["--report-html"], "trace-json": ["--trace-json"],
    "trace-har": ["--trace-har"], "markdown": ["--report-markdown"], "gitlab": ["--report-gitlab"]}
FAILING = lambda n: scenario(
    [{**SIGN_IN, "expect": {"result": {"idToken": {"claims": {"name": "Eve"}}}}}],
    cases={f"case {number}": {"set": {"a": number}} for number in range(n)})
for report, option in REPORTS.items():
    add("run-report", report, ["run", "{}/a.json", *option, "{}/../report"], file("a.json", FAILING), start=4)
REQUEST = lambda text: scenario([{"http": {"endpoint": "token", "form": {"a": text}}, "expect": {"result": {"status": 200}}}])
family("run-form", TEXTS, ["run", "{}/a.json", "--report-html", "{}/../report.html", "--trace-json", "{}/../trace.json"],
       lambda folder, text: put("a.json")(folder, REQUEST(text)), short=("password=", "password%3D"))
family("run-claim", {name: TEXTS[name] for name in (
    "password=", "one-word", "dotted-word", "quotes", "angles", "token", "combining", "flags", "address", "lines")},
    ["run", "{}/a.json", "--report-html", "{}/../report.html", "--trace-json", "{}/../trace.json", "-v"],
    lambda folder, text: put("a.json")(folder, scenario(
        [{**SIGN_IN, "expect": {"result": {"idToken": {"claims": {"name": "Eve"}}}}}],
        tenant=tenant(users={"ada": {**tenant()["users"]["ada"], "displayName": text}}))))


def listed(name, option, make, subject=None, command="run", **bounds):
    """A file that an option of `run` names."""
    def write(folder, text):
        put("a.json")(folder, scenario())
        put(name)(folder, text)
    return make(subject or f"{command}{option}", [command, "{}/a.json", option, f"{{}}/{name}"], write, **bounds)


def documents(subject, arguments, write, **bounds):
    family(subject, DOCUMENTS, arguments, write, **bounds)


listed("target.json", "--target", documents, covers=[("run", "--target")])
listed("secrets.json", "--secrets-file", documents, covers=[("run", "--secrets-file"), ("compare", "--secrets-file")])
listed("timings.json", "--timings", documents, covers=[("run", "--timings")])


def project(folder, text):
    put("a.json")(folder, scenario())
    # The project file is that of the folder in which the command runs.
    put("../b2c.json")(folder, text)


family("project-file", DOCUMENTS, ["run", "{}/a.json", "--list"], project, covers=[("project", "b2c.json")])
add("project-file", "reasons", ["run", "{}/a.json", "--list"], lambda folder, n, bench: project(folder, {
    "proves": {f"scenarios/a{number}.json#/steps/{number}": "a reason" for number in range(n)}}))
add("project-file", "variables", ["run", "{}/a.json", "--list"], lambda folder, n, bench: project(folder, {
    "variables": {f"name{number}": number for number in range(n)}}))
add("run-list", "cases", ["run", "{}/a.json", "--list"], file("a.json", SCENARIOS["cases"]), start=64)
add("run-list", "files", ["run", "{}", "--list"], lambda folder, n, bench: [
    put(f"a{number}.json")(folder, scenario()) for number in range(n)] and None, start=16)


# MARK: Bundles

def bundle(make):
    def write(folder, size, bench):
        put("a.json")(folder, make(size))
        bench.prepare(["run", str(folder / "a.json"), "--seed", "1", "--bundle", str(folder / "a.zip")], folder)
        (folder / "a.json").unlink()
    return write


def archive(make):
    def write(folder, size, bench):
        with zipfile.ZipFile(folder / "a.zip", "w", zipfile.ZIP_DEFLATED) as whole:
            make(whole, size)
    return write


SMALL = ("cases", "steps", "faults", "variables")
for shape in SMALL:
    add("bundle-write", shape, ["run", "{}/a.json", "--seed", "1", "--bundle", "{}/../a.zip"], file("a.json", SCENARIOS[shape]),
        start=4)
    add("bundle-repeat", shape, ["run", "{}/a.zip"], bundle(SCENARIOS[shape]), start=4)
family("bundle-text", FEW, ["run", "{}/a.json", "--seed", "1", "--bundle", "{}/../a.zip"],
       lambda folder, text: put("a.json")(folder, scenario(tenant=tenant(users={
           "ada": {**tenant()["users"]["ada"], "displayName": text[:1000]}}), description=text)),
       covers=[("run", "--bundle")], short=("password=",))
ARCHIVES = {
    "entries": lambda whole, n: [whole.writestr(f"files/a{number}.json", "{}") for number in range(n)],
    "long-name": lambda whole, n: whole.writestr("files/" + "a/" * min(n, 30_000), "{}"),
    "long-entry": lambda whole, n: whole.writestr("bundle.json", " " * n),
    "deep-manifest": lambda whole, n: whole.writestr("bundle.json", "[" * n),
    "manifest-entries": lambda whole, n: whole.writestr("bundle.json", json.dumps({
        "version": 1, "entries": {f"files/a{number}.json": "0" * 64 for number in range(n)}})),
}
for shape, make in ARCHIVES.items():
    add("bundle-open", shape, ["run", "{}/a.zip"], archive(make), start=64)


# MARK: merge, compare, schema, token, exec

def parts(folder, size, bench):
    put("a.json")(folder, SCENARIOS["cases"](size))
    for number in (1, 2):
        bench.prepare(["run", "a.json", "--seed", "1", "--shard", f"{number}/2", "--part", f"part{number}.json"], folder)
    (folder / "a.json").unlink()


add("merge", "cases", ["merge", "{}/part1.json", "{}/part2.json"], parts, [("merge", "")], start=8)
family("merge", DOCUMENTS, ["merge", "{}/a.json"], put("a.json"))
COMPARE = ["compare", "--target", "in-process", "--target", "in-process", "{}/a.json"]
for shape in ("cases", "steps", "expected-requests"):
    add("compare", shape, COMPARE, file("a.json", SCENARIOS[shape]), [("compare", ""), ("compare", "--target")], start=4)


def known(folder, text):
    put("a.json")(folder, scenario())
    put("known.json")(folder, text)


family("compare-expected", DOCUMENTS, [*COMPARE, "--expected", "{}/known.json"], known, [("compare", "--expected")])
add("compare-expected", "differences", [*COMPARE, "--expected", "{}/known.json"], lambda folder, n, bench: known(folder, {
    "differences": [{"place": f"requests/*/{number}/**", "reason": "a reason"} for number in range(n)]}))
for shape in ("users", "apps", "policies", "apis", "providers", "scopes", "rest-stubs"):
    for kind in ("scenario", "tenant"):
        add(f"schema-{kind}", shape, ["schema", kind, "--tenant", "{}/a.json"], file("a.json", TENANTS[shape]),
            [("schema", "--tenant")], short=(kind, shape) == ("scenario", "users"))
    add("token", shape, ["token", "--as", "ada", "--tenant", "{}/a.json"], file("a.json", TENANTS[shape]), [("token", "--tenant")])
    add("exec", shape, ["exec", "--tenant", "{}/a.json", "--", "true"], file("a.json", TENANTS[shape]),
        [("exec", "--tenant"), ("serve", "--tenant"), ("serve", "")])
family("token", DOCUMENTS, ["token", "--as", "ada", "--tenant", "{}/a.json"], put("a.json"))
family("exec", DOCUMENTS, ["exec", "--tenant", "{}/a.json", "--", "true"], put("a.json"))


# MARK: explain

family("explain", TEXTS, ["explain", "--file", "{}/a.log"], put("a.log"), [("explain", "--file")],
       ("password=", "AccountKey=", "one-word", "token"), start=4096)
MSAL = {
    "msal-ios": "TID=4035076 MSAL 1.1.16 iOS Sim 14.4 [2021-04-23 16:26:15 - 0a1b2c3d-0000-4000-8000-00000000ada0] line {} failed\n",
    "msal-android": "[2024-01-31 09:00:00 - thread_id: 17, correlation_id: 0a1b2c3d-0000-4000-8000-00000000ada0 - Android 33] line {}\n",
    "msal-js": "[Wed, 09 Jun 2021 04:35:39 GMT] : [a] : @azure/msal-browser@2.14.2 : Info - line {} password=a{}\n",
    "msal-net": "False MSAL 4.66.1.0 MSAL.NetCore .NET 8.0.8 [2024-11-21 18:29:37Z - a] line {} AADB2C90118\n",
    "answers": 'HTTP/1.1 400 Bad Request {"error":"invalid_grant","error_description":"AADB2C90080: The grant {} has expired"}\n',
    "redirects": "myapp://auth?error=access_denied&error_description=AADB2C90118%3a+forgotten+{}&state=s{}\n",
}
for shape, line in MSAL.items():
    add("explain", shape, ["explain", "--file", "{}/a.log"],
        file("a.log", lambda n, line=line: "".join(line.replace("{}", str(number)) for number in range(n))), start=64)
family("explain", {f"document-{name}": make for name, make in DOCUMENTS.items()}, ["explain", "--file", "{}/a.log"], put("a.log"))
family("explain-log", {name: (lambda n, form=form: form(logs.sessions(n))) for name, form in logs.FORMS.items()},
       ["explain", "--file", "{}/a.log"], put("a.log"), start=16)
family("explain-argument", {name: TEXTS[name] for name in (
    "one-word", "password=", "other-words", "error-codes", "percents", "pairs", "token-dotted", "words", "url")},
    None, lambda folder, text: ["explain", "--", text], [("explain", "")], most=100_000)


# MARK: validate

VALIDATE = ["validate", "{}"]
family("validate-json", DOCUMENTS, VALIDATE, put("auth_config.json"), [("validate", "")])
family("validate-xml", MARKUP, VALIDATE, put("Info.plist"), short=("deep", "attributes"))
family("validate-policy", MARKUP, VALIDATE, lambda folder, text: put("Policy.xml")(
    folder, f'<TrustFrameworkPolicy xmlns="{policies.NAMESPACE}" PolicyId="B2C_1A_a">{text}</TrustFrameworkPolicy>'),
    short=("references",))
PLIST = lambda content: (
    '<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict>\n<key>CFBundleIdentifier</key>\n'
    f"<string>com.contoso.app</string>\n{content}</dict></plist>\n")
SCHEMES = lambda n: PLIST("<key>CFBundleURLTypes</key>\n<array><dict><key>CFBundleURLSchemes</key>\n<array>" + "".join(
    f"<string>msauth.com.contoso.App{number}</string>\n" for number in range(n)) + "</array></dict></array>\n")
SOURCE = 'let config{0} = MSALPublicClientApplicationConfig(clientId: "{0}", redirectUri: "msauth.com.contoso.app://auth")\n'
PROJECTS = {
    "schemes": ("App/Info.plist", SCHEMES),
    "plist-keys": ("App/Info.plist", lambda n: PLIST("".join(
        f"<key>Key{number}</key>\n<string>value</string>\n" for number in range(n)))),
    "entitlements": ("App/App.entitlements", lambda n: PLIST("<key>keychain-access-groups</key>\n<array>" + "".join(
        f"<string>$(AppIdentifierPrefix)com.contoso.group{number}</string>\n" for number in range(n)) + "</array>\n")),
    "swift-lines": ("App/Client.swift", lambda n: "import MSAL\n" + "".join(SOURCE.format(number) for number in range(n))),
    "swift-text": ("App/Client.swift", lambda n: 'import MSAL\nlet a = "' + "a" * n + '"\n'),
    "swift-quotes": ("App/Client.swift", lambda n: "import MSAL\nlet a = " + '"' * n),
    "swift-comments": ("App/Client.swift", lambda n: "import MSAL\n" + "/*" * n),
    "swift-calls": ("App/Client.swift", lambda n: "import MSAL\nlet a = " + "MSALAuthority(" * n),
    "swift-braces": ("App/Client.swift", lambda n: "import MSAL\n" + "func a() {" * n + "}" * n),
    "swift-placeholders": ("App/Client.swift", lambda n: 'import MSAL\nlet a = "' + "\\(a)" * n + '"\n'),
    "objc-calls": ("App/Client.m", lambda n: "#import <MSAL/MSAL.h>\n" + "[[MSALPublicClientApplicationConfig alloc] " * n),
    "podfile": ("Podfile", lambda n: "target 'App' do\n" + "pod 'MSAL', '~> 1.{}'\n" * n + "end\n"),
    "podfile-targets": ("Podfile", lambda n: "".join(f"target 'A{number}' do\npod 'MSAL'\n" for number in range(n))),
    "cartfile": ("Cartfile", lambda n: 'github "AzureAD/microsoft-authentication-library-for-objc" ~> 1.1\n' * n),
    "package": ("Package.swift", lambda n: 'import PackageDescription\n' + '.package(url: "https://github.com/a/b", from: "1.0"),\n' * n),
    "pbxproj": ("App.xcodeproj/project.pbxproj", lambda n: "// !$*UTF8*$!\n{ objects = {\n" + "".join(
        f"A{number} = {{ isa = XCBuildConfiguration; buildSettings = {{ PRODUCT_BUNDLE_IDENTIFIER = com.contoso.a{number}; }}; }};\n"
        for number in range(n)) + "}; }\n"),
    "pbxproj-deep": ("App.xcodeproj/project.pbxproj", lambda n: "// !$*UTF8*$!\n" + "{ a = " * n),
    "android-manifest": ("app/src/main/AndroidManifest.xml", lambda n: (
        '<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="com.contoso.app"><application>' + "".join(
            '<activity android:name="com.microsoft.identity.client.BrowserTabActivity"><intent-filter>'
            f'<data android:scheme="msauth" android:host="com.contoso.app{number}" android:path="/a"/></intent-filter></activity>\n'
            for number in range(n)) + "</application></manifest>")),
    "android-authorities": ("app/src/main/res/raw/auth_config.json", lambda n: {
        "client_id": "a", "redirect_uri": "msauth://com.contoso.app/a", "authorities": [
            {"type": "B2C", "authority_url": f"https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_{number}/"}
            for number in range(n)]}),
    "msal-js": ("src/authConfig.json", lambda n: {"auth": {
        "clientId": "a", "authority": "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi",
        "knownAuthorities": [f"a{number}.b2clogin.com" for number in range(n)]}}),
    "appsettings": ("appsettings.json", lambda n: {"AzureAdB2C": {
        "Instance": "https://contoso.b2clogin.com", "Domain": "contoso.onmicrosoft.com", "ClientId": "a",
        **{f"Key{number}": "a" for number in range(n)}}}),
    "registration": ("registration.json", lambda n: {
        "appId": "0a1b2c3d-0000-4000-8000-00000000ada0", "displayName": "App", "signInAudience": "AzureADandPersonalMicrosoftAccount",
        "spa": {"redirectUris": [f"http://app{number}.contoso.test/" for number in range(n)]}}),
    "registration-scopes": ("registration.json", lambda n: {
        "appId": "0a1b2c3d-0000-4000-8000-00000000ada0", "displayName": "App", "signInAudience": "AzureADandPersonalMicrosoftAccount",
        "api": {"oauth2PermissionScopes": [
            {"id": "a", "value": f"scope{number}", "isEnabled": True} for number in range(n)]}}),
    "tenant-users": ("tenant.json", TENANTS["users"]),
    "tenant-apps": ("tenant.json", TENANTS["apps"]),
    "tenant-redirect-uris": ("tenant.json", TENANTS["redirect-uris"]),
    "scenario-steps": ("scenario.json", SCENARIOS["steps"]),
    "file-lines": ("App/Readme.md", lambda n: "AzureAdB2C msauth B2C_1_susi\n" * n),
}
for shape, (name, make) in PROJECTS.items():
    add("validate", shape, VALIDATE, file(name, make), start=64, short=shape in ("swift-lines", "schemes"))
family("validate-swift", TEXTS, VALIDATE, lambda folder, text: put("App/Client.swift")(folder, "import MSAL\n" + text))
add("validate", "files", VALIDATE, lambda folder, n, bench: [
    put(f"App{number}/Info.plist")(folder, SCHEMES(1)) for number in range(n)] and None, start=16)
add("validate", "folders", VALIDATE, lambda folder, n, bench: put("/".join(["a"] * n) + "/Info.plist")(folder, SCHEMES(1)),
    start=16, most=1024)
add("validate", "tenant-and-apps", ["validate", "{}/App", "--tenant", "{}/tenant.json"], lambda folder, n, bench: [
    put("tenant.json")(folder, TENANTS["apps"](n)), put("App/Info.plist")(folder, SCHEMES(n))] and None, [("validate", "--tenant")])
for form in ("json", "sarif", "github", "junit"):
    add("validate-format", form, [*VALIDATE, "--format", form], file("App/Info.plist", SCHEMES))
add("validate", "fixes", [*VALIDATE, "--diff"], file("App/Info.plist", SCHEMES))


def token(claims, head=None):
    part = lambda value: base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")
    return part({"alg": "RS256", "typ": "JWT", "kid": "a", **(head or {})}) + "." + part(claims) + ".c2lnbmF0dXJl"


CLAIMS = {"iss": "https://contoso.b2clogin.com/a/v2.0/", "sub": "a", "aud": "b", "exp": 1, "nbf": 1}
TOKENS = {
    "claims": lambda n: token({**CLAIMS, **{f"claim{number}": "v" for number in range(n)}}),
    "audiences": lambda n: token({**CLAIMS, "aud": [f"a{number}" for number in range(n)]}),
    "scopes": lambda n: token({**CLAIMS, "scp": " ".join(f"scope{number}" for number in range(n))}),
    "long-claim": lambda n: token({**CLAIMS, "name": "a" * n}),
    "header": lambda n: token(CLAIMS, {f"h{number}": "v" for number in range(n)}),
    "deep-claims": lambda n: "eyJhbGciOiJub25lIn0." + base64.urlsafe_b64encode(b'{"a":' * n).decode() + ".c2ln",
}
VALIDATE_TOKEN = ["validate", "--token", "{}/token.txt"]
family("validate-token", {**TEXTS, **TOKENS}, VALIDATE_TOKEN, put("token.txt"), [("validate", "--token")], ("claims",))
KEY = lambda number: {
    "kty": "RSA", "kid": f"key{number}", "use": "sig", "e": "AQAB", "n": base64.urlsafe_b64encode(bytes([255] * 256)).decode()}
DISCOVERY = {
    "issuer": "https://contoso.b2clogin.com/a/v2.0/", "jwks_uri": "https://contoso.b2clogin.com/a/keys",
    "authorization_endpoint": "https://contoso.b2clogin.com/a/authorize", "token_endpoint": "https://contoso.b2clogin.com/a/token"}


def beside_token(name):
    def write(folder, text):
        put("token.txt")(folder, token(CLAIMS))
        put(name)(folder, text)
    return write


family("validate-keys", {**DOCUMENTS, "keys": lambda n: {"keys": [KEY(number) for number in range(n)]},
                         "same-key": lambda n: {"keys": [KEY(0)] * n}},
       [*VALIDATE_TOKEN, "--keys", "{}/keys.json"], beside_token("keys.json"), [("validate", "--keys")], ("keys",), start=64)
family("validate-discovery", {
    **DOCUMENTS, "members": lambda n: {**DISCOVERY, **{f"member{number}": "a" for number in range(n)}},
    "scopes": lambda n: {**DISCOVERY, "scopes_supported": [f"scope{number}" for number in range(n)]}},
    ["validate", "--discovery", "{}/discovery.json"], put("discovery.json"), [("validate", "--discovery")], start=64)
family("validate-uri", FEW, None, lambda folder, text: ["validate", "--redirect-uri", "msauth.com.contoso.app://auth/" + text.replace(
    "\0", ""), "--platform", "native"], [("validate", "--redirect-uri")], most=100_000)


def with_findings(name):
    def write(folder, text):
        put("App/Info.plist")(folder, SCHEMES(20))
        put(name)(folder, text)
    return write


family("validate-baseline", {**DOCUMENTS, "findings": lambda n: {"version": 1, "findings": [
    {"rule": "B2C-APP-003", "file": f"App/Info{number}.plist", "text": "a"} for number in range(n)]}},
    ["validate", "{}/App", "--baseline", "{}/baseline.json"], with_findings("baseline.json"), [("validate", "--baseline")])


def recorded(folder, size, bench):
    put("App/Info.plist")(folder, SCHEMES(size))
    bench.prepare(["validate", str(folder / "App"), "--write-baseline", str(folder / "baseline.json")], folder)


add("validate-baseline", "recorded", ["validate", "{}/App", "--baseline", "{}/baseline.json"], recorded)
family("validate-suppressions", {**DOCUMENTS, "rules": lambda n: {"suppress": [
    {"rule": "B2C-APP-003", "file": f"App{number}/*.plist", "reason": "a reason"} for number in range(n)]},
    "stars": lambda n: {"suppress": [{"rule": "B2C-APP-003", "file": "*a" * n, "reason": "a reason"}]}},
    VALIDATE, with_findings("b2c-validate.json"), start=64)
add("validate-suppressions", "long-names", VALIDATE, lambda folder, n, bench: [
    put("a" * 200 + "/Info.plist")(folder, SCHEMES(n)),
    put("b2c-validate.json")(folder, {"suppress": [{"rule": "B2C-APP-003", "file": "*a" * 20 + "b", "reason": "a reason"}]})]
    and None)


# MARK: policy

POLICY = "B2C_1A_grown"
COMMANDS = {
    "policy-list": ["policy", "list", "{}"],
    "policy-show": ["policy", "show", "{}", "--policy", POLICY],
    "policy-graph": ["policy", "graph", "{}", "--policy", POLICY],
    "policy-tenant": ["policy", "tenant", "{}"],
    "policy-trace": ["policy", "trace", "{}", "--policy", POLICY],
    "policy-explore": ["policy", "explore", "{}", "--policy", POLICY, "--moves", "300", "--states", "100"],
    "policy-migrate": ["policy", "migrate", "{}", "--policy", POLICY, "--moves", "300"],
    "policy-build": ["policy", "build", "{}", "--output", "{}/../built"],
    "policy-needs": ["policy", "needs", "{}"],
}
PLACES = {f"policy {name}" for name in ("list", "show", "graph", "tenant", "trace", "run", "explore", "migrate")}
RELEASE = {"policy build", "policy needs"}


def grown(thing):
    return lambda folder, size, bench: policies.write(folder, thing, size)


def both(thing):
    def write(folder, size, bench):
        policies.write(folder / "old", thing, max(1, size - 1))
        policies.write(folder / "new", thing, size)
    return write


EVERYWHERE = [(place, "") for place in PLACES]
for thing in policies.THINGS:
    start = 16
    add("validate-policies", thing, VALIDATE, grown(thing), start=start, short=thing in ("steps", "claims", "transformations"))
    for subject in ("policy-list", "policy-show", "policy-graph", "policy-tenant", "policy-build", "policy-needs"):
        if subject == "policy-show" or thing in ("claims", "steps", "profiles", "journeys", "included-profiles", "settings"):
            add(subject, thing, COMMANDS[subject], grown(thing), EVERYWHERE, start=start,
                short=(subject, thing) == ("policy-show", "steps"))
    if thing in policies.RUNNING:
        add("policy-trace", thing, COMMANDS["policy-trace"], grown(thing), EVERYWHERE, start=start,
            short=thing in ("steps", "claims"))
        for subject in ("policy-explore", "policy-migrate"):
            add(subject, thing, COMMANDS[subject], grown(thing), EVERYWHERE, start=start)
    add("policy-diff", thing, ["policy", "diff", "{}/old", "{}/new", "--structure"], both(thing), [("policy diff", "")], start=start,
        short=thing == "claims")
add("policy-run", "steps", ["policy", "run", "{}", "--policy", POLICY], grown("steps"), EVERYWHERE, start=16)
add("policy-trace", "json", [*COMMANDS["policy-trace"], "--json"], grown("steps"), start=16)
add("policy-trace", "html", [*COMMANDS["policy-trace"], "--html", "{}/../trace.html"], grown("steps"), start=16)
add("policy-diff", "walked", ["policy", "diff", "{}/old", "{}/new", "--moves", "300", "--states", "100"], both("steps"), start=8)
for subject, arguments in {**COMMANDS, "validate-policies": VALIDATE}.items():
    add(subject, "chain", arguments, lambda folder, n, bench: policies.chain(folder, n), start=8, short=subject == "policy-list")
for subject in ("policy-list", "policy-build", "policy-needs"):
    add(subject, "files", COMMANDS[subject], lambda folder, n, bench: policies.siblings(folder, n),
        [(place, "") for place in RELEASE], start=8)
add("policy-show", "base-folder", ["policy", "show", "{}/a", "--base", "{}/b"], lambda folder, n, bench: [
    policies.siblings(folder / "b", n), (folder / "a").mkdir(),
    (folder / "a" / "Grown.xml").write_text(policies.document())] and None,
    [(place, "--base") for place in PLACES | {"policy diff", "policy log", "import har"}], start=8)
add("policy-list", "tenant", ["policy", "list", "--tenant", "{}/a.json"], file("a.json", TENANTS["policies"]),
    [(place, "--tenant") for place in PLACES])


family("policy-migrate-app", TEXTS, ["policy", "migrate", "--app", "{}"], put("app.ts"), [("policy migrate", "--app")])


def with_policy(name):
    def write(folder, text):
        policies.write(folder, "steps", 2)
        put(name)(folder, text)
    return write


family("policy-inputs", {**DOCUMENTS, "parameters": lambda n: {"request": {"extraQueryParameters": {
    f"name{number}": "value" for number in range(n)}}}, "faults": lambda n: {"faults": [
        {"match": {"endpoint": "rest"}, "network": "reset", "optional": True}] * n}},
    [*COMMANDS["policy-trace"], "--inputs", "{}/inputs.json"], with_policy("inputs.json"),
    [("policy trace", "--inputs"), ("policy run", "--inputs")])
REST = policies.document(
    blocks=policies.schema(1), journey="Grown", journeys=policies.journey([lambda order: policies.exchange(order, "Service")]),
    outputs='<OutputClaim ClaimTypeReferenceId="claim0" />', profiles=(
        '<TechnicalProfile Id="Service"><DisplayName>Service</DisplayName><Protocol Name="Proprietary" '
        'Handler="Web.TPEngine.Providers.RestfulProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />'
        '<Metadata><Item Key="ServiceUrl">https://rest.contoso.test/a</Item><Item Key="SendClaimsIn">Body</Item>'
        '<Item Key="AuthenticationType">None</Item><Item Key="AllowInsecureAuthInProduction">true</Item></Metadata>'
        '<InputClaims><InputClaim ClaimTypeReferenceId="objectId" /></InputClaims>'
        '<OutputClaims><OutputClaim ClaimTypeReferenceId="claim0" /></OutputClaims></TechnicalProfile>\n'))


def answering(folder, answer):
    policies.base(folder)
    (folder / "Grown.xml").write_text(REST)
    put("inputs.json")(folder, json.dumps({"configure": {"rest": {"a": {
        "match": {"url": "https://rest.contoso.test/a"}, "reply": {"json": "@@"}}}}}).replace('"@@"', answer))


family("policy-rest", {**DOCUMENTS, **{f"claim-{name}": (lambda n, make=make: json.dumps({"claim0": make(n)})) for name, make in
                                       FEW.items()}},
       [*COMMANDS["policy-trace"], "--inputs", "{}/inputs.json"], answering)
family("policy-invariants", {**DOCUMENTS, "rules": lambda n: {"never": [{"name": f"a{number}"} for number in range(n)]}},
       [*COMMANDS["policy-explore"], "--invariants", "{}/explore.json"], with_policy("explore.json"),
       [("policy explore", "--invariants")])
VALUES = PLACES | {"policy diff", "validate", "policy log"}
family("policy-settings", {**DOCUMENTS, "settings": lambda n: {"Environments": [
    {"Name": "Test", "PolicySettings": {f"Name{number}": "value" for number in range(n)}}]}, "environments": lambda n: {
        "Environments": [{"Name": f"Test{number}", "PolicySettings": {"Name": "value"}} for number in range(n)]}},
    ["policy", "list", "{}", "--settings", "{}/appsettings.json"], with_policy("appsettings.json"),
    [(place, "--settings") for place in VALUES])
family("policy-value", FEW, ["policy", "show", "{}", "--policy", POLICY], lambda folder, text: [
    policies.base(folder), (folder / "Grown.xml").write_text(policies.document(
        blocks=policies.schema(1), outputs='<OutputClaim ClaimTypeReferenceId="claim0" DefaultValue="'
        + text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;") + '" />'))] and None)


# MARK: policy log

LOG = ["policy", "log", "{}/a.log"]
SESSION = [*LOG, "--correlation", logs.correlation(1)]
ROW = logs.row(logs.message([logs.claims(logs.PERSON)]))


def value(text, name="displayName"):
    """A log in which one claim has this value."""
    return logs.csv([logs.row(logs.message([logs.claims({**logs.PERSON, name: text})]))])


LOGS = {
    "sessions": lambda n: logs.csv(logs.sessions(n)),
    "requests": lambda n: logs.csv(logs.one_session(n)),
    "same-rows": lambda n: logs.csv([ROW] * n),
    "bad-rows": lambda n: logs.csv([ROW]) + "2026-11-02T09:10:11Z\n" * n,
    "rows-without-time": lambda n: logs.csv([ROW]) + ",text,,,,,\n" * n,
    "rows-of-others": lambda n: logs.csv([ROW] + [logs.row(f"Request {number} began", number, number) for number in range(n)]),
    "tenants": lambda n: logs.csv([
        logs.row(logs.message([], number, tenant=f"a{number}.onmicrosoft.com"), number, number, f"a{number}.onmicrosoft.com")
        for number in range(n)]),
    "policies": lambda n: logs.csv([
        logs.row(logs.message([], policy=f"B2C_1A_a{number}"), number, policy=f"B2C_1A_a{number}") for number in range(n)]),
    "cut-messages": lambda n: logs.csv([
        logs.row(logs.message([logs.claims(logs.PERSON)], number)[:300], number, number) for number in range(n)]),
    "cut-messages-of-one": lambda n: logs.csv([
        logs.row(logs.message([logs.claims(logs.PERSON)])[:300], number) for number in range(n)]),
    "pieces": lambda n: logs.csv([
        logs.row(piece, 0) for piece in pieces(logs.message([logs.claims({f"claim{number}": "v" * 20 for number in range(n)})]))]),
    "lost-beginnings": lambda n: logs.csv([
        logs.row(logs.message([logs.claims(logs.PERSON)], number)[300:], number, number) for number in range(n)]),
    "columns": lambda n: logs.csv([ROW + ["value"] * n], logs.COLUMNS + [f"column{number}" for number in range(n)]),
    "same-columns": lambda n: logs.csv([ROW + ["value"] * n], logs.COLUMNS + ["column"] * n),
    "columns-of-a-table": lambda n: json.dumps({"tables": [{"name": "PrimaryResult", "columns": [
        {"name": name, "type": "string"} for name in logs.COLUMNS + [f"column{number}" for number in range(n)]],
        "rows": [ROW + ["value"] * n] * 2}]}),
    "members-of-a-row": lambda n: json.dumps([{**dict(zip(logs.COLUMNS, ROW)), **{f"member{number}": "v" for number in range(n)}}]),
    "dimensions": lambda n: logs.csv([ROW[:2] + [json.dumps({
        **json.loads(ROW[2]), **{f"dimension{number}": "v" for number in range(n)}})] + ROW[3:]]),
    "cells": lambda n: logs.csv([ROW]) + '"a",' * n + "\n",
    "open-quote": lambda n: logs.csv([ROW]) + '"' + "a\n" * n,
    "clips": lambda n: logs.csv([logs.row(logs.message([{"Kind": "Action", "Content": f"Handler{number}"} for number in range(n)]))]),
    "unknown-clips": lambda n: logs.csv([logs.row(logs.message([{"Kind": f"Kind{number}", "Content": 1} for number in range(n)]))]),
    "claims": lambda n: logs.csv([logs.row(logs.message([logs.claims({f"claim{number}": f"value {number}" for number in range(n)})]))]),
    "values-of-a-claim": lambda n: logs.csv([
        logs.row(logs.message([logs.claims({"displayName": f"Name {number}"})]), number) for number in range(n)]),
    "people": lambda n: logs.csv([
        logs.row(logs.message([logs.claims({"signInName": f"a{number}@example.test", "displayName": f"Name {number}"})], number),
                 number, number) for number in range(n)]),
    "exceptions": lambda n: logs.csv([logs.row(within({"Kind": "HandlerResult", "Content": {
        "Result": False, "Exception": "@@"}}, '{"Message":"Failure","InnerException":' * n + "null" + "}" * n))]),
    "exceptions-of-others": lambda n: logs.csv([logs.row(logs.message([{"Kind": "HandlerResult", "Content": {
        "Result": False, "Exception": {"Message": f"Failure {number}"}}} for number in range(n)]))]),
    "records": lambda n: logs.csv([logs.row(logs.message([{"Kind": "HandlerResult", "Content": {
        "Result": True, "RecorderRecord": {"Values": [
            {"Key": f"Key{number}", "Value": number} for number in range(n)]}}}]))]),
    "steps": lambda n: logs.csv([logs.row(logs.message([clip for number in range(n) for clip in (
        {"Kind": "Action", "Content": "Web.TPEngine.OrchestrationManager"},
        {"Kind": "HandlerResult", "Content": {"Result": True, "Statebag": {"ORCH_CS": {
            "c": logs.time(0), "k": "ORCH_CS", "v": str(number), "p": True}}}},
        logs.claims({f"claim{number}": f"value {number}"}))]))]),
    "nested-values": lambda n: logs.csv([logs.row(within({"Kind": "HandlerResult", "Content": "@@"}, '{"Value":' * n + "1" + "}" * n))]),
    "open-message": lambda n: logs.csv([logs.row('[{"Kind":"Headers","Content":' + "[" * n)]),
    "kinds": lambda n: '"Kind":' * n,
    "kind-openings": lambda n: '[{"Kind":"Headers",' * n,
    "quoted-kinds": lambda n: '\\\\"Kind\\\\":' * n,
}


def within(clip, text):
    """A message whose clip has a text of JSON at the mark, which may be deeper than Python writes."""
    return logs.message([clip]).replace('"@@"', text)


def pieces(text, limit=500):
    return [text[start:start + limit] for start in range(0, len(text), limit)]


for shape, make in LOGS.items():
    add("policy-log", shape, LOG, file("a.log", make), [("policy log", "")], start=64,
        short=shape in ("bad-rows", "tenants", "cut-messages", "columns", "sessions", "people"))
    if shape in ("requests", "pieces", "clips", "claims", "values-of-a-claim", "exceptions", "steps", "records", "unknown-clips",
                 "cut-messages-of-one", "same-rows", "sessions"):
        add("policy-log-session", shape, SESSION, file("a.log", make), start=64, short=shape in ("steps",))
family("policy-log-value", TEXTS, SESSION, lambda folder, text: put("a.log")(folder, value(text)),
       short=("address-and-word", "dotted-word", "password="))
family("policy-log-list", FEW, LOG, lambda folder, text: put("a.log")(folder, value(text)), short=("one-word",))
family("policy-log-error", TEXTS, SESSION, lambda folder, text: put("a.log")(folder, logs.csv([logs.row(logs.message([{
    "Kind": "HandlerResult", "Content": {"Result": False, "Exception": {"Message": text}}}]))])), short=("address-and-word",))
family("policy-log-json", {name: TEXTS[name] for name in ("one-word", "password=", "address", "other-words", "quotes", "combining")},
       [*SESSION, "--format", "json"], lambda folder, text: put("a.log")(folder, value(text)))
family("policy-log-text", TEXTS, LOG, put("a.log"))
family("policy-log-form", {name: (lambda n, form=form: form(logs.sessions(n))) for name, form in logs.FORMS.items()}, LOG,
       put("a.log"), start=16, short=("query-api",))
family("policy-log-request", {name: (lambda n, form=form: form(logs.one_session(n))) for name, form in logs.FORMS.items()}, SESSION,
       put("a.log"), start=16)
family("policy-log-long", {name: (lambda n, form=form: form([logs.row(logs.message([logs.claims({"displayName": "a" * n})]))]))
                           for name, form in logs.FORMS.items()}, LOG, put("a.log"))
family("policy-log-document", DOCUMENTS, LOG, put("a.log"))
add("policy-log", "html", [*SESSION, "--html", "{}/../a.html"], file("a.log", LOGS["steps"]), start=64)
add("policy-log", "files", LOG, lambda folder, n, bench: [
    put(f"a{number}.log")(folder, logs.csv(logs.sessions(2))) for number in range(n)] and
    ["policy", "log", *sorted(str(each) for each in folder.iterdir())], start=4, most=512)


def compared(folder, size, bench):
    policies.write(folder / "policies", "steps", 2)
    put("a.log")(folder, LOGS["steps"](size).replace(logs.POLICY, POLICY))


add("policy-log", "compared", [*SESSION, "--policies", "{}/policies"], compared, [("policy log", "--policies")], start=16)
add("policy-log", "written", [*SESSION, "--policies", "{}/policies", "--write", "{}/../repro"], compared, start=16)


# MARK: import har

def capture(bench):
    """The entries of one sign-in."""
    path = bench.folder / f"capture-{os.getpid()}-{id(bench)}.har"
    if not path.exists():
        bench.prepare(["run", str(ROOT / "scenarios" / "happy-sign-in.json"), "--seed", "1", "--trace-har", str(path)], bench.folder)
    return json.loads(path.read_text())


def captured(change):
    def write(folder, size, bench):
        whole = capture(bench)
        change(whole["log"]["entries"], size)
        put("a.har")(folder, whole)
    return write


def other(entry, number):
    return {**entry, "request": {**entry["request"], "url": f"https://host{number}.example.test/a", "method": "GET"}}


def fields(key, make):
    def change(entries, size):
        for entry in entries:
            entry["request"][key] = entry["request"].get(key, []) + [make(number) for number in range(size)]
    return change


def pair(number):
    return {"name": f"x-name{number}", "value": f"value{number}"}


def posted(text):
    def change(entries):
        for entry in entries:
            if entry["request"]["method"] == "POST":
                data = entry["request"].get("postData") or {"mimeType": "application/x-www-form-urlencoded"}
                data.pop("params", None)
                data["text"] = data.get("text", "") + "&extra=" + text
                entry["request"]["postData"] = data
    return change


def answered(text):
    def change(entries):
        for entry in entries:
            entry["response"]["content"] = {"size": len(text), "mimeType": "text/html", "text": text}
    return change


def later(entries, size):
    """The same person signs in again and again, an hour after another."""
    first = list(entries)
    for number in range(1, size):
        for entry in first:
            entries.append({**entry, "startedDateTime": f"2026-{1 + number // 672 % 12:02}-{1 + number // 24 % 28:02}T{number % 24:02}:00:00.000Z"})


IMPORT = ["import", "har", "{}/a.har", "--output", "{}/../out"]
HARS = {
    "same-session": lambda entries, n: entries.extend(entries * (n - 1)),
    "sessions": later,
    "same-entry": lambda entries, n: entries.extend([entries[0]] * n),
    "last-entry": lambda entries, n: entries.extend([entries[-1]] * n),
    "other-hosts": lambda entries, n: entries.extend([other(entries[0], number) for number in range(n)]),
    "headers": fields("headers", pair),
    "cookies": fields("cookies", pair),
    "parameters": fields("queryString", pair),
    "long-url": lambda entries, n: [entry["request"].update(url=entry["request"]["url"] + "?a=" + "b" * n) for entry in entries],
}
for shape, change in HARS.items():
    add("import-har", shape, IMPORT, captured(change), [("import har", "")], start=2 if "session" in shape else 16,
        short=shape == "same-session")
family("import-document", {**DOCUMENTS, **{f"log-{name}": (lambda n, make=make: '{"log":' + make(n)) for name, make in DOCUMENTS.items()}},
       IMPORT, put("a.har"))


def import_text(subject, change, short=()):
    for shape, make in TEXTS.items():
        def write(folder, size, bench, make=make):
            return captured(lambda entries, _: change(make(size))(entries))(folder, size, bench)
        add(subject, shape, IMPORT, write, start=1024, short=shape in short)


import_text("import-form", posted, ("password%3D",))
import_text("import-page", answered)


def joined(folder, size, bench):
    captured(HARS["same-session"])(folder, 1, bench)
    put("a.log")(folder, logs.csv(logs.sessions(size)))


add("import-log", "sessions", [*IMPORT, "--log", "{}/a.log"], joined, [("import har", "--log")], start=32)
add("import-policies", "steps", [*IMPORT, "--policies", "{}/policies"], lambda folder, n, bench: [
    captured(HARS["same-session"])(folder, 1, bench), policies.write(folder / "policies", "steps", n)] and None,
    [("import har", "--policies")], start=16)
