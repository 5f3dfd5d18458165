import { useEffect } from 'react'
import { useStore } from 'zustand'
import {
  createFollowUpTool,
  type FollowUpState,
  type FollowUpTool,
} from '@/lib/state/loop-follow-up'
import { createRunTool, type RunState, type RunTool } from '@/lib/state/loop-run'
import type { Playground } from '@/lib/state/playground'
import type { PlaygroundState } from '@/lib/state/store'
import { usePlayground } from '../playground-context'

interface LoopTools {
  readonly followUp: FollowUpTool
  readonly run: RunTool
}

const toolsOf = new WeakMap<Playground, LoopTools>()

/** One builder and one runner a page; what is in them outlives a closed drawer. They are loaded with their views. */
function useLoopTools(): LoopTools {
  const playground = usePlayground()
  const known = toolsOf.get(playground)
  if (known !== undefined) return known
  const tools = { followUp: createFollowUpTool(playground), run: createRunTool() }
  toolsOf.set(playground, tools)
  return tools
}

export function useFollowUp(): FollowUpTool {
  return useLoopTools().followUp
}

/** A part of the builder's state, or something derived from it and the page's by a selector. */
export function useFollowUpState<Part>(
  select: (page: PlaygroundState, own: FollowUpState) => Part,
): Part {
  const { store } = usePlayground()
  const { followUp } = useLoopTools()
  // Both stores can change what is selected.
  useStore(followUp.store, (own) => select(store.getState(), own))
  return useStore(store, (page) => select(page, followUp.store.getState()))
}

/** Keeps the follow-up request up to date while the view is there. */
export function useWatchFollowUp(): void {
  const { followUp } = useLoopTools()
  useEffect(() => followUp.watch(), [followUp])
}

export function useRun(): RunTool {
  return useLoopTools().run
}

export function useRunState<Part>(select: (state: RunState) => Part): Part {
  return useStore(useLoopTools().run.store, select)
}
