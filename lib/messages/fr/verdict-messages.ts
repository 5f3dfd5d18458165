import type { verdict as english } from '../en/verdict-messages'
import type { Translated } from '../translated'

export const verdict: Translated<typeof english> = {
  label: 'Verdict',
  pending: 'Comparaison de toutes les fenêtres…',
  unreadable: 'Pas de chiffres : ce texte ne peut pas être lu comme une conversation.',
  empty: 'Pas encore de chiffres : ouvrez ou collez une conversation.',
  effect:
    '{kind, select, saves {économise {share}} costs {coûte {share} de plus} other {coûte à peu près autant que sans masquage}}',
  alike:
    '{kind, select, saves {{share}} costs {{share} de plus} other {à peu près autant que sans masquage}}',
  now: '{kind, select, saves {<good>Ce réglage économise {share}</good>} costs {<bad>Ce réglage coûte {share} de plus</bad>} same {<b>Ce réglage coûte à peu près autant</b>} nothing {<b>Ce réglage ne masque rien ici : le coût est le même</b>} unknown {<b>Un prix est inconnu, aucun coût n’est donc comparé</b>} other {<b>Le masquage est désactivé</b>}}{uses, plural, =0 {.} other {{lost, plural, =0 {{kind, select, off {.} nothing {.} other { ; aucun résultat réutilisé n’était masqué.}}} other {{worst, select, none { ; {results, plural, one {<a># résultat est réutilisé après masquage</a>} other {<a># résultats sont réutilisés après masquage</a>}}.} other {, ou {worst} si {results, plural, one {le <a>résultat réutilisé après masquage</a> est redemandé} other {les <a># résultats réutilisés après masquage</a> sont redemandés}}.}}}}}}',
  use: '{isSameWindow, select, yes {Avancer {batch, plural, =1 {à chaque tour} other {tous les # tours}}} other {Une fenêtre de {window, plural, one {# tour} other {# tours}} avancée {batch, plural, =1 {à chaque tour} other {tous les # tours}}}} <good>{effect}</good>{lost, plural, =0 {} other { (au pire, {worst})}}{isSafer, select, yes { ; moins d’économie, moins de risque} other {}}.',
  tooShort: '<bad>Une fenêtre de moins de {smallest, number} tours n’est pas recommandée.</bad>',
  contrast:
    'En avançant à chaque tour, il {kind, select, costs {<bad>{effect}</bad> que sans masquage} other {<b>{effect}</b>}}.',
  compare: 'Comparer',
  endCompare: 'Finir la comparaison',
  best: '{smallest, plural, =1 {Aucun autre réglage n’est recommandé.} other {Aucun autre réglage n’est recommandé avec une fenêtre d’au moins # tours.}}',
  doNotMask:
    'Aucun réglage {rule, select, keep_uses {qui préserve {kept} des réutilisations } other {}}{smallest, plural, =1 {} other {avec une fenêtre d’au moins # tours }}n’économise à coup sûr.',
  apply: 'Appliquer',
  turnOff: 'Désactiver le masquage',
  session: 'Session entière.',
  why: 'Pourquoi ?',
  outcomes: 'Et la qualité ?',
  rejects: '<bad>{model} la refuse</bad> : <a>modifications avant un raisonnement signé</a>.',
  othersReject:
    'Pas pour Claude Fable 5.1 et suivants, Opus 5.5, Sonnet 5.5 et Haiku 5.5 : ils refusent les <a>modifications avant un raisonnement signé</a>.',
  reusedIds:
    '{count, plural, one {<a># appel réutilise un identifiant</a> : les résultats précédents de cet identifiant sont rattachés} other {<a># appels réutilisent des identifiants</a> : les résultats précédents de ces identifiants sont rattachés}} à l’appel le plus récent.',
  compareAll: 'Comparer les {count, number} conversations',
  details: {
    title: 'D’où vient cette recommandation',
    isSet: 'C’est le réglage actuel.',
    asGood:
      'Au pire, le réglage actuel coûte à peu près aussi peu : aucun changement n’est recommandé.',
    worst: 'Au pire, tout résultat réutilisé après masquage est redemandé.',
    rule: 'Recommander',
    rules: { cheapest: 'le moins cher au pire', keep_uses: 'ce qui préserve les réutilisations' },
    kept: 'Réutilisations préservées, au moins',
    percent: '%',
    smallest: 'Plus petite fenêtre',
    smallestNote: 'Les modèles travaillent moins bien sans leurs derniers résultats.',
    turns: 'tours',
    unseen:
      'Le fichier n’indique aucune consommation de tokens. Si chaque requête envoyait aussi {tokens} tokens qu’il ne montre pas (prompt système, outils), l’effet du masquage sur le coût serait de {change} : voir <a>Coût</a>.',
    breakEven:
      'Avec le réglage actuel, le masquage est à l’équilibre si {count, number} {results, plural, one {du # résultat réutilisé} other {des # résultats réutilisés}} {count, plural, one {est redemandé} other {sont redemandés}}.',
    repeated:
      'Avec le réglage actuel, {count, plural, one {<a># appel a été répété</a>} other {<a># appels ont été répétés</a>}} avec les mêmes arguments alors que le premier résultat était masqué.',
  },
}
