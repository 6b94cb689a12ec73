"""Shapes of inputs. Each takes a length in characters and gives a text of about that length, or of that many things."""

import json


def repeated(piece):
    return lambda length: piece * max(1, length // len(piece))


def numbered(piece):
    """Many different pieces: `{}` in the piece is their number."""
    width = len(piece) + 4
    return lambda length: "".join(piece.replace("{}", str(number)) for number in range(max(1, length // width)))


def marks(start, piece):
    return lambda length: start + piece * max(1, (length - len(start)) // len(piece))


# A text at any place where one may be: in a log, a claim, a form, an address, a header.
TEXTS = {
    "password=": repeated("password="),
    "AccountKey=": repeated("AccountKey="),
    "one-word": repeated("a"),
    "dotted-word": repeated("a."),
    "at-word": repeated("a@"),
    "address-and-word": marks("ada@example.test ", "a"),
    "address-and-code": marks("ada@example.test ", "eyJhbGciOiJSUzI1NiJ9-_"),
    "password%3D": repeated("password%3D"),
    "password-values": numbered("password=secret{}&"),
    "password-json": repeated('"password":"'),
    "password-xml": repeated("<password>"),
    "nested-percent": marks("password%", "25"),
    "account-keys": numbered("AccountKey=secret{};"),
    "sig=": repeated("sig=a&"),
    "code=": numbered("code=abcdefghijklmnopqrstuvwxyz{}&"),
    "bearer": repeated("Bearer "),
    "bearer-values": numbered("Bearer abcdefghijklmnopqrstuvwxyz{} "),
    "basic": repeated("Basic YTpi "),
    "cookie": numbered("Cookie: session{}=abcdefghij; "),
    "token": repeated("eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.c2ln "),
    "token-word": repeated("eyJ"),
    "token-dotted": repeated("eyJ."),
    "token-long": lambda length: "eyJhbGciOiJub25lIn0." + "eyJz" * max(1, length // 4) + ".c2ln",
    "address": numbered("ada{}@example.test "),
    "address-list": repeated("ada@example.test,"),
    "url": numbered("https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi/oauth2/v2.0/authorize?client_id={}&code=abc "),
    "url-start": repeated("https://"),
    "guid": numbered("0a1b2c3d-0000-4000-8000-0000{} "),
    "error-code": repeated("AADB2C90118: "),
    "error-codes": numbered("AADB2C9{} "),
    "phone": repeated("+442079460000 "),
    "date": repeated("2026-01-15T12:00:00.000Z "),
    "pem": repeated("-----BEGIN PRIVATE KEY-----"),
    "quotes": repeated('"'),
    "apostrophes": repeated("'"),
    "backslashes": repeated("\\"),
    "angles": repeated("<"),
    "open-tags": repeated("<a "),
    "comments": repeated("<!--"),
    "ampersands": repeated("&"),
    "colons": repeated(":"),
    "equals": repeated("="),
    "percents": repeated("%"),
    "slashes": repeated("/"),
    "dashes": repeated("-"),
    "braces": repeated("{"),
    "brackets": repeated("["),
    "objects": repeated('{"a":'),
    "templates": repeated("{{a}}"),
    "references": repeated("&#x41;"),
    "escapes": repeated("\\u0041"),
    "digits": repeated("9"),
    "spaces": repeated(" "),
    "newlines": repeated("\n"),
    "returns": repeated("\r\n"),
    "letters": repeated("é漢😀"),
    "combining": marks("e", "\u0301"),
    "flags": repeated("🇩🇪"),
    "joiners": repeated("👩\u200d"),
    "words": repeated("word "),
    "other-words": numbered("word{} "),
    "pairs": numbered("name{}=value{}&"),
    "lines": repeated("a line of a log\n"),
    "other-lines": numbered("line {} of a log\n"),
}

# Those that reach most of what reads a text, for places where all would take too long.
FEW = {name: TEXTS[name] for name in (
    "password=", "password%3D", "one-word", "dotted-word", "address-and-word", "pairs", "percents", "token-dotted", "other-words", "combining", "flags",
    "nested-percent", "quotes", "angles", "address")}
FEWEST = {name: TEXTS[name] for name in ("password%3D", "one-word", "pairs", "percents", "combining")}

# A document of JSON, for a reader that does not expect it.
DOCUMENTS = {
    "deep-lists": lambda n: "[" * n + "]" * n,
    "deep-objects": lambda n: '{"a":' * n + "0" + "}" * n,
    "one-key": lambda n: "{" + ",".join(['"name":"a"'] * n) + "}",
    "many-keys": lambda n: "{" + ",".join(f'"key{number}":{number}' for number in range(n)) + "}",
    "many-values": lambda n: "[" + ",".join(["0"] * n) + "]",
    "many-objects": lambda n: "[" + ",".join(['{"a":"b"}'] * n) + "]",
    "long-text": lambda n: json.dumps({"name": "a" * n}),
    "long-key": lambda n: json.dumps({"a" * n: "b"}),
    "long-number": lambda n: '{"name":' + "9" * n + "}",
    "long-fraction": lambda n: '{"name":0.' + "3" * n + "}",
    "escapes": lambda n: '{"name":"' + "\\u00e9" * n + '"}',
    "quotes": lambda n: json.dumps({"name": '"\\' * n}),
    "unicode": lambda n: '{"name":"' + "é漢😀" * n + '"}',
    "combining": lambda n: '{"name":"e' + "\u0301" * n + '"}',
    "newlines": lambda n: "{" + "\n" * n + "}",
    "unfinished": lambda n: '{"name":"' + "a" * n,
    "open-lists": lambda n: "[" * n,
}

FEW_DOCUMENTS = {name: DOCUMENTS[name] for name in (
    "deep-objects", "many-keys", "one-key", "long-text", "long-key", "escapes", "unfinished")}

# The same for XML.
MARKUP = {
    "deep": lambda n: "<a>" * n + "</a>" * n,
    "siblings": lambda n: "<a>" + "<b/>" * n + "</a>",
    "attributes": lambda n: "<a " + " ".join(f'b{number}="c"' for number in range(n)) + "/>",
    "one-attribute": lambda n: "<a " + 'b="c" ' * n + "/>",
    "long-attribute": lambda n: '<a b="' + "c" * n + '"/>',
    "long-text": lambda n: "<a>" + "b" * n + "</a>",
    "long-name": lambda n: "<" + "a" * n + "/>",
    "references": lambda n: "<a>" + "&amp;" * n + "</a>",
    "comments": lambda n: "<a>" + "<!--b-->" * n + "</a>",
    "long-comment": lambda n: "<a><!--" + "- " * n + "--></a>",
    "sections": lambda n: "<a>" + "<![CDATA[b]]>" * n + "</a>",
    "instructions": lambda n: "<a>" + "<?b c?>" * n + "</a>",
    "open-tags": lambda n: "<a " * n,
    "open-comments": lambda n: "<a>" + "<!--" * n,
    "angles": lambda n: "<a>" + "<" * n,
    "newlines": lambda n: "<a>" + "\n" * n + "</a>",
    "unicode": lambda n: "<a>" + "é漢😀" * n + "</a>",
    "combining": lambda n: "<a>e" + "\u0301" * n + "</a>",
    "namespaces": lambda n: "<a " + " ".join(f'xmlns:b{number}="c{number}"' for number in range(n)) + "/>",
}
