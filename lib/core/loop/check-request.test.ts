import { describe, expect, test } from 'vitest'
import { BROKEN_REQUESTS, GOOD_REQUEST } from '../testing/broken-requests'
import { checkRequest, REQUEST_RULES, type RequestRule } from './check-request'

test('accepts a request with its calls answered in any order', () => {
  expect(checkRequest(GOOD_REQUEST)).toEqual([])
})

describe.each(Object.keys(REQUEST_RULES) as RequestRule[])('the rule %s', (rule) => {
  test.each(BROKEN_REQUESTS[rule])('is broken by %j alone', (request, message) => {
    expect(checkRequest(request)).toEqual([{ rule, message }])
  })
})

test.each([undefined, null, 7, 'text', []])('%j is not a request', (request) => {
  expect(checkRequest(request).map(({ rule }) => rule)).toEqual(['no_model', 'no_messages'])
})
