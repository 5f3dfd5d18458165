/** Input and output of the job that measures a file which is not open on the page. Types only, plain data. */
import type { Usage } from '@/lib/core/conversation/conversation'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import type { AdviceSettings } from '@/lib/core/replay/recommend'
import type { CostTerms } from '@/lib/core/replay/request-terms'
import type { EncodingId } from '@/lib/core/tokens/encoding'

export interface MeasureFileInput {
  /** A number that identifies the file. */
  readonly file: number
  readonly name: string
  /** Undefined for a file that the worker may remember. */
  readonly bytes: Uint8Array | undefined
  /** The model chosen by the user; undefined for the one the file names, else the default. */
  readonly model: string | undefined
  readonly policy: MaskPolicy
  readonly advice: AdviceSettings
  /** True to measure every mechanism, too. */
  readonly isCompared?: true
  /** Undefined until the worker has asked for them. */
  readonly costs: FileCosts | undefined
}

/** The model and prices of a file's sessions. */
export interface FileCosts {
  /** As it is shown, and as it was chosen or the file has it. */
  readonly model: string
  readonly modelId: string
  readonly terms: CostTerms
}

/** The prices of the file's requests are needed: send the job again with its costs. */
export interface NeedsCosts {
  readonly state: 'needs_costs'
  /** The model that the file names first. */
  readonly model: string | undefined
  /** One for each model and cache lifetime. */
  readonly usages: readonly Usage[]
}

/** What a file's job is sent again with, or where. */
export type NeedsMore =
  | NeedsCosts
  /** The worker no longer remembers the file: its bytes are needed. */
  | { readonly state: 'needs_bytes' }
  /** The file's model needs a worker with another encoding. */
  | { readonly state: 'needs_encoding'; readonly encoding: EncodingId }

export interface ParquetFile {
  readonly name: string
  readonly file: Blob
  /** A number that identifies the file. */
  readonly id: number
}
