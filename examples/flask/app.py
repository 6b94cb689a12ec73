"""A web app that signs people in with Azure AD B2C and MSAL Python."""

import os
import secrets

import msal
import requests
from flask import Flask, redirect, request, session, url_for


def create_app(authority: str, client_id: str, client_secret: str, scopes: list[str], redirect_uri: str) -> Flask:
    app = Flask(__name__)
    app.secret_key = secrets.token_bytes(32)
    # Tokens stay on this side: the cookie has only the key of these. A real app has a store that several processes share.
    flows: dict[str, dict] = {}
    caches: dict[str, msal.SerializableTokenCache] = {}

    def client() -> msal.ConfidentialClientApplication:
        cache = caches.setdefault(session.setdefault("id", secrets.token_urlsafe()), msal.SerializableTokenCache())
        return msal.ConfidentialClientApplication(
            client_id, client_credential=client_secret, authority=authority, token_cache=cache, instance_discovery=False)

    @app.errorhandler(requests.RequestException)
    def service_is_down(_error):
        return "Sign-in is not available at the moment.", 503

    @app.get("/")
    def home():
        name = session.get("name")
        return f"Hello {name}" if name else "You are signed out"

    @app.get("/login")
    def login():
        flow = client().initiate_auth_code_flow(scopes, redirect_uri=redirect_uri, prompt=request.args.get("prompt"))
        flows[session["id"]] = flow
        return redirect(flow["auth_uri"])

    @app.get("/auth/callback")
    def callback():
        flow = flows.pop(session.get("id", ""), None)
        if flow is None:
            return redirect(url_for("login"))
        try:
            result = client().acquire_token_by_auth_code_flow(flow, request.args)
        except (ValueError, RuntimeError):
            # State or nonce are not those of this flow: an old page, or the answer to another person.
            return "This answer does not belong to your sign-in.", 400
        if "error" in result:
            return failure(result)
        session["name"] = result["id_token_claims"]["name"]
        return redirect(url_for("home"))

    @app.get("/token")
    def token():
        """Whether the app can call its API for the person without asking them; `?fresh` asks the service."""
        auth = client()
        account = next(iter(auth.get_accounts()), None)
        if account is None:
            return redirect(url_for("login"))
        result = auth.acquire_token_silent_with_error(scopes, account=account, force_refresh="fresh" in request.args)
        if not result or "error" in result:
            # Interaction is required: only the person can help.
            session.pop("name", None)
            return redirect(url_for("login"))
        return {"expires_in": result["expires_in"]}

    def failure(result: dict):
        description = result.get("error_description", "")
        if description.startswith("AADB2C90091"):
            return redirect(url_for("home"))
        if result["error"] in ("interaction_required", "login_required"):
            return redirect(url_for("login"))
        return f"Sign-in failed: {description.splitlines()[0] if description else result['error']}", 401

    return app


def from_environment() -> Flask:
    """What `flask --app app:from_environment run` runs."""
    env = os.environ
    return create_app(
        env["B2C_AUTHORITY"], env["B2C_CLIENT_ID"], env["CLIENT_SECRET"], env["B2C_SCOPES"].split(), env["B2C_REDIRECT_URI"])
