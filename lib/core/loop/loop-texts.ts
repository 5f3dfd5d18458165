/** What the loop says to the model, in English and French. */
export type StyleLanguage = 'en' | 'fr'

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

/** Default system messages that ask for the answer's structure and rules. Users can replace them. */
export const STYLE_MESSAGES: Readonly<Record<StyleLanguage, string>> = {
  en: `The tools you asked for have run; their results follow. Answer the user now, in 4 to 6 sentences, without calling another tool.
1. Context: one sentence that says what was done, beginning with "I have".
2. Summary: one or two sentences on what the results mean for the user. Name a failed call and what is missing because of it.
3. Display: show a short result as it is; of a long one, the first 3 to 5 lines and then "…"; offer a command to see the details of a technical one.
4. Next step: propose one concrete action.
Strict rules: no raw JSON or internal ids, no recap of the request, no apologies or long justifications. Be warm and direct.`,
  fr: `Les outils demandés ont été exécutés ; leurs résultats suivent. Répondez maintenant, en 4 à 6 phrases, sans appeler d'autre outil.
1. Contexte : une phrase qui dit ce qui a été fait, commençant par « J'ai ».
2. Résumé : une ou deux phrases sur ce que les résultats signifient pour l'utilisateur. Nommez tout appel qui a échoué et ce qui manque de ce fait.
3. Affichage : un résultat court tel quel ; d'un résultat long, les 3 à 5 premières lignes puis « … » ; pour un résultat technique, proposez une commande qui en montre le détail.
4. Suite : proposez une action concrète.
Règles strictes : pas de JSON brut ni d'identifiants internes, pas de rappel de la demande, pas d'excuses ni de longues justifications. Soyez chaleureux et direct.`,
}
