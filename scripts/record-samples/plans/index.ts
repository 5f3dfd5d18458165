import type { Sample } from '../sample'
import { brokenHistory } from './broken-history/index'
import { codingSession } from './coding-session/index'
import { dataAnalysis } from './data-analysis/index'
import { logReading } from './log-reading/index'
import { manyRuns } from './many-runs/index'
import { textParts } from './text-parts'

/** All samples, in the order the page offers them. */
export const samples: readonly Sample[] = [
  codingSession,
  logReading,
  dataAnalysis,
  textParts,
  manyRuns,
  brokenHistory,
]
