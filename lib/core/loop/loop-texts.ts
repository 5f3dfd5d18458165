import type { StyleLanguage } from './style-message'

/** Sentences that the loop sends to the model in place of a result. */
export interface LoopTexts {
  readonly notRun: string
  readonly batchLimit: (limit: number) => string
  readonly sessionLimit: (limit: number) => string
  readonly duplicate: (first: string) => string
  readonly ranBefore: (seconds: number, callId: string) => string
  readonly timeout: (seconds: number) => string
  readonly invalidArguments: (reason: string) => string
  readonly notAnObject: string
}

export const LOOP_TEXTS: Readonly<Record<StyleLanguage, LoopTexts>> = {
  en: {
    notRun: 'The call was not run.',
    batchLimit: (limit) => `More than ${limit} calls in one batch.`,
    sessionLimit: (limit) => `The session has reached its limit of calls, ${limit}.`,
    duplicate: (first) => `The same call as ${first} in this batch.`,
    ranBefore: (seconds, callId) => `Run ${seconds} s ago as ${callId}; not run again.`,
    timeout: (seconds) => `No answer within ${seconds} s.`,
    invalidArguments: (reason) => `The arguments do not match the tool's schema: ${reason}`,
    notAnObject: 'The arguments are not a JSON object.',
  },
  fr: {
    notRun: "L'appel n'a pas été exécuté.",
    batchLimit: (limit) => `Plus de ${limit} appels dans un même lot.`,
    sessionLimit: (limit) => `La session a atteint sa limite d'appels, ${limit}.`,
    duplicate: (first) => `Le même appel que ${first} dans ce lot.`,
    ranBefore: (seconds, callId) =>
      `Exécuté il y a ${String(seconds).replace('.', ',')} s sous l'identifiant ${callId} ; pas exécuté à nouveau.`,
    timeout: (seconds) => `Pas de réponse en ${String(seconds).replace('.', ',')} s.`,
    invalidArguments: (reason) =>
      `Les arguments ne respectent pas le schéma de l'outil : ${reason}`,
    notAnObject: 'Les arguments ne sont pas un objet JSON.',
  },
}
