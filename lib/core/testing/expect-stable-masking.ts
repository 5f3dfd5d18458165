import { expect } from 'vitest'
import type { FormatId } from '../formats/format'
import { readDocument } from '../formats/read-document'
import { maskDocument } from '../mask/mask-document'
import { DEFAULT_POLICY } from '../policy/policy'
import { expectMaskedOnly } from './expect-masked'

const MASK_ALL = {
  ...DEFAULT_POLICY,
  enabled: true,
  windowTurns: 1,
  keepErrors: false,
  textParts: true,
}

/**
 * Checks that a text is read as this format, that masking all old results changes the listed strings only, and that
 * the masked text is read as the same format and does not change when it is masked again.
 */
export function expectStableMasking(text: string, format: FormatId): void {
  const document = readDocument(text)
  expect(document.format.id).toBe(format)
  expect(maskDocument({ text, ...document }, DEFAULT_POLICY).text).toBe(text)
  const masked = maskDocument({ text, ...document }, MASK_ALL)
  expectMaskedOnly(document, masked)
  const again = readDocument(masked.text)
  expect(again.format.id).toBe(format)
  expect(maskDocument({ text: masked.text, ...again }, MASK_ALL).text).toBe(masked.text)
}
