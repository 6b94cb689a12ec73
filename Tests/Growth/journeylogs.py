"""Logs of the journey recorder, in the forms in which they reach a file."""

import json

COLUMNS = ["timestamp", "message", "customDimensions", "cloud_RoleInstance", "operation_Id", "itemId", "itemCount"]
POLICY = "B2C_1A_loyalty"
TENANT = "contoso.onmicrosoft.com"


def correlation(number):
    return f"0a1b2c3d-0000-4000-8000-{number:012x}"


def time(number):
    return f"2026-11-{2 + number // 86400:02}T{number // 3600 % 24:02}:{number // 60 % 60:02}:{number % 60:02}.1234560Z"


def claims(values):
    bag = {"ComplexItems": "_MachineEventQ, TCTX, S_CTP, CLMS", "Complex-CLMS": values}
    return {"Kind": "HandlerResult", "Content": {"Result": True, "Statebag": bag}}


def message(clips, session=1, event="Event:AUTH", tenant=TENANT, policy=POLICY):
    head = {
        "UserJourneyRecorderEndpoint": "urn:journeyrecorder:applicationinsights", "CorrelationId": correlation(session),
        "EventInstance": event, "TenantId": tenant, "PolicyId": policy}
    return json.dumps(
        [{"Kind": "Headers", "Content": head},
         {"Kind": "Transition", "Content": {"EventName": "AUTH", "StateName": "Initial"}}, *clips],
        separators=(",", ":"), ensure_ascii=False)


PERSON = {"signInName": "ottoline@example.test", "displayName": "Ottoline", "givenName": "Ottoline", "objectId": "c7f3a1de"}


def row(text, number=0, session=1, tenant=TENANT, policy=POLICY):
    dimensions = {
        "CorrelationId": correlation(session), "EventName": "Journey Recorder Event v1.0.0", "Tenant": tenant,
        "UserJourney": policy, "Version": "1.0.0"}
    return [time(number), text, json.dumps(dimensions), "RD1", correlation(session), f"item-{session}-{number}", "1"]


def sessions(count):
    return [row(message([claims(PERSON)], session=number), number, number) for number in range(count)]


def one_session(count):
    """A session with so many requests."""
    return [
        row(message([claims(PERSON)], event="Event:AUTH" if number == 0 else "Event:SELFASSERTED"), number)
        for number in range(count)]


def cell(text):
    return '"' + text.replace('"', '""') + '"'


def csv(rows, columns=COLUMNS, separator=",", end="\n"):
    lines = [separator.join(columns)] + [separator.join(map(cell, each)) for each in rows]
    return end.join(lines) + end


def objects(rows):
    return [dict(zip(COLUMNS, each)) for each in rows]


def query_api(rows):
    columns = [{"name": name, "type": "string"} for name in COLUMNS]
    return json.dumps({"tables": [{"name": "PrimaryResult", "columns": columns, "rows": rows}]})


def events_api(rows):
    return json.dumps({"@odata.context": "x", "value": [
        {"id": each[5], "timestamp": each[0], "cloud": {"roleInstance": each[3]}, "trace": {"message": each[1]},
         "customDimensions": json.loads(each[2])} for each in rows]})


def workspace(rows):
    names = ["TimeGenerated", "Message", "Properties", "AppRoleInstance", "OperationId", "_ItemId", "ItemCount"]
    return json.dumps([dict(zip(names, each)) for each in rows], indent=1)


def json_lines(rows):
    return "\n".join(json.dumps(each) for each in objects(rows))


def list_view(rows):
    """Properties one below another, long values broken into lines, as a shell shows objects."""
    blocks = []
    for each in rows:
        lines = []
        for name, value in zip(COLUMNS, each):
            pieces = [value[start:start + 80] for start in range(0, len(value), 80)] or [""]
            lines.append(f"{name:18}: " + pieces[0])
            lines += [" " * 20 + piece for piece in pieces[1:]]
        blocks.append("\n".join(lines))
    return "\n\n" + "\n\n".join(blocks) + "\n"


def panel(rows):
    """Texts around messages, as somebody copies them out of an editor."""
    return "\n".join(
        f"Application Insights\n\nPolicy: {POLICY}\nCorrelation Id: {each[4]}\n\nClaims\n\n    displayName: Ottoline\n\n"
        + json.dumps(json.loads(each[1]), indent=2) + "\n" for each in rows)


FORMS = {
    "csv": csv, "semicolons": lambda rows: csv(rows, separator=";", end="\r\n"), "query-api": query_api,
    "events-api": events_api, "workspace": workspace, "json-lines": json_lines,
    "json-list": lambda rows: json.dumps(objects(rows)), "list-view": list_view, "panel": panel,
    "messages": lambda rows: "\n".join(each[1] for each in rows),
    "escaped": lambda rows: "\n".join(json.dumps(each[1]) for each in rows),
}
