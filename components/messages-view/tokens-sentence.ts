import type { useTranslations } from 'use-intl'
import type { ResultTokens } from '@/lib/core/mask/measure-request'

/** Tokens before and after masking, as one number if they are the same. */
export function tokensSentence(
  t: ReturnType<typeof useTranslations<'reading'>>,
  { before, after, isEstimated }: ResultTokens,
): string {
  if (isEstimated) return t('tokensEstimated', { tokens: after })
  return before === after ? t('tokens', { tokens: before }) : t('tokensChange', { before, after })
}
