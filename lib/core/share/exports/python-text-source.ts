import { cacheTermsOf, type PolicyOfModel } from '../../policy/break-even'
import type { Say } from '../../words/comments'

/** The part of the Python module that moves a window at break-even, as `breakEvenSteps` does. */
export const pythonWindowSource = ({ cache }: PolicyOfModel, say: Say) => {
  const own = { cacheReadRatio: 'auto', cacheWriteRatio: 'auto', cache } as const
  const { readRatio, writeRatio, keepsOnlyHead, lifetimeSeconds } = cacheTermsOf(own)
  return String.raw`

# ${say('python_cache')}
_READ_RATIO, _WRITE_RATIO = ${readRatio}, ${writeRatio}
_KEEPS_ONLY_HEAD, _LIFETIME_SECONDS = ${keepsOnlyHead ? 'True' : 'False'}, ${lifetimeSeconds}


def _first_kept(messages, turns, results, placeholders, settings):
    """${say('python_break_even')}"""
    read, write = settings["cache_read_ratio"], settings["cache_write_ratio"]
    read, write = _READ_RATIO if read == "auto" else read, _WRITE_RATIO if write == "auto" else write
    messages = [message if isinstance(message.get("role"), str) else {} for message in map(_members, messages)]
    prefix, ends, request_of = [0], [], []
    for index, message in enumerate(messages):
        is_answer = message.get("role") == "assistant"
        if index > 0 and is_answer and messages[index - 1].get("role") != "assistant":
            ends.append(index)
        request_of.append(len(ends))
        prefix.append(prefix[-1] + sum(len(_points(text)) for text in _message_texts(message)))
    if messages and messages[-1].get("role") != "assistant":
        ends.append(len(messages))
    is_head = [message.get("role") in ("system", "developer") for message in messages]
    head = is_head.index(False) if False in is_head else 0

    of_tool, of_turn, seen = {}, {}, {}
    for result in results:
        of_tool.setdefault(result.tool, []).append(result.index)
    for result, placeholder in zip(results, placeholders):
        at = seen[result.tool] = seen.get(result.tool, -1) + 1
        at += (settings["keep_last_k_per_tool"] or 0) if result.tool else 0
        if placeholder is None or result.turn is None or at >= len(of_tool[result.tool]):
            continue
        saved = sum(len(_points(text)) for text in result.texts) - len(placeholder)
        since = request_of[of_tool[result.tool][at]] + 1
        of_turn.setdefault(result.turn, []).append((since, result.turn, result.index, saved))

    first_kept = edge = stale = masked = owed = 0
    first_stale, late, time, last_time = len(messages), {}, -math.inf, math.inf
    for request, end in enumerate(ends):
        sent = ends[request - 1] if request else 0
        time = max([time, *map(_time, messages[sent:end])])
        is_cold = time - last_time > _LIFETIME_SECONDS * 1000
        last_time = last_time if time == -math.inf else time
        arriving = late.pop(request, [])
        while edge < turns[end] - settings["window_turns"]:
            for one in of_turn.get(edge, []):
                (arriving if one[0] <= request else late.setdefault(one[0], [])).append(one)
            edge += 1
        for _, turn, index, saved in arriving:
            if turn < first_kept:
                masked += saved
            else:
                stale, first_stale = stale + saved, min(first_stale, index)
        behind = prefix[sent] - prefix[min(first_stale, sent)]
        if _KEEPS_ONLY_HEAD:
            behind = prefix[sent] - prefix[head] - masked
        price = 0 if is_cold else (write - read) * max(0, behind - stale)
        if stale > 0 and read * owed >= price:
            first_kept, masked, stale, owed, first_stale = edge, masked + stale, 0, 0, len(messages)
        else:
            owed += max(0, stale)
    return first_kept


_TIME = re.compile(r"([0-9-]{10})[T ]([0-9:]{8})(?:\.([0-9]+))?(Z|[+-][0-9]{2}:?[0-9]{2})?")


def _time(message):
    """${say('python_time')}"""
    names = ("timestamp", "created_at", "createdAt")
    value = next((message[name] for name in names if message.get(name) is not None), None)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value if value >= 1e12 else value * 1000 if value >= 1e9 else -math.inf
    match = _TIME.fullmatch(value) if isinstance(value, str) else None
    try:
        zone = (match[4] or "Z").replace("Z", "+0000").replace(":", "")
        at = datetime.strptime(match[1] + match[2] + zone, "%Y-%m-%d%H:%M:%S%z")
    except (TypeError, ValueError):
        return -math.inf
    return int(at.timestamp()) * 1000 + int(((match[3] or "") + "000")[:3])
`
}

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
