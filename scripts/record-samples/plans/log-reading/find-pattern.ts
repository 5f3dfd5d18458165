import { capture, expectMatch, type Recorder } from '../../recorder'
import { run } from '../../tools'

/** Links the held connections to the requests that timed out, and excludes other causes. */
export async function findPattern(agent: Recorder): Promise<void> {
  await agent.turn(
    'PT takes more than 500 ms each time and its callers are gone, NO is slow but answers. Now the client side. client.log is JSON, so with node:',
    run(
      `node -e "const text = require('fs').readFileSync('logs/client.log', 'utf8'); const entries = JSON.parse(text); console.log(entries.length)"`,
    ),
  )
  const client = await agent.turn(
    'Lines of JSON, not one document. Line by line:',
    run(
      `node -e "const entries = require('fs').readFileSync('logs/client.log', 'utf8').trim().split('\\n').map((line) => JSON.parse(line)); const groups = {}; for (const { path, status, error, ms } of entries) { const key = path.split(/[/?]/)[1].padEnd(8) + ' ' + (status ?? error); (groups[key] ??= []).push(ms) } for (const key of Object.keys(groups).sort()) { const sorted = groups[key].sort((one, other) => one - other); const at = (share) => String(sorted[Math.floor((sorted.length - 1) * share)]).padStart(5); console.log(key.padEnd(14), String(sorted.length).padStart(4), 'p50', at(0.5), 'p95', at(0.95), 'max', at(1)) }"`,
    ),
  )
  expectMatch(client[0], /parcels\s+503/)
  await agent.turn(
    'What the clients of the failed requests saw, in the order they gave up:',
    run(`grep -v '"status":200' logs/client.log | head -n 130`),
  )
  await agent.turn(
    '/parcels never calls the rates service and still gets 503: the pool is shared, so whatever fills it is not the failing route itself. Timeline of the pool, every sixth request line, from second 0 to 6:',
    run(
      `awk '/ status=/ && substr($1, 18, 2) < "06" && ++count % 6 == 0' logs/server.log | sed -E 's/ method=GET//; s/ bytes=[0-9]+//'`,
    ),
  )
  const timeouts = await agent.turn(
    'The pool climbs in steps and hardly ever falls by itself. If each step is a leaked connection, each needs an event. Every 504 and 502 with the pool after it:',
    run("grep -E 'status=50[24]' logs/server.log"),
  )
  const total = timeouts[0].trim().split('\n').length
  agent.think(
    `Hypothesis: a failing quote never gives its connection back. Then the requests named in pool_reclaim.held_by must be exactly those that ended in 504 or 502 (${total} lines), minus the ones too late in the run to be reclaimed.`,
  )
  await agent.turn(
    `${total} failed quotes. Compare their ids with the holders named in pool_reclaim.`,
    run(
      "grep -E 'status=50[24]' logs/server.log | grep -oE 'req=r[0-9]+' | cut -d= -f2 | sort > failed.txt; grep -oE 'held_by=r[0-9]+' logs/server.log | cut -d= -f2 | sort > reclaimed.txt; wc -l failed.txt reclaimed.txt; echo 'reclaimed but not failed:'; comm -13 failed.txt reclaimed.txt; echo 'failed but not reclaimed:'; comm -23 failed.txt reclaimed.txt | tr '\\n' ' '",
    ),
  )
  const victims = await agent.turn(
    'Every reclaimed connection belonged to a failed quote. Those failed but not reclaimed should all be from the last seconds, before the 3 s were over:',
    run(
      'for id in $(comm -23 failed.txt reclaimed.txt); do grep "req=$id " logs/server.log | cut -c1-150; done; tail -n 1 logs/server.log; grep \'held_by\' logs/server.log | tail -n 1',
    ),
  )
  expectMatch(victims[0], /stopping/)
  const example = await agent.turn(
    'Consistent. One of them from start to end, with what happened to the pool in between:',
    run(
      `id=$(head -n 1 reclaimed.txt); grep -n "$id" logs/server.log; first=$(grep -n "req=$id " logs/server.log | cut -d: -f1); last=$(grep -n "held_by=$id " logs/server.log | cut -d: -f1); echo "lines $first to $last:"; sed -n "$first,$last p" logs/server.log | grep -oE 'pool=[0-9]+/12' | uniq -c | head -40`,
    ),
  )
  const holder = capture(example[0], /req=(r\d+)/)
  await agent.turn(
    `${holder} answers 504 after about 400 ms and its connection comes back 3 s later, by force. Second cause, separate: loop_lag. What ran in the 300 ms before each of these warnings?`,
    run("rm failed.txt reclaimed.txt; grep -B 6 'event=loop_lag' logs/server.log | cut -c1-140"),
  )
  const search = await agent.turn(
    'A search stands before nearly every one. Latency of /search by query, against the others:',
    run(
      `grep 'path="/search' logs/server.log | sed -E 's/.*q=([^"]*)".* ms=([0-9.]+) .*/\\1\\t\\2/' | sort -t "$(printf '\\t')" -k1,1 -k2,2n | awk -F '\\t' '{ values[$1] = values[$1] " " $2; count[$1]++; sum[$1] += $2 } END { for (query in count) { size = split(values[query], list, " "); printf "%-36s %3d  mean %6.1f  p50 %6.1f  max %6.1f\\n", query, size, sum[query] / size, list[int((size + 1) / 2)], list[size] } }' | sort`,
    ),
    run("grep 'path=/health' logs/server.log | tail -n 12"),
  )
  const longest = capture(search[0], /theodor.*p50\s+([\d.]+)/)
  agent.say(
    `So far: (1) 503 comes from a full pool, and the pool is full of connections that failed quotes never gave back; (2) separately, long searches block the event loop, ${longest} ms in the median for the longest query, which delays everything else; (3) 502 belongs to the restart of the rates service. I now look for (1) and (2) in the source.`,
  )
  agent.user('Convincing. Go on, but leave the rates service alone, it belongs to another team.')
}
