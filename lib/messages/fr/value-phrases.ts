import type { PhraseTable } from '../phrases'

/** What readers found and what they expected, in the sentences about bad input. */
export const VALUE_PHRASES: PhraseTable = {
  // What was found.
  missing: 'absent',
  'an empty list': 'une liste vide',
  'a list of 1 item': 'une liste d’un élément',
  'a list of {n} items': 'une liste de {n} éléments',
  'an empty object': 'un objet vide',
  'an object with {keys}': 'un objet avec {keys}',
  'an empty text': 'un texte vide',
  'a text': 'un texte',
  'a number': 'un nombre',
  'JSON Lines, the first {found}': 'du JSON Lines, dont la première ligne est {found}',
  'a HAR file, JSON bodies: {n}': 'un fichier HAR, corps JSON : {n}',
  'a Codex session in which nothing was sent': 'une session Codex où rien n’a été envoyé',
  'cURL command': 'une commande cURL',
  'fetch call': 'un appel à fetch',
  // Where.
  'the document': 'le document',
  'the array opened on line {n}': 'le tableau ouvert à la ligne {n}',
  'the object opened on line {n}': 'l’objet ouvert à la ligne {n}',
  'the array': 'le tableau',
  'the object': 'l’objet',
  'line {n}': 'ligne {n}',
  'line {n}: {place}': 'ligne {n} : {place}',
  'line {n}, {place}': 'ligne {n}, {place}',
  'The session file': 'Le fichier de session',
  // JSON.
  'a string without its closing quote': 'une chaîne sans guillemet fermant',
  'a number that stops early': 'un nombre incomplet',
  'a \\u that four hexadecimal digits do not follow':
    'un \\u qui n’est pas suivi de quatre chiffres hexadécimaux',
  'a backslash before a character that needs none':
    'une barre oblique inverse devant un caractère qui n’en demande pas',
  'a control character inside a string': 'un caractère de contrôle dans une chaîne',
  'a comma': 'une virgule',
  'a colon': 'un deux-points',
  'a comment': 'un commentaire',
  'the character {code}': 'le caractère {code}',
  'a value': 'une valeur',
  'a value or ]': 'une valeur ou ]',
  'a property name in double quotes': 'un nom de propriété entre guillemets doubles',
  'a property name in double quotes or }': 'un nom de propriété entre guillemets doubles ou }',
  'a colon after the property name': 'un deux-points après le nom de propriété',
  'a comma or ]': 'une virgule ou ]',
  'a comma or }': 'une virgule ou }',
  'the end of the text': 'la fin du texte',
  'the rest of a string': 'le reste d’une chaîne',
  'it ends at column {n}, inside {inside}': 'elle finit à la colonne {n}, dans {inside}',
  'column {n}: found {found}; expected {expected}':
    'colonne {n} : {found} ne convient pas ici ; attendu : {expected}',
  'nested too deep': 'trop d’imbrications',
  // Files.
  '{found}, a character cut off by the end': '{found}, un caractère coupé par la fin',
  'a zip archive': 'une archive zip',
  'a gzip archive': 'une archive gzip',
  'a zstd archive': 'une archive zstd',
  'a PNG image': 'une image PNG',
  'a JPEG image': 'une image JPEG',
  'a PDF document': 'un document PDF',
  'an SQLite database': 'une base de données SQLite',
  'UTF-16 (little endian)': 'UTF-16 (petit-boutiste)',
  'UTF-16 (big endian)': 'UTF-16 (gros-boutiste)',
  'the end of its data': 'la fin de ses données',
  'the directory at its end': 'le répertoire à sa fin',
  'the checksum before byte {n} does not match':
    'la somme de contrôle avant l’octet {n} ne correspond pas',
  'an undamaged file': 'un fichier intact',
  'the data its directory describes': 'les données que son répertoire décrit',
  'a directory of files': 'un répertoire de fichiers',
  '{method} ({n})': '{method} ({n})',
  'an unknown method': 'une méthode inconnue',
  'It is neither a file nor a folder.': 'Ce n’est ni un fichier ni un dossier.',
  // Expected by the formats.
  'a list of messages, objects with a "role", whose tool results have the role "tool"':
    'une liste de messages, des objets avec un "role", dont les résultats d’outil ont le rôle "tool"',
  'a list of messages, objects with a "role"': 'une liste de messages, des objets avec un "role"',
  'a list of messages, objects with a "role" and a list of blocks as "content", whose tool results are blocks of type "tool_result"':
    'une liste de messages, des objets avec un "role" et une liste de blocs comme "content", dont les résultats d’outil sont des blocs de type "tool_result"',
  'a list of messages, objects with a "role" and a list of blocks as "content", with "toolUse" and "toolResult" blocks':
    'une liste de messages, des objets avec un "role" et une liste de blocs comme "content", avec des blocs "toolUse" et "toolResult"',
  'a list of messages, objects with an "info" that has a "role" and a list of "parts"':
    'une liste de messages, des objets avec un "info" qui a un "role", et une liste "parts"',
  'a list of messages with "tool-call" and "tool-result" parts, or with "parts" for a page':
    'une liste de messages avec des parties "tool-call" et "tool-result", ou avec des "parts" pour une page',
  'a list of messages with "toolRequest" and "toolResponse" parts':
    'une liste de messages avec des parties "toolRequest" et "toolResponse"',
  'a list of messages with "lc": 1, or with a "type" of "human", "ai", "tool" or "system" and their fields beside it or in "data"':
    'une liste de messages avec "lc": 1, ou avec un "type" "human", "ai", "tool" ou "system" et leurs champs à côté ou dans "data"',
  'a list of messages with "kind" and "parts", whose parts have a "part_kind"':
    'une liste de messages avec "kind" et "parts", dont les parties ont un "part_kind"',
  'a list of messages, objects with a "type"': 'une liste de messages, des objets avec un "type"',
  'a list of messages, objects with "parts"': 'une liste de messages, des objets avec des "parts"',
  'a list of messages, as requests to a model have, in at least one observation':
    'une liste de messages, comme les requêtes à un modèle en ont, dans au moins une observation',
  'a list of messages, as JSON': 'une liste de messages, en JSON',
  'a list of items, objects with a "type" such as "function_call" and "function_call_output", as in the "input" of a request':
    'une liste d’éléments, des objets avec un "type" comme "function_call" et "function_call_output", comme dans l’"input" d’une requête',
  'a list of contents, objects with a "role" of "user" or "model" and "parts"':
    'une liste de contenus, des objets avec un "role" "user" ou "model" et des "parts"',
  'a list of events with "action" and "args", "observation" and "content", or the "kind" of an event':
    'une liste d’événements avec "action" et "args", "observation" et "content", ou le "kind" d’un événement',
  'lists of messages with "from" and "value", with the role "ai" and "text", or with calls as <function=…> or code blocks':
    'des listes de messages avec "from" et "value", avec le rôle "ai" et "text", ou avec des appels écrits <function=…> ou en blocs de code',
  'lines of type "{one}" and "{other}"': 'des lignes de type "{one}" et "{other}"',
  'lines of type "user" and "assistant" with a "message" each':
    'des lignes de type "user" et "assistant" avec chacune un "message"',
  'lines of type "response_item" with an item of the Responses API in "payload"':
    'des lignes de type "response_item" avec un élément de l’API Responses dans "payload"',
  'lines of type "message" with a "message" each, after a line of type "session"':
    'des lignes de type "message" avec chacune un "message", après une ligne de type "session"',
  'lines with a "uuid" each, and a "message" with "parts"':
    'des lignes avec chacune un "uuid" et un "message" avec des "parts"',
  'lines of events of types such as "assistant.message", each with its "data"':
    'des lignes d’événements de types comme "assistant.message", chacun avec son "data"',
  'a trace with "observations", objects with a "type", "traceId" and "startTime"':
    'une trace avec "observations", des objets avec "type", "traceId" et "startTime"',
  'a trajectory with a list of "steps" that have a "step_id" and a "source"':
    'une trajectoire avec une liste "steps", dont les étapes ont un "step_id" et une "source"',
  'a .traj with "trajectory" and "history", or a list of messages with "tool_call_ids", "action" or bash blocks':
    'un .traj avec "trajectory" et "history", ou une liste de messages avec "tool_call_ids", "action" ou des blocs bash',
  'spans with attributes of the GenAI conventions, such as "gen_ai.input.messages"':
    'des spans avec des attributs des conventions GenAI, comme "gen_ai.input.messages"',
  'an object with a "$schemaVersion" and "generated_items"':
    'un objet avec un "$schemaVersion" et "generated_items"',
  'an object with a "responderUsername" and a list of "requests"':
    'un objet avec un "responderUsername" et une liste "requests"',
  'a log with "eval" and "samples", or a sample with "messages" and "epoch"':
    'un journal avec "eval" et "samples", ou un sample avec "messages" et "epoch"',
  'the messages of a request, recorded where the capturing of content is on':
    'les messages d’une requête, enregistrés quand la capture du contenu est activée',
  'the messages of a sample; summaries and scores of samples have none':
    'les messages d’un sample ; les résumés et les scores n’en ont pas',
  'a list of samples; the header of a log has none':
    'une liste de samples ; l’en-tête d’un journal n’en a pas',
  // What ends a streamed answer.
  'the event "{name}"': 'l’événement "{name}"',
  'a "finish_reason"': 'un "finish_reason"',
  'a "finishReason"': 'un "finishReason"',
}
