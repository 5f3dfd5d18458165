import type { Say } from '../../words/comments'

/** The rest of the Python module: JSON, tokens of a request, and texts as JavaScript has them. */
export const pythonTextSource = (say: Say) => String.raw`

def _is_error_object(text):
    """${say('python_is_error_object')}"""
    trimmed = text.strip(_SPACES)
    if not (trimmed.startswith("{") and trimmed.endswith("}")):
        return False
    if not (('"error"' in text and '"status"' in text) or "\\u" in text):
        return False
    try:
        value = json.loads(text, parse_int=float, parse_constant=_no_constant)
    except RecursionError:
        value = _read_deep_object(text)
    except ValueError:
        return False
    return isinstance(value, dict) and ("error" in value or value.get("status") == "error")


def _no_constant(name):
    raise ValueError(f"{name} is not JSON.")


_TOKEN = re.compile(
    r'[ \t\n\r]*(?:([{}\[\],:])|("[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*")'
    r"|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)"
)


def _read_deep_object(text):
    """${say('python_read_deep')}"""
    text = text.rstrip(" \t\n\r")
    found, opened, key, at, expected = {}, [], "", 0, "value"
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            return None
        at = match.end()
        sign, string = match[1], match[2]
        is_member = len(opened) == 1 and opened[0] == "{"
        if string and expected.startswith("key"):
            key, expected = json.loads(string) if is_member else "", ":"
        elif sign == ":" and expected == ":":
            expected = "value"
        elif sign == "," and expected == "more":
            expected = "key" if opened[-1] == "{" else "value"
        elif sign in ("{", "[") and expected.startswith("value"):
            if is_member:
                found[key] = None
            opened.append(sign)
            expected = "key or end" if sign == "{" else "value or end"
        elif sign in ("}", "]") and opened and opened[-1] == {"}": "{", "]": "["}[sign] and expected in (
            "more", "key or end" if sign == "}" else "value or end"
        ):
            opened.pop()
            expected = "more" if opened else "nothing"
        elif sign is None and expected.startswith("value") and opened:
            if is_member:
                found[key] = string and json.loads(string)
            expected = "more"
        else:
            return None
    return found if expected == "nothing" else None


def _request_tokens(messages, count_tokens):
    """${say('python_request_tokens')}"""
    tokens = 3 + count_tokens("")
    for message in map(_members, messages):
        if not isinstance(message.get("role"), str):
            message = {"role": ""}
        texts = [message["role"], *_message_texts(message)]
        tokens += 3 + isinstance(message.get("name"), str) + 8 * len(_calls(message)) + sum(map(count_tokens, texts))
    return tokens


def _message_texts(message):
    texts = _texts(message.get("content"))
    if isinstance(message.get("name"), str):
        texts.append(message["name"])
    for call in _calls(message):
        texts += [_name(_call_name(call)) or "", _arguments(call)]
    return texts


def _members(value):
    """${say('python_members')}"""
    if isinstance(value, dict):
        return value
    return value.model_dump(exclude_unset=True) if hasattr(value, "model_dump") else {}


def _items(value):
    return value if isinstance(value, (list, tuple)) else ()


def _calls(message):
    """${say('python_calls')}"""
    calls = [_members(call) for call in _items(message.get("tool_calls"))
             if isinstance(call, dict) or hasattr(call, "model_dump")]
    legacy = message.get("function_call")
    return calls + [{"function": legacy}] if isinstance(legacy, dict) else calls


def _name(value):
    return value if isinstance(value, str) and value else None


def _texts(content):
    """${say('python_texts')}"""
    if isinstance(content, str):
        return [content]
    parts = [part for part in map(_members, _items(content)) if isinstance(part.get("text"), str)]
    return [part["text"] for part in parts if not re.search("image|audio|video|file", _name(part.get("type")) or "")]


def _call_name(call):
    if isinstance(call.get("function"), dict):
        return call["function"].get("name")
    is_custom = "function" not in call and isinstance(call.get("custom"), dict)
    return call["custom"].get("name") if is_custom else call.get("name")


def _arguments(call):
    """${say('python_arguments')}"""
    if isinstance(call.get("function"), dict):
        members, key = call["function"], "arguments"
    elif "function" not in call and isinstance(call.get("custom"), dict):
        members, key = call["custom"], "input"
    else:
        members, key = call, "args" if "arguments" not in call and "args" in call else "arguments"
    value = members.get(key, "")
    return value if isinstance(value, str) else _json(value)


def _json(value):
    """${say('python_json')}"""
    if isinstance(value, str):
        text = json.dumps(_points(value), ensure_ascii=False)
        return re.sub("[\ud800-\udfff]", lambda lone: f"\\u{ord(lone[0]):04x}", text)
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, (list, tuple)):
        return f"[{','.join(map(_json, value))}]"
    if isinstance(value, dict):
        value = {str(key): member for key, member in value.items()}
        numbers = [key for key in value if re.fullmatch("0|[1-9][0-9]{0,9}", key) and int(key) < 2**32 - 1]
        keys = sorted(numbers, key=int) + [key for key in value if key not in numbers]
        return "{%s}" % ",".join(f"{_json(key)}:{_json(value[key])}" for key in keys)
    try:
        number = float(value)
    except OverflowError:
        return "null"
    if number != number or number in (float("inf"), float("-inf")):
        return "null"
    if number == 0:
        return "0"
    if not 1e-6 <= abs(number) < 1e21:
        return repr(number).replace("e-0", "e-")
    digits = format(Decimal(repr(number)), "f")
    return digits.rstrip("0").rstrip(".") if "." in digits else digits


_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def _units(text):
    """${say('python_units')}"""
    if text.isascii():
        return text
    return _ASTRAL.sub(lambda one: chr(0xD7C0 + (ord(one[0]) >> 10)) + chr(0xDC00 + (ord(one[0]) & 0x3FF)), text)


def _points(text):
    """${say('python_points')}"""
    if text.isascii():
        return text
    return _PAIR.sub(lambda two: chr((ord(two[0][0]) - 0xD7C0 << 10) + (ord(two[0][1]) & 0x3FF)), text)


def _lower(text):
    """${say('python_lower')}"""
    if text.isascii():
        return text.lower()
    return text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")
`
