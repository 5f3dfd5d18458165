import { ALL_ERROR_RULES, type ErrorRule } from '../../conversation/conversation'
import { ERROR_PATTERNS } from '../../conversation/error-rules'
import type { Say } from '../../words/comments'

/**
 * The Python module without its header and its policy. It does what `maskOldToolResults` does, with the standard library
 * only. Texts are read as UTF-16 code units, one character each, so that its regular expressions find what those of
 * JavaScript find; white space, digits, letters in either case, line ends and JSON are JavaScript's too.
 */
export const pythonSource = (say: Say) => String.raw`

def mask_old_tool_results(messages, policy=None, count_tokens=None):
    """${say('python_mask')}

    ${say('python_mask_details')}
    """
    settings = _settings(policy)
    if not settings["enabled"] or settings["window_turns"] <= 0:
        return messages
    masked = list(messages)
    for index, _, placeholder in decide(messages, settings, count_tokens):
        if placeholder is None:
            continue
        message = _members(messages[index])
        content = placeholder
        if not isinstance(message["content"], str):
            texts = [placeholder] + [""] * (len(message["content"]) - 1)
            content = [{**_members(part), "text": text} for part, text in zip(message["content"], texts)]
        masked[index] = {**message, "content": content}
    return masked


def decide(messages, policy=None, count_tokens=None):
    """${say('python_decide')}"""
    settings = _settings(policy)
    results, turns = _linked(messages, settings, settings["nearest_call"])
    if not settings["enabled"] or settings["window_turns"] <= 0:
        return [(result.index, "disabled", None) for result in results]
    pieces = _VARIABLE.split(settings["placeholder_template"])
    needs_counts = "original_tokens" in pieces[1::2] or settings["never_grow"] or settings["trigger_tokens"] > 0
    if needs_counts and count_tokens is None:
        raise ValueError(
            "count_tokens is missing; never_grow, trigger_tokens and {original_tokens} need a function that "
            "counts the tokens of a text."
        )
    if settings["trigger_tokens"] > 0 and _request_tokens(messages, count_tokens) < settings["trigger_tokens"]:
        return [(result.index, "below_trigger", None) for result in results]
    last_ids = _ids_of_last_results(results, settings["keep_last_k_per_tool"] or 0)
    patterns = [_lower(_units(pattern)) for pattern in settings["error_patterns"] if pattern]

    def decide_result(result):
        if result.key is None:
            return "no_call_id", None
        if result.turn is None:
            return "orphan", None
        if result.turn >= first_kept:
            return "in_window", None
        if (result.key, result.turn) in last_ids and result.tool not in settings["exclude_tools"]:
            return "kept_last_k", None
        return decide_old(result)

    def decide_old(result):
        if result.tool in settings["exclude_tools"]:
            return "excluded_tool", None
        texts = result.texts if result.is_string or settings["text_parts"] else None
        if settings["keep_errors"] and texts and _is_error(result, settings["error_rules"], patterns):
            return "kept_error", None
        if texts is None:
            return "non_text", None
        if _is_placeholder(pieces, result):
            return "already_masked", None
        tokens = sum(count_tokens(_points(text)) for text in texts) if needs_counts else None
        placeholder = _points("".join(pieces[:1] + [
            result.value(name, tokens) + after for name, after in zip(pieces[1::2], pieces[2::2])
        ]))
        if settings["never_grow"] and count_tokens(placeholder) >= tokens:
            return "would_grow", None
        return "masked", placeholder

    if settings["batch_turns"] == "auto":
        nearest, _ = _linked(messages, settings, True)
        old = [decide_old(result)[1] if result.key and result.turn is not None else None for result in nearest]
        first_kept = _first_kept(messages, turns, nearest, old, settings)
    else:
        batch = max(1, settings["batch_turns"])
        first_kept = max(0, turns[-1] - settings["window_turns"]) // batch * batch
    return [(result.index, *decide_result(result)) for result in results]


def _linked(messages, settings, is_nearest):
    results, turns = _link(messages, is_nearest)
    return _link_by_order(messages) if settings["link_by_order"] and turns[-1] == 0 else (results, turns)


def _settings(policy):
    for name, value in (policy or {}).items():
        expected = type(POLICY.get(name))
        is_off = name == "keep_last_k_per_tool" and value is None
        numbers = _AUTO.get(name, ())
        if numbers:
            expected = numbers[-1]
        is_auto = bool(numbers) and (value == "auto" or type(value) in numbers)
        if name not in POLICY or not (type(value) is expected or is_off or is_auto):
            names = ", ".join(POLICY)
            raise ValueError(f"policy[{name!r}] is {value!r}; expected {expected.__name__}, for one of {names}.")
    return {**POLICY, **(policy or {})}


_AUTO = {"batch_turns": (int,), "cache_read_ratio": (int, float), "cache_write_ratio": (int, float)}
_VARIABLE = re.compile(r"\{(tool_call_id|tool_name|original_chars|original_tokens|tool_arguments|first_line)\}")
_SPACES = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_LINE_ENDS = "\n\r\u2028\u2029"
_PREVIEW = 80
_HIGH, _LOW = "[\ud800-\udbff]", "[\udc00-\udfff]"
_CHARACTER = f"(?:{_HIGH}{_LOW}|{_HIGH}(?!{_LOW})|[^{_LINE_ENDS}\ud800-\udbff])"
_FIRST_LINE = f"(?P<line>{_CHARACTER}{{0,{_PREVIEW}}}|{_CHARACTER}{{0,{_PREVIEW - 1}}}{_HIGH})"


class _Result:
    """${say('python_result')}"""

    def __init__(self, index, message, call=(None, None, {}), key=None):
        content = message.get("content")
        self.index = index
        self.call_id = _name(message.get("tool_call_id"))
        self.key = self.call_id or key
        self.turn, self.tool, self.call = call
        self.is_string = isinstance(content, str)
        #: ${say('text_units')}
        texts = _texts(content)
        is_text = self.is_string or (texts and len(texts) == len(content))
        self.texts = [_units(text) for text in texts] if is_text else None

    def value(self, name, tokens=None):
        if name == "tool_call_id":
            return self.call_id or ""
        if name == "tool_name":
            return self.tool or "inconnu"
        if name == "original_chars":
            return str(sum(len(_points(text)) for text in self.texts))
        if name == "original_tokens":
            return str(tokens)
        if name == "first_line":
            line = re.search(f"[^{_SPACES}][^{_LINE_ENDS}]{{0,159}}", "".join(self.texts))
            return _points(line[0])[:_PREVIEW].rstrip(_SPACES) if line else ""
        # ${say('cut_arguments')}
        start = _units(_arguments(self.call)[: _PREVIEW * 8])[: _PREVIEW * 8]
        return _points(re.sub(f"[{_SPACES}]+", " ", start).strip(_SPACES))[:_PREVIEW]


def _link(messages, is_nearest):
    """${say('python_link')}"""
    calls, nearest = {}, {}
    turns = [0]
    results = []
    for index, message in enumerate(map(_members, messages)):
        is_turn = False
        for call in _calls(message) if message.get("role") == "assistant" else []:
            call_id = _name(call.get("id"))
            if call_id is None:
                continue
            is_turn = True
            # ${say('call_without_name')}
            known = calls.get(call_id, (None, None, None))
            calls[call_id] = (turns[-1], _name(_call_name(call)) or known[1], call)
        turns.append(turns[-1] + is_turn)
        nearest[index] = calls.get(_name(message.get("tool_call_id")))
    for index, message in enumerate(map(_members, messages)):
        if message.get("role") == "tool":
            call_id = _name(message.get("tool_call_id"))
            call = nearest[index] if is_nearest else calls.get(call_id)
            results.append(_Result(index, message, call or (None, None, {})))
    return results, turns


def _link_by_order(messages):
    """${say('python_link_by_order')}"""
    results, turns, opened = [], [0], []
    has_ids = any(_name(call.get("id")) for message in map(_members, messages) for call in _calls(message))
    for index, message in enumerate(map(_members, messages)):
        calls, is_turn = _calls(message), False
        if message.get("role") == "assistant" and calls and not has_ids:
            opened = [(turns[-1], _name(_call_name(call)), call) for call in calls]
            is_turn = True
        elif message.get("role") in ("tool", "function"):
            stated = message.get("tool_name")
            stated = _name(message.get("name") if stated is None else stated)
            found = [call for call in opened if stated in (None, call[1])]
            if found and _name(message.get("tool_call_id")) is None:
                opened = [call for call in opened if call is not found[0]]
                results.append(_Result(index, message, found[0], ("order", index)))
            elif message.get("role") == "tool":
                results.append(_Result(index, message))
        turns.append(turns[-1] + is_turn)
    return results, turns


def _ids_of_last_results(results, k):
    ids, counts = set(), {}
    for result in reversed(results):
        if result.tool is not None:
            counts[result.tool] = counts.get(result.tool, 0) + 1
            if counts[result.tool] <= k:
                ids.add((result.key, result.turn))
    return ids


def _is_placeholder(pieces, result):
    """${say('python_is_placeholder')}"""
    text = "".join(result.texts)
    pattern, shortest, freedom = "", 0, 0
    for at, piece in enumerate(pieces):
        if at % 2 == 1 and piece.startswith("original_"):
            pattern, shortest, freedom = pattern + "[0-9]{1,16}", shortest + 1, freedom + 15
        elif at % 2 == 1 and piece == "first_line":
            pattern += "(?P=line)" if "(?P<line>" in pattern else _FIRST_LINE
            freedom += 160
        else:
            literal = _units(piece if at % 2 == 0 else result.value(piece))
            pattern, shortest = pattern + re.escape(literal), shortest + len(literal)
    return shortest <= len(text) <= shortest + freedom and re.fullmatch(pattern, text) is not None


def _is_error(result, rules, patterns):
    texts = result.texts
    lowered = [_lower(text) for text in texts]
    for rule in rules:
        matching = _RULES[rule] if result.is_string or rule not in _RULES_IN_PARTS else _RULES_IN_PARTS[rule]
        if any(matches(low, text) for matches in matching for low, text in zip(lowered, texts)):
            return True
        if rule == "json_error" and any(map(_is_error_object, texts)):
            return True
    whole = "".join(lowered) if patterns else ""
    return any(pattern in whole for pattern in patterns)


def _rule(pattern, is_lower):
    """${say('python_rule')}"""
    search = re.compile(pattern.replace(r"\s", f"[{_SPACES}]")).search
    return lambda low, text: search(low if is_lower else text) is not None


# ${say('no_flag')}
_RULES = {
${ALL_ERROR_RULES.map((rule) => ruleSource(rule)).join('')}}
_RULES_IN_PARTS = {
${ALL_ERROR_RULES.filter((own) =>
  ERROR_PATTERNS.some(({ rule, inParts }) => rule === own && inParts),
)
  .map((rule) => ruleSource(rule, true))
  .join('')}}
`

/** The expressions of a rule: of one that ignores the case, in lower case. */
function ruleSource(rule: ErrorRule, isInParts = false): string {
  const expressions = ERROR_PATTERNS.filter((pattern) => pattern.rule === rule).map(
    ({ expression, inParts = expression }) => {
      const { source, ignoreCase } = isInParts ? inParts : expression
      const pattern = source
        .replaceAll('\\d', '[0-9]')
        .replaceAll('\\/', '/')
        .replace(/\\?"/g, '\\"')
      const written = ignoreCase
        ? pattern.replace(/(?<!\\)[A-Z]/g, (letter) => letter.toLowerCase())
        : pattern
      return `\n        _rule(r"${written}", ${ignoreCase ? 'True' : 'False'}),`
    },
  )
  return `    "${rule}": [${expressions.join('')}${expressions.length > 0 ? '\n    ' : ''}],\n`
}
