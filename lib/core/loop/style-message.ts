export type StyleLanguage = 'en' | 'fr'

/** Default system messages that ask for the answer's structure. Users can replace them. */
export const STYLE_MESSAGES: Readonly<Record<StyleLanguage, string>> = {
  en: `The tools you asked for have run; their results follow. Answer the user now, without calling another tool.
1. Context: in one sentence, what was asked and which tools answered it.
2. Summary: what the results say, in plain words. Name a failed call and what is missing because of it.
3. Display: figures, names and paths as the results have them; a list or a table where there are several.
4. Next step: one thing the user can do or decide next.`,
  fr: `Les outils demandés ont été exécutés ; leurs résultats suivent. Répondez maintenant, sans appeler d'autre outil.
1. Contexte : en une phrase, ce qui était demandé et quels outils y ont répondu.
2. Résumé : ce que disent les résultats, en mots simples. Nommez tout appel qui a échoué et ce qui manque de ce fait.
3. Affichage : chiffres, noms et chemins tels que les résultats les donnent ; une liste ou un tableau s'il y en a plusieurs.
4. Suite : une chose que l'utilisateur peut faire ou décider ensuite.`,
}
