/** All text of the interface in English, as ICU messages; other languages have the same keys. */
import { charged } from './en/charged-messages'
import { errorLab } from './en/error-lab-messages'
import { fleet } from './en/fleet-messages'
import { fleetReport } from './en/fleet-report-messages'
import { integrity } from './en/integrity-messages'
import { losses } from './en/losses-messages'
import { nextRequest } from './en/next-request-messages'
import { simulator } from './en/simulator-messages'
import { firstEn } from './first-en'

export const en = {
  ...firstEn,
  charged,
  integrity,
  errorLab,
  nextRequest,
  simulator,
  fleet,
  fleetReport,
  losses,
} as const
