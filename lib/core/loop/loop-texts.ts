/** What the loop says to the model, in English and French. */
import messages from './style-messages.json' with { type: 'json' }
import type { GuardStop, Refusal } from './tool-call-manager'

export type StyleLanguage = 'en' | 'fr'

const ENGLISH = {
  notRun: 'The call was not run.',
  batchLimit: (limit: number) => `More than ${limit} calls in one batch.`,
  sessionLimit: (limit: number) => `The session has reached its limit of calls, ${limit}.`,
  duplicate: (first: string) => `The same call as ${first} in this batch.`,
  ranBefore: ({ now, by }: GuardStop & { readonly guard: Refusal }) =>
    `Run ${(now - by.at) / 1000} s ago as ${by.callId}; not run again.`,
  timeout: (seconds: number) => `No answer within ${seconds} s.`,
  failed: (reason: string) => reason,
  noTool: (name: string, others: string) =>
    `There is no tool ${JSON.stringify(name)}; there are ${others}.`,
  invalidArguments: (reason: string) => `The arguments do not match the tool's schema: ${reason}`,
  notAnObject: 'The arguments are not a JSON object.',
  /** `reason` is empty without one. */
  notAuthorized: (reason: string) => `The call is not authorised${reason && ':'} ${reason}`.trim(),
}

/** Sentences that the loop sends to the model in place of a result. */
export type LoopTexts = Readonly<typeof ENGLISH>

export const LOOP_TEXTS: Readonly<Record<StyleLanguage, LoopTexts>> = {
  en: ENGLISH,
  // The refusals of the guards and of the manager are worded as in the specification.
  fr: {
    notRun: "L'appel n'a pas été exécuté.",
    batchLimit: (limit) => `Plus de ${limit} appels dans un même lot.`,
    sessionLimit: (limit) => `La session a atteint sa limite d'appels, ${limit}.`,
    duplicate: (first) => `Le même appel que ${first} dans ce lot.`,
    ranBefore: ({ guard, window }) =>
      guard === 'ANTI_LOOP_ID'
        ? 'Tool call déjà exécuté - anti-boucle'
        : `Signature exécutée très récemment (<${inFrench(window / 1000)}s)`,
    timeout: (seconds) => `Pas de réponse en ${inFrench(seconds)} s.`,
    failed: (reason) => `Erreur ToolCallManager : ${reason}`,
    noTool: (name, others) => `L'outil ${JSON.stringify(name)} n'existe pas ; il y a ${others}.`,
    invalidArguments: (reason) =>
      `Les arguments ne respectent pas le schéma de l'outil : ${reason}`,
    notAnObject: 'Les arguments ne sont pas un objet JSON.',
    notAuthorized: (reason) => `L'appel n'est pas autorisé${reason && ' :'} ${reason}`.trim(),
  },
}

function inFrench(seconds: number): string {
  return String(seconds).replace('.', ',')
}

/** Default system messages that ask for the answer's structure and rules. Users can replace them. */
export const STYLE_MESSAGES: Readonly<Record<StyleLanguage, string>> = {
  en: messages.en.join('\n'),
  fr: messages.fr.join('\n'),
}
