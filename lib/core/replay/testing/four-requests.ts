/**
 * Four requests, in tokens; 100 more are paid by each for tool schemas and the start of the answer:
 *
 *   0 user         900   request 1 sends 0:       100 + 900         =  1,000
 *   1 calls A       50
 *   2 result A   1,000   request 2 sends 0 to 2:  1,000 +  50 + 1,000 =  2,050
 *   3 calls B       50
 *   4 result B   2,000   request 3 sends 0 to 4:  2,050 +  50 + 2,000 =  4,100
 *   5 calls C       50
 *   6 result C     500   request 4 sends 0 to 6:  4,100 +  50 +   500 =  4,650
 *   7 answer       200                                       together = 11,800
 *
 * The texts of A, B and C are 990, 1,990 and 490; a placeholder is 40. With a window of one turn:
 *   requests 1 and 2 as they are: the only turn is the last one
 *   request 3 masks A:        4,100 - 950         = 3,150
 *   request 4 masks A and B:  4,650 - 950 - 1,950 = 1,750
 *   together: 1,000 + 2,050 + 3,150 + 1,750       = 7,950
 */
import { conversationOf, turnOf } from '../../testing/conversation-of'
import { createSession, type Session } from '../sessions'

const SIZES = {
  messages: [900, 50, 1000, 50, 2000, 50, 500, 200],
  results: [990, 1990, 490],
  perRequest: 100,
}

export function fourRequests(contentOfB = 'what B gave'): Session {
  const conversation = conversationOf([
    { role: 'user', content: 'begin' },
    ...turnOf('A', 'what A gave'),
    ...turnOf('B', contentOfB),
    ...turnOf('C', 'what C gave'),
    { role: 'assistant', content: 'done' },
  ])
  return createSession(conversation, SIZES)
}
