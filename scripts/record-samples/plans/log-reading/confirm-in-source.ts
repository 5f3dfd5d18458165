import { capture, expectMatch, type Recorder } from '../../recorder'
import { read, run } from '../../tools'

/** Reads the code of both causes and measures each alone. */
export async function confirmInSource(agent: Recorder): Promise<void> {
  const source = await agent.turn(
    'The routes and the pool.',
    run('wc -l src/*.js run-load.js'),
    read('src/server.js'),
    read('src/pool.js'),
  )
  const line = capture(source[1], /(\d+) {2}\s+const rate = await fetchRate/)
  await agent.turn(
    `server.js line ${line}: fetchRate can throw (400 ms limit, or refused), and the release after it is skipped. showParcel has a finally, quote does not. The client it calls:`,
    read('src/rates-client.js'),
    read('src/search.js'),
  )
  const alone = await agent.turn(
    'distance() fills the whole table for each of 10,000 names, although anything beyond 2 is of no interest, and nothing yields in between. Measured without a server:',
    run(
      `node -e "import('./src/search.js').then(({ searchParcels }) => { for (const query of ['ng', 'sato', 'okafor', 'greta jo ng', 'konstantin vanderberg', 'theodor lindqvist, the old harbour']) { const times = []; let found; for (let round = 0; round < 15; round++) { const started = performance.now(); found = searchParcels(query).length; times.push(performance.now() - started) } times.sort((one, other) => one - other); console.log(query.padEnd(36), String(found).padStart(3), 'found', times[7].toFixed(1).padStart(6), 'ms') } })"`,
    ),
  )
  expectMatch(alone[0], /harbour/)
  const leak = await agent.turn(
    'And the leak without load: a rates service nobody runs, three quotes, then the state of the pool.',
    run(
      `node --input-type=module -e "import { createLog } from './src/log.js'; import { startServer } from './src/server.js'; const log = createLog('leak.log'); const server = await startServer({ ratesBase: 'http://127.0.0.1:61999', log }); const base = 'http://127.0.0.1:' + server.port; for (const id of ['P10001', 'P10002', 'P10003']) { const answer = await fetch(base + '/quote/' + id); console.log(id, answer.status, await (await fetch(base + '/health')).text()) } await server.close(); log.flush()"; cat leak.log; rm leak.log`,
    ),
  )
  expectMatch(leak[0], /ECONNREFUSED/)
  expectMatch(leak[0], /3\/12/)
}
