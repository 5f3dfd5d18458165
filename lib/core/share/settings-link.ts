/**
 * Settings as a URL fragment: `v=1&w=12&s=coding-session`. A versioned file format: keys are short, settings at their
 * default are left out, keys this version does not know are kept, one bad value is ignored alone and reported.
 * Never any text of a transcript.
 */
import { checkSetting } from '../policy/check-setting'
import { DEFAULT_POLICY, isSameSetting, type MaskPolicy } from '../policy/policy'
import { POLICY_FIELDS, type PolicyField } from '../policy/policy-fields'

export const LINK_VERSION = 1

/** The page opens with masking on; a link says only what differs from this. */
export const LINK_DEFAULTS: MaskPolicy = { ...DEFAULT_POLICY, enabled: true }

export interface LinkSettings {
  readonly policy: MaskPolicy
  /** Id of the sample shown; undefined when the reader's own transcript is. */
  readonly sample: string | undefined
  /** Id of the model family counted for; undefined for the default. */
  readonly model: string | undefined
  /** Pairs this version does not know, as they were. */
  readonly unknown: readonly (readonly [string, string])[]
}

export type LinkProblem =
  | { readonly code: 'newer_version'; readonly version: string }
  | { readonly code: 'bad_version'; readonly version: string }
  | { readonly code: 'bad_value'; readonly key: string; readonly reason: string }

export interface ReadLink {
  readonly settings: LinkSettings
  readonly problems: readonly LinkProblem[]
}

const OWN_KEYS = { version: 'v', sample: 's', model: 'm' } as const

/** Writes settings as a fragment without its `#`; all defaults give the empty text. */
export function writeSettingsLink(settings: LinkSettings): string {
  const pairs: [string, string][] = []
  for (const field of POLICY_FIELDS) {
    const value = settings.policy[field.key]
    if (!isSameSetting(value, LINK_DEFAULTS[field.key]))
      pairs.push([field.short, writeValue(value)])
  }
  if (settings.sample !== undefined) pairs.push([OWN_KEYS.sample, settings.sample])
  if (settings.model !== undefined) pairs.push([OWN_KEYS.model, settings.model])
  pairs.push(...settings.unknown.map(([key, value]): [string, string] => [key, value]))
  if (pairs.length === 0) return ''
  return [[OWN_KEYS.version, String(LINK_VERSION)], ...pairs]
    .map(([key, value]) => `${encode(key as string)}=${encode(value as string)}`)
    .join('&')
}

/** Reads a fragment, with or without its `#`; whatever is wrong is left at its default and reported. */
export function readSettingsLink(fragment: string): ReadLink {
  const problems: LinkProblem[] = []
  const unknown: [string, string][] = []
  let policy = LINK_DEFAULTS
  let sample: string | undefined
  let model: string | undefined
  for (const [key, value] of pairsOf(fragment, problems)) {
    const field = POLICY_FIELDS.find(({ short }) => short === key)
    if (field !== undefined) policy = withSetting(policy, field, value, problems)
    else if (key === OWN_KEYS.sample) sample = value
    else if (key === OWN_KEYS.model) model = value
    else if (key === OWN_KEYS.version) checkVersion(value, problems)
    else unknown.push([key, value])
  }
  return { settings: { policy, sample, model, unknown }, problems }
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

function checkVersion(text: string, problems: LinkProblem[]): void {
  if (!/^\d{1,6}$/.test(text)) problems.push({ code: 'bad_version', version: text })
  else if (Number(text) > LINK_VERSION) problems.push({ code: 'newer_version', version: text })
}

function writeValue(value: MaskPolicy[keyof MaskPolicy]): string {
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (typeof value === 'object') return value.map((item) => encodeURIComponent(item)).join(',')
  return String(value)
}

function readValue(field: PolicyField, text: string): unknown {
  switch (field.kind) {
    case 'flag':
      return text === '1' ? true : text === '0' ? false : text
    case 'integer':
      return /^-?\d{1,15}$/.test(text) ? Number(text) : text
    case 'text':
      return text
    case 'names':
    case 'rules':
      return text === '' ? [] : text.split(',').map((item) => decode(item) ?? item)
  }
}

function pairsOf(fragment: string, problems: LinkProblem[]): [string, string][] {
  const pairs: [string, string][] = []
  for (const part of fragment.replace(/^#/, '').split('&')) {
    if (part === '') continue
    const at = part.indexOf('=')
    const key = decode(at === -1 ? part : part.slice(0, at))
    const value = decode(at === -1 ? '' : part.slice(at + 1))
    if (key !== undefined && value !== undefined) pairs.push([key, value])
    else
      problems.push({
        code: 'bad_value',
        key: part.slice(0, 40),
        reason: 'Its % signs are damaged.',
      })
  }
  return pairs
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('%2C', ',')
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', '%20'))
  } catch {
    return undefined
  }
}
