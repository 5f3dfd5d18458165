import type { ComponentType } from 'react'
import { Circles } from './circles/circles'

/** The parts of the Loop drawer in their order, each with its view; `messages/en/loop` has their names. */
export const LOOP_PARTS = [{ id: 'circles', View: Circles }] as const satisfies readonly {
  readonly id: string
  readonly View: ComponentType
}[]
