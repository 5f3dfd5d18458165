/** Input of exports. */
import type { ExportInput } from '@/lib/core/share/exports/export-target'
import { providerAddress } from '@/lib/core/share/exports/provider-address'
import { modelOf } from '../costs/chosen-model'
import { ofPolicy } from '../costs/tried-mechanism'
import { policyOf } from '../policy/policy-view'
import type { PlaygroundState } from '../store'

/** Input of an export. `site` is the site's address. */
export function exportInputOf(state: PlaygroundState, site: string): ExportInput {
  const { source, read, policy } = state
  const model = modelOf(state)
  const key = model === undefined || model.source === 'default' ? undefined : model.key
  const provider = providerAddress(key, read?.model.format)
  const fileName = source.name === '' ? 'run.json' : source.name
  return { policy: ofPolicy(policyOf)(state) ?? policy, fileName, site, provider }
}
