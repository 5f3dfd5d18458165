import type { PhraseTable } from '../phrases'

/** What was wrong in links, session files and configs; rules of caches; what the worker and libraries say. */
export const SETTING_PHRASES: PhraseTable = {
  'Line {n}: {reason}': 'Ligne {n} : {reason}',
  '{name} is {value}; expected {least} to {most}, of which {nearest} is nearest.':
    '{name} est {value} ; attendu : de {least} à {most}, dont {nearest} est le plus proche.',
  '{name} has {n} {items}; expected at most {most}, of 1 to {length} characters each. The others are left out.':
    '{name} a {n} {items} ; attendu : au plus {most}, de 1 à {length} caractères chacun. Les autres sont omis.',
  '{name} names {unknown}; known are {known}.': '{name} nomme {unknown} ; sont connus : {known}.',
  'true or false': 'true ou false',
  'a whole number from {least} to {most}': 'un nombre entier de {least} à {most}',
  'a text of {n} characters': 'un texte de {n} caractères',
  'at most {n}': 'au plus {n}',
  'a list of tool names': 'une liste de noms d’outils',
  'a list of texts': 'une liste de textes',
  'tool names': 'noms d’outils',
  texts: 'textes',
  'a date': 'une date',
  'a list': 'une liste',
  'a table': 'une table',
  'a list of {options}': 'une liste parmi {options}',
  '{value} is a value; expected a table of settings.':
    '{value} est une valeur ; attendu : une table de réglages.',
  '[{table}] has no setting {key}; known are {known}.':
    '[{table}] n’a pas de réglage {key} ; sont connus : {known}.',
  'There is no table [{table}] in it.': 'Il n’y a pas de table [{table}] dedans.',
  'Line {n}, column {m}: not TOML ({reason}).':
    'Ligne {n}, colonne {m} : ce n’est pas du TOML ({reason}).',
  'The table [{table}] is written in a way that is not edited here (inline or dotted); put the table below in its place by hand.':
    'La table [{table}] est écrite d’une façon qui n’est pas modifiée ici (en ligne ou à points) ; mettez à la main la table ci-dessous à sa place.',
  // Links.
  '{found} cannot be read: its % signs are damaged.':
    '{found} ne peut pas être lu : ses signes % sont abîmés.',
  '{found} cannot be used; expected pairs such as w=8, joined by &.':
    '{found} est inutilisable ; attendu : des paires comme w=8, jointes par &.',
  '{found} cannot be passed on: a link has room for {n} unknown settings of {m} characters.':
    '{found} ne peut pas être transmis : un lien a la place pour {n} réglages inconnus de {m} caractères.',
  '{found} and {n} more': '{found} et {n} de plus',
  'one of {options}': 'l’un de {options}',
  'the number of a conversation, from 1': 'le numéro d’une conversation, à partir de 1',
  'a model such as openai/gpt-5: a provider and a name, or a name of {known}':
    'un modèle comme openai/gpt-5 : un fournisseur et un nom, ou un nom de {known}',
  // Session files.
  'the text of a transcript': 'le texte d’une transcription',
  'the id of a format, such as "openai-chat"': 'l’identifiant d’un format, comme "openai-chat"',
  'a name of at most {n} characters': 'un nom de {n} caractères au plus',
  'the id of a cache family': 'l’identifiant d’une famille de cache',
  'a whole number of tokens, 0 or more': 'un nombre entier de tokens, 0 ou plus',
  'dollars per million tokens, 0 or more': 'des dollars par million de tokens, 0 ou plus',
  // Cache rules and families of models.
  'No caching': 'Aucun cache',
  'Anthropic, from {n} tokens, {time}': 'Anthropic, à partir de {n} tokens, {time}',
  '{time}, reads at {share}': '{time}, lectures à {share}',
  'five minutes': 'cinq minutes',
  'one hour': 'une heure',
  '{model}, five minutes': '{model}, cinq minutes',
  '{model}, one hour': '{model}, une heure',
  '{model} and later': '{model} et suivants',
  'OpenAI GPT-5 to GPT-5.5': 'OpenAI GPT-5 à GPT-5.5',
  'DeepSeek before V4': 'DeepSeek avant V4',
  'Kimi K2.5 to K2.8': 'Kimi K2.5 à K2.8',
  'Mistral, with prompt_cache_key': 'Mistral, avec prompt_cache_key',
  'MiniMax M2 to M2.5': 'MiniMax M2 à M2.5',
  'Qwen, implicit cache': 'Qwen, cache implicite',
  'Qwen, explicit cache': 'Qwen, cache explicite',
  'other models': 'autres modèles',
  'GPT-4o, 4.1, o-series': 'GPT-4o, 4.1, série o',
  'measured on sessions of Claude 4.5 and 4.6': 'mesuré sur des sessions de Claude 4.5 et 4.6',
  // The worker and the browser's storage.
  'it gave no sign of life for two minutes': 'aucun signe de vie pendant deux minutes',
  'it ended without an error, as when memory runs out':
    'fin sans erreur, comme quand la mémoire manque',
  'it could not be started': 'impossible de le démarrer',
  'It has no IndexedDB.': 'Il n’a pas IndexedDB.',
  // Libraries: the editor's JSON check, archives and JSON Schema.
  'Duplicate object key': 'Clé d’objet en double',
  'Colon expected': 'Deux-points attendu',
  'Comments are not permitted in JSON.': 'Les commentaires ne sont pas permis en JSON.',
  'End of file expected.': 'Fin du fichier attendue.',
  'Expected a JSON object, array or literal.': 'Objet, tableau ou valeur JSON attendus.',
  'Expected comma': 'Virgule attendue',
  'Expected comma or closing brace': 'Virgule ou accolade fermante attendue',
  'Expected comma or closing bracket': 'Virgule ou crochet fermant attendu',
  'Invalid characters in string. Control characters must be escaped.':
    'Caractères invalides dans une chaîne. Les caractères de contrôle doivent être échappés.',
  'Invalid escape character in string.': 'Échappement invalide dans une chaîne.',
  'Invalid number format.': 'Nombre mal formé.',
  'Invalid unicode sequence in string.': 'Séquence Unicode invalide dans une chaîne.',
  'Property expected': 'Propriété attendue',
  'Property keys must be doublequoted': 'Les clés doivent être entre guillemets doubles',
  'Trailing comma': 'Virgule finale',
  'Unexpected end of comment.': 'Fin inattendue d’un commentaire.',
  'Unexpected end of number.': 'Fin inattendue d’un nombre.',
  'Unexpected end of string.': 'Fin inattendue d’une chaîne.',
  'Value expected': 'Valeur attendue',
  'unexpected EOF': 'fin inattendue',
  'invalid block type': 'type de bloc invalide',
  'invalid distance': 'distance invalide',
  'invalid length/literal': 'longueur ou littéral invalide',
  'invalid zstd data': 'données zstd invalides',
  'Instance type "{found}" is invalid. Expected "{expected}".':
    'Le type "{found}" n’est pas valide. Attendu : "{expected}".',
  'Instance does not have required property "{key}".': 'La propriété requise "{key}" manque.',
  'Instance does not match any of {options}.': 'La valeur n’est aucune de {options}.',
  'Instance does not match any subschemas.': 'La valeur n’est conforme à aucun sous-schéma.',
  'Property "{key}" does not match additional properties schema.':
    'La propriété "{key}" n’est pas prévue par le schéma.',
  'False boolean schema.': 'Le schéma n’admet aucune valeur ici.',
  'String does not match pattern.': 'La chaîne n’est pas conforme au motif.',
  'String does not match format "{format}".': 'La chaîne n’est pas au format "{format}".',
  'String is too short ({n} < {m}).': 'La chaîne est trop courte ({n} < {m}).',
  'String is too long ({n} > {m}).': 'La chaîne est trop longue ({n} > {m}).',
  'Array has too few items ({n} < {m}).': 'Le tableau a trop peu d’éléments ({n} < {m}).',
  'Array has too many items ({n} > {m}).': 'Le tableau a trop d’éléments ({n} > {m}).',
  '{value} is less than {least}.': '{value} est inférieur à {least}.',
  '{value} is greater than {most}.': '{value} est supérieur à {most}.',
}
