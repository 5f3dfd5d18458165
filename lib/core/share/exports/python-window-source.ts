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
