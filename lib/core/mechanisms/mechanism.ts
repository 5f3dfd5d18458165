/**
 * A mechanism shortens the requests of an agent: Schema 1, or what another agent, framework or provider does. It is a table
 * of settings and a step that says what the messages of the next request become. Replay, search and command line know
 * only this.
 */
import { shownValue } from '../policy/check-setting'
import type { Tokens } from '../replay/prompt-cache'
import { readToolList, writeToolList } from '../share/tool-names'
import { type Phrase, phrase } from '../words/words'
import type { SessionHistory } from './history'

export type SettingValue = number | boolean | string | readonly string[]

export type Settings = Readonly<Record<string, SettingValue>>

/** A setting, by the name that its vendor gives it. */
export interface SettingRow {
  readonly key: string
  /** The vendor's default, which also says what kind of value it is. */
  readonly value: SettingValue
  /** True of the one setting that says how much is kept. */
  readonly isMain?: true
  /** Values that the search for the best setting tries; none if it stays at its default. */
  readonly tried?: readonly SettingValue[]
  /** All values of a text that is a choice. */
  readonly options?: readonly string[]
  /** Of a number, which is whole; 0 and a billion unless given. */
  readonly least?: number
  readonly most?: number
}

/** Text with the settings. A line after `?key ` is there if a setting is on, after `!key ` if it is off; `{key}` is its JSON. */
interface SettingsTemplate {
  /** Where the text goes. */
  readonly title: string
  readonly language: 'json' | 'toml' | 'yaml' | 'python' | 'typescript'
  readonly lines: readonly string[]
  /** Said beside the text: what it cannot hold. */
  readonly note?: string
}

/** What changes in a message. What is not named stays as it is. */
export interface MessageEdit {
  /** True if the request does not have it. */
  readonly isRemoved?: true
  /** A summary that stands in place of a removed message, and of those after it before a position. */
  readonly summary?: { readonly tokens: Tokens; readonly until: number }
  readonly content?: string
  /** By position among its calls: the new arguments; null if the call is left out. */
  readonly calls?: Readonly<Record<number, string | null>>
}

/** By position in the history: what changes in the messages of a request. Other messages stay as they are. */
export type MessageEdits = ReadonlyMap<number, MessageEdit>

export const NO_EDITS: MessageEdits = new Map()

/** A request that the mechanism itself sends, such as one for a summary. */
export interface ExtraRequest {
  readonly inputTokens: Tokens
  readonly outputTokens: Tokens
  /** Tokens at its start that the request before it left in the cache. */
  readonly cachedTokens: Tokens
  /** Of the prices of the session, where another model answers; the same for all requests of a mechanism. */
  readonly priceShare?: number
}

export interface Step<State> {
  readonly state: State
  /** Steps are faster if equal edits are the same object. */
  readonly edits: MessageEdits
  readonly extra?: ExtraRequest
}

/** What is known when a request is sent. */
export interface RequestContext {
  /** Only its messages before `end` exist yet. */
  readonly history: SessionHistory
  readonly end: number
  /** Index of the request, from 0. */
  readonly request: number
  /** Tokens of the request before this one as it was sent; 0 for the first. */
  readonly sentTokens: Tokens
}

export interface Mechanism<State = unknown> {
  readonly id: string
  readonly label: string
  readonly does: string
  /** What it needs from the client. */
  readonly needs: string
  /** The client that can do it as it is, and the format of its sessions. */
  readonly client?: { readonly name: string; readonly format: string }
  /** Where the rules are from, and the year and month in which they were read. */
  readonly source?: string
  readonly read?: string
  readonly rows: readonly SettingRow[]
  /** Where its vendor has a place for settings. */
  readonly export?: SettingsTemplate
  /** The state before the first request, as JSON can hold it. */
  readonly start: State
  /** Pure: it depends on its input alone. */
  step(sent: RequestContext, state: State, settings: Settings): Step<State>
}

/** The settings of a mechanism by default. */
export function defaultSettings({ rows }: Pick<Mechanism, 'rows'>): Settings {
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
}

/** The value of a setting whose default is a number, a text, a switch or a list. */
export const numberOf = (settings: Settings, key: string) => Number(settings[key])
export const textOf = (settings: Settings, key: string) => String(settings[key])
export const isOn = (settings: Settings, key: string) => settings[key] === true
export const namesOf = (settings: Settings, key: string) => settings[key] as readonly string[]

/** Reads a setting as people write it: lists have commas. Says what is expected where it is something else. */
export function readSetting(
  { value, options, tried = [], least = 0, most = 1_000_000_000 }: SettingRow,
  text: string,
): { readonly value: SettingValue } | { readonly expected: Phrase } {
  const names = Array.isArray(value) ? readToolList(text) : undefined
  if (names?.includes('')) return { expected: phrase('list_of_tool_names') }
  if (names !== undefined) return { value: names }
  if (typeof value === 'boolean')
    return text === 'true' || text === 'false'
      ? { value: text === 'true' }
      : { expected: phrase('true_or_false') }
  if (tried.includes(text)) return { value: text }
  if (options !== undefined)
    return options.includes(text) ? { value: text } : { expected: phrase('one_of', { options }) }
  if (typeof value === 'string') return { value: text }
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= most) return { value: number }
  return { expected: phrase('whole_number_from_to', { least, most }) }
}

export const mainRow = ({ rows }: Pick<Mechanism, 'rows'>) => rows.find(({ isMain }) => isMain)

/** The highest number that a slider offers. */
export function highestOffered({ value, tried = [], most = 1_000_000_000 }: SettingRow): number {
  return Math.min(most, 2 * Math.max(...[value, ...tried].filter((one) => typeof one === 'number')))
}

const DIGITS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8]

/**
 * The choices that are tried, or round numbers up to the highest offered or to the messages of a session, and one with which
 * it stays as it is: a message can be two events. Not 0, with which no answer has what it asked for, unless it is tried.
 */
export function mainValues(row: SettingRow, messages = 0): readonly SettingValue[] {
  const { value, tried = [], options, least = 0, most = 2 * messages } = row
  if (options !== undefined) return options.filter((one) => one === value || tried.includes(one))
  const numbers = [value, ...tried].filter((one) => typeof one === 'number')
  const offered = highestOffered(row)
  const [lowest, highest] = [Math.min(...numbers), Math.max(offered, Math.min(most, messages))]
  const last = Math.max(offered, Math.min(most, 2 * messages))
  const first = Math.max(least, Math.floor(lowest / 4), Math.min(1, lowest))
  const round = Array.from({ length: 10 }, (_, power) => DIGITS.map((digit) => digit * 10 ** power))
  const all = [first, ...round.flat().filter(Number.isInteger), ...numbers, highest]
  const within = all.filter((one) => one >= first && one <= highest)
  return [...new Set([...within, last])].sort((a, b) => a - b)
}

/** A setting as `readSetting` reads it. */
export function shownSetting(value: SettingValue): string {
  return typeof value === 'object' ? writeToolList([...value]) : String(value)
}

/** The settings, with the default in place of what is missing or cannot be. */
export function validSettings({ rows }: Pick<Mechanism, 'rows'>, settings: Settings): Settings {
  const pairs = rows.map((row): [string, SettingValue] => {
    const given = settings[row.key]
    const read = given === undefined ? { value: row.value } : readSetting(row, shownSetting(given))
    return [row.key, 'value' in read ? read.value : row.value]
  })
  return Object.fromEntries(pairs)
}

/** What is wrong with settings that somebody wrote; `validSettings` has a default in its place. */
export function refusedSettings(
  { rows, label: name }: Pick<Mechanism, 'rows' | 'label'>,
  settings: Settings,
): Phrase[] {
  return Object.entries(settings).flatMap(([path, value]) => {
    const row = rows.find(({ key }) => key === path)
    if (row === undefined)
      return phrase('no_setting', {
        name: { name },
        found: shownValue(path),
        known: rows.map(({ key }) => key),
      })
    const read = readSetting(row, shownSetting(value))
    if ('value' in read) return []
    const values = { path, found: shownValue(value), expected: read.expected }
    return { key: 'wrong_type', values } as const
  })
}

/** The settings that are not those of a default, as `readSetting` reads them. */
export function changesOf(settings: Settings, defaults: Settings): (readonly [string, string])[] {
  const shown = Object.entries(settings).map(([key, value]) => [key, shownSetting(value)] as const)
  return shown.filter(([key, text]) => text !== shownSetting(defaults[key] as SettingValue))
}

/** The same as the command line takes them. */
export function changedSettings(settings: Settings, defaults: Settings): string {
  return changesOf(settings, defaults)
    .map(([key, text]) => `${key}=${text}`)
    .join(' ')
}
