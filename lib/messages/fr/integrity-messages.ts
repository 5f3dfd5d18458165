import type { integrity as english } from '../en/integrity-messages'
import type { Translated } from '../translated'

export const integrity: Translated<typeof english> = {
  empty: 'Ouvrez une conversation pour contrôler son historique.',
  nothing:
    'Aucun motif de refus par un fournisseur : chaque appel a un identifiant unique et un résultat juste après lui.',
  title: 'Dans l’original',
  addedTitle: 'Ajoutés par le masquage',
  rejected: 'Refusé par {providers}.',
  undocumented: 'Non documenté : {providers}.',
  show: 'Afficher le suivant',
  showOf: 'Afficher le suivant : {finding}',
  repair: 'Réparer les arguments…',
  proven:
    '{strings, plural, =0 {Le texte masqué est égal à sa source, caractère par caractère.} one {Comparé caractère par caractère, le texte masqué diffère de sa source par # chaîne, un texte d’un résultat masqué.} other {Comparé caractère par caractère, le texte masqué diffère de sa source par # chaînes, toutes des textes de résultats masqués.}}',
  refuted:
    'Le texte masqué diffère de sa source hors des résultats masqués, d’abord au caractère {offset, number}. C’est un bogue de ce programme : n’utilisez pas le texte masqué.',
  rules: {
    unanswered_call: '{count, plural, one {# appel n’a} other {# appels n’ont}} pas de résultat.',
    mid_turn:
      'La conversation finit avant que {count, plural, one {# appel ait son résultat} other {# appels aient leur résultat}}.',
    orphan:
      '{count, plural, one {# résultat ne répond} other {# résultats ne répondent}} à aucun appel.',
    not_behind:
      '{count, plural, one {# résultat n’est pas juste après son appel} other {# résultats ne sont pas juste après leur appel}}.',
    two_results:
      '{count, plural, one {# résultat répond} other {# résultats répondent}} à un appel qui en a déjà un.',
    repeated_id:
      '{count, plural, one {# appel réutilise} other {# appels réutilisent}} l’identifiant d’un appel antérieur ; le masquage rattache les résultats de cet identifiant au dernier appel.',
    empty_call_id: '{count, plural, one {# appel n’a} other {# appels n’ont}} pas d’identifiant.',
    empty_result_id:
      '{count, plural, one {# résultat ne nomme} other {# résultats ne nomment}} aucun appel.',
    unknown_role: '{count, plural, one {# message a} other {# messages ont}} un rôle inconnu.',
    broken_arguments:
      'Les arguments de {count, plural, one {# appel} other {# appels}} ne sont pas un objet JSON.',
    missing_reasoning:
      '{count, plural, one {# réponse avec appels n’a} other {# réponses avec appels n’ont}} pas de reasoning_content, alors que la plupart en ont.',
    unsigned_thinking:
      '{count, plural, one {# réponse a} other {# réponses ont}} un raisonnement sans signature.',
    missing_signature:
      '{count, plural, one {# réponse avec appels n’a} other {# réponses avec appels n’ont}} pas de thoughtSignature, alors que d’autres en ont.',
    edited_before_thinking:
      'Un résultat masqué précède le raisonnement signé de {count, plural, one {# réponse} other {# réponses}}.',
  },
  isInUse: '{model} en fait partie.',
  isNotInUse: '{model}, le modèle utilisé, n’en fait pas partie.',
  hints: {
    missing_reasoning: 'Seulement si le modèle réfléchit.',
    missing_signature: 'Seulement par Gemini 3 et suivants.',
    edited_before_thinking:
      'Seulement par Claude Fable 5.1 et suivants, Opus 5.5, Sonnet 5.5 et Haiku 5.5 : ils vérifient que rien n’a changé avant leur raisonnement.',
  },
}
