import type { Sample } from '../sample'
import { codingSession } from './coding-session/index'
import { dataAnalysis } from './data-analysis/index'
import { logReading } from './log-reading/index'

/** All samples, in the order the page offers them. */
export const samples: readonly Sample[] = [codingSession, logReading, dataAnalysis]
