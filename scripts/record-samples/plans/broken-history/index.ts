import { plainDialect } from '../../dialects'
import { createRecorder, type Recorder } from '../../recorder'
import type { Sample } from '../../sample'
import { list, read, run, write } from '../../tools'
import { createWorkspace } from '../../workspace'
import { breakHistory } from './break-history'
import { mixLineEnds, writeRawNumbers } from './break-text'

export const brokenHistory: Sample = {
  id: 'broken-history',
  file: 'broken-history.json',
  title: { en: 'Broken history', fr: 'Historique cassé' },
  shows: {
    en: 'A truncated, damaged history: orphans, unanswered calls, a repeated id, numbers and line ends that must survive.',
    fr: 'Un historique tronqué et abîmé : orphelins, appels sans réponse, identifiant répété, nombres et fins de ligne à préserver.',
  },
  async record() {
    const workspace = await createWorkspace('small-fixes/duration')
    const agent = createRecorder({ workspace, dialect: plainDialect, seed: 5 })
    agent.user(
      'duration.js has failing tests. Look at them, find out what formatDuration should do, and propose a change.',
    )
    await agent.turn(null, list('.'), read('duration.js'))
    await agent.turn('The tests.', read('duration.test.js'), run('node --test'))
    agent.say('Four of five fail; before I propose anything I want to see the values.')
    await agent.turn(
      'Writing, for a few totals:',
      run(
        `node -e "import('./duration.js').then(({ formatDuration }) => { for (const total of [0, 59, 60, 5400, 90061]) console.log(total, JSON.stringify(formatDuration(total))) })"`,
      ),
    )
    agent.say('Everything ends up in seconds, because the table begins with the smallest unit.')
    await agent.turn(
      'Reading:',
      run(
        `node -e "import('./duration.js').then(({ parseDuration }) => { for (const text of ['45s', '1h30m', '2d 4h', 'soon']) console.log(text, parseDuration(text)) })"`,
      ),
      run('grep -n exec duration.js'),
    )
    agent.user('Fine. Write the proposal into a file.')
    await agent.turn(
      'As a patch to read, nothing applied.',
      write(
        'proposal.md',
        '- formatDuration: begin with days.\n- parseDuration: every unit, not the first one.\n',
      ),
      run('cat proposal.md'),
    )
    await recordProbes(agent)
    await agent.turn(
      'Last look at the state of the tests.',
      run("node --test | grep -E '^(not )?ok|^# (pass|fail)'"),
    )
    await workspace.remove()
    const text = JSON.stringify({ messages: breakHistory(agent.messages) }, null, 2)
    return mixLineEnds(writeRawNumbers(text))
  },
}

/** Adds similar turns, so that a window of eight turns masks some results. */
async function recordProbes(agent: Recorder): Promise<void> {
  const probe = (code: string) =>
    run(
      `node -e "import('./duration.js').then(({ parseDuration, formatDuration }) => { ${code} })"`,
    )
  await agent.turn(
    'Which texts are taken although they should not be?',
    probe(
      `for (const text of ['5x5m', '1h and 2m', '', '5', '-3m', '1.5h', '3M']) { try { console.log(JSON.stringify(text), parseDuration(text)) } catch (error) { console.log(JSON.stringify(text), String(error)) } }`,
    ),
  )
  await agent.turn(
    'And which round trips fail up to a day?',
    probe(
      `let failed = 0; for (let total = 0; total <= 86400; total++) { let back; try { back = parseDuration(formatDuration(total)) } catch { back = undefined } if (back !== total) failed++ } console.log(failed + ' of 86401 fail')`,
    ),
  )
  await agent.turn(
    'Would turning the table around be enough? On a copy:',
    run(
      "sed 's/{ s: 1, m: 60, h: 3600, d: 86400 }/{ d: 86400, h: 3600, m: 60, s: 1 }/' duration.js > copy.js && node -e \"import('./copy.js').then(({ formatDuration }) => { for (const total of [0, 59, 5400, 90061]) console.log(total, JSON.stringify(formatDuration(total))) })\"",
    ),
    read('copy.js', 1, 8),
  )
  await agent.turn('Zero is still empty. The copy goes again.', run('rm copy.js; ls'))
  await agent.turn('A name I misremember:', read('durations.js'))
  await agent.turn('How long the two functions are:', run('wc -l duration.js duration.test.js'))
}
