import { checkArguments } from '../repair/check-arguments'
import { repairArguments } from '../repair/repair-arguments'
import type { LoopTexts } from './loop-texts'
import type { PendingCall } from './tool-call-manager'

/** Returns why a call's arguments are invalid, for the model; undefined if they are valid or nothing is known. */
export type CheckCall = (call: PendingCall, texts: LoopTexts) => string | undefined

/** Checks calls against the schemas of their tools, by tool name. Malformed arguments are repaired first, without a loss. */
export function createCallCheck(schemas: ReadonlyMap<string, object>): CheckCall {
  return ({ name, arguments: text }, texts) => {
    const schema = schemas.get(name)
    if (schema === undefined) return undefined
    const { isObject, value, fixes } = repairArguments(text)
    if (!isObject || fixes.some(({ risk }) => risk === 'loss')) return texts.notAnObject
    const check = checkArguments(value, schema)
    if (check.state !== 'differs') return undefined
    const reasons = check.differences.map(({ at, said }) => `${at}: ${said}`)
    return texts.invalidArguments(reasons.join(' '))
  }
}
