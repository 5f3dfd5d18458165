'use client'

import { useTranslations } from 'use-intl'
import { useWords } from '@/components/language-provider'
import { usePlayground, usePlaygroundState } from '@/components/playground-context'
import { Button } from '@/components/ui/button'
import { Select, type SelectGroup } from '@/components/ui/select'
import type { FormatChoice, FormatId } from '@/lib/core/formats/reading/format'
import { phrase } from '@/lib/core/words/words'

/** Chooses the format to read the text as. The default is the detected format. */
export function FormatChooser() {
  const t = useTranslations('reading.badge')
  const words = useWords()
  const { actions } = usePlayground()
  const model = usePlaygroundState((state) => state.read?.model)
  const readAs = usePlaygroundState((state) => state.read?.source.readAs)
  if (model === undefined) return null
  const optionOf = ({ id, label, expects }: FormatChoice) => {
    const description = t('expects', { expected: words(phrase(expects)) })
    return { value: id, label: words({ name: label }), description }
  }
  const groups: SelectGroup<FormatId>[] = [
    {
      label: t('alsoRecognised'),
      options: model.formats.filter(({ isRecognised }) => isRecognised).map(optionOf),
    },
    {
      label: t('notRecognised'),
      options: model.formats.filter(({ isRecognised }) => !isRecognised).map(optionOf),
    },
  ]
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Select
        kind="ghost"
        label={t('readAs')}
        value={model.format}
        options={groups.filter(({ options }) => options.length > 0)}
        onValueChange={(format) => {
          const recognised = model.formats.find(({ isRecognised }) => isRecognised)?.id
          void actions.readAs(format === recognised ? undefined : format)
        }}
      />
      {readAs !== undefined && (
        <>
          <span className="text-soft text-sm">{t('chosen')}</span>
          <Button kind="link" onClick={() => void actions.readAs(undefined)}>
            {t('backToRecognised')}
          </Button>
        </>
      )}
    </span>
  )
}
