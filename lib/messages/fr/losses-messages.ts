import type { losses as english } from '../en/losses-messages'

export const losses: typeof english = {
  images:
    '{count, plural, one {# partie qui n’est pas du texte (une image, un fichier) est omise.} other {# parties qui ne sont pas du texte (images, fichiers) sont omises.}}',
  reasoning: 'Le raisonnement de {count, plural, one {# message} other {# messages}} est omis.',
  emptied_messages:
    '{count, plural, one {# message qui n’a que des images, des fichiers ou un raisonnement est omis.} other {# messages qui n’ont que des images, des fichiers ou un raisonnement sont omis.}}',
  other_roles:
    '{count, plural, one {# message a un rôle que l’API ne connaît pas. Il est écrit comme message d’utilisateur s’il a du texte, et omis sinon.} other {# messages ont des rôles que l’API ne connaît pas. Ils sont écrits comme messages d’utilisateur s’ils ont du texte, et omis sinon.}}',
  error_marks:
    'Les règles d’erreur peuvent décider autrement pour {count, plural, one {# résultat} other {# résultats}} : chat completions n’a pas de marque d’erreur, et les valeurs sont du texte JSON.',
  values:
    '{count, plural, one {# résultat qui est un objet ou une autre valeur est écrit en texte JSON.} other {# résultats qui sont des objets ou d’autres valeurs sont écrits en texte JSON.}}',
  joined_texts:
    '{count, plural, one {# résultat de plusieurs textes est écrit comme un seul texte, avec une ligne pour chacun.} other {# résultats de plusieurs textes sont écrits chacun comme un seul texte, avec une ligne pour chacun.}}',
  non_text:
    '{count, plural, one {# résultat qui n’est pas un texte ici en devient un, et peut être masqué.} other {# résultats qui ne sont pas des textes ici en deviennent, et peuvent être masqués.}}',
  server_tools:
    '{count, plural, one {# appel auquel le fournisseur a répondu lui-même est écrit comme les autres.} other {# appels auxquels le fournisseur a répondu lui-même sont écrits comme les autres.}}',
  moved_results:
    '{count, plural, one {# résultat est déplacé après son appel, où l’API l’attend.} other {# résultats sont déplacés après leurs appels, où l’API les attend.}}',
  stand_in_ids:
    '{count, plural, one {# appel sans identifiant en reçoit un : son message devient un tour.} other {# appels sans identifiant en reçoivent : leurs messages deviennent des tours.}}',
  stand_in_names:
    '{count, plural, one {# appel sans nom est appelé « unknown ».} other {# appels sans nom sont appelés « unknown ».}}',
  orphan_results:
    '{count, plural, one {# résultat ne répond à aucun appel ; il est écrit, mais l’API le refuse.} other {# résultats ne répondent à aucun appel ; ils sont écrits, mais l’API les refuse.}}',
  unanswered_calls:
    '{count, plural, one {# appel n’a pas de résultat ; il est écrit, mais l’API ne l’accepte qu’une fois sa réponse présente.} other {# appels n’ont pas de résultat ; ils sont écrits, mais l’API ne les accepte qu’une fois leur réponse présente.}}',
}
