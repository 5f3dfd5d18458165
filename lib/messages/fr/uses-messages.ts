import type { uses as english } from '../en/uses-messages'
import type { Translated } from '../translated'

export const uses: Translated<typeof english> = {
  outcomes: {
    what: 'Cette page rejoue des étapes enregistrées ; elle ne peut pas dire ce que l’agent aurait fait. Des exécutions publiées le peuvent : SWE-agent sur SWE-bench Verified avec et sans masquage (les 10 derniers résultats gardés), les mêmes tâches dans les deux cas, {pairs, number} paires.',
    model: 'Modèle',
    pairs: 'Paires',
    turns: 'Tours',
    solved: 'Résolues, points',
    interval: '{points} ({low} à {high})',
    limits:
      'Les intervalles sont à 95 % ; chacun contient 0 ou s’y arrête. Ils portent sur un seul agent, du code et une seule fenêtre. Des agents de recherche se sont comportés autrement (arXiv 2606.00408 : de +11,7 à −1,1 points).',
    worst:
      'Avec le réglage actuel, le plus de tours supplémentaires du tableau ({turns}) et tous les résultats redemandés, l’entrée de cette session coûterait environ {cost}, {change}.',
    source: 'Source : arXiv 2508.21433 et son tableau publié des exécutions.',
  },
  histogram: {
    label:
      'Réutilisations par distance en tours : {uses, number} en tout, {share} à {turns, plural, one {# tour} other {# tours}} au plus, {lost, number} perdues',
    sentence:
      '{share} des réutilisations surviennent dans {turns, plural, one {le tour} other {les # tours}}{isAll, select, yes {} other { ; la plus lointaine, {farthest, plural, one {# tour} other {# tours}} après}}.',
  },
  places: {
    again:
      '{isLost, select, yes {Réutilisé après masquage} other {Réutilisé, encore envoyé,}} au <a>tour {turn, number}</a> : ',
    read: '{isLost, select, yes {Repris du <a>tour {turn, number}</a>, alors masqué} other {Repris du <a>tour {turn, number}</a>}} : ',
    more: 'et {count, number} de plus',
    hover: 'réutilisé au tour {turn, number} : {term}',
    hoverLost: 'réutilisé après masquage, au tour {turn, number} : {term}',
  },
}
