'use client'

import { ChevronDown } from 'lucide-react'
import { useLocale, useTranslations } from 'use-intl'
import { openSample, sampleFileName } from '@/lib/state/files/samples'
import { useWords } from '../language-provider'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { Button } from '../ui/button'
import { Menu, MenuGroup, MenuItem } from '../ui/menu'
import { useFigureFormat } from '../use-figure-format'
import { fetchText } from './fetch-text'

/** Menu of the sample recordings, one of them in every format. */
export function SamplesMenu() {
  const t = useTranslations('shell')
  const words = useWords()
  const language = useLocale()
  const playground = usePlayground()
  const { size } = useFigureFormat()
  const samples = usePlaygroundState((state) => state.samples)
  const formatSamples = usePlaygroundState((state) => state.formatSamples)
  return (
    <Menu
      align="end"
      className="w-96"
      trigger={
        <Button kind="ghost">
          {t('samples')}
          <ChevronDown className="size-3.5" aria-hidden />
        </Button>
      }
    >
      <MenuGroup label={t('samplesHeading')}>
        {samples.map(({ id, title, shows, turns, results }) => (
          <MenuItem
            key={id}
            description={shows[language]}
            trailing={t('sampleFacts', { turns, results })}
            onSelect={() => void openSample(playground, id, fetchText)}
          >
            <span className="font-medium">{title[language]}</span>
          </MenuItem>
        ))}
      </MenuGroup>
      <MenuGroup label={t('formatSamplesHeading')}>
        {formatSamples.map(({ id, file, format, bytes }) => (
          <MenuItem
            key={id}
            trailing={size(bytes)}
            onSelect={() => void openSample(playground, id, fetchText)}
          >
            <span className="mr-1 font-medium">{words({ name: format })}</span>{' '}
            <span className="break-words text-soft">{sampleFileName(file)}</span>
          </MenuItem>
        ))}
      </MenuGroup>
    </Menu>
  )
}
