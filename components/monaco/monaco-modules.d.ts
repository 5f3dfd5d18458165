/** Editor modules without types. */
declare module 'monaco-editor/editor/common/model/textModel'
declare module 'monaco-editor/editor/browser/widget/codeEditor/codeEditorWidget'
declare module 'monaco-editor/editor/standalone/browser/standaloneServices'
declare module 'monaco-editor/editor/browser/widget/diffEditor/diffEditorWidget'
declare module 'monaco-editor/languages/features/json/tokenization' {
  import type { languages } from 'monaco-editor/editor'
  export function createTokenizationSupport(hasComments: boolean): languages.TokensProvider
}
