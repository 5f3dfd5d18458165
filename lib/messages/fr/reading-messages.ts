import type { reading as english } from '../en/reading-messages'
import type { Translated } from '../translated'

export const reading: Translated<typeof english> = {
  messages: 'Messages de la conversation',
  message: 'Message {message, number} sur {messages, number}, {role}',
  turn: 'tour {turn, number}',
  tokensChange: '{before, number} → {after, plural, one {# token} other {# tokens}}',
  tokens: '{tokens, plural, one {# token} other {# tokens}}',
  tokensEstimated: '≈ {tokens, plural, one {# token} other {# tokens}}',
  roles: {
    system: 'Système',
    developer: 'Développeur',
    user: 'Utilisateur',
    assistant: 'Assistant',
    tool: 'Résultat d’outil',
  },
  showAll: 'Tout afficher ({chars, number} caractères)',
  showNext: 'Afficher les {size, number} ko suivants sur {all, number} ko',
  showLess: 'Afficher moins',
  showOriginal: 'Afficher l’original ({chars, number} caractères)',
  hideOriginal: 'Cacher l’original',
  reasoning: 'Raisonnement',
  empty: 'Texte vide',
  emptyPlaceholder: 'placeholder vide',
  nonTextParts:
    '{parts, plural, one {# partie qui n’est pas du texte} other {# parties qui ne sont pas du texte}}',
  nothing: 'Pas encore de conversation à lire.',
  picker: {
    trigger: '{position, number} sur {count, number}',
    triggerLabel:
      'Conversation {position, number} sur {count, number} : {opening}. En choisir une autre',
    title: '{count, plural, one {# conversation} other {# conversations}}',
    previous: 'Conversation précédente',
    next: 'Conversation suivante',
    previousTip: 'Conversation précédente, touche [',
    nextTip: 'Conversation suivante, touche ]',
    search: 'Chercher par texte de début ou libellé',
    list: 'Conversations',
    none: 'Aucune conversation ne contient « {query} ».',
    opening: 'Début',
    noOpening: 'sans texte',
    messages: 'Messages',
    turns: 'Tours',
    tokens: 'Tokens',
    results: 'Résultats',
    masked: 'Masqués',
    opens: {
      first: 'Chacune est une session à part. La page ouvre la première.',
      longest:
        'Toutes font partie d’une même session. La page ouvre la plus longue de l’agent principal.',
    },
    option:
      '{label}. {opening}. {messages, plural, one {# message} other {# messages}}, {turns, plural, one {# tour} other {# tours}}, {tokens} tokens, résultats masqués : {masked} sur {results, number}',
    totals:
      'La politique s’applique à toutes : {turns, plural, one {# tour} other {# tours}}, résultats masqués : {masked} sur {results, number}.{isCalibrated, select, yes { Les tokens sont ceux comptés, avant calibrage.} other {}}',
  },
  badge: {
    evidence: {
      message_array: 'Un tableau JSON de messages : des objets avec un « role ».',
      request_body: 'Un objet JSON avec une liste de messages, comme le corps d’une requête d’API.',
      message_lines: 'JSON Lines, un message par ligne.',
      body_lines: 'JSON Lines, une liste de messages par ligne.',
      nested_lists:
        '{lists, plural, one {# liste} other {# listes}} de messages dans un document plus grand.',
      event_lines: 'JSON Lines, un événement par ligne, dont des messages.',
      event_array: 'Une liste d’événements, dont des messages.',
      session: 'Une session enregistrée.',
      trace: 'Une trace qui contient des messages.',
      har: 'Un fichier HAR, tel que l’enregistre le panneau réseau d’un navigateur, avec {lists, plural, one {une conversation dans # corps de requête} other {des conversations dans # corps de requête}}.',
      marks: '{shape} Reconnu à {marks}.',
    },
    recognisedAs: 'Reconnu comme',
    readAs: 'Lu comme',
    alsoRecognised: 'Convient aussi',
    notRecognised: 'Ne convient pas',
    expects: 'Attendu : {expected}',
    chosen: 'Choisi par vous.',
    backToRecognised: 'Utiliser le format reconnu',
    recognisedBy: 'Indices',
    layout: 'Disposition',
    layouts: { json: 'un document JSON', jsonl: 'JSON Lines' },
    model: 'Modèle',
    size: 'Contenu',
    calls: '{count, plural, one {# appel d’outil} other {# appels d’outil}}',
    characters: '{count, plural, one {# caractère} other {# caractères}}',
    findings: 'Notes',
    complete:
      'Toute la conversation a été lue. Chaque résultat répond à un appel, et chaque appel a un résultat.',
    finding: {
      non_text:
        '{count, plural, one {# partie n’est pas du texte : ses tokens sont inconnus et ne sont} other {# parties ne sont pas du texte : leurs tokens sont inconnus et ne sont}} pas comptés.',
      repeated:
        '{count, plural, one {# résultat a des copies ailleurs dans le fichier ; elles sont masquées avec lui.} other {# résultats ont des copies ailleurs dans le fichier ; elles sont masquées avec eux.}}',
    },
    show: 'Afficher',
    showNext: 'Afficher le suivant',
    showOf: 'Afficher : {finding}',
    more: 'Et {count, number} de plus.',
  },
}
