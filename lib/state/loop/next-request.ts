/** The request after the last tool calls of the conversation shown; the worker builds it while a view shows it. */
import type { BuiltNextRequest } from '@/lib/worker/build-request'
import { modelNameOf } from '../costs/chosen-model'
import { conversationOf } from '../document/selectors'
import { answerTo, type PlaygroundState, select } from '../store'

export type { BuiltNextRequest }

/** The model of the transcript, else that of the page. */
function usualModelOf(state: PlaygroundState): string {
  const { name } = modelNameOf(state)
  // Providers do not expect their name as a prefix.
  return conversationOf(state)?.model ?? name.slice(name.indexOf('/') + 1)
}

export const nextRequestInputOf = select(
  [
    (state) => conversationOf(state) && state.read?.source.id,
    ({ conversation }) => conversation,
    ({ policy }) => policy,
    usualModelOf,
    ({ loop }) => loop.requestLanguage,
  ],
  (document, conversation, policy, model, language) => ({
    document,
    conversation,
    policy,
    model,
    language,
  }),
)

/** Undefined until the worker answers, null if the conversation has no turn. */
export const nextRequestOf = answerTo<'buildRequest'>(nextRequestInputOf)
