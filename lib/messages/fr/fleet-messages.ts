import type { fleet as english } from '../en/fleet-messages'
import type { Translated } from '../translated'

export const fleet: Translated<typeof english> = {
  label: 'Un seul réglage pour toutes les sessions',
  working: 'Addition de {count, plural, one {# session} other {# sessions}}…',
  failed:
    'Les sessions n’ont pas pu être additionnées : le worker s’est arrêté. Changez le filtre ou la politique pour réessayer.',
  mask: 'Une fenêtre de {window, number}{batch, plural, =1 {} other {, avancée tous les # tours,}} pour les {count, number} sessions économise {share} (de {low} à {high}).',
  doNotMask:
    'Ne pas masquer : aucun réglage unique n’économise plus de 1 % sur {count, plural, one {cette session} other {ces # sessions}}.',
  no_results: 'Aucune requête de ces sessions n’envoie de résultat d’outil.',
  nothing_maskable:
    'La politique garde tous les résultats : {results, plural, one {le seul} other {les #}}.',
  price_unknown: 'Les prix de ces sessions sont inconnus : aucun réglage n’est recommandé.',
  again:
    'Si tout ce qui est perdu est demandé de nouveau, l’économie est de {share} (de {low} à {high}), et {count, plural, =0 {aucune session ne coûte plus} one {# session coûte plus} other {# sessions coûtent plus}}{hasWorst, select, true {, surtout {file} : {change}} other {}}.',
  once: 'Si rien ne l’est, {count, plural, =0 {aucune session ne coûte} one {# session coûte} other {# sessions coûtent}} plus.',
  own: 'Chaque session avec son réglage le moins cher économiserait {share} : un seul réglage pour toutes abandonne {given}.',
  ownEqual: 'Chaque session avec son réglage le moins cher n’économiserait pas plus : {share}.',
  ownOnly: 'Chaque session avec son réglage le moins cher économiserait {share}.',
  unpriced:
    '{count, plural, one {# session est laissée} other {# sessions sont laissées}} de côté : un prix est inconnu.',
  interval:
    'Entre parenthèses : l’intervalle de 95 % de 1 000 échantillons, chacun avec autant de sessions tirées de celles-ci. Les coûts comptent le cache et les réponses.',
  apply: 'Appliquer à toutes',
  applied: 'Utilisé',
  points: '{value} points',
  every: 'Toutes les fenêtres et tous les pas, toutes sessions confondues',
  chart: {
    title: 'Coût de chaque session, avec cache : {policy}',
    policy:
      '{isOn, select, yes {une fenêtre de {window, number}{batch, plural, =1 {} other {, avancée tous les # tours}}} other {le masquage désactivé}}',
    before: 'sans masquage',
    after: 'avec masquage',
    cheaper: 'moins chères : {count, number}',
    same: 'inchangées : {count, number}',
    costlier: 'plus chères : {count, number}',
    regions: { cheaper: 'en dessous : moins cher', costlier: 'au-dessus : plus cher' },
    reader: 'Session choisie',
    keys: 'Flèches : une session, dans l’ordre du coût sans masquage. Page précédente et Page suivante : dix. Début et Fin : la première et la dernière. Échap : effacer le choix.',
    hint: 'Pointez une marque, ou utilisez les flèches. Le tableau ci-dessous a toutes les sessions.',
    session:
      '{file}{hasOthers, select, true {, conversation {conversation, number}} other {}} : {before} → {after} ({change}), {requests, plural, one {# requête} other {# requêtes}}',
  },
}
