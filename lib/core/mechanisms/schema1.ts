/** Schema 1 observation masking with its extensions: a window of turns that moves every turn, in batches, or at break-even. */
import { memoizeFor, memoizeLast } from '../memoize-for'
import { POLICY_FIELDS, policyOfSettings } from '../policy/policy'
import { policyOfModel } from '../replay/cache-rules'
import { prepareReplay } from '../replay/prepare-replay'
import { windowChanges } from '../replay/request-changes'
import { type HistoryMessage, positionsOfResults, type SessionHistory } from './history'
import { type MessageEdit, type MessageEdits, NO_EDITS, type Settings } from './mechanism'
import { defineStateless } from './mechanism-table'

export const schema1 = defineStateless(
  'schema1',
  ({ history, request }, settings) => requestEdits(history, settings)[request] as MessageEdits,
  POLICY_FIELDS.filter(({ key }) => key !== 'enabled').map((field) => ({
    key: field.toml,
    value: field.defaultValue,
    ...(field.kind === 'number' && { least: field.minimum, most: field.maximum }),
    ...(field.kind === 'choice' && { options: field.options }),
  })),
)

/** By request: what the policy masks. Those of one policy are kept, since a list of each request's edits is long. */
function requestEdits(history: SessionHistory, settings: Settings): readonly MessageEdits[] {
  return memoizeLast(history, requestEdits, JSON.stringify(settings), () => {
    const { counted, countTokens, messages, ends } = history
    const positions = positionsOfResults(history)
    const policy = policyOfModel(policyOfSettings(settings), counted.conversation.model)
    const { window_turns: _, batch_turns: __, ...others } = settings
    const prepared = memoizeFor(history, `prepared ${JSON.stringify(others)}`, () =>
      prepareReplay(counted, policy, {
        textOf: (result) => (messages[positions[result] as number] as HistoryMessage).content,
        placeholderTokensOf: (_, placeholder) => countTokens(placeholder),
      }),
    )
    const editOf = new Map<string, MessageEdit>()
    for (const { result, placeholder, text } of prepared.maskings)
      editOf.set(`${result} ${placeholder}`, { content: text })
    const changes = windowChanges({ ...prepared, clearings: [] })
    changes.restart(policy)
    let edits = NO_EDITS
    return ends.map((_, request) => {
      const count = changes.next(request)
      if (count === 0) return edits
      const next = new Map(edits)
      for (const result of changes.changed.subarray(0, count)) {
        const edit = editOf.get(`${result} ${changes.state[result]}`)
        const at = positions[result] as number
        if (edit === undefined) next.delete(at)
        else next.set(at, edit)
      }
      edits = next
      return edits
    })
  })
}
