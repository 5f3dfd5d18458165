import { createElement, Fragment } from 'react'

const NAME = /((?:\p{L}+-)+\d(?:[\w.-]*\w)?)/u

/** A sentence in which no line ends within a name such as GPT-5.1. */
export function Unbroken({ text }: { readonly text: string }) {
  const whole = (name: string) => createElement('span', { className: 'whitespace-nowrap' }, name)
  const parts = text.split(NAME).map((part, at) => (at % 2 === 0 ? part : whole(part)))
  return createElement(Fragment, null, ...parts)
}

/** Text in which a line ends rather after a sign between words, such as that of `window_turns=2`, than within one. */
export function BrokenAtSigns({ text }: { readonly text: string }) {
  const end = () => createElement('wbr')
  const parts = text.split(/(?<=[_.])/).flatMap((part) => [part, end()])
  return createElement(Fragment, null, ...parts)
}
