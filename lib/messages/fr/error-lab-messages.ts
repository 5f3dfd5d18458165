import type { errorLab as english } from '../en/error-lab-messages'
import type { Translated } from '../translated'

export const errorLab: Translated<typeof english> = {
  empty: 'Ouvrez une conversation pour voir quels résultats ressemblent à des erreurs.',
  nothing:
    'Aucun résultat de cette conversation ne ressemble à une erreur, quelle que soit la règle.',
  off: '« Garder les erreurs » est désactivé : aucune règle ne garde quoi que ce soit.',
  kept: '{kept, plural, =0 {Aucun résultat n’est gardé} one {# résultat est gardé} other {# résultats sont gardés}} comme {kept, plural, =0 {erreur} one {erreur} other {erreurs}}{tokens, select, none {} other { : {tokens} tokens{cost, select, none {} other {, {cost}}} dans la requête suivante}}.',
  rules: 'Règles d’erreur',
  rule: 'Règle',
  matches: 'Résultats',
  effect: 'Effet d’un changement',
  optional: 'au-delà du Schéma 1',
  frees:
    '{count, plural, =0 {n’en masque aucun} one {masque # résultat} other {masque # résultats}}',
  keeps: '{count, plural, =0 {n’en garde aucun} one {garde # résultat} other {garde # résultats}}',
  saves: '−{tokens} tokens',
  adds: '+{tokens} tokens',
  results: 'Résultats reconnus',
  show: 'Afficher',
  all: 'Toutes les règles ({count, number})',
  result: 'Résultat',
  match: 'Extrait reconnu',
  markOf: '{rule} : ',
  isKept: 'gardé comme erreur',
  on: 'reconnu par {rule}',
  offMark: 'reconnu par {rule}, règle désactivée',
  noText: 'Signalé par le client, et non par son texte.',
  more: 'Afficher {count, number} de plus',
  addText: 'Votre propre texte',
  add: 'Ajouter',
  remove: 'Supprimer « {text} »',
  texts: 'Vos propres textes, en majuscules ou minuscules',
  more_rules: 'Au-delà du Schéma 1',
}
