import { DEFAULT_PLACEHOLDER } from './policy'

/** Templates to choose from, in two languages. */
export const TEMPLATE_KINDS = ['full', 'short', 'arguments', 'first_line'] as const

export type TemplateKind = (typeof TEMPLATE_KINDS)[number]

export const TEMPLATE_LANGUAGES = ['french', 'english'] as const

export type TemplateLanguage = (typeof TEMPLATE_LANGUAGES)[number]

/** `french.full` is the default of Schema 1; its specification is in French. */
export const TEMPLATES: Readonly<Record<TemplateLanguage, Readonly<Record<TemplateKind, string>>>> =
  {
    french: {
      full: DEFAULT_PLACEHOLDER,
      short: '[Résultat masqué : {tool_name} {tool_call_id}]',
      arguments: '[Résultat masqué : {tool_name} {tool_arguments}]',
      first_line: '[Résultat masqué : {tool_name} {tool_call_id} : {first_line}]',
    },
    english: {
      full: '[Observation masked: old tool result (tool_call_id={tool_call_id}, tool={tool_name}, chars={original_chars})]',
      short: '[Masked result: {tool_name} {tool_call_id}]',
      arguments: '[Masked result: {tool_name} {tool_arguments}]',
      first_line: '[Masked result: {tool_name} {tool_call_id}: {first_line}]',
    },
  }
