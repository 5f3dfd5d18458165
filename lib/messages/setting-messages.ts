import type englishSettings from '@/lib/core/words/settings.json'

type SettingKey = keyof typeof englishSettings

/** What the page shows of the words of settings. */
export function settingMessages(
  rows: Record<SettingKey, Record<'label' | 'step' | 'comment', string>>,
) {
  const column = (name: string) =>
    Object.fromEntries(
      Object.entries(rows).flatMap(([key, row]) => {
        const text = (row as Readonly<Record<string, string>>)[name]
        return text === undefined ? [] : [[key, text]]
      }),
    ) as Readonly<Record<SettingKey, string>>
  return {
    policy: { labels: column('label'), descriptions: column('description') },
    shell: { steps: column('step') },
  }
}

export type SettingMessages = ReturnType<typeof settingMessages>
