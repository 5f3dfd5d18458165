import type { help as english } from '../en/help-messages'
import type { Translated } from '../translated'

export const help: Translated<typeof english> = {
  title: 'Comment fonctionne le masquage',
  intro:
    'Un agent qui appelle des outils renvoie tout son historique à chaque requête, anciennes sorties d’outils comprises. Le masquage remplace le contenu des anciens résultats d’outil par une ligne, le placeholder. Les identifiants, l’ordre, les appels et tous les autres messages restent tels quels.',
  open: 'Ouvrir le playground',
  example: {
    title: 'Essayer',
    text: 'Onze requêtes d’un agent qui appelle un outil à chaque tour. Chaque ligne est une requête, chaque carré un résultat d’outil qu’elle envoie. Le sixième résultat est une erreur.',
    window: 'Fenêtre',
    batch: 'Avancer tous les',
    turns: '{n, plural, one {# tour} other {# tours}}',
    caption: 'Les résultats envoyés par chaque requête',
    request: 'Requête {n, number}',
    result: 'Résultat {n, number}',
    sent: 'envoyé',
    placeholder: 'placeholder',
    error: 'envoyé, une erreur',
    changed: 'modifié depuis la requête précédente',
    summary:
      '{sent, number} résultats sur {all, number} sont envoyés en entier. {breaks, plural, =0 {Aucune requête ne modifie} one {Une requête modifie} other {# requêtes modifient}} ce que la précédente avait envoyé.',
  },
  turns: {
    title: 'Les tours et la fenêtre',
    a: 'Un tour commence avec chaque message de l’assistant qui appelle des outils. Ses résultats lui appartiennent, quel que soit leur nombre.',
    b: 'La fenêtre est le nombre de derniers tours dont les résultats sont gardés. Elle compte des tours ; elle ne sait pas quand un résultat plus ancien compte encore.',
    c: '« Avancer tous les » déplace la fenêtre par pas. Entre deux pas, rien de ce qui a été envoyé ne change.',
  },
  kept: {
    title: 'Ce qui est gardé, et pourquoi',
    text: 'Chaque résultat a une raison, dans les volets et dans le tableau des résultats :',
  },
  caching: {
    title: 'Le cache de prompt',
    a: 'Les fournisseurs facturent bien moins le début d’une requête qu’ils ont déjà vu. Un résultat qui devient un placeholder arrête ce début à cet endroit : tout ce qui suit est facturé en entier une fois de plus.',
    b: 'Une fenêtre qui avance à chaque tour fait cela à chaque requête, et peut coûter plus cher que de tout envoyer. Des pas plus grands le font rarement. Le graphique sous la fenêtre montre le coût de chaque réglage, et le verdict nomme celui à prendre.',
    c: 'Chaque fournisseur a sa règle : longueur minimale du début, distance de recherche, durée de vie des entrées. Les règles, avec source et date, sont dans les prix du modèle.',
  },
  forgetting: {
    title: 'Ce que coûte l’oubli',
    a: 'Le playground cherche les termes que seul un résultat d’outil avait appris au modèle et qu’une réponse ultérieure réutilise. Si le masquage retire ce résultat avant, la réutilisation est perdue : l’agent peut rappeler l’outil, ou deviner.',
    b: 'Le verdict compte les réutilisations perdues, et donne comme pire cas le coût si chacune est redemandée une fois.',
  },
  limits: {
    title: 'Les limites',
    a: 'Le rejeu suppose que l’agent suit les mêmes étapes avec et sans masquage. Ce qu’il aurait fait sans un ancien résultat est inconnu.',
    b: 'Les tokens sont exacts pour les modèles dont le tokenizer est public, estimés pour les autres ; la page dit lesquels.',
    c: 'Le masquage n’est pas du caviardage : les placeholders nomment outils et identifiants, et tout le reste est envoyé.',
  },
  news: {
    title: 'Nouveautés',
    version: 'Ceci est la version {version}.',
    offline:
      'Le site fonctionne hors ligne après une visite, et peut être installé. La page signale qu’une nouvelle version est prête.',
    french: 'Interface en français, selon la langue du navigateur ou le bouton du bas de page.',
    verdict: 'Le verdict d’abord : ce que le réglage coûte ou économise, et un meilleur réglage.',
    figures:
      'Des liens avec les chiffres d’une session, sans sa transcription. Imprimer donne le rapport.',
    embed: 'Du code qui montre le playground dans un cadre d’une autre page.',
    fleet:
      'Un réglage pour toutes les sessions d’une liste de fichiers, avec un rapport ; lignes de fichiers Parquet.',
    drawers: 'La barre du bas ouvre coûts, résultats, appels d’outil et fichiers.',
    first:
      'Première version : lecture, masquage, coûts, réutilisations, réparation d’arguments, appels répétés, requête suivante, exports, ligne de commande et proxy.',
  },
  privacy: {
    title: 'Ce qui reste privé',
    text: 'Tout est calculé dans votre navigateur. Ce que vous collez n’est envoyé nulle part ; les brouillons sont stockés dans ce navigateur jusqu’à ce que vous les supprimiez.',
  },
}
