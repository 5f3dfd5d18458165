import type { ComponentType } from 'react'
import { Circles } from './circles/circles'
import { LazyFollowUp } from './follow-up/lazy-follow-up'
import { LazyRunner } from './run/lazy-runner'

/** The parts of the Loop drawer in their order, each with its view; `messages/en/loop` has their names. */
export const LOOP_PARTS = [
  { id: 'circles', View: Circles },
  { id: 'follow_up', View: LazyFollowUp },
  { id: 'run', View: LazyRunner },
] as const satisfies readonly {
  readonly id: string
  readonly View: ComponentType
}[]
