/**
 * Settings as a URL fragment: `v=2&w=12&s=coding-session`. A versioned format: keys are short, defaults are omitted,
 * unknown keys are passed on, and an invalid value is reported without affecting the others. Transcript text is
 * included only if the caller adds it.
 */

import { checkSetting, isNumber } from '../../policy/check-setting'
import type { MaskPolicy, PolicyField } from '../../policy/policy'
import { DEFAULT_POLICY, isSameSetting, POLICY_FIELDS } from '../../policy/policy'
import { type Phrase, phrase, type Values, type WordKey } from '../../words/words'
import { escapeToolName, unescapeToolName } from '../tool-names'
import type { LinkPair } from './link-pairs'
import { decodePart, LINK_VERSION, readPairs, upgradePairs, writePairs } from './link-pairs'

/** Settings of the page on opening, with masking on. A link contains only differences from these. */
export const LINK_DEFAULTS: MaskPolicy = { ...DEFAULT_POLICY, enabled: true }

/** Views of the output; the first is the default. */
export const LINK_VIEWS = ['masked', 'messages', 'diff', 'cost', 'mechanisms', 'results'] as const

export type LinkView = (typeof LINK_VIEWS)[number]

/** A mechanism with settings. */
export interface SetMechanism {
  readonly id: string
  readonly settings: Readonly<Record<string, number | boolean | string | readonly string[]>>
}

export interface LinkSettings {
  readonly policy: MaskPolicy
  /** Policy A of a comparison; undefined if none is pinned. */
  readonly pinned: MaskPolicy | undefined
  /** Id of the sample shown; undefined if the user's transcript is shown. */
  readonly sample: string | undefined
  /** Model for token counts and prices; undefined for the default. */
  readonly model: string | undefined
  /** The view of the output; undefined for the reader's own. */
  readonly view: LinkView | undefined
  /** The mechanism that is open in its view, with its settings; undefined if none is. */
  readonly mechanism: SetMechanism | undefined
  /** Index of the conversation shown, from 0; undefined for the document's default. */
  readonly conversation: number | undefined
  /** A transcript from `packText`; undefined unless the sender chose to include it. */
  readonly transcript: string | undefined
  /** Pairs this version does not know, unchanged. */
  readonly unknown: readonly LinkPair[]
}

export type LinkProblem =
  | { readonly code: 'newer_version'; readonly version: string }
  | { readonly code: 'bad_version'; readonly version: string }
  | { readonly code: 'bad_value'; readonly key: string; readonly reason: Phrase }

export const NO_SETTINGS: LinkSettings = {
  policy: LINK_DEFAULTS,
  pinned: undefined,
  sample: undefined,
  model: undefined,
  view: undefined,
  mechanism: undefined,
  conversation: undefined,
  transcript: undefined,
  unknown: [],
}

/** Keys other than those of policy fields. Keys of the pinned policy have the prefix `a.`. */
const LINK_KEYS = {
  version: 'v',
  sample: 's',
  model: 'm',
  view: 'o',
  mechanism: 'h',
  conversation: 'c',
  pinned: 'a',
  transcript: 'z',
} as const

const PINNED = `${LINK_KEYS.pinned}.`

/** Writes settings as a fragment without its `#`; empty if all are defaults. */
export function writeSettingsLink(settings: LinkSettings): string {
  const { policy, pinned, sample, model, view, mechanism, conversation, transcript, unknown } =
    settings
  const pairs: LinkPair[] = [...policyPairs(policy)]
  if (pinned !== undefined) pairs.push([LINK_KEYS.pinned, '1'], ...policyPairs(pinned, PINNED))
  if (sample !== undefined) pairs.push([LINK_KEYS.sample, sample])
  if (model !== undefined) pairs.push([LINK_KEYS.model, model])
  if (view !== undefined) pairs.push([LINK_KEYS.view, view])
  if (mechanism !== undefined) pairs.push([LINK_KEYS.mechanism, JSON.stringify(mechanism)])
  if (conversation !== undefined) {
    pairs.push([LINK_KEYS.conversation, String(conversation + 1)])
  }
  pairs.push(...unknown)
  if (transcript !== undefined) pairs.push([LINK_KEYS.transcript, transcript])
  if (pairs.length === 0) return ''
  return writePairs([[LINK_KEYS.version, String(LINK_VERSION)], ...pairs])
}

/** Writes a fragment for sharing: never empty, since without one the recipient's settings would stay. */
export function writeSharedLink(settings: LinkSettings): string {
  return writeSettingsLink(settings) || writePairs([[LINK_KEYS.version, String(LINK_VERSION)]])
}

/** Reads a fragment, with or without its `#`. Invalid parts are reported and count as missing. */
export function readSettingsLink(fragment: string) {
  const { pairs, damaged } = readPairs(fragment)
  const problems: LinkProblem[] = []
  const version = readVersion(pairs, problems)
  let settings: LinkSettings = NO_SETTINGS
  const unknown: LinkPair[] = []
  for (const [key, value] of upgradePairs(pairs, version)) {
    const change = readPair(settings, key, value, problems)
    if (change === undefined) unknown.push([key, value])
    else settings = { ...settings, ...change }
  }
  reportParts(damaged, problems, 'link_part_damaged')
  return { settings: { ...settings, unknown: acceptUnknown(unknown, problems) }, problems }
}

/** Settings of newer versions fit. A longer value may be text, which a settings link must not pass on. */
const MAX_UNKNOWN_LENGTH = 500
const MAX_UNKNOWN_PAIRS = 20

/** Returns the unknown pairs that another version may have written, and reports the others. */
function acceptUnknown(unknown: readonly LinkPair[], problems: LinkProblem[]): readonly LinkPair[] {
  const isKey = ([key]: LinkPair) => /^[a-z][\w.]{0,23}$/i.test(key)
  const keys = unknown.filter(isKey)
  const accepted = keys
    .filter(([, value]) => value.length <= MAX_UNKNOWN_LENGTH)
    .slice(0, MAX_UNKNOWN_PAIRS)
  const strays = unknown.filter((pair) => !isKey(pair)).map(([key]) => key)
  reportParts(strays, problems, 'link_part_unusable')
  // At most 20 are accepted.
  const dropped = keys.filter((pair) => !accepted.includes(pair)).map(([key]) => key)
  const limits = { n: MAX_UNKNOWN_PAIRS, m: MAX_UNKNOWN_LENGTH }
  reportParts(dropped, problems, 'link_part_too_much', limits)
  return accepted
}

/** Reports all parts of a kind as one problem, since a damaged link has many. */
function reportParts(
  parts: readonly string[],
  problems: LinkProblem[],
  key: WordKey,
  values: Values = {},
): void {
  const [first, ...others] = parts
  if (first === undefined) return
  const part = JSON.stringify(shortened(first))
  const n = others.length
  const found = n === 0 ? part : phrase('and_more', { found: part, n })
  const reason = phrase(key, { ...values, found })
  problems.push({ code: 'bad_value', key: first.slice(0, 40), reason })
}

function shortened(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`
}

/** Reads a pair; undefined if its key is unknown. */
function readPair(settings: LinkSettings, key: string, value: string, problems: LinkProblem[]) {
  const field = fieldOf(key)
  if (field !== undefined) return { policy: withSetting(settings.policy, field, value, problems) }
  if (key.startsWith(PINNED)) {
    const field = fieldOf(key.slice(PINNED.length))
    if (field === undefined) return undefined
    return { pinned: withSetting(settings.pinned ?? LINK_DEFAULTS, field, value, problems) }
  }
  const text = (['sample', 'model', 'transcript'] as const).find((one) => LINK_KEYS[one] === key)
  if (text !== undefined) return { [text]: value }
  if (key === LINK_KEYS.version) return {}
  if (key === LINK_KEYS.pinned) return { pinned: settings.pinned ?? LINK_DEFAULTS }
  if (key === LINK_KEYS.view) {
    const view = LINK_VIEWS.find((known) => known === value)
    if (view !== undefined) return { view }
    problems.push(expected(key, value, phrase('one_of', { options: LINK_VIEWS })))
  } else if (key === LINK_KEYS.mechanism) {
    const mechanism = readMechanism(value)
    if (mechanism === undefined) problems.push(expected(key, value, phrase('set_mechanism')))
    return { mechanism }
  } else if (key === LINK_KEYS.conversation) {
    if (/^[1-9]\d{0,6}$/.test(value)) return { conversation: Number(value) - 1 }
    problems.push(expected(key, value, phrase('number_of_conversation')))
  } else return undefined
  return {}
}

/** Which mechanisms and settings there are is for its view to know. */
function readMechanism(text: string): SetMechanism | undefined {
  try {
    const { id, settings } = JSON.parse(text)
    const isText = (one: unknown) => typeof one === 'string'
    const isValue = (one: unknown) =>
      ['number', 'boolean', 'string'].includes(typeof one) ||
      (Array.isArray(one) && one.every(isText))
    const isSet = typeof settings === 'object' && Object.values(settings).every(isValue)
    return isText(id) && isSet ? { id, settings } : undefined
  } catch {
    return undefined
  }
}

function fieldOf(key: string): PolicyField | undefined {
  return POLICY_FIELDS.find(({ short }) => short === key)
}

function expected(path: string, value: string, expected: Phrase): LinkProblem {
  const found = JSON.stringify(shortened(value))
  const reason: Phrase = { key: 'wrong_type', values: { path, found, expected } }
  return { code: 'bad_value', key: path, reason }
}

/** Version to upgrade from; the oldest if the link has none. */
function readVersion(pairs: readonly LinkPair[], problems: LinkProblem[]): number {
  const version = pairs.findLast(([key]) => key === LINK_KEYS.version)?.[1]
  if (version === undefined) return 1
  if (!/^[1-9]\d{0,5}$/.test(version)) {
    problems.push({ code: 'bad_version', version: shortened(version) })
    return 1
  }
  if (Number(version) > LINK_VERSION) problems.push({ code: 'newer_version', version })
  return Number(version)
}

function policyPairs(policy: MaskPolicy, prefix = ''): LinkPair[] {
  return POLICY_FIELDS.filter(({ key }) => !isSameSetting(policy[key], LINK_DEFAULTS[key])).map(
    ({ key, short }) => [`${prefix}${short}`, writeValue(policy[key])],
  )
}

function withSetting(
  policy: MaskPolicy,
  field: PolicyField,
  text: string,
  problems: LinkProblem[],
): MaskPolicy {
  const checked = checkSetting(field, readValue(field, text))
  if (checked.state !== 'valid') {
    problems.push({ code: 'bad_value', key: field.toml, reason: checked.reason })
  }
  return checked.state === 'invalid' ? policy : { ...policy, [field.key]: checked.value }
}

function writeValue(value: MaskPolicy[keyof MaskPolicy]): string {
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (typeof value === 'object')
    return value.map((item) => encodeURIComponent(escapeToolName(item))).join(',')
  return String(value)
}

function readValue(field: PolicyField, text: string): unknown {
  switch (field.kind) {
    case 'flag':
      return text === '1' ? true : text === '0' ? false : text
    case 'number':
      return isNumber(field, text) ? Number(text) : text
    case 'text':
    case 'choice':
      return text
    case 'names':
    case 'rules':
      if (text === '') return []
      return text.split(',').map((item) => unescapeToolName(decodePart(item) ?? item))
  }
}
