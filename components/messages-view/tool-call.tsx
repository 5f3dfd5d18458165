'use client'

import { ChevronRight } from 'lucide-react'
import { useMemo } from 'react'
import { formatJson } from '@/lib/core/text/format-json'
import { useExpansion } from './expansions'
import { MessageText } from './message-text'

const LINE_UNITS = 240

/** A call as `name(arguments)` on one line. Expanded, the arguments are formatted over several lines. */
export function ToolCall({
  part,
  name,
  argumentsText,
}: {
  readonly part: string
  readonly name: string
  readonly argumentsText: string
}) {
  const [shown, setShown] = useExpansion(part)
  const isOpen = shown > 0
  const line = argumentsText.slice(0, LINE_UNITS).replace(/\s+/g, ' ')
  return (
    <div className="font-mono text-sm">
      <button
        type="button"
        aria-expanded={isOpen}
        className="-ml-4 flex min-h-6 max-w-[calc(100%+1rem)] cursor-pointer items-center gap-1 rounded-sm text-left hover:bg-line/40 pointer-coarse:min-h-8"
        onClick={() => setShown(isOpen ? 0 : 1)}
      >
        <ChevronRight
          aria-hidden
          className={`size-3 shrink-0 text-faint transition-transform ${isOpen ? 'rotate-90' : ''}`}
        />
        <span className="truncate">
          <span className="font-medium text-key">{name}</span>
          <span className="text-soft">({line})</span>
        </span>
      </button>
      {isOpen && <Arguments part={`${part} arguments`} text={argumentsText} />}
    </div>
  )
}

function Arguments({ part, text }: { readonly part: string; readonly text: string }) {
  const laidOut = useMemo(() => formatJson(text), [text])
  return <MessageText part={part} text={laidOut} className="mt-0.5 border-l pl-2.5 text-soft" />
}
