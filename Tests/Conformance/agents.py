"""Coding agents, by the real program: `b2c mcp` with the official Python SDK as its client, and byte for byte over pipes.

    agents.py B2C SCENARIOS

With the SDK: lists, each tool, a resource, prompts, progress, a cancelled exploration, and the demonstration of docs/agents.md,
in which a planted mistake of a policy is found by policy_explore and fixed. Over pipes: each of the five versions of the
protocol, and what clients do wrong. Every answer fits the output schema of its tool and has at most 16,000 bytes.
"""

import argparse
import asyncio
import contextlib
import importlib.metadata
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import jsonschema
import mcp_types
from mcp import Client, MCPError, StdioServerParameters

from harness import PATIENCE, Pipe, memory, request, run_part

TOOLS = ["policy_check", "policy_show", "policy_trace", "policy_explore", "policy_diff", "scenario_run", "scenario_write", "explain",
         "token_read", "rule"]
PROMPTS = ["find_sign_in_failure", "review_policy_change", "write_scenario"]
HANDSHAKES = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
MODERN = "2026-07-28"
META = "io.modelcontextprotocol/"
LIMIT = 16_000
PASSWORD = "Analytical-1843"
# The session provider of the sign-in at the page that asks for the address of a password reset.
MISTAKE = '<UseTechnicalProfileForSessionManagement ReferenceId="SM-AAD" />'
RULE = "B2C-EXP-037"


# MARK: The folder

def read(path):
    with open(path, encoding="utf-8-sig") as file:
        return file.read()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def many_findings():
    """A policy with more findings than an answer holds."""
    claims = "".join(f'<OutputClaim ClaimTypeReferenceId="missing{number}" />\n' for number in range(600))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06" '
        'PolicySchemaVersion="0.3.0.0" TenantId="yourtenant.onmicrosoft.com" PolicyId="B2C_1A_many" '
        'PublicPolicyUri="http://yourtenant.onmicrosoft.com/B2C_1A_many">\n<BasePolicy><TenantId>yourtenant.onmicrosoft.com</TenantId>'
        "<PolicyId>B2C_1A_base</PolicyId></BasePolicy>\n<ClaimsProviders><ClaimsProvider><DisplayName>Many</DisplayName>"
        '<TechnicalProfiles><TechnicalProfile Id="Many"><DisplayName>Many</DisplayName><Protocol Name="None" /><OutputClaims>\n'
        f"{claims}</OutputClaims></TechnicalProfile></TechnicalProfiles></ClaimsProvider></ClaimsProviders>\n</TrustFrameworkPolicy>\n")


class Desk:
    """The folder of an agent, and what is outside of it."""

    def __init__(self, b2c, scenarios, folder):
        self.b2c, self.root = b2c, os.path.join(folder, "root")
        for place in (self.path("policies"), self.path("scenarios", "policies")):
            shutil.copytree(os.path.join(scenarios, "policies"), place)
        base = read(os.path.join(scenarios, "policies", "Base.xml"))
        self.base_id = re.search(r'PolicyId="([^"]+)"', base).group(1)
        for name in ("reset", "before", "many"):
            write(self.path(name, "Base.xml"), base)
        for name in ("reset", "before"):
            shutil.copy(os.path.join(scenarios, "policies", "PasswordReset.xml"), self.path(name))
        write(self.path("many", "Many.xml"), many_findings().replace("B2C_1A_base", self.base_id))
        for name in ("happy-sign-in.json", os.path.join("tenants", "contoso.json")):
            os.makedirs(os.path.dirname(self.path("scenarios", name)), exist_ok=True)
            shutil.copy(os.path.join(scenarios, name), self.path("scenarios", name))
        write(self.path("scenarios", "fails.json"), read(self.path("scenarios", "happy-sign-in.json")).replace(
            '"name": "Ada" }', '"name": "Eve" }'))
        write(self.path("scenarios", "live.json"), json.dumps({
            "name": "a real tenant", "kind": "live", "tenant": "tenants/contoso.json"}))
        self.command("run", "scenarios/happy-sign-in.json", "--trace", "capture.har")
        self.token = self.command("token", "--as", "ada", "--tenant", "scenarios/tenants/contoso.json").strip()
        write(os.path.join(folder, "outside", "secret.json"), '{"secret": "Outside-4711"}')
        os.symlink(os.path.join(folder, "outside"), self.path("link"))
        self.environment = {**os.environ, "HOME": folder}

    def path(self, *names):
        return os.path.join(self.root, *names)

    def command(self, *words):
        done = subprocess.run(
            [self.b2c, *words], cwd=self.root, capture_output=True, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL)
        assert done.returncode == 0, f"b2c {' '.join(words)}: {done.returncode}: {done.stderr[-300:]}"
        return done.stdout

    def plant(self):
        """Writes the mistake; its line."""
        path = self.path("reset", "PasswordReset.xml")
        text = read(path)
        assert text.count("</DisplayClaims>") == 1 and MISTAKE not in text
        write(path, text.replace("</DisplayClaims>", "</DisplayClaims>" + MISTAKE))
        return text[: text.index("</DisplayClaims>")].count("\n") + 1

    def fix(self):
        path = self.path("reset", "PasswordReset.xml")
        write(path, read(path).replace(MISTAKE, ""))

    def calls(self):
        """One call of each tool that succeeds."""
        return {
            "policy_check": {"folder": "policies"},
            "policy_show": {"folder": "policies", "policy": "B2C_1A_NoSession"},
            "policy_trace": {"folder": "policies", "policy": "B2C_1A_NoSession"},
            "policy_explore": {"folder": "reset"},
            "policy_diff": {"before": "before", "after": "reset"},
            "scenario_run": {"path": "scenarios/happy-sign-in.json"},
            "scenario_write": {"from": "har", "source": "capture.har", "folder": "written"},
            "explain": {"text": "AADB2C90118: The user has forgotten their password."},
            "token_read": {"token": self.token, "tenant": "scenarios/tenants/contoso.json"},
            "rule": {"id": RULE},
        }


# MARK: Over pipes

class Agents(Pipe):
    """`b2c mcp`: a message is a line."""

    def __init__(self, desk, *options):
        super().__init__([desk.b2c, "mcp", "--root", desk.root, *options], env=desk.environment)

    def framed(self, body):
        return body + b"\n"

    def bodies(self):
        return self.process.stdout

    def shake(self, version=HANDSHAKES[-1]):
        result = self.result("initialize", {
            "protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "transcript", "version": "1"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return result

    def call(self, name, arguments):
        return self.result("tools/call", {"name": name, "arguments": arguments})

    def alive(self):
        assert self.result("ping") == {}

    def silent(self, id):
        """Whether nothing has come for a request until now."""
        assert not [one for one in self.kept if isinstance(one, dict) and one.get("id") == id], f"an answer to {id}"


def cancelled(id):
    return {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id, "reason": "the test wants so"}}


def said(result):
    """All text of a result of a tool."""
    return "\n".join(item["text"] for item in result["content"] if item["type"] == "text")


def handshake(desk, version):
    with Agents(desk) as pipe:
        result = pipe.shake(version)
        assert result["protocolVersion"] == version, result
        assert result["serverInfo"]["name"] and result["serverInfo"]["version"], result
        assert {"tools", "resources", "prompts"} <= set(result["capabilities"]), result["capabilities"]
        assert "policy_check" in result["instructions"]
        pipe.alive()
        tools = pipe.result("tools/list")["tools"]
        assert [tool["name"] for tool in tools] == TOOLS
        assert pipe.result("tools/list")["tools"] == tools, "another order"
        result = pipe.call("rule", {"id": RULE})
        assert not result.get("isError") and RULE in said(result), result
        if version >= "2025-06-18":
            assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
        else:
            assert all(item["type"] in ("text", "image", "resource") for item in result["content"]), result
        wrong = pipe.call("rule", {"idd": RULE})
        assert wrong["isError"] and "id" in said(wrong), wrong
        pipe.refused(-32602, "tools/call", {"name": "policy_chekc", "arguments": {}})
        pipe.refused(-32601, "no/such/method")
        pipe.send({"jsonrpc": "2.0", "method": "notifications/unknown"})
        page = pipe.result("resources/read", {"uri": "b2c://docs/agents"})["contents"][0]
        assert page["text"].startswith("# Coding agents") and page["mimeType"] == "text/markdown", page
        pipe.refused(-32002, "resources/read", {"uri": "b2c://docs/nothing"})
        prompt = pipe.result("prompts/get", {"name": "review_policy_change", "arguments": {"folder": "reset"}})
        assert "policy_explore" in prompt["messages"][0]["content"]["text"], prompt
        done = pipe.result("completion/complete", {
            "ref": {"type": "ref/resource", "uri": "b2c://rules/{id}"}, "argument": {"name": "id", "value": "B2C-EXP-03"}})
        assert RULE in done["completion"]["values"], done
        batch(pipe, version)


def batch(pipe, version):
    pipe.send([request("a", "ping"), {"jsonrpc": "2.0", "method": "notifications/unknown"}, request("b", "tools/list")])
    if version == "2025-03-26":
        answers = pipe.next(lambda message: isinstance(message, list))
        assert {answer["id"] for answer in answers} == {"a", "b"} and all("result" in answer for answer in answers), answers
        pipe.send([{"jsonrpc": "2.0", "method": "notifications/unknown"}])
    elif version > "2025-03-26":
        answer = pipe.answer(None)
        assert answer["error"]["code"] == -32600, answer
    pipe.alive()


def newest_handshake(desk):
    """A version that nobody knows gets the newest one that has a handshake."""
    with Agents(desk) as pipe:
        assert pipe.shake("1999-01-01")["protocolVersion"] == HANDSHAKES[-1]


def modern(desk):
    meta = {META + "protocolVersion": MODERN, META + "clientCapabilities": {}, META + "clientInfo": {"name": "transcript", "version": "1"}}
    with Agents(desk) as pipe:
        found = pipe.result("server/discover", {"_meta": meta})
        assert found["resultType"] == "complete" and MODERN in found["supportedVersions"], found
        assert found["ttlMs"] >= 0 and found["cacheScope"] in ("public", "private"), found
        assert found["_meta"][META + "serverInfo"]["name"] and "tools" in found["capabilities"], found
        for method, key in [("tools/list", "tools"), ("prompts/list", "prompts"), ("resources/list", "resources"),
                            ("resources/templates/list", "resourceTemplates")]:
            result = pipe.result(method, {"_meta": meta})
            assert result["resultType"] == "complete" and result["ttlMs"] >= 0 and result["cacheScope"] and result[key], result
        result = pipe.result("tools/call", {"name": "rule", "arguments": {"id": RULE}, "_meta": meta})
        assert result["resultType"] == "complete" and not result.get("isError"), result
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
        pipe.refused(-32602, "tools/call", {"name": "nothing", "arguments": {}, "_meta": meta})
        pipe.refused(-32602, "resources/read", {"uri": "b2c://docs/nothing", "_meta": meta})
        pipe.refused(-32602, "tools/list")
        pipe.refused(-32602, "tools/list", {"_meta": {META + "protocolVersion": MODERN}})
        error = pipe.refused(-32022, "tools/list", {"_meta": {**meta, META + "protocolVersion": "2031-01-01"}})
        assert error["data"]["requested"] == "2031-01-01" and MODERN in error["data"]["supported"], error
        for method in ("ping", "logging/setLevel", "resources/subscribe", "subscriptions/listen"):
            pipe.refused(-32601, method, {"_meta": meta})


# MARK: Bad input

def broken_lines(desk):
    with Agents(desk) as pipe:
        pipe.shake()
        for line, codes in [
            (b'{"jsonrpc": "2.0", "id": 1, "method"', (-32700,)), (b"42", (-32600,)), (b'"text"', (-32600,)), (b"{}", (-32600,)),
            (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', (-32600,)), (b"\xff\xfe{}", (-32700,)),
            (b"[" * 200_000, (-32700, -32600)), (b'{"jsonrpc": "1.0", "id": 5, "method": "ping"}', (-32600,)), (b"[]", (-32600,)),
        ]:
            pipe.write(line + b"\n")
            answer = pipe.next(lambda message: isinstance(message, dict) and "error" in message, 30)
            assert answer["error"]["code"] in codes and answer["error"]["message"], (line[:40], answer)
            pipe.alive()
        pipe.write(b"\n  \r\n")
        pipe.alive()
        # A message in pieces, with a line end of Windows.
        for piece in (b'{"jsonrpc": "2.0", "id": "pie', b'ces", "method": "ping"}', b"\r\n"):
            pipe.write(piece)
            time.sleep(0.05)
        assert pipe.answer("pieces")["result"] == {}


def long_line(desk):
    with Agents(desk) as pipe:
        pipe.shake()
        before = memory(pipe.process.pid)
        pipe.write(b'{"jsonrpc": "2.0", "id": 1, "method": "')
        for _ in range(100):
            pipe.write(b"x" * 1_000_000)
        pipe.write(b'"}\n')
        answer = pipe.next(lambda message: isinstance(message, dict) and "error" in message)
        assert answer["error"]["code"] in (-32700, -32600) and "10485760 bytes" in answer["error"]["message"], answer
        pipe.alive()
        grown = memory(pipe.process.pid) - before
        assert grown < 150, f"{grown:.0f} MB for a line of 100 MB"


def outside(desk):
    absolute = os.path.join(os.path.dirname(desk.root), "outside")
    with Agents(desk) as pipe:
        pipe.shake()
        for path in ("../outside", absolute, "link", "policies/../../outside", "/etc"):
            for name, arguments in [
                ("policy_check", {"folder": path}), ("policy_trace", {"folder": path}), ("policy_explore", {"folder": path}),
                ("policy_show", {"folder": path}), ("policy_diff", {"before": path, "after": "reset"}),
                ("scenario_run", {"path": path + "/secret.json"}), ("explain", {"text": "AADB2C90118", "policies": path}),
                ("scenario_write", {"from": "har", "source": path + "/secret.json"}),
                ("scenario_write", {"from": "har", "source": "capture.har", "folder": path}),
                ("token_read", {"token": desk.token, "keys": path + "/secret.json"}),
                ("policy_explore", {"folder": "reset", "invariants": path + "/secret.json"}),
            ]:
                result = pipe.call(name, arguments)
                assert result["isError"], f"{name} {arguments}: {said(result)[:300]}"
                assert "Outside-4711" not in said(result), f"{name} {arguments}: the content of a file outside"
        assert sorted(os.listdir(absolute)) == ["secret.json"], os.listdir(absolute)
        # What an XML or JSON file names is not followed to the outside either.
        write(desk.path("leaving", "scenario.json"), json.dumps({
            "name": "leaves", "tenant": "../../outside/secret.json", "app": "ios", "steps": [{"acquireToken": {}, "user": "ada"}]}))
        result = pipe.call("scenario_run", {"path": "leaving/scenario.json"})
        assert "Outside-4711" not in said(result), said(result)[:300]


def wrong_arguments(desk):
    with Agents(desk) as pipe:
        pipe.shake()
        for name, arguments, expected in [
            ("policy_check", {}, "folder"), ("policy_check", {"folder": 7}, "folder"), ("policy_check", {"foldr": "reset"}, "folder"),
            ("policy_check", {"folder": "nowhere"}, "nowhere"), ("policy_trace", {"folder": "reset", "policy": "B2C_1A_resett"}, "B2C_1A"),
            ("scenario_run", {"path": "scenarios/nothing.json"}, "nothing.json"), ("rule", {"id": "B2C-EXP-999"}, "B2C-EXP"),
            ("scenario_write", {"from": "fax", "source": "capture.har"}, "har"),
            ("scenario_run", {"path": "scenarios/happy-sign-in.json", "target": "scenarios/live.json"}, "--allow-live"),
        ]:
            result = pipe.call(name, arguments)
            assert result["isError"] and expected in said(result), f"{name} {arguments}: {said(result)[:300]}"
            assert len(said(result)) > 20, said(result)
        for params in ({"name": "rule"}, {"name": "rule", "arguments": []}, {"arguments": {}}, []):
            answer = pipe.ask("tools/call", params)
            assert answer.get("error", {}).get("code") == -32602 or answer["result"]["isError"], (params, answer)


def two_at_once(desk):
    with Agents(desk) as pipe:
        pipe.shake()
        long = pipe.start("tools/call", {"name": "policy_explore", "arguments": {"folder": "policies"}, "_meta": {"progressToken": "p"}})
        progress = lambda: pipe.next(lambda message: isinstance(message, dict) and message.get("method") == "notifications/progress")
        first, second = progress()["params"], progress()["params"]
        assert first["progressToken"] == second["progressToken"] == "p" and second["progress"] > first["progress"], (first, second)
        assert RULE in said(pipe.call("rule", {"id": RULE})), "the short call waits for the long one"
        pipe.silent(long)
        began = time.monotonic()
        pipe.send(cancelled(long))
        # The same tool answers a second call, so the first one has stopped or will stop.
        assert not pipe.call("policy_explore", {"folder": "reset"}).get("isError")
        pipe.alive()
        pipe.silent(long)
        print(f"          cancelled, and another exploration done, in {time.monotonic() - began:.1f} s", flush=True)


def cancelled_that_ends(desk):
    """A call that ends although it was cancelled says nothing; one that was answered before says it once."""
    with Agents(desk) as pipe:
        pipe.shake()
        explore = {"name": "policy_explore", "arguments": {"folder": "reset"}}
        pipe.send(request("gone", "tools/call", explore), cancelled("gone"), cancelled("gone"), cancelled("never"))
        assert "result" in pipe.answer(pipe.start("tools/call", explore))
        pipe.alive()
        pipe.silent("gone")
        answer = pipe.answer(pipe.start("tools/call", {"name": "rule", "arguments": {"id": RULE}}))
        pipe.send(cancelled(answer["id"]))
        pipe.alive()
        pipe.silent(answer["id"])


def output_closed(desk):
    process = subprocess.Popen(
        [desk.b2c, "mcp", "--root", desk.root], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env=desk.environment)
    process.stdout.close()
    with contextlib.suppress(BrokenPipeError):
        for number in range(3):
            process.stdin.write(json.dumps(request(number, "ping")).encode() + b"\n")
            process.stdin.flush()
            time.sleep(0.2)
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        raise AssertionError("the server goes on although nobody reads") from None


def end_of_input(desk):
    def ends(messages, seconds=30):
        process = subprocess.Popen(
            [desk.b2c, "mcp", "--root", desk.root], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=desk.environment)
        text = b"".join(json.dumps(message).encode() + b"\n" for message in messages)
        try:
            out, _ = process.communicate(text, timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            raise AssertionError(f"no end {seconds} s after the end of input") from None
        assert process.returncode == 0, process.returncode
        return [json.loads(line) for line in out.splitlines()]

    start = request(1, "initialize", {
        "protocolVersion": HANDSHAKES[-1], "capabilities": {}, "clientInfo": {"name": "transcript", "version": "1"}})
    assert ends([]) == []
    answers = ends([start, request(2, "tools/call", {"name": "rule", "arguments": {"id": RULE}})])
    assert [answer["id"] for answer in answers] == [1, 2], answers
    ends([start, request(2, "tools/call", {"name": "policy_explore", "arguments": {"folder": "policies"}})])


def root_missing(desk):
    done = subprocess.run(
        [desk.b2c, "mcp", "--root", desk.path("nowhere")], capture_output=True, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL)
    assert done.returncode in (1, 2) and "nowhere" in done.stderr and done.stdout == "", (done.returncode, done.stdout, done.stderr)


# MARK: The SDK

class Agent:
    """What an agent does with the SDK: one connection, results checked against the schemas that the server states."""

    def __init__(self, desk, mode="auto"):
        self.desk, self.mode = desk, mode
        self.schemas = {}

    @contextlib.asynccontextmanager
    async def connected(self):
        parameters = StdioServerParameters(
            command=self.desk.b2c, args=["mcp", "--root", self.desk.root], env=self.desk.environment, cwd=self.desk.root)
        async with Client(parameters, mode=self.mode, read_timeout_seconds=PATIENCE) as client:
            for tool in (await client.list_tools()).tools:
                jsonschema.Draft202012Validator.check_schema(tool.input_schema)
                jsonschema.Draft202012Validator.check_schema(tool.output_schema)
                self.schemas[tool.name] = tool.output_schema
            yield client

    async def call(self, client, name, arguments, fails=False, **more):
        """The structured result of a call, and its links."""
        result = await client.call_tool(name, arguments, **more)
        text = "\n".join(item.text for item in result.content if item.type == "text")
        assert result.is_error == fails, f"{name} {arguments}: {text[:400]}"
        jsonschema.Draft202012Validator(self.schemas[name]).validate(result.structured_content)
        assert json.loads(result.content[0].text) == result.structured_content, name
        assert len(text.encode()) <= LIMIT, f"{name}: {len(text.encode())} bytes"
        assert 0 < len(result.structured_content["verdict"]) < 600, result.structured_content["verdict"]
        for secret in (self.desk.token, PASSWORD):
            assert secret not in text, f"{name}: a secret is in the result"
        return result.structured_content, [item for item in result.content if item.type == "resource_link"]


def played(action, *arguments):
    """A check that is a coroutine."""
    return lambda: asyncio.run(asyncio.wait_for(action(*arguments), 600))


async def lists(desk, mode):
    agent = Agent(desk, mode)
    async with agent.connected() as client:
        assert client.protocol_version == (MODERN if mode == "auto" else HANDSHAKES[-1]), client.protocol_version
        assert "policy_explore" in client.instructions
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == TOOLS
        for tool in tools:
            notes = tool.annotations
            assert None not in (notes.read_only_hint, notes.destructive_hint, notes.idempotent_hint, notes.open_world_hint), tool.name
            assert notes.destructive_hint is False and (notes.read_only_hint or tool.name.startswith("scenario_")), tool.name
            assert tool.title and len(tool.description.splitlines()) <= 4, tool.description
        size = len(json.dumps([tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools]))
        print(f"          the list of tools has {size:,} bytes", flush=True)
        prompts = (await client.list_prompts()).prompts
        assert [prompt.name for prompt in prompts] == PROMPTS
        for prompt in prompts:
            given = {argument.name: "reset" for argument in prompt.arguments or []}
            message = (await client.get_prompt(prompt.name, given)).messages[0]
            assert message.role == "user" and "reset" in message.content.text, message
        templates = (await client.list_resource_templates()).resource_templates
        assert {template.uri_template for template in templates} == {"b2c://docs/{page}", "b2c://rules/{id}", "b2c://report/{id}"}
        resources = (await client.list_resources()).resources
        assert len(resources) >= 10, resources
        for resource in resources:
            contents = (await client.read_resource(str(resource.uri))).contents
            assert len(contents[0].text.encode()) == resource.size, resource.uri
        assert RULE in (await client.read_resource(f"b2c://rules/{RULE}")).contents[0].text
        reference = mcp_types.ResourceTemplateReference(type="ref/resource", uri="b2c://docs/{page}")
        assert "explore" in (await client.complete(reference, {"name": "page", "value": "exp"})).completion.values


async def every_tool(desk, mode):
    agent = Agent(desk, mode)
    shutil.rmtree(desk.path("written"), ignore_errors=True)
    async with agent.connected() as client:
        calls = desk.calls()
        assert list(calls) == TOOLS
        answers = {name: (await agent.call(client, name, arguments))[0] for name, arguments in calls.items()}
        has = lambda name, *texts: all(text in json.dumps(answers[name]) for text in texts) or f"{name}: {json.dumps(answers[name])[:600]}"
        for name, texts in {
            "policy_show": ["CombinedSignInAndSignUp", "Base.xml"], "policy_trace": ["objectId", "AAD-UserReadUsingObjectId"],
            "explain": ["AADB2C90118", "password reset"], "rule": [RULE], "token_read": ["B2C_1_susi", "aud"],
        }.items():
            assert has(name, *texts) is True, has(name, *texts)
        assert os.listdir(desk.path("written")), "scenario_write wrote nothing"
        broken, _ = await agent.call(client, "token_read", {"token": "not a token"})
        assert "B2C-TOK-001" in broken["verdict"], broken
        again, _ = await agent.call(client, "scenario_write", calls["scenario_write"], fails=True)
        assert "exist" in again["verdict"], again
        failed, _ = await agent.call(client, "scenario_run", {"path": "scenarios/fails.json"})
        assert "Eve" in json.dumps(failed) and "fails.json" in json.dumps(failed), failed
        # What was written runs.
        scripts = [name for name in os.listdir(desk.path("written")) if name.endswith(".json")]
        ran, _ = await agent.call(client, "scenario_run", {"path": f"written/{scripts[0]}"})
        assert "pass" in ran["verdict"], ran
        revision, _ = await agent.call(client, "policy_diff", {"before": "HEAD:reset", "after": "reset"}, fails=True)
        assert "git" in revision["verdict"], revision


async def cut_results(desk):
    agent = Agent(desk)
    async with agent.connected() as client:
        answer, links = await agent.call(client, "policy_check", {"folder": "many"})
        assert answer.get("cut") is True and links, answer["verdict"]
        whole = (await client.read_resource(str(links[0].uri))).contents[0].text
        assert "missing599" in whole and "missing599" not in json.dumps(answer), "the whole has no more than the result"
        assert str(links[0].uri) in [str(resource.uri) for resource in (await client.list_resources(cache_mode="bypass")).resources]
        try:
            await client.read_resource("b2c://report/4711")
        except MCPError:
            pass
        else:
            raise AssertionError("a report that does not exist was read")


async def cancels(desk, mode):
    """A long exploration reports progress, is cancelled, and the connection goes on."""
    agent = Agent(desk, mode)
    async with agent.connected() as client:
        steps, moving = [], asyncio.Event()

        async def progress(done, total, message):
            steps.append((done, total, message))
            if len(steps) > 1:
                moving.set()

        task = asyncio.create_task(client.call_tool("policy_explore", {"folder": "policies"}, progress_callback=progress))
        await asyncio.wait_for(moving.wait(), PATIENCE)
        assert steps[1][0] > steps[0][0] and steps[0][2], steps
        assert not task.done(), "the exploration ended before it could be cancelled"
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        began = time.monotonic()
        await agent.call(client, "rule", {"id": RULE})
        assert time.monotonic() - began < 20, "the answer after a cancelled call"


async def demonstration(desk):
    """docs/agents.md, A session."""
    agent = Agent(desk)
    line = desk.plant()
    place = ("reset/PasswordReset.xml", line)
    errors = lambda answer: [finding for finding in answer["findings"] if finding["severity"] == "error"]
    try:
        async with agent.connected() as client:
            checked, _ = await agent.call(client, "policy_check", {"folder": "reset"})
            assert not errors(checked), checked
            found, _ = await agent.call(client, "policy_explore", {"folder": "reset"})
            hits = [finding for finding in errors(found) if finding["rule"] == RULE]
            assert [(hit["file"], hit["line"]) for hit in hits][:1] == [place], found
            assert "SM-AAD" in hits[0]["message"] and "eve" in json.dumps(hits[0]), hits
            assert "not instructions" in found["note"], found
            changed, _ = await agent.call(client, "policy_diff", {"before": "before", "after": "reset"})
            assert "PasswordReset.xml" in json.dumps(changed), changed
            assert RULE in json.dumps((await agent.call(client, "rule", {"id": RULE}))[0])
            print(f"          found: {hits[0]['file']}:{hits[0]['line']}: {hits[0]['message'][:110]}", flush=True)
            # As an agent edits: it reads the line that was named.
            text = read(desk.path(*place[0].split("/"))).splitlines()
            assert MISTAKE in text[line - 1], text[line - 1]
            desk.fix()
            clean, _ = await agent.call(client, "policy_explore", {"folder": "reset"})
            assert not clean["findings"], clean
            print(f"          after the fix: {clean['verdict'][:110]}", flush=True)
    finally:
        desk.fix()


# MARK: Figures

def figures(desk):
    """Start and warm calls, as remarks: no timing decides over a test."""
    def version():
        began = time.monotonic()
        desk.command("--version")
        return time.monotonic() - began

    def first_answer():
        with Agents(desk) as pipe:
            pipe.shake()
            return time.monotonic() - pipe.began

    start, ready = min(version() for _ in range(5)), min(first_answer() for _ in range(5))
    with Agents(desk) as pipe:
        pipe.shake()
        times = []
        for _ in range(11):
            began = time.monotonic()
            assert not pipe.call("policy_trace", desk.calls()["policy_trace"]).get("isError")
            times.append((time.monotonic() - began) * 1000)
    warm = statistics.median(times[1:])
    print(f"          first answer after {ready * 1000:.0f} ms, b2c --version {start * 1000:.0f} ms: {ready / start:.1f} times; policy_trace "
          f"{times[0]:.0f} ms first, {warm:.0f} ms warm{'' if warm < 100 else ': REMARK, expected less than 100 ms'}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("b2c")
    parser.add_argument("scenarios")
    arguments = parser.parse_args()

    def body(report):
        with tempfile.TemporaryDirectory() as folder:
            desk = Desk(os.path.abspath(arguments.b2c), arguments.scenarios, os.path.realpath(folder))
            for version in HANDSHAKES:
                report.check(f"transcript {version}", lambda: handshake(desk, version))
            report.check("a version that nobody knows", lambda: newest_handshake(desk))
            report.check(f"transcript {MODERN}", lambda: modern(desk))
            for mode in ("auto", "legacy"):
                report.check(f"SDK, {mode}: lists, resources, prompts, completion", played(lists, desk, mode))
                report.check(f"SDK, {mode}: every tool", played(every_tool, desk, mode))
                report.check(f"SDK, {mode}: progress, and a long exploration cancelled", played(cancels, desk, mode))
            report.check("SDK: a result that is cut, and the whole", played(cut_results, desk))
            report.check("demonstration: a planted mistake is found, shown, fixed", played(demonstration, desk))
            for name, action in [
                ("broken lines", broken_lines), ("a line of 100 MB", long_line), ("paths outside", outside),
                ("wrong arguments", wrong_arguments), ("two calls at once", two_at_once),
                ("a cancelled call that ends anyway", cancelled_that_ends), ("standard output closed", output_closed),
                ("end of input", end_of_input), ("a root that does not exist", root_missing),
            ]:
                report.check(f"bad input: {name}", lambda: action(desk))
            report.check("figures", lambda: figures(desk))

    return run_part(f"Coding agents: b2c mcp with the Python SDK {importlib.metadata.version('mcp')}", body)


if __name__ == "__main__":
    sys.exit(main())
