import { useTranslations } from 'use-intl'
import type { TemplateChoice } from '@/lib/state/policy/policy-facts'

/** The name of a template, such as “French, short”. */
export function useTemplateName(): (choice: TemplateChoice) => string {
  const t = useTranslations('policy.templates')
  return ({ language, kind }) =>
    language === undefined || kind === undefined
      ? t('own')
      : t('name', { language: t(`languages.${language}`), kind: t(`kinds.${kind}`) })
}
