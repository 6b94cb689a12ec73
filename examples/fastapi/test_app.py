"""End-to-end tests of the API: real tokens from a tenant on this machine, and tokens that the API must refuse."""

import pytest
from fastapi.testclient import TestClient

from app import create_app
from b2c_harness.kit import Server


@pytest.fixture
def client(b2c):
    return client_of(b2c)


def client_of(world, **settings):
    return TestClient(create_app(world.metadata_url(), world.audience(), "B2C_1_susi", **settings))


def tasks(client, token=None):
    return client.get("/tasks", headers={"Authorization": f"Bearer {token}"} if token else {})


def test_a_person_who_signed_in_reads_their_tasks(b2c, client):
    answer = tasks(client, b2c.token(as_="ada"))
    assert answer.status_code == 200
    assert answer.json() == {"owner": "Ada", "tasks": []}


def test_a_person_who_just_signed_up_reads_their_tasks(b2c, client):
    answer = tasks(client, b2c.token(as_="nina"))
    assert answer.json()["owner"] == "Nina"
    # The sign-up has sent a code to the address, and the person has typed it.
    assert [message.to for message in b2c.inbox] == ["nina@example.test"]


def test_a_call_without_a_token_is_refused(client):
    answer = tasks(client)
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize("wrong", [
    pytest.param({"expired": True}, id="expired"),
    pytest.param({"not_yet": True}, id="not yet valid"),
    pytest.param({"wrong_key": True}, id="forged with another key"),
    pytest.param({"alg_none": True}, id="unsigned"),
    pytest.param({"audience": "another-api"}, id="for another API"),
    pytest.param({"claims": {"iss": "https://evil.example/v2.0/"}}, id="of another tenant"),
    pytest.param({"claims": {"tfp": "B2C_1_other"}}, id="of another policy"),
    pytest.param({"claims": {"exp": None}}, id="without an end"),
    pytest.param({"id_token": True}, id="an ID token"),
])
def test_a_wrong_token_is_refused(b2c, client, wrong):
    assert tasks(client, b2c.token(as_="ada", **wrong)).status_code == 401


def test_a_token_without_the_scope_is_forbidden(b2c, client):
    write = "https://contoso.onmicrosoft.com/tasks/tasks.write"
    assert tasks(client, b2c.token(as_="ada", scopes=[write])).status_code == 403


def test_the_api_reads_the_keys_again_after_a_rollover(b2c):
    client = client_of(b2c, key_cooldown=0)
    assert tasks(client, b2c.token(as_="ada")).status_code == 200
    b2c.rotate_keys()
    assert tasks(client, b2c.token(as_="ada")).status_code == 200


def test_unknown_keys_do_not_make_the_api_read_the_keys_each_time(b2c, client):
    forged = b2c.token(as_="ada", wrong_key=True)
    for _ in range(5):
        assert tasks(client, forged).status_code == 401
    assert len([one for one in b2c.requests if one["endpoint"] == "keys"]) == 1


def test_the_api_recovers_when_the_keys_could_not_be_read(b2c, client):
    token = b2c.token(as_="ada")
    b2c.faults.disconnect("keys", times=1)
    assert tasks(client, token).status_code == 503
    assert tasks(client, token).status_code == 200


def test_the_server_is_down():
    # A server of its own: the other tests need theirs.
    with Server("tenant.json") as server:
        world = server.fresh()
        client, token = client_of(world), world.token(as_="ada")
    answer = tasks(client, token)
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "5"
