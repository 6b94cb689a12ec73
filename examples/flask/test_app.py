"""End-to-end tests of the web app: a person at the real sign-in pages, and MSAL Python's own requests."""

import pytest

from app import create_app
from b2c_harness.kit import PageError, Server


@pytest.fixture
def client(b2c, monkeypatch):
    return client_of(b2c, monkeypatch)


def client_of(world, monkeypatch):
    # By this variable MSAL Python trusts the server.
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", world.ca_file)
    return create_app(
        world.authority(), world.client_id(), world.client_secret(), world.scopes(), world.redirect_uri()).test_client()


def sign_in(client, browser, as_="ada", login="/login", **how):
    """The app sends the person to the sign-in pages; they come back to the app."""
    callback = browser.sign_in(client.get(login).location, as_, **how)
    return client.get(callback)


def test_sign_in(b2c, client):
    assert client.get("/").text == "You are signed out"
    answer = sign_in(client, b2c.browser())
    assert answer.location == "/"
    assert client.get("/").text == "Hello Ada"
    assert client.get("/token").json["expires_in"] > 3000


def test_sign_up_with_the_code_from_the_inbox(b2c, client):
    sign_in(client, b2c.browser(), as_="nina")
    assert client.get("/").text == "Hello Nina"
    assert len(b2c.code_for("nina@example.test")) == 6


def test_a_person_of_the_test_signs_up(b2c, client):
    b2c.add_person("grace", registered=False)
    sign_in(client, b2c.browser(), as_="grace")
    assert client.get("/").text == "Hello Grace"


def test_a_wrong_password_stays_at_the_page(b2c, client):
    with pytest.raises(PageError, match="ada stops at the sign-in page, which says"):
        sign_in(client, b2c.browser(), password="guessed")


def test_cancel_leads_home(b2c, client):
    answer = sign_in(client, b2c.browser(), press="cancel")
    assert answer.location == "/"
    assert client.get("/").text == "You are signed out"


def test_the_second_sign_in_needs_no_page(b2c, client):
    browser = b2c.browser()
    sign_in(client, browser)
    # Nobody is at the browser: the session of the first sign-in answers.
    sign_in(client, browser, as_=None)
    assert client.get("/").text == "Hello Ada"


def test_interaction_is_required_without_a_session(b2c, client):
    answer = sign_in(client, b2c.browser(), as_=None, login="/login?prompt=none")
    assert answer.location == "/login"
    assert client.get("/").text == "You are signed out"


def test_interaction_is_required_when_the_refresh_token_has_expired(b2c, client):
    sign_in(client, b2c.browser())
    assert client.get("/token?fresh").status_code == 200
    b2c.advance(15 * 24 * 3600)
    assert client.get("/token?fresh").location == "/login"
    assert client.get("/").text == "You are signed out"


def test_an_id_token_of_another_sign_in_is_refused(b2c, client):
    b2c.faults.claims(id_token={"nonce": "another"})
    assert sign_in(client, b2c.browser()).status_code == 400
    assert client.get("/").text == "You are signed out"


def test_an_answer_of_another_sign_in_is_refused(b2c, client):
    callback = b2c.sign_in(client.get("/login").location, "ada")
    answer = client.get(callback.replace("state=", "state=x"))
    assert answer.status_code == 400


def test_the_service_fails_once(b2c, client):
    b2c.faults.disconnect("token", times=1)
    assert sign_in(client, b2c.browser()).status_code == 503
    sign_in(client, b2c.browser())
    assert client.get("/").text == "Hello Ada"


def test_the_server_is_down(monkeypatch):
    # A server of its own: the other tests need theirs.
    with Server("tenant.json", tls=True) as server:
        client = client_of(server.fresh(), monkeypatch)
    # The server has ended here.
    answer = client.get("/login")
    assert answer.status_code == 503
    assert answer.text == "Sign-in is not available at the moment."
