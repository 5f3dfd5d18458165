import { useId, useRef } from 'react'
import { shownTool } from '@/lib/core/conversation/conversation'
import {
  PLACEHOLDER_VARIABLES,
  type PlaceholderVariable,
  TEMPLATE_KINDS,
  TEMPLATE_LANGUAGES,
  TEMPLATES,
} from '@/lib/core/policy/placeholder'
import { policyField, type TextField } from '@/lib/core/policy/policy'
import { grownOf, placeholderPreviewOf, placeholderPriceOf } from '@/lib/state/policy/policy-facts'
import { decisionsOf } from '@/lib/state/policy/policy-view'
import { useDeferredState, usePlaygroundState, useShown, useView } from '../playground-context'
import { Button, linkTo } from '../ui/button'
import { Menu, MenuChoice } from '../ui/menu'
import { TextArea } from '../ui/switch-field'
import { ChangeMark } from './policy-field'
import { useGesture } from './window-field'

/** The placeholder template, with previews and token counts. */
export function PlaceholderField() {
  const { t } = useView('policy')
  const id = useId()
  const gesture = useGesture('placeholderTemplate')
  const template = usePlaygroundState(({ policy }) => policy.placeholderTemplate)
  const { maximumLength } = policyField('placeholderTemplate') as TextField
  const area = useRef<HTMLTextAreaElement>(null)

  const write = (text: string) => {
    gesture.change({ placeholderTemplate: text })
    gesture.endSoon()
  }

  const insert = (variable: PlaceholderVariable) => {
    const { current: field } = area
    const { selectionStart = 0, selectionEnd = 0 } = field ?? {}
    const text = `{${variable}}`
    if (
      field === null ||
      template.length + text.length - (selectionEnd - selectionStart) > maximumLength
    )
      return
    field.focus()
    field.setRangeText(text, selectionStart, selectionEnd, 'end')
    write(field.value)
  }

  return (
    <div>
      <div className="flex min-h-7 items-center justify-between gap-3">
        <span className="flex items-center gap-1.5">
          <label htmlFor={id} className="font-medium">
            {t('labels.placeholderTemplate')}
          </label>
          <ChangeMark setting="placeholderTemplate" />
        </span>
        <PlaceholderPriceLine />
      </div>
      <TextArea
        ref={area}
        id={id}
        isMono
        value={template}
        maxLength={maximumLength}
        onChange={(event) => write(event.currentTarget.value)}
        onBlur={gesture.end}
      />
      <ul
        aria-label={t('placeholder.variables')}
        className="mt-1.5 flex flex-wrap gap-x-1 gap-y-0.5"
      >
        {PLACEHOLDER_VARIABLES.map((variable) => (
          <li key={variable}>
            <button
              type="button"
              aria-label={t('placeholder.insert', { variable })}
              // The text area stays focused, so that the variable is inserted at its caret.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => insert(variable)}
              className="h-6 cursor-pointer rounded-md border border-line px-1.5 font-mono text-soft text-xs hover:border-accent hover:text-accent pointer-coarse:h-11 pointer-coarse:px-2.5"
            >
              {variable}
            </button>
          </li>
        ))}
      </ul>
      {template.length >= maximumLength && (
        <p className="mt-1 text-sm text-warn">
          {t('placeholder.tooLong', { maximum: maximumLength })}
        </p>
      )}
      <PlaceholderPreviewLine />
      <PlaceholderGrowth />
      <TemplateChoice />
    </div>
  )
}

/** Tokens of the placeholders. While new ones are counted, the last figures stay but dimmed. */
function PlaceholderPriceLine() {
  const { t } = useView('policy.placeholder')
  const { shown: price, isOld } = useShown(placeholderPriceOf)
  const isNothingMasked = useDeferredState(
    (state) =>
      decisionsOf(state)?.[state.conversation]?.every(({ action }) => action === 'keep') ?? false,
  )
  const hasConversation = useDeferredState((state) => state.read !== undefined)
  if (!hasConversation) return null
  const sentence = () => {
    if (isNothingMasked || price === undefined) return t(isNothingMasked ? 'priceNone' : 'counting')
    const { least, most, all } = price
    return t(least === most ? 'priceOne' : 'priceRange', { tokens: least, least, most, all })
  }
  const isFaded = isOld && price !== undefined && !isNothingMasked
  return <span className={`text-soft text-sm ${isFaded ? 'faded' : ''}`}>{sentence()}</span>
}

/** The placeholder of one result of the conversation. */
function PlaceholderPreviewLine() {
  const { t, format } = useView('policy.placeholder')
  const preview = useDeferredState(placeholderPreviewOf)
  if (preview === undefined) return null
  const { result, text, tokensBefore, tokensAfter } = preview
  const tool = shownTool(result) ?? t('unknownTool')
  return (
    <div className="mt-2">
      <div className="flex items-baseline justify-between gap-3 text-sm">
        <span className="min-w-0 truncate text-soft">
          {t(result.turn === undefined ? 'previewOrphan' : 'preview', {
            turn: (result.turn ?? 0) + 1,
            tool,
          })}
        </span>
        <span className="shrink-0 text-soft">
          {t('change', { before: format.number(tokensBefore), after: format.number(tokensAfter) })}
        </span>
      </div>
      <p className="mt-1 border-accent border-l-2 pl-2.5 line-clamp-6 font-mono text-sm text-soft wrap-anywhere">
        {text}
      </p>
    </div>
  )
}

/** Warns if placeholders use more tokens than the results, and offers the setting that prevents it. */
function PlaceholderGrowth() {
  const { t, actions } = useView('policy.placeholder')
  const grown = useDeferredState(grownOf)
  if (grown === undefined || grown.results === 0) return null
  return (
    <p className="mt-2 text-sm text-warn">
      {t('grows', { n: grown.results, lost: grown.lost })}{' '}
      {linkTo(() => actions.changePolicy({ neverGrow: true }))(t('neverGrow'))}
    </p>
  )
}

/** Says why the default is French, and offers the English template and shorter ones. */
function TemplateChoice() {
  const { t, actions } = useView('policy.templates')
  const template = usePlaygroundState(({ policy }) => policy.placeholderTemplate)
  const use = (placeholderTemplate: string) => {
    actions.endGesture()
    actions.changePolicy({ placeholderTemplate })
    actions.endGesture()
  }
  return (
    <div className="mt-2 text-soft text-sm">
      {template === TEMPLATES.french.full && (
        <>
          {t('isFrench')} {linkTo(() => use(TEMPLATES.english.full))(t('useEnglish'))}
          {' · '}
        </>
      )}
      <Menu trigger={<Button kind="link">{t('choose')}</Button>}>
        {TEMPLATE_LANGUAGES.map((language) => (
          <MenuChoice
            key={language}
            label={t(`languages.${language}`)}
            value={template}
            options={TEMPLATE_KINDS.map((kind) => [TEMPLATES[language][kind], t(`kinds.${kind}`)])}
            onValueChange={use}
          />
        ))}
      </Menu>
    </div>
  )
}
