/** What the loop says to the model, in English and French. */
import type { GuardStop, Refusal } from './tool-call-manager'

export type StyleLanguage = 'en' | 'fr'

/** Sentences that the loop sends to the model in place of a result. */
export interface LoopTexts {
  readonly notRun: string
  readonly batchLimit: (limit: number) => string
  readonly sessionLimit: (limit: number) => string
  readonly duplicate: (first: string) => string
  readonly ranBefore: (stop: GuardStop & { readonly guard: Refusal }) => string
  readonly timeout: (seconds: number) => string
  readonly failed: (reason: string) => string
  readonly noTool: (name: string, others: string) => string
  readonly invalidArguments: (reason: string) => string
  readonly notAnObject: string
  /** Empty without a reason. */
  readonly notAuthorized: (reason: string) => string
}

export const LOOP_TEXTS: Readonly<Record<StyleLanguage, LoopTexts>> = {
  en: {
    notRun: 'The call was not run.',
    batchLimit: (limit) => `More than ${limit} calls in one batch.`,
    sessionLimit: (limit) => `The session has reached its limit of calls, ${limit}.`,
    duplicate: (first) => `The same call as ${first} in this batch.`,
    ranBefore: ({ now, by }) => `Run ${(now - by.at) / 1000} s ago as ${by.callId}; not run again.`,
    timeout: (seconds) => `No answer within ${seconds} s.`,
    failed: (reason) => reason,
    noTool: (name, others) => `There is no tool ${JSON.stringify(name)}; there are ${others}.`,
    invalidArguments: (reason) => `The arguments do not match the tool's schema: ${reason}`,
    notAnObject: 'The arguments are not a JSON object.',
    notAuthorized: (reason) => `The call is not authorised${reason && ':'} ${reason}`.trim(),
  },
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
  en: `The tools you asked for have run; their results follow. Answer the user now, in 4 to 6 sentences, without calling another tool. Each answer has the following four steps, in this order; there is no answer without this structure.
1. Context: one sentence that says what was done, beginning with "I have". Example: "I have added both flights to the list *Lisbon*."
2. Summary: one or two sentences on what the results mean for the user. Name a failed call and what is missing because of it. Example: "You land before noon, so the first afternoon is free."
3. Display: show a short result as it is; of a long one, the first 3 to 5 lines and then "…"; offer a command to see the details of a technical one. Example: "Departure 07:40, arrival 10:15."
4. Next step: propose one concrete action. Example: "Shall I look for a room near the station?"
Strict rules: no raw JSON or internal ids, no recap of the request, no apologies or long justifications. Be warm, direct and empathetic: show that you see what matters to the user and that you are there to help.`,
  fr: `Les outils demandés ont été exécutés ; leurs résultats suivent. Répondez maintenant, en 4 à 6 phrases, sans appeler d'autre outil. Chaque réponse suit les quatre étapes ci-dessous, dans cet ordre ; aucune réponse sans cette structure.
1. Contexte : une phrase qui dit ce qui a été fait, commençant par « J'ai ». Exemple : « J'ai ajouté les deux vols à la liste *Lisbonne*. »
2. Résumé : une ou deux phrases sur ce que les résultats signifient pour l'utilisateur. Nommez tout appel qui a échoué et ce qui manque de ce fait. Exemple : « Vous arrivez avant midi, le premier après-midi est donc libre. »
3. Affichage : un résultat court tel quel ; d'un résultat long, les 3 à 5 premières lignes puis « … » ; pour un résultat technique, proposez une commande qui en montre le détail. Exemple : « Départ à 7 h 40, arrivée à 10 h 15. »
4. Suite : proposez une action concrète. Exemple : « Voulez-vous que je cherche une chambre près de la gare ? »
Règles strictes : pas de JSON brut ni d'identifiants internes, pas de rappel de la demande, pas d'excuses ni de longues justifications. Soyez chaleureux, direct et empathique : montrez que vous voyez ce qui compte pour l'utilisateur et que vous êtes là pour aider.`,
}
