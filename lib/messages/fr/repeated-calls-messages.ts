import type { repeatedCalls as english } from '../en/repeated-calls-messages'
import type { Translated } from '../translated'

export const repeatedCalls: Translated<typeof english> = {
  sentence: {
    found: 'Sur {calls, plural, one {# appel} other {# appels}} : {parts}.',
    repeats:
      '{count, plural, one {# répétition d’un appel} other {# répétitions d’appels}}{tokens, plural, =0 {} one { (# token dépensé)} other { (# tokens dépensés)}}',
    others: {
      cycle: '{count, plural, one {# paire d’appels alternés} other {# paires d’appels alternés}}',
      error:
        '{count, plural, one {# erreur renvoyée de nouveau} other {# erreurs renvoyées de nouveau}}',
      beyond:
        '{count, plural, one {# tour au-delà de la limite du lot} other {# tours au-delà de la limite du lot}}',
      id: '{count, plural, one {# identifiant réutilisé} other {# identifiants réutilisés}}',
    },
    broken: '{count, plural, one {# argument invalide} other {# arguments invalides}}',
    problems:
      '{count, plural, one {# type de problème que des fournisseurs refusent} other {# types de problèmes que des fournisseurs refusent}}',
    added:
      '{count, plural, one {# type de problème ajouté par le masquage} other {# types de problèmes ajoutés par le masquage}}',
  },
  empty: 'Ouvrez une conversation pour trouver ses appels répétés.',
  working: 'Recherche des appels répétés…',
  noTurns:
    'Cette conversation n’a pas de tour d’outils : aucun appel ne peut se répéter. Un tour d’outils est un message de l’assistant avec au moins un appel qui a un identifiant.',
  nothingTitle: 'Aucun appel répété.',
  nothing:
    '{calls, plural, one {# appel} other {# appels}} en {turns, plural, one {# tour} other {# tours}} : aucun appel n’en répète un autre (même nom et mêmes arguments ; l’ordre des clés est ignoré et le JSON invalide réparé), aucun identifiant n’est réutilisé, aucun tour n’a plus de {limit, plural, one {# appel} other {# appels}}, aucune paire d’appels n’alterne, et aucun outil ne renvoie {errors, plural, one {une fois} other {# fois}} la même erreur.',
  clock: {
    timestamps: 'Les heures viennent de la transcription.',
    turn_order:
      'La transcription n’est pas horodatée : chaque tour compte pour {seconds, number} s.',
    turn_order_some:
      'Seuls {timed, number} des {turns, number} tours sont horodatés : chaque tour compte pour {seconds, number} s.',
  },
  shown: 'Conversation {at, number} sur {count, number} (celle affichée).',
  figures: {
    label: 'Économies dues aux garde-fous',
    stopped: 'Appels arrêtés',
    stoppedOf: 'sur {calls, number}',
    results: 'Leurs résultats',
    tokens: '{tokens, plural, one {token} other {tokens}}',
    unmasked: 'Session, sans masquage',
    masked: 'Session, masquée',
    cost: '{cost} {rule, select, unknown {(cache inconnu)} other {avec cache}}',
    unchanged: 'aucun changement',
    note: 'Chaque appel arrêté reçoit un court refus, qui est compté. Ce que l’agent aurait fait à la place est inconnu.',
  },
  guards: {
    label: 'Garde-fous',
    summary: '{on, number} sur {all, number} actifs',
    reset: 'Réinitialiser',
    stops:
      'arrêterait {count, plural, one {# appel} other {# appels}}, {tokens, plural, one {# token} other {# tokens}}',
    others: 'dont {count, number} appels différents qui réutilisent un identifiant',
    stopsNothing: 'n’arrêterait rien',
    isOff: 'inactif',
    inTurns:
      '{turns, plural, one {# tour} other {# tours}} si la transcription n’est pas horodatée.',
    seconds: 's',
    turns: 'tours',
    calls: 'appels',
    times: 'fois',
    batch_limit: 'Appels par lot',
    duplicate: 'Même appel deux fois dans un lot',
    ANTI_LOOP_ID: 'Même identifiant de nouveau',
    ANTI_LOOP_SIGNATURE: 'Même appel de nouveau',
    callsPerBatch: 'Au plus',
    idWindow: 'En moins de',
    signatureWindow: 'En moins de',
    signatureTurns: 'En moins de',
    historyEntries: 'Appels dans l’historique',
    fewestErrors: 'Signaler une erreur après',
  },
  table: {
    label: 'Constats',
    show: 'Afficher',
    all: 'Tout ({count, number})',
    sort: 'Trier par',
    sortBy: 'Trier par : {column}',
    call: 'Appel',
    turns: 'Tours',
    times: 'Fois',
    result: 'Résultat',
    tokens: 'Tokens',
    stopped: 'Arrêtés',
    open: 'Afficher toutes les occurrences de',
    turn: 'tour {turn, number}',
    turnLink: 'Aller au tour {turn, number}',
    message: 'message {message, number}',
    more: '+{count, number}',
    timesUnit: '{count, number}×',
    tokensUnit: 'tokens',
    stoppedUnit: '{count, plural, one {arrêté} other {arrêtés}}',
    noName: 'sans nom',
    isSameResult: { true: 'même résultat', false: 'résultat différent' },
    isSameCall: { true: 'même appel', false: 'autre appel' },
    sameOf: '{same, plural, one {# identique} other {# identiques}} sur {of, number}',
    unknown: '–',
    first: 'premier',
    apart: '{turns, plural, =0 {même tour} one {# tour après} other {# tours après}}',
    apartTime:
      '{turns, plural, =0 {même tour} one {# tour, {time} après} other {# tours, {time} après}}',
    position: 'appel {position, number} de son tour',
    and: 'et',
  },
  kinds: {
    repeat: 'Appels répétés',
    duplicate: 'Deux fois dans un lot',
    cycle: 'Appels alternés',
    error: 'Même erreur de nouveau',
    beyond: 'Au-delà de la limite du lot',
    id: 'Identifiants réutilisés',
  },
  guard: {
    batch_limit: 'limite du lot',
    duplicate: 'doublon dans le lot',
    ANTI_LOOP_ID: 'même identifiant',
    ANTI_LOOP_SIGNATURE: 'même appel',
  },
}
