/** Input of exports: the policy and the shown conversation. */
import type { Conversation } from '@/lib/core/conversation/conversation'
import type { PolicyOfModel } from '@/lib/core/policy/break-even'
import type { Decision } from '@/lib/core/policy/decide'
import type { ExportInput } from '@/lib/core/share/exports/export-target'
import { providerAddress } from '@/lib/core/share/exports/provider-address'
import { modelOf } from '../costs/chosen-model'
import { withoutMechanism } from '../costs/tried-mechanism'
import { conversationOf, isCurrent } from '../document/selectors'
import { decisionsOf, policyOf } from '../policy/policy-view'
import { memoize, type PlaygroundState } from '../store'

const exportInput = memoize(
  (
    policy: PolicyOfModel,
    conversation: Conversation | undefined,
    decisions: readonly Decision[] | undefined,
    fileName: string,
    site: string,
    provider: string,
  ): ExportInput => ({
    policy,
    shown: conversation && decisions && { conversation, decisions },
    fileName: fileName === '' ? 'run.json' : fileName,
    site,
    provider,
  }),
)

/** Input of an export. The conversation is left out until the current text is read. `site` is the site's address. */
export function exportInputOf(shown: PlaygroundState, site: string): ExportInput {
  const state = withoutMechanism(shown)
  const { source, read } = state
  const policy = policyOf(state) ?? state.policy
  const model = modelOf(state)
  const provider = providerAddress(
    model === undefined || model.source === 'default' ? undefined : model.key,
    read?.model.format,
  )
  const isShown = isCurrent(state)
  const conversation = isShown ? conversationOf(state) : undefined
  const decisions = isShown ? decisionsOf(state)?.[state.conversation] : undefined
  return exportInput(policy, conversation, decisions, source.name, site, provider)
}
