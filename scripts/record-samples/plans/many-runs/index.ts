import { plainDialect } from '../../dialects'
import { capture, createRecorder, expectMatch, type Recorder } from '../../recorder'
import type { Sample } from '../../sample'
import { list, read, run } from '../../tools'
import { createWorkspace } from '../../workspace'
import { type Repair, repairs } from './repairs'

export const manyRuns: Sample = {
  id: 'many-runs',
  file: 'many-runs.jsonl',
  title: { en: 'Many short runs', fr: 'Plusieurs exécutions courtes' },
  shows: {
    en: 'Seven runs of one kind of task in one file: choose a conversation; a wide window changes nothing.',
    fr: 'Sept exécutions d’un même type de tâche dans un fichier : choisir une conversation ; une fenêtre large ne change rien.',
  },
  async record() {
    const lines: string[] = []
    for (const [position, repair] of repairs.entries()) {
      const workspace = await createWorkspace(`small-fixes/${repair.project}`)
      const agent = createRecorder({ workspace, dialect: plainDialect, seed: 100 + position })
      await recordRepair(agent, repair)
      await workspace.remove()
      lines.push(`${JSON.stringify({ messages: agent.messages })}\n`)
    }
    return lines.join('')
  },
}

async function recordRepair(agent: Recorder, repair: Repair): Promise<void> {
  const file = `${repair.project}.js`
  agent.system('You repair small modules. The tests say what is right; do not change them.')
  agent.user(repair.request)
  await agent.turn(null, list('.'), read(file))
  await agent.turn(
    'The tests, read and run.',
    read(`${repair.project}.test.js`),
    run('node --test', 6),
  )
  await agent.turn('What it does today, beyond what the tests ask:', repair.probe)

  let last = ''
  for (const [position, step] of repair.steps.entries()) {
    await agent.turn(step.text, ...step.edits)
    const isLast = position === repair.steps.length - 1
    const results = await agent.turn(
      isLast ? 'All tests again:' : null,
      run(isLast ? 'node --test' : "node --test | grep -E '^(not )?ok|^# (pass|fail)'", 6),
    )
    last = results[0]
  }
  expectMatch(last, /^# fail 0$/m)
  await agent.turn(
    'The same probe as before, and the module as it is now.',
    repair.probe,
    read(file),
  )
  agent.say(`Done: ${capture(last, /# pass (\d+)/)} tests pass, ${file} is the only file changed.`)
}
