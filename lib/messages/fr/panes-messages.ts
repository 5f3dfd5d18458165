import type { panes as english } from '../en/panes-messages'
import type { Translated } from '../translated'

export const panes: Translated<typeof english> = {
  conversation: 'Conversation',
  sent: 'Ce qui est envoyé',
  difference: 'La conversation et ce qui est envoyé, comparés',
  line: 'ligne {line, number}',
  format: 'Mettre en forme',
  formatHint: 'Met le JSON en forme avec des retours à la ligne ; seuls les blancs changent.',
  view: 'Vue de ce qui est envoyé',
  masked: 'Masqué',
  diff: 'Diff',
  messages: 'Messages',
  changes: {
    at: 'Changement {at, number} sur {count, number}',
    count: '{count, plural, =0 {Aucun changement} one {# changement} other {# changements}}',
    next: 'Changement suivant',
    nextTip: 'Changement suivant (N dans la comparaison)',
    previous: 'Changement précédent',
    previousTip: 'Changement précédent (P dans la comparaison)',
    only: 'Changements seuls',
    onlyTip: 'Replie ce qui est égal dans les deux textes',
  },
  copy: 'Copier',
  download: 'Télécharger',
  downloadMore: 'Enregistrer dans un autre format',
  export: 'Politique et chiffres…',
  exportNote: 'Dans « Partager » : configuration, code, lien, chiffres',
  chat: {
    item: 'Enregistrer en chat OpenAI…',
    itemNote: 'Cette conversation comme corps d’une requête chat completions',
    title: 'Enregistrer en chat OpenAI',
    description:
      'La conversation affichée comme corps d’une requête chat completions, pour des tests et d’autres outils : ses messages et le nom de son modèle.',
    which: 'Résultats d’outil',
    unmasked: 'Sans masquage',
    masked: 'Masqués par la politique actuelle',
    lost: 'Ce qui ne peut pas être repris',
    nothingLost: 'Tous les messages sont convertis sans perte.',
    beside:
      'Les champs autres que les messages, comme les réglages, les schémas d’outils et les noms des locuteurs, ne sont pas écrits.',
    save: 'Enregistrer {name}',
    close: 'Fermer',
  },
  resize: 'Largeur des deux textes',
  maximise: 'Agrandir',
  maximiseTip: 'Agrandir (Alt+Entrée)',
  restoreTip: 'Rétablir (Échap)',
  loading: 'L’éditeur se charge.',
  sourceLabel:
    'Conversation, modifiable. Tab quitte l’éditeur ; après une saisie, Échap, puis Tab.',
  outputLabel: 'Ce qui est envoyé, en lecture seule. Tab quitte l’éditeur.',
  diffLabel:
    'La conversation et ce qui est envoyé, comparés, en lecture seule. Tab quitte l’éditeur.',
  leaveHint:
    'Tab quitte l’éditeur ; après une saisie, Échap, puis Tab. Avec Ctrl+M, Tab le quitte toujours.',
  emptySource:
    'Collez une conversation ici, déposez un fichier, ou ouvrez-en un : JSON ou JSON Lines.',
  emptyOutput: 'La conversation masquée apparaîtra ici.',
  goToLine: 'Aller à la ligne {line, number}',
  repair: {
    offer: {
      trailing_commas:
        '{count, plural, one {Supprimer la virgule finale de la ligne {line, number} et ouvrir} other {Supprimer # virgules finales et ouvrir}}',
      surrounding_text: 'Supprimer le texte autour du JSON et ouvrir',
      listed_values: 'Mettre les valeurs dans une liste et ouvrir',
      python: 'Convertir le littéral Python en JSON et ouvrir',
      other:
        '{count, plural, one {Réparer la ligne {line, number} et ouvrir} other {Faire # modifications et ouvrir}}',
    },
    edits: 'Modifications',
    line: 'Ligne {line, number}',
    more: 'et {count, number} de plus',
  },
  readAsRecognised: 'Utiliser le format reconnu',
  stale:
    'Ce qui est affiché ici correspond au dernier texte lisible, et se met à jour dès que la conversation peut de nouveau être lue.',
  awaitedMessages: '{name} est en cours de lecture. Ses messages seront affichés ici.',
  awaited:
    '{name} est en cours de lecture. D’ici là, le texte précédent reste affiché, et rien n’en peut être copié ni enregistré.',
  largeText:
    'Ce texte compte {size, number} millions de caractères : il est affiché en messages. Dans les éditeurs, son JSON prend plusieurs secondes pendant lesquelles la page ne répond pas, et environ dix fois sa taille en mémoire.',
  showJson: 'Afficher le JSON',
  tooLargeToCompare:
    'Le texte compte {size, number} millions de caractères ; {limit, number} millions au plus sont comparés.',
  showWhy: 'Montrer pourquoi masqué ou gardé',
  hoverSize: '{chars} {count, plural, one {caractère} other {caractères}}, {tokens} tokens',
  hoverSizeMasked: '{chars} → {charsAfter} caractères, {tokens} → {tokensAfter} tokens',
  hoverTurn: 'tour {turn, number}',
  unknownTool: 'outil inconnu',
  unknown: '–',
}
