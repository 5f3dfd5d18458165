/** Repeated calls in the conversation shown: the worker finds them once it is counted, and again whenever a limit changes. */
import { repeatsOf } from '@/lib/core/loop/repeats'
import { conversationOf, countsOf } from '../document/selectors'
import { answerTo, select } from '../store'

/** The input of the job; undefined until the document is counted. */
export const repeatedCallsInputOf = select(
  [
    ({ read, conversation }) => read?.model.conversations[conversation] && read.source.id,
    ({ conversation }) => conversation,
    ({ loop }) => loop.settings,
    countsOf,
  ],
  (document, conversation, options) => ({ document, conversation, options }),
)

/** The report on the shown conversation; undefined until the worker answers. */
export const loopReportOf = answerTo<'findRepeatedCalls'>(repeatedCallsInputOf)

/** Calls that repeat an earlier one, with the result of that one and both turns; undefined until repeated calls are found. */
export const repeatedOf = select([conversationOf, loopReportOf], repeatsOf)
