/** Editor modules without types. */
declare module 'monaco-editor/languages/features/json/tokenization' {
  import type { languages } from 'monaco-editor/editor'
  export function createTokenizationSupport(hasComments: boolean): languages.TokensProvider
}
