"""Tests of an API in a container of its own, with tokens of a tenant in another."""

import os

import httpx
import pytest


def tasks(token):
    return httpx.get(f"{os.environ['APP_URL']}/tasks", headers={"Authorization": f"Bearer {token}"})


def test_a_person_who_signed_in_reads_their_tasks(b2c):
    answer = tasks(b2c.token(as_="ada"))
    assert (answer.status_code, answer.json()) == (200, {"owner": "Ada", "tasks": []})


@pytest.mark.parametrize("wrong", [{"expired": True}, {"wrong_key": True}, {"audience": "another-api"}])
def test_a_wrong_token_is_refused(b2c, wrong):
    assert tasks(b2c.token(as_="ada", **wrong)).status_code == 401
