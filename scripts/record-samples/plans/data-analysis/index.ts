import { jsonDialect } from '../../dialects'
import { createRecorder } from '../../recorder'
import type { Sample } from '../../sample'
import { createWorkspace } from '../../workspace'
import { compareStructures } from './compare-structures'
import { conclude } from './conclude'
import { exploreTable } from './explore-table'

export const dataAnalysis: Sample = {
  id: 'data-analysis',
  file: 'data-analysis.json',
  title: { en: 'Data analysis', fr: 'Analyse de données' },
  shows: {
    en: 'Tables printed once and quoted later: where later text leans on an old result. One line of JSON.',
    fr: 'Des tableaux affichés une fois et cités plus tard : la suite s’appuie sur un ancien résultat. Une seule ligne de JSON.',
  },
  async record() {
    const workspace = await createWorkspace('container-timings')
    // The data are measured on the machine that records, right before the session.
    await workspace.run('node measure.js', 300)
    const agent = createRecorder({ workspace, dialect: jsonDialect, seed: 2 })
    agent.system(
      'You analyse data in /workspace with shell tools and node. Distrust a figure until a second way gives the same. Say what the data cannot tell.',
    )
    for (const phase of [exploreTable, compareStructures, conclude]) await phase(agent)
    await workspace.remove()
    return JSON.stringify(agent.messages)
  },
}
