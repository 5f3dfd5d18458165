/** A link with the figures of a report: numbers, policy, model and prices, and nothing of the transcript. */
import * as v from 'valibot'
import { addUp } from '../../conversation/add-up'
import type { ReplayFigures, ReportFacts, WrittenFacts } from '../../report/report-facts'
import { figuresSchema } from './figures-schema'
import { packText, unpackText } from './packed-text'
import { type LinkSettings, NO_SETTINGS, readSettingsLink, writeSharedLink } from './settings-link'

const VERSION = 1
/** The key of the packed figures in the fragment. */
const KEY = 'f'
/** Digits of the costs of single requests, which only charts draw. */
const DIGITS = 6

export type ReadFigures =
  /** `settings` is a fragment that applies the same settings in the playground. */
  | { readonly state: 'read'; readonly facts: WrittenFacts; readonly settings: string }
  | { readonly state: 'missing' | 'damaged' | 'newer_version' }

/** Writes the fragment, without its `#`: the settings without names, as in a link of settings, and the packed figures. */
export function writeFiguresLink(
  facts: ReportFacts,
  settings: Pick<LinkSettings, 'model' | 'sample'>,
): string {
  const { replayed, charged, losses, policy, ...rest } = facts
  const explained = charged?.explained ?? []
  const written = {
    ...rest,
    version: VERSION,
    replayed: {
      ...replayed,
      requests: { before: columnsOf(replayed, 'before'), after: columnsOf(replayed, 'after') },
    },
    charged: charged && {
      charge: charged.charge,
      fileCost: charged.fileCost,
      conversations: charged.conversations,
      // The report shows their sum.
      explained:
        explained.length === 0
          ? []
          : [addUp(explained.map(({ plain: { costs }, parts }) => ({ plain: { costs }, parts })))],
    },
    losses: losses && { ...losses, usesByRequest: undefined, lostByRequest: undefined },
  }
  const text = JSON.stringify(written, (_, value: unknown) => (value === undefined ? null : value))
  const shared = writeSharedLink({ ...NO_SETTINGS, ...settings, policy })
  return `${shared}&${KEY}=${packText(text)}`
}

/** Reads a fragment, with or without its `#`. Whatever another program put there, the facts have the expected types. */
export function readFiguresLink(fragment: string): ReadFigures {
  const [settings = '', packed] = fragment.replace(/^#/, '').split(`&${KEY}=`)
  if (packed === undefined) return { state: 'missing' }
  const unpacked = unpackText(packed)
  if (unpacked.state !== 'unpacked') return { state: 'damaged' }
  try {
    const value: unknown = JSON.parse(unpacked.text)
    const version = v.parse(v.object({ version: v.number() }), value).version
    if (version > VERSION) return { state: 'newer_version' }
    const { policy } = readSettingsLink(settings).settings
    return { state: 'read', facts: { ...v.parse(figuresSchema, value), policy }, settings }
  } catch {
    return { state: 'damaged' }
  }
}

function columnsOf({ requests }: ReplayFigures, side: 'before' | 'after') {
  const costs = (kind: 'plain' | 'cached') =>
    requests.map((request) => {
      const cost = request[side].costs[kind]
      return cost === undefined ? null : Number(cost.toPrecision(DIGITS))
    })
  return {
    tokens: requests.map((request) => request[side].tokens),
    plain: costs('plain'),
    cached: costs('cached'),
  }
}
