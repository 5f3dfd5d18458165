'use client'

import dynamic from 'next/dynamic'

/** The editor's code is a megabyte: it comes after the page, in a browser only. */
export const LazyEditorPane = dynamic(
  async () => ({ default: (await import('./editor-pane')).EditorPane }),
  { ssr: false },
)

export const LazyDiffPane = dynamic(
  async () => ({ default: (await import('./diff-pane')).DiffPane }),
  { ssr: false },
)
