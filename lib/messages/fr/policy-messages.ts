import type { policy as english } from '../en/policy-messages'
import type { Translated } from '../translated'

export const policy: Translated<typeof english> = {
  title: 'Politique',
  open: 'Politique',
  close: 'Fermer',
  reset: 'Rétablir les valeurs par défaut',
  resetShort: 'Réinitialiser',
  labels: {
    enabled: 'Masquage',
    windowTurns: 'Fenêtre',
    batchTurns: 'Avancer tous les',
    keepErrors: 'Garder les erreurs',
    errorRules: 'Règles',
    errorPatterns: 'Vos propres textes',
    keepLastKPerTool: 'Toujours garder les N derniers par outil',
    placeholderTemplate: 'Placeholder',
    textParts: 'Parties de texte',
    neverGrow: 'Ne pas masquer si le placeholder est plus long',
    triggerTokens: 'Taille minimale de requête',
    excludeTools: 'Outils exclus',
    linkByOrder: 'Relier par l’ordre',
  },
  descriptions: {
    textParts:
      'Masque aussi les résultats qui sont une liste de parties de texte, comme certains clients les envoient.',
    linkByOrder:
      'Masque aussi les résultats sans identifiant, comme ceux d’Ollama et de l’ancien function_call : reliés par le nom de l’outil et l’ordre.',
    neverGrow: 'Garde un résultat si son placeholder n’utilise pas moins de tokens.',
    keepLastKPerTool:
      'Garde les résultats les plus récents de chaque outil, quel que soit leur âge.',
  },
  units: {
    turns: '{n, plural, one {tour} other {tours}}',
    results: '{n, plural, one {résultat} other {résultats}}',
    tokens: '{n, plural, one {token} other {tokens}}',
  },
  off: 'non',
  help: 'Aide : {name}',
  mark: {
    reset: 'Rétablir « {label} »',
    hint: 'Modifié. Rétablir {value}',
    hintOther: 'Modifié. Rétablir la valeur par défaut',
    on: 'oui',
    off: 'non',
  },
  window: {
    value: '{n, plural, =0 {0 tour, désactivé} one {# tour} other {# tours}}',
    off: '0 tour désactive le masquage.',
    longer:
      'Plus que {turns, plural, one {le seul tour} other {les # tours}} de la conversation : rien n’est masqué.',
    all: 'Garde {turns, plural, one {le seul tour} other {les # tours}} : rien n’est masqué.',
    before_first_step:
      'Moins de {batch, number} tours précèdent la fenêtre, qui n’a donc pas encore avancé : rien n’est masqué.',
    keeps:
      'Garde les résultats des tours {first, number} à {turns, number} sur {turns, number}{batch, plural, =1 {} other {, car elle avance de # tours à la fois}}.',
    keepsOne: 'Garde les résultats du tour {first, number} sur {turns, number}.',
    byAge:
      'La fenêtre compte les tours ; elle ne sait pas si un résultat ancien est redevenu pertinent.',
    scaleStart: 'inactif',
    scaleEnd: '{turns, plural, one {# tour} other {# tours}}',
  },
  batch: {
    why: 'Avancer à chaque tour change le début de chaque requête et invalide le cache de prompt. Des pas plus grands laissent ce début intact entre deux avancées.',
    choices: 'Pas courants',
    choice: '{n, plural, one {1 : chaque tour} other {tous les # tours}}',
  },
  errors: {
    disclose: 'Ce qui compte comme une erreur',
    some: '{on, number} sur {all, number}',
    matches: {
      traceback: '« traceback » dans le texte',
      exception: '« exception » dans le texte',
      error_line: 'une ligne qui commence par « error »',
      timeout: '« timeout » dans le texte',
      connection: '« connect_error » ou « connection refused »',
      json_error: 'une clé « error », ou du JSON avec un status « error »',
      flag: 'signalé comme erreur par le client',
      stack_trace: 'une trace d’appels avec ses cadres',
      exit_code: 'un code de sortie autre que 0',
      error_flag: 'une clé « is_error » ou « isError » à true',
      json_failure: '« success » à false, ou « status » à error, quelle que soit la casse',
    },
    countLabel: 'Résultats reconnus dans cette conversation : {n, number}',
    none: 'Aucune règle n’est active : rien ne compte comme une erreur.',
  },
  placeholder: {
    insert: 'Insérer {variable}',
    variables: 'Variables à insérer',
    priceOne: '{tokens, plural, one {# token} other {# tokens}} chacun, {all, number} au total',
    priceRange: '{least, number} à {most, number} tokens, {all, number} au total',
    priceNone: 'rien n’est masqué',
    counting: 'comptage…',
    preview: 'Tour {turn, number}, {tool}',
    previewOrphan: 'Résultat orphelin de {tool}',
    unknownTool: 'outil inconnu',
    change: '{before} → {after} tokens',
    grows:
      'Pour {n, plural, one {# résultat} other {# résultats}}, le placeholder est plus long que le résultat : {lost, plural, one {# token} other {# tokens}} de plus au total.',
    neverGrow: 'Ne pas les masquer',
    tooLong: 'Au plus {maximum, number} caractères.',
  },
  templates: {
    isFrench: 'Le gabarit par défaut est en français, comme dans la spécification du Schéma 1.',
    useEnglish: 'Utiliser l’anglais',
    compare: 'Comparer les gabarits',
    title: 'Gabarits de placeholder',
    close: 'Fermer',
    description:
      'Le gabarit par défaut est en français parce que la spécification du Schéma 1 est écrite en français et donne ce texte ; il le reste pour que toutes les implémentations envoient le même. Les LLM lisent les deux langues, et un autre gabarit reste conforme au Schéma 1. Seul ce projet insère les arguments et la première ligne.',
    noResults:
      'Ouvrez une conversation avec des résultats d’outil pour y comparer les gabarits de placeholder.',
    ofMasked:
      'Tokens sur {count, plural, one {le # résultat} other {les # résultats}} que la politique masque dans la requête suivante.',
    ofAll:
      'Tokens sur {count, plural, one {le # résultat} other {les # résultats}} de la conversation.',
    counting: 'comptage…',
    own: 'Le vôtre',
    name: '{language}, {kind}',
    languages: { french: 'Français', english: 'Anglais' },
    kinds: {
      full: 'complet',
      short: 'court',
      arguments: 'avec les arguments',
      first_line: 'avec la première ligne',
    },
    columns: {
      template: 'Gabarit',
      each: 'Chacun',
      all: 'Au total',
      grown: 'Plus long que le résultat',
      named: 'Nomme l’appel',
      stable: 'Ne change jamais',
      recognised: 'Reconnu',
      turn: 'Tour',
      tool: 'Outil',
      result: 'Résultat',
    },
    units: { each: 'tokens chacun', all: 'au total', grown: 'plus longs que le résultat' },
    grown: '{grown, number} (+{lost, number})',
    passed:
      '{failed, plural, =0 {oui, pour les {of, number} résultats} other {pas pour {failed, number} sur {of, number}}}',
    use: 'Utiliser',
    useNamed: 'Utiliser {name}',
    inUse: 'Utilisé',
    byResult: 'Tokens par résultat',
    grownOnly: 'Seulement où un placeholder est plus long',
    noneGrows: 'Aucun placeholder n’est plus long que son résultat.',
    longer: 'plus long que le résultat',
    checks:
      'Nomme l’appel : il a l’identifiant ou l’outil, et aucun autre appel ne reçoit le même texte. Ne change jamais : aucune requête ultérieure ne donne au résultat un autre placeholder, comme le peut un identifiant réutilisé. Reconnu : un nouveau masquage le laisse tel quel, et aucun résultat ne lui ressemble par hasard. Tous les résultats de la conversation sont vérifiés.',
  },
  advanced: {
    title: 'Avancé',
    inUse: '{n, number} en usage',
    triggerNone:
      'Masque les requêtes de toute taille. Nous comptons {tokens} tokens dans la suivante.',
    triggerBelow:
      'Nous comptons {tokens} tokens dans la requête suivante, moins que ce seuil : elle n’est pas masquée.',
    triggerAbove: 'Nous comptons {tokens} tokens dans la requête suivante : elle est masquée.',
    excludeWhy: 'Les résultats de ces outils ne sont jamais masqués.',
    toolFacts: '{n, plural, one {# résultat} other {# résultats}}, {tokens} tokens',
    resultsColumn: 'résultats',
    tokensColumn: 'tokens',
    toolAbsent: 'absent de ce document',
    addTool: 'Autre outil',
    add: 'Ajouter',
    remove: 'Supprimer {tool}',
    noTools: 'Ce document n’a pas de noms d’outils.',
    moreTools: '{n, plural, one {# outil de plus} other {# outils de plus}}',
  },
  schema: {
    exact: 'Conforme au Schéma 1',
    extended: 'Schéma 1, {n, plural, one {# extension} other {# extensions}}',
    about:
      'Sans extension, la politique suit exactement le Schéma 1, et toute implémentation donne le même résultat. Les extensions sont écrites dans une table à part du fichier de configuration.',
    used: 'Utilisées : {names}.',
    hint: 'Ce que cela signifie',
  },
}
