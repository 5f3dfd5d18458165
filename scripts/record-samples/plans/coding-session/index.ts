import { plainDialect } from '../../dialects'
import { createRecorder } from '../../recorder'
import type { Sample } from '../../sample'
import { toolSchemas } from '../../tool-schemas'
import { createWorkspace } from '../../workspace'
import { addBudget } from './add-budget'
import { explore } from './explore'
import { finish } from './finish'
import { fixAmount } from './fix-amount'
import { fixCalendar } from './fix-calendar'
import { fixCsv } from './fix-csv'
import { fixReports } from './fix-reports'

export const codingSession: Sample = {
  id: 'coding-session',
  file: 'coding-session.json',
  title: { en: 'Coding session', fr: 'Session de développement' },
  shows: {
    en: 'A long bug hunt: parallel calls, failing tests, a killed command; most old results are stale.',
    fr: 'Une longue chasse au bogue : appels parallèles, tests en échec, une commande tuée ; la plupart des anciens résultats sont périmés.',
  },
  async record() {
    const workspace = await createWorkspace('pocket-ledger')
    const agent = createRecorder({ workspace, dialect: plainDialect, seed: 1, hasToolNames: true })
    agent.system(
      'You are a careful software engineer working in /workspace. Use the tools; reproduce before you fix; say in one or two lines why you take a step. Finish with the full test suite green.',
    )
    const phases = [explore, fixCsv, fixAmount, fixCalendar, fixReports, addBudget, finish]
    for (const phase of phases) await phase(agent)
    await workspace.remove()
    const body = {
      model: 'gpt-5.1',
      messages: agent.messages,
      tools: Object.values(toolSchemas),
      tool_choice: 'auto',
      parallel_tool_calls: true,
      max_completion_tokens: 4096,
    }
    return `${JSON.stringify(body, null, 2)}\n`
  },
}
