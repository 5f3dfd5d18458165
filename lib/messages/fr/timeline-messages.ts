import type { timeline as english } from '../en/timeline-messages'
import type { Translated } from '../translated'

export const timeline: Translated<typeof english> = {
  label: 'Chronologie de la conversation',
  messages: 'Messages',
  noneChosen: 'Aucun message sélectionné',
  position: 'Message {message, number} sur {messages, number}',
  roles: {
    system: 'Message système',
    user: 'Message utilisateur',
    assistant: 'Message de l’assistant',
    tool: 'Résultat d’outil',
    other: 'Message de rôle {role}',
  },
  notSent: 'Pas encore envoyé dans la requête choisie',
  turn: 'tour {turn, number}',
  calls: '{calls, plural, one {# appel d’outil} other {# appels d’outil}}',
  results: '{results, plural, one {# résultat} other {# résultats}}',
  tokens: '{tokens, plural, one {# token} other {# tokens}}',
  tokensEstimated: 'environ {tokens, plural, one {# token} other {# tokens}}',
  tokensChange: '{before, number} → {after, plural, one {# token} other {# tokens}}',
  tokensChangeEstimated:
    'environ {before, number} → {after, plural, one {# token} other {# tokens}}',
  heights: 'Hauteur : racine carrée des tokens',
  heightsCut: 'Hauteur : racine carrée des tokens ; les plus grandes sont coupées',
  heightsEstimated:
    'Compte des tokens en cours ; en attendant, les hauteurs sont les caractères ÷ 4',
  window: 'Premier tour de la fenêtre',
  windowValue:
    'Tour {turn, number} sur {turns, number} : {window, plural, one {le dernier tour est gardé} other {les # derniers tours sont gardés}}',
  windowStep:
    'Tour {turn, number} sur {turns, number} : {window, plural, one {le dernier tour est gardé} other {les # derniers tours sont gardés}} ; en avançant tous les {batch, number} tours, tout est gardé à partir du tour {kept, number}',
  windowOff: 'Le masquage est désactivé',
  windowTip: '{window, plural, one {# tour gardé} other {# tours gardés}}',
  windowTipStep:
    'fenêtre {window, number}, {kept, plural, one {# tour gardé} other {# tours gardés}}, par pas de {batch, number}',
  keys: 'Flèches : message par message. Page précédente et suivante : tour par tour. N et P : résultat masqué suivant et précédent.',
  legend: 'Légende',
  legendStep: '{label} : aller au suivant',
  legendMessages: {
    user: 'utilisateur',
    assistant: 'assistant',
    system: 'système',
    other: 'autres rôles',
  },
  groups: {
    masked: '{count, plural, one {# masqué} other {# masqués}}',
    in_window: '{count, number} dans la fenêtre',
    kept_error: '{count, plural, one {# gardé comme erreur} other {# gardés comme erreurs}}',
    disabled: '{count, plural, one {# résultat} other {# résultats}}, masquage désactivé',
    below_trigger: '{count, number} sous la taille minimale de requête',
    excluded_tool: '{count, number} d’outils exclus',
    kept_last_k:
      '{count, plural, one {# parmi les derniers de son outil} other {# parmi les derniers de leurs outils}}',
    non_text: '{count, plural, one {# n’est pas une chaîne} other {# ne sont pas des chaînes}}',
    already_masked: '{count, number} déjà {count, plural, one {masqué} other {masqués}}',
    would_grow: '{count, number} au placeholder plus long',
    orphan: '{count, plural, one {# orphelin} other {# orphelins}}',
    no_call_id: '{count, number} sans identifiant',
    unanswered: '{count, plural, one {# appel sans réponse} other {# appels sans réponse}}',
  },
}
