import { checkArguments } from '../repair/check-arguments'
import type { RepairArgumentsText } from './signature'
import type { PendingCall } from './tool-call-manager'

/** Returns why a call's arguments are invalid, for the model; undefined if they are valid or nothing is known. */
export type CheckCall = (call: PendingCall) => string | undefined

/** Checks calls against the schemas of their tools, by tool name. Malformed arguments are repaired first. */
export function createCallCheck(
  schemas: ReadonlyMap<string, object>,
  repair: RepairArgumentsText,
): CheckCall {
  return ({ name, arguments: text }) => {
    const schema = schemas.get(name)
    if (schema === undefined) return undefined
    const value = parsed(text.trim() === '' ? '{}' : text) ?? parsed(repair(text) ?? '')
    if (value === undefined) return 'They are not JSON.'
    const check = checkArguments(value.json, schema)
    if (check.state !== 'differs') return undefined
    return check.differences.map(({ at, said }) => `${at}: ${said}`).join(' ')
  }
}

function parsed(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) }
  } catch {
    return undefined
  }
}
