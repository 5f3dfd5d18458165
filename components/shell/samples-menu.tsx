'use client'

import { ChevronDown } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { openSample } from '@/lib/state/samples'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { Button } from '../ui/button'
import { Menu, MenuGroup, MenuItem } from '../ui/menu'
import { fetchText } from './fetch-text'

/** The site's own recordings, each with a line on what it shows. */
export function SamplesMenu() {
  const t = useTranslations('shell')
  const playground = usePlayground()
  const samples = usePlaygroundState((state) => state.samples)
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
            description={shows}
            trailing={t('sampleFacts', { turns, results })}
            onSelect={() => void openSample(playground, id, fetchText)}
          >
            <span className="font-medium">{title}</span>
          </MenuItem>
        ))}
      </MenuGroup>
    </Menu>
  )
}
