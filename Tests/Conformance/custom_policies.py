"""Custom policies through a mock-server: MSAL Python signs in with them, and so does Chromium by the page's own script.

    custom_policies.py MOCK_SERVER B2C [--starter-packs FOLDER]

The project's own policies always; Microsoft's starter packs where a folder with them is named. Their files are served as
they are: `b2c policy tenant` writes the tenant that they lack.
"""

import argparse
import json
import logging
import os
import subprocess
import sys
import tempfile
import warnings

import msal
import requests

from browser import APP, DOMAIN, HOST, REDIRECT, TENANT, Person, verify_email
from harness import Server, Skip, find, run_part
from plain_browser import Answer, Page, PlainBrowser

API = "https://contoso.onmicrosoft.com/tasks/read"


class Library:
    """MSAL Python under the name of the browser tests' app."""

    def __init__(self, server, scope=API):
        self.server, self.scope = server, scope
        self.session = requests.Session()
        self.session.trust_env, self.session.verify = False, server.authority
        self.cache = msal.TokenCache()

    def client(self, policy):
        return msal.PublicClientApplication(
            APP, authority=f"https://{HOST}/{DOMAIN}/{policy}", http_client=self.session, token_cache=self.cache)

    def sign_in(self, policy, person):
        """`person` takes the first page and brings the app's answer."""
        client = self.client(policy)
        flow = client.initiate_auth_code_flow([self.scope], redirect_uri="http://localhost")
        answer = person(PlainBrowser(self.server).open(flow["auth_uri"]))
        assert isinstance(answer, Answer), answer.text[:400]
        return client.acquire_token_by_auth_code_flow(flow, answer.parameters)

    def renewed(self, policy):
        client = self.client(policy)
        account = next(one for one in client.get_accounts() if policy.lower() in one["home_account_id"])
        return client.acquire_token_silent_with_error([self.scope], account=account, force_refresh=True)


def own_policies(server, report):
    def check(name, action):
        server.control("POST", "/reset", {"to": "start"})
        report.check(f"own policies, MSAL Python {msal.__version__}: {name}", action)

    def sign_in():
        library = Library(server)
        result = library.sign_in("B2C_1A_loyalty", lambda page: page.sign_in("ada@example.test", "Analytical-1843"))
        sub = result.get("id_token_claims", {}).get("sub")
        assert sub and library.client("B2C_1A_loyalty").get_accounts()[0]["local_account_id"].startswith(sub), result
        again = library.renewed("B2C_1A_loyalty")
        assert again.get("id_token_claims", {}).get("sub") == sub, again

    def sign_up_with_a_web_api():
        def person(page):
            page = page.go("unified", "local=signup")
            control = "SelfAsserted/DisplayControlAction/vbeta/emailVerificationControl/"
            address = {"email": "lee@example.test"}
            assert page.submit(control + "SendCode", **address)["status"] == "200"
            code = {**address, "emailVerificationCode": server.codes("lee@example.test")[-1]}
            assert page.submit(control + "VerifyCode", **{**code, "emailVerificationCode": "000000"})["status"] == "400"
            assert page.submit(control + "VerifyCode", **code)["status"] == "200"
            return page.send(**code, newPassword="Newcomer-2026", reenterPassword="Newcomer-2026", displayName="Lee")
        result = Library(server).sign_in("B2C_1A_loyalty", person)
        assert result.get("id_token_claims", {}).get("tier") == "gold", result

    def providers():
        def person(page):
            assert page.choices == ["GitlikeExchange", "WorkExchange", "LocalExchange"], page.choices
            page = page.choose("LocalExchange")
            return page.send(email="ada@example.test", password="Analytical-1843")
        result = Library(server).sign_in("B2C_1A_ProviderSelection", person)
        assert result.get("id_token_claims", {}).get("name") == "Ada", result

    def cancelled():
        result = Library(server).sign_in("B2C_1A_loyalty", lambda page: page.cancel())
        assert result.get("error") == "access_denied" and "AADB2C90091" in result["error_description"], result

    def web_api_down():
        """What a policy cannot do ends at the app as an error, and not in a token."""
        server.control("PUT", "/faults", {"rules": [{"match": {"endpoint": "rest"}, "respond": {"status": 500, "json": {}}}]})
        try:
            def person(page):
                page = page.go("unified", "local=signup")
                control = "SelfAsserted/DisplayControlAction/vbeta/emailVerificationControl/"
                page.submit(control + "SendCode", email="kim@example.test")
                code = {"email": "kim@example.test", "emailVerificationCode": server.codes("kim@example.test")[-1]}
                page.submit(control + "VerifyCode", **code)
                answer = page.submit(**code, newPassword="Newcomer-2026", reenterPassword="Newcomer-2026", displayName="Kim")
                assert answer["status"] != "200", answer
                return page.cancel()
            result = Library(server).sign_in("B2C_1A_loyalty", person)
            assert result.get("error") == "access_denied", result
        finally:
            server.control("DELETE", "/faults")

    def wrong_policy():
        library = Library(server)
        library.sign_in("B2C_1A_loyalty", lambda page: page.sign_in("ada@example.test", "Analytical-1843"))
        client = library.client("B2C_1A_ProviderSelection")
        result = client.acquire_token_silent_with_error([API], account=client.get_accounts()[0], force_refresh=True)
        assert result and "AADB2C90088" in result.get("error_description", ""), result

    for name, action in [
        ("sign-in and refresh", sign_in), ("sign-up with a web API", sign_up_with_a_web_api), ("a choice of providers", providers),
        ("cancelled", cancelled), ("the web API is down", web_api_down), ("a refresh token of another policy", wrong_policy),
    ]:
        check(name, action)


def starter_tenant(b2c, folder, into):
    """The tenant file that `b2c policy tenant` writes for a folder of policies, with an app that this suite can play."""
    written = subprocess.run([b2c, "policy", "tenant", folder], capture_output=True, text=True, cwd=into)
    if written.returncode:
        raise RuntimeError(written.stderr)
    tenant = json.loads(written.stdout)
    app = next(iter(tenant["apps"].values()))
    app["registration"] = {"clientId": APP, "redirectUris": {"native": ["http://localhost"], "spa": [REDIRECT]}}
    app["client"] = {**app.get("client", {}), "kind": "msal-browser"}
    app["platform"] = {"origin": REDIRECT.rstrip("/")}
    tenant["apis"] = {"tasks": {"scopes": ["read"]}}
    path = os.path.join(into, "tenant.json")
    with open(path, "w") as file:
        json.dump(tenant, file, indent=1)
    return path, tenant


def starter_pack(program, b2c, folder, report, into):
    name = os.path.basename(folder)
    path, tenant = starter_tenant(b2c, folder, into)
    ada, nina, sam = (tenant["users"].get(person) for person in ("ada", "nina", "sam"))
    server = Server(program, path)
    find([HOST], server.port)
    check = lambda what, action: report.check(f"{name}, {what}", action)
    try:
        policy = next(one["id"] for one in tenant["policies"].values() if "signup_signin" in one["id"].lower())
        library = Library(server)

        def code_by_phone(page, number):
            """The pages of the second factor, where the pack has one."""
            if isinstance(page, Page) and page.settings["api"] == "Phonefactor":
                given = {"id": "1"} if page.variable("UV_PHONE")["PhoneNumbers"] else {"id": "UserAsserted", "number": number}
                page.submit("Phonefactor/verify", request_type="VERIFICATION_REQUEST", auth_type="onewaysms", **given)
                answer = page.submit(
                    "Phonefactor/verify", request_type="VALIDATION_REQUEST", verification_code=server.codes(number)[-1])
                assert answer["status"] == "200", answer
                page = page.go("confirmed")
            return page

        def sign_in():
            result = library.sign_in(policy, lambda page: code_by_phone(page.sign_in(ada["email"], ada["password"]), ada["phone"]))
            assert result.get("id_token_claims", {}).get("name") == ada["displayName"], result
            again = library.renewed(policy)
            assert again.get("id_token_claims", {}).get("name") == ada["displayName"], again

        def sign_up():
            def person(page):
                page = page.go("unified", "local=signup")
                address = {"claim_id": "email", "claim_value": nina["email"]}
                assert page.submit(**{**address, "request_type": "VERIFICATION_REQUEST"})["status"] == "200"
                assert page.submit(**{
                    **address, "request_type": "VALIDATION_REQUEST", "user_input": server.codes(nina["email"])[-1]})["status"] == "200"
                values = {"email": nina["email"], "newPassword": nina["password"], "reenterPassword": nina["password"], "surName": nina["surname"]}
                for field in page.fields:
                    if field not in values and field.lower() in ("displayname", "givenname", "surname"):
                        values[field] = nina[{"displayname": "displayName", "givenname": "givenName", "surname": "surname"}[field.lower()]]
                return code_by_phone(page.send(**{field: values[field] for field in page.fields if field in values}), nina["phone"])
            result = Library(server).sign_in(policy, person)
            assert result.get("id_token_claims", {}).get("name") == nina["displayName"], result

        def wrong_password():
            page = PlainBrowser(server).open(library.client(policy).initiate_auth_code_flow([API], redirect_uri="http://localhost")["auth_uri"])
            assert page.submit(**{page.fields[0]: ada["email"], page.fields[1]: "not-this-one"})["status"] == "400"

        def chromium_signs_in(person):
            person.authorize(policy)
            person.sees("next")
            field = "signInName" if person.driver.find_elements("id", "signInName") else "email"
            person.sign_in(ada["email"], ada["password"], field=field)
            if "Mfa" in name:
                person.press("verifyCode")
                person.fill(verificationCode=person.code(ada["phone"], len(server.codes(ada["phone"])) - 1))
                person.press("verifyCode")
            assert person.tokens()["name"] == ada["displayName"]

        def chromium_chooses_a_provider(person):
            person.authorize(policy, prompt="login")
            person.press("FacebookExchange")
            person.sign_in_at_provider(sam["email"])
            # The pack asks a newcomer for what the provider did not tell.
            person.sees("continue")
            for field in ["displayName", "givenName", "surname", "surName"]:
                if person.driver.find_elements("id", field):
                    person.fill(**{field: sam["surname" if field == "surName" else field]})
            person.press("continue")
            if "Mfa" in name:
                person.choose("countryCode", "+44")
                person.fill(localNumber=sam["phone"].removeprefix("+44"))
                person.press("verifyCode")
                person.fill(verificationCode=person.code(sam["phone"], len(server.codes(sam["phone"])) - 1))
                person.press("verifyCode")
            assert person.tokens()["name"] == sam["displayName"]

        check(f"MSAL Python {msal.__version__}: sign-in and refresh", sign_in)
        check("sign-up", sign_up)
        check("wrong password", wrong_password)
        try:
            person = Person(server)
        except Skip as reason:
            print(f"  skipped {name} in Chromium: {reason}")
            return
        try:
            check("Chromium: sign-in", lambda: chromium_signs_in(person))
            if "Social" in name:
                check("Chromium: sign-in with a provider", lambda: chromium_chooses_a_provider(person))
        finally:
            person.close()
    finally:
        server.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("b2c")
    parser.add_argument("--starter-packs")
    arguments = parser.parse_args()
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")

    def body(report):
        server = Server(arguments.server, TENANT)
        find([HOST], server.port)
        try:
            own_policies(server, report)
        finally:
            server.stop()
        packs = arguments.starter_packs
        if not packs or not os.path.isdir(packs):
            print("  skipped the starter packs: no folder with them is named")
            return
        for name in ["LocalAccounts", "SocialAndLocalAccounts", "SocialAndLocalAccountsWithMfa"]:
            with tempfile.TemporaryDirectory() as into:
                starter_pack(arguments.server, arguments.b2c, os.path.join(packs, name), report, into)

    return run_part("custom policies", body)


if __name__ == "__main__":
    sys.exit(main())
