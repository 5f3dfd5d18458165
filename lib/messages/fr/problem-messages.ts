import type { PROBLEM_SENTENCES } from '@/lib/core/problem'
import type { Translated } from '../translated'

export const problems: Translated<typeof PROBLEM_SENTENCES> = {
  empty: 'Il n’y a encore rien ici ; attendu : une conversation en JSON ou JSON Lines.',
  invalid_json:
    'Ligne {line}, colonne {column} : {found} ne convient pas ici ; attendu : {expected}.',
  truncated_json:
    'Le texte finit à la ligne {line}, colonne {column}, dans {inside} ; attendu : {expected}. Il semble coupé.',
  too_deep:
    'Ligne {line}, colonne {column} : tableaux et objets sont imbriqués sur plus de {limit} niveaux ; il en faut moins.',
  too_large: 'Le texte a {size} millions de caractères ; au plus {limit} millions sont permis.',
  no_conversation:
    'C’est du JSON ({found}), mais pas une conversation ; attendu : une liste de messages, des objets avec un "role", à n’importe quel niveau.',
  no_conversation_lines:
    'Ce sont {lines} lignes de JSON, mais pas une conversation ; attendu : un message par ligne, ou une liste "messages" dans chaque ligne.',
  cursor_transcript:
    'Ce sont {lines} lignes d’une transcription de Cursor, qui n’a ni les identifiants des appels d’outil ni leurs résultats : il n’y a rien à masquer ; attendu : une transcription avec des résultats d’outil, comme les requêtes envoyées au modèle.',
  vscode_chat_changes:
    'Ce sont {lines} modifications d’un chat de VS Code ; attendu : le chat lui-même, que la commande « Chat: Export Chat… » de VS Code écrit.',
  kimi_cli_wire:
    'Ce sont {lines} lignes de "wire.jsonl" de l’ancien Kimi CLI, les événements de son écran ; attendu : "context.jsonl", dans le même dossier, qui a les messages.',
  copied_request: 'C’est {kind} ; attendu : son seul corps JSON.',
  copied_request_without_json:
    'C’est {kind} sans corps JSON ; attendu : une requête qui envoie une conversation.',
  streamed_answers:
    'Ce sont les événements (server-sent events) de réponses en flux ({count}) ; attendu : les messages qu’ils forment, tels que la page et les commandes les assemblent.',
  no_streamed_answer:
    'Le texte commence comme des événements SSE, mais aucun ne fait partie de la réponse d’un modèle ; attendu : les événements d’une réponse, ou une conversation en JSON.',
  stream_cut:
    'La réponse {answer}, à partir de la ligne {line}, finit sans {ending} ; elle semble coupée. Ce qui est arrivé est lu.',
  stream_error: 'La ligne {line} est une erreur à la place d’une réponse ({failure}).',
  har_without_bodies:
    'Aucune requête de ce fichier HAR n’a de corps JSON ({requests} vérifiées) ; attendu : une conversation dans "postData". Les navigateurs n’enregistrent pas les requêtes envoyées avant l’ouverture du panneau réseau.',
  har_no_conversation:
    'Aucun corps JSON de ce fichier HAR n’est une conversation ({bodies} vérifiés) ; attendu : une liste de messages dans l’un d’eux.',
  har_other_formats:
    'Des corps de requête d’un autre format ont été ignorés ({count} : {labels}) ; choisissez ce format pour les lire.',
  other_formats:
    'Des conversations d’un autre format ont été ignorées ({count} : {labels}) ; choisissez ce format pour les lire.',
  other_lines:
    'La ligne {line} a des résultats d’outil d’un autre format ({label}), et rien n’en a été lu ; ouvrez chaque format séparément.',
  unread_tools:
    '{path} nomme un outil, mais aucun appel ni résultat n’a été trouvé ; attendu : des appels et des résultats dans la forme du format affiché. Un autre format peut les lire.',
  wrong_type: '{path} est {found} ; attendu : {expected}.',
  not_this_format: 'C’est {found}, et non du {label} ; attendu : {expected}.',
  bad_line: 'La ligne {line} n’est pas du JSON ({reason}) ; elle a été ignorée.',
  skipped_message: '{path} est {found}, et non un message ; il a été ignoré.',
  not_utf8:
    'Le fichier n’est pas du texte UTF-8 : l’octet {offset} est {found}. Enregistrez-le en UTF-8 et rouvrez-le.',
  utf16:
    'Le fichier est du texte {found} ; attendu : UTF-8. Enregistrez-le en UTF-8 et rouvrez-le.',
  other_file: 'Le fichier est {kind} ; attendu : JSON ou JSON Lines.',
  binary:
    'Le fichier n’est pas du texte : l’octet {offset} est nul ; attendu : JSON ou JSON Lines.',
  empty_file: 'Le fichier est vide ; attendu : une conversation en JSON ou JSON Lines.',
  reader_failed:
    'Ce programme a échoué en lisant le texte. C’est un bogue du programme ; lire le texte dans un autre format peut marcher.',
  unreadable_file: 'Le fichier n’a pas pu être lu : {reason}',
  archive_cut:
    'L’archive {kind} finit après {bytes} octets, avant {missing} ; attendu : l’archive entière. Elle semble coupée.',
  archive_broken: 'L’archive {kind} est abîmée : {found} ; attendu : {expected}.',
  archive_member_broken: '{member} de l’archive {kind} est abîmé : {found} ; attendu : {expected}.',
  archive_member_method:
    '{member} de l’archive zip est compressé par {method} ; attendu : stored, deflate ou zstd.',
  archive_member_encrypted:
    '{member} de l’archive zip est chiffré ; attendu : une archive sans mot de passe.',
  archive_large:
    '{member} dépasserait la limite de {limit} Mo pour les fichiers décompressés. Décompressez l’archive et ouvrez le fichier seul.',
  archive_many: '{name} a plus de {limit} fichiers ; seuls les {limit} premiers sont listés.',
  archive_deep: '{member} est dans plus de {limit} archives imbriquées ; il en faut moins.',
  parquet_columns: 'Le fichier Parquet a les colonnes {columns} ; attendu : l’une de {expected}.',
  parquet_encrypted: 'Le fichier Parquet est chiffré ; attendu : un fichier qui ne l’est pas.',
  parquet_rows: '{name} a {rows} lignes ; seules les {count} premières sont listées.',
  parquet_empty: 'Le fichier Parquet n’a pas de ligne ; attendu : une transcription par ligne.',
  archive_empty: 'L’archive {kind} ne contient aucun fichier ; attendu : une transcription.',
}
