"""Fixtures of pytest: `b2c_server`, a tenant on this machine, and `b2c`, the same tenant fresh for each test.

    def test_an_expired_token_is_refused(b2c, client):
        answer = client.get("/tasks", headers={"Authorization": f"Bearer {b2c.token(as_='ada', expired=True)}"})
        assert answer.status_code == 401

Options: `--b2c-tenant FILE` and `--b2c-tls`; in the configuration file `b2c_tenant` and `b2c_tls`.
"""

from __future__ import annotations

import os
from typing import Iterator

import pytest

from .kit import B2CError, Server, World

# How many requests a failed test shows.
_SHOWN = 20

_WORLD = pytest.StashKey[World]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("b2c", "Azure AD B2C tenant on this machine")
    group.addoption("--b2c-tenant", metavar="FILE", help="tenant file of b2c_server (default: ini b2c_tenant, else an embedded tenant)")
    group.addoption("--b2c-tls", action="store_true", default=None, help="serve https (default: ini b2c_tls)")
    parser.addini("b2c_tenant", "tenant file of b2c_server, relative to the configuration file", default="")
    parser.addini("b2c_tls", "serve https", type="bool", default=False)


@pytest.fixture(scope="session")
def b2c_server(pytestconfig: pytest.Config) -> Iterator[Server]:
    """A server for all tests of this process. With pytest-xdist each worker has its own, so tests run side by side.

    If `B2C_URL` is set, as by `b2c exec -- pytest`, the server there is used.
    """
    tenant = pytestconfig.getoption("b2c_tenant")
    tls = bool(pytestconfig.getoption("b2c_tls") or pytestconfig.getini("b2c_tls"))
    if not tenant and pytestconfig.getini("b2c_tenant"):
        tenant = os.path.join(str((pytestconfig.inipath or pytestconfig.rootpath / "x").parent), pytestconfig.getini("b2c_tenant"))
    try:
        if os.environ.get("B2C_URL"):
            if os.environ.get("PYTEST_XDIST_WORKER"):
                # One test's reset would be in the middle of another test.
                raise B2CError("B2C_URL names one server, and pytest-xdist runs tests side by side: unset B2C_URL, or run without -n")
            server = Server.attach()
        else:
            server = Server(tenant or None, tls=tls)
    except B2CError as error:
        pytest.fail(str(error), pytrace=False)
    with server:
        yield server


@pytest.fixture
def b2c(request: pytest.FixtureRequest, b2c_server: Server) -> World:
    """A fresh tenant: what other tests changed is undone."""
    world = b2c_server.fresh()
    request.node.stash[_WORLD] = world
    return world


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Shows what a failed test asked of the tenant, secrets masked."""
    report = yield
    world = item.stash.get(_WORLD, None)
    if world is not None and report.when == "call" and report.failed:
        try:
            lines = [_line(one) for one in world.requests[-_SHOWN:]]
        except B2CError as error:
            lines = [str(error)]
        report.sections.append(("Requests to the B2C tenant", "\n".join(lines) or "none"))
    return report


def _line(record: dict) -> str:
    status = (record.get("response") or {}).get("status", "no answer")
    return f"{record.get('method')} {record.get('path')} -> {status} {record.get('refusal') or ''}".rstrip()
