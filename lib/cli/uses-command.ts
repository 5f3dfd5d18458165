import type { ReadConversation } from '../core/conversation/conversation'
import { lastConversationOf } from '../core/fleet/measure-sessions'
import { NO_WINDOW } from '../core/replay/prepare-replay'
import { loadEncoding } from '../core/tokens/encoding'
import type { LaterUse } from '../core/uses/find-later-uses'
import { lostUsesAt } from '../core/uses/lost-uses'
import { inEnglish } from '../core/words/english'
import { COST_FLAGS, chooseEncoding, termsFromFlags } from './cost-flags'
import { flagsOf, printJson, several } from './flags'
import { measuredSessions } from './measure-document'
import { POLICY_FLAGS, readPolicy } from './policy-flags'
import { READ_FLAGS, readOneTranscript } from './read-input'
import type { Command } from './run-command'
import texts from './texts.json' with { type: 'json' }

export const usesCommand: Command = {
  usage: texts.uses.usage.join('\n'),
  flags: [...flagsOf(texts.uses.flags), ...READ_FLAGS, ...POLICY_FLAGS, ...COST_FLAGS],
  run: async (flags, context) => {
    const policy = await readPolicy(flags, context)
    const encoding = await loadEncoding(chooseEncoding(flags))
    const { conversations } = (await readOneTranscript(flags, context)).document
    const terms = (await termsFromFlags(flags))(undefined)
    const { sessions } = measuredSessions(conversations, policy, encoding, terms, false)
    const found = sessions.map(({ session, uses, losable, prepared }): Found => {
      const conversation = conversations[lastConversationOf(session)] as ReadConversation
      const lost = lostUsesAt(losable, policy.enabled ? policy : NO_WINDOW, prepared)
      return { conversation, all: uses, lost: lost.map(({ use }) => uses[use] as LaterUse) }
    })
    if (flags.isOn('json')) return printJson({ conversations: found.map(asJson) })
    return `${found.flatMap(asLines).join('\n')}\n`
  },
}

interface Found {
  readonly conversation: ReadConversation
  readonly all: readonly LaterUse[]
  readonly lost: readonly LaterUse[]
}

function asLines({ conversation, all, lost }: Found): string[] {
  const results = new Set(lost.map(({ result }) => result)).size
  return [
    `${inEnglish(conversation.label)}: ${several(all.length, 'later use')}, ${lost.length} lost, of ${several(results, 'result')}`,
    ...lost.map((use) => {
      const tool = conversation.results[use.result]?.toolName ?? 'no name'
      return `  turn ${use.turn + use.distance + 1} used turn ${use.turn + 1}, ${tool}: ${use.term}`
    }),
  ]
}

function asJson({ conversation, all, lost }: Found) {
  return {
    label: inEnglish(conversation.label),
    later_uses: all.length,
    lost_uses: lost.length,
    results_lost: new Set(lost.map(({ result }) => result)).size,
    lost: lost.map(({ term, kind, result, turn, message, where, call, distance }) => {
      const read = conversation.results[result]
      return {
        term,
        kind,
        turns_apart: distance,
        read: {
          turn: turn + 1,
          message: (read?.message ?? 0) + 1,
          tool: read?.toolName ?? null,
          tool_call_id: read?.callId ?? null,
        },
        used: {
          turn: turn + distance + 1,
          message: message + 1,
          in: where,
          tool: call === undefined ? null : (conversation.calls[call]?.name ?? null),
          tool_call_id: call === undefined ? null : (conversation.calls[call]?.id ?? null),
        },
      }
    }),
  }
}
