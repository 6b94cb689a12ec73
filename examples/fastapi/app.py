"""An API whose callers sign in with Azure AD B2C: it checks every access token before it answers."""

import os
from typing import Annotated

import httpx
import jwt
from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

SCOPE = "tasks.read"


class TokenCheck:
    """Checks access tokens of one policy. Issuer and keys come from the policy's discovery document."""

    def __init__(self, metadata_url: str, audience: str, policy: str, key_cooldown: float) -> None:
        self.metadata_url, self.audience, self.policy, self.key_cooldown = metadata_url, audience, policy, key_cooldown
        self.metadata: dict | None = None
        self.keys: jwt.PyJWKClient | None = None

    def read_metadata(self) -> tuple[dict, jwt.PyJWKClient]:
        if self.metadata is None or self.keys is None:
            self.metadata = httpx.get(self.metadata_url, timeout=5).raise_for_status().json()
            self.keys = jwt.PyJWKClient(self.metadata["jwks_uri"], timeout=5, cooldown_duration=self.key_cooldown)
        return self.metadata, self.keys

    def __call__(self, credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(HTTPBearer(auto_error=False))]) -> dict:
        if credentials is None:
            raise refusal("there is no token")
        try:
            metadata, keys = self.read_metadata()
            key = keys.get_signing_key_from_jwt(credentials.credentials)
        except (httpx.HTTPError, jwt.PyJWKClientConnectionError):
            # The caller did nothing wrong: a 401 would make apps ask people to sign in again.
            raise HTTPException(503, "the identity service cannot be reached", {"Retry-After": "5"}) from None
        except jwt.PyJWTError as error:
            raise refusal(str(error)) from None
        try:
            claims = jwt.decode(
                credentials.credentials, key, algorithms=["RS256"], audience=self.audience, issuer=metadata["issuer"],
                options={"require": ["exp", "nbf", "iss", "aud", "sub"]})
        except jwt.PyJWTError as error:
            raise refusal(str(error)) from None
        # All policies of a tenant may share issuer and keys: without this check a token of any policy is good here.
        if claims.get("tfp") != self.policy:
            raise refusal("the token is of another policy")
        if SCOPE not in claims.get("scp", "").split():
            raise HTTPException(403, f"the token does not have the scope {SCOPE}")
        return claims


def refusal(why: str) -> HTTPException:
    return HTTPException(401, why, {"WWW-Authenticate": 'Bearer error="invalid_token"'})


def create_app(metadata_url: str, audience: str, policy: str, key_cooldown: float = 30) -> FastAPI:
    """The API. `key_cooldown`: seconds in which tokens with unknown keys do not make it read the keys again."""
    app = FastAPI()
    check = TokenCheck(metadata_url, audience, policy, key_cooldown)

    @app.get("/tasks")
    def tasks(claims: Annotated[dict, Depends(check)]) -> dict:
        return {"owner": claims["name"], "tasks": []}

    return app


def from_environment() -> FastAPI:
    """What `uvicorn --factory app:from_environment` runs. `b2c exec` sets the variables."""
    return create_app(os.environ["B2C_METADATA_URL"], os.environ["B2C_AUDIENCE"], os.environ["B2C_POLICY"])
