import { plainDialect } from '../../dialects'
import { createRecorder } from '../../recorder'
import type { Sample } from '../../sample'
import { toolSchemas } from '../../tool-schemas'
import { createWorkspace } from '../../workspace'
import { confirmInSource } from './confirm-in-source'
import { findPattern } from './find-pattern'
import { fixAndRepeat } from './fix-and-repeat'
import { readLogs } from './read-logs'

export const logReading: Sample = {
  id: 'log-reading',
  file: 'log-reading.json',
  title: { en: 'Log reading', fr: 'Lecture de journaux' },
  shows: {
    en: 'Few turns, very large outputs: log excerpts of 5 to 20 kB that are read once and never again.',
    fr: 'Peu de tours, de très grosses sorties : des extraits de journaux de 5 à 20 ko, lus une fois et plus jamais.',
  },
  async record() {
    const workspace = await createWorkspace('parcel-api')
    // The logs come from a real run: both services on loopback, 1,500 requests, one restart.
    await workspace.run('node run-load.js logs', 60)
    const agent = createRecorder({ workspace, dialect: plainDialect, seed: 3 })
    agent.system(
      'You investigate incidents. The workspace holds the source of a service and the logs of one run. Prefer evidence to guesses: quote times, request ids and counts.',
    )
    for (const phase of [readLogs, findPattern, confirmInSource, fixAndRepeat]) await phase(agent)
    await workspace.remove()
    const tools = [toolSchemas.run_command, toolSchemas.read_file, toolSchemas.edit_file]
    const body = { model: 'gpt-4.1', temperature: 0, tools, messages: agent.messages }
    return `${JSON.stringify(body, null, 2)}\n`
  },
}
