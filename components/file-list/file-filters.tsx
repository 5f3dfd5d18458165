'use client'

import { useTranslations } from 'use-intl'
import { filterChoicesOf } from '@/lib/state/files/file-list-rows'
import {
  type FileFilter,
  LENGTH_RANGES,
  type LengthRange,
  NO_FILTER,
} from '@/lib/state/files/file-list-store'
import { useFileList, useFileListState } from '../playground-context'
import { Button } from '../ui/button'
import { Select } from '../ui/select'

/** No value of a select is empty, and no tool or model has this name. */
const ANY = '\u0000any'

/** Selects by which the table and the recommendation are limited; those with one choice are left out. */
export function FileFilters() {
  const t = useTranslations('fileList.filter')
  const { actions } = useFileList()
  const filter = useFileListState((state) => state.filter)
  const { tools, models } = filterChoicesOf(useFileListState((state) => state.files))
  const select = <Key extends keyof FileFilter>(
    key: Key,
    label: string,
    any: string,
    choices: readonly { readonly value: string; readonly label: string }[],
  ) => (
    <Select
      kind="small"
      label={label}
      value={filter[key] ?? ANY}
      options={[{ value: ANY, label: any }, ...choices]}
      onValueChange={(value) => actions.setFilter({ [key]: value === ANY ? undefined : value })}
    />
  )
  const named = (names: readonly string[]) => names.map((name) => ({ value: name, label: name }))
  const lengths = LENGTH_RANGES.map((value: LengthRange) => ({
    value,
    label: t(`lengths.${value}`),
  }))
  return (
    <fieldset aria-label={t('label')} className="flex flex-wrap items-center gap-1.5 text-sm">
      {tools.length > 1 && select('tool', t('tool'), t('anyTool'), named(tools))}
      {models.length > 1 && select('model', t('model'), t('anyModel'), named(models))}
      {select('length', t('length'), t('anyLength'), lengths)}
      {Object.values(filter).some((value) => value !== undefined) && (
        <Button kind="ghost" size="small" onClick={() => actions.setFilter(NO_FILTER)}>
          {t('clear')}
        </Button>
      )}
    </fieldset>
  )
}
