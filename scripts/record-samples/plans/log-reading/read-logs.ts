import { capture, expectMatch, type Recorder } from '../../recorder'
import { read, run } from '../../tools'

/** Looks at the three logs: sizes, formats, statuses, and the time of the first failure. */
export async function readLogs(agent: Recorder): Promise<void> {
  agent.user(
    'The last load run of parcel-api went badly: many 503s, some 504s and 502s, and p95 is far above the usual 30 ms. Logs are in logs/. Find out why, each cause with evidence, then fix what is ours to fix and show the numbers before and after.',
  )
  const sizes = await agent.turn(
    'What is there, how large, and in which format.',
    run('wc -lc logs/*; head -n 3 logs/*.log'),
    read('README.md'),
  )
  const lines = capture(sizes[0], /(\d+)\s+\d+ logs\/server\.log/)
  await agent.turn(
    `server.log has ${lines} lines. The start of it, while things should still be fine:`,
    run("sed -n '1,70p' logs/server.log"),
  )
  const statuses = await agent.turn(
    'Statuses over the whole run.',
    run("grep -oE 'status=[0-9]+' logs/server.log | sort | uniq -c | sort -rn"),
    run("grep -oE 'event=[a-z_]+' logs/server.log | sort | uniq -c | sort -rn"),
  )
  const unavailable = capture(statuses[0], /(\d+) status=503/)
  const timeouts = capture(statuses[0], /(\d+) status=504/)
  await agent.turn(
    `${unavailable} times 503 against ${timeouts} times 504, so 503 is the main thing. When: requests, failures and latency second by second.`,
    run(
      `awk '/ status=/ { second = substr($1, 12, 8); match($0, /status=[0-9]+/); status = substr($0, RSTART + 7, RLENGTH - 7); match($0, / ms=[0-9.]+/); ms = substr($0, RSTART + 4, RLENGTH - 4) + 0; count[second]++; if (status == 503) unavailable[second]++; if (status == 504) late[second]++; if (status == 502) bad[second]++; if (ms > longest[second]) longest[second] = ms; sum[second] += ms } END { print "second   requests 503 504 502  mean ms   max ms"; for (second in count) printf "%s %8d %3d %3d %3d %8.1f %8.1f\\n", second, count[second], unavailable[second], late[second], bad[second], sum[second] / count[second], longest[second] | "sort" }' logs/server.log`,
    ),
  )
  const first = await agent.turn(
    'Not there from the start, and it comes and goes. The first 503 and its line number:',
    run(
      "grep -n -m1 'status=503' logs/server.log; grep -n -m1 'status=504' logs/server.log; grep -n -m1 'status=502' logs/server.log",
    ),
  )
  const firstLine = Number(capture(first[0], /^(\d+):.*status=503/m))
  const firstTimeout = capture(first[0], /^(\d+):.*status=504/m)
  const timeoutRequest = capture(first[0], /req=(r\d+).*status=504/)
  const around = await agent.turn(
    `The first 504 is at line ${firstTimeout} (${timeoutRequest}), well before the first 503 at line ${firstLine}. What the log looks like around the latter:`,
    run(`sed -n '${firstLine - 50},${firstLine + 40}p' logs/server.log`),
  )
  expectMatch(around[0], /pool=12\/12/)
  await agent.turn(
    'pool=12/12 on nearly every line here and `waiting` grows: the requests wait for a database connection and give up after 700 ms. The question is who holds the twelve. All events that are not requests:',
    run("grep 'event=' logs/server.log"),
  )
  await agent.turn(
    'pool_reclaim is telling: a connection held for 3 s is taken away, while a lookup takes a few ms. Is there something in the logs of the other side?',
    run('tail -n 40 logs/rates.log'),
  )
  await agent.turn(
    'Wrong name; the README calls it rates-service.log.',
    run('tail -n 60 logs/rates-service.log'),
    run("grep -n 'event=' logs/rates-service.log"),
  )
  await agent.turn(
    'So the rates service was stopped and started again in the middle. What our side logged during that time:',
    run(
      `from=$(grep -m1 'event=stopping' logs/rates-service.log | cut -c1-24); to=$(grep 'event=listening' logs/rates-service.log | tail -n 1 | cut -c1-24); echo "$from to $to"; awk -v from="$from" -v to="$to" '$1 >= from && $1 <= to' logs/server.log | sed -E 's/ method=GET//; s/ bytes=[0-9]+//' | head -n 110`,
    ),
  )
  await agent.turn(
    'Only the quotes that got a connection saw the refused port (502); everything else in that time is 503 from the full pool, /parcels included. The restart makes it worse but the waves began seconds before it. Does the run recover at its end?',
    run('tail -n 90 logs/server.log'),
  )
  await agent.turn(
    'It does, slowly. Back to the rates service, which was stopped once but answered before and after. Its latency by country, since some of these lines show hundreds of ms:',
    run(
      `awk '/path=/ { match($0, /rates\\/[A-Z]+/); country = substr($0, RSTART + 6, 2); match($0, / ms=[0-9.]+/); ms = substr($0, RSTART + 4, RLENGTH - 4) + 0; match($0, /status=[a-z0-9]+/); status = substr($0, RSTART + 7, RLENGTH - 7); count[country]++; sum[country] += ms; if (ms > longest[country]) longest[country] = ms; if (status == "gone") gone[country]++ } END { for (country in count) printf "%s %4d requests, mean %6.1f ms, max %6.1f ms, %d gone\\n", country, count[country], sum[country] / count[country], longest[country], gone[country] }' logs/rates-service.log | sort`,
    ),
  )
}
