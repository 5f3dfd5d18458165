import type { PhraseTable } from '../phrases'

/** Comments of exports, without their marks. None may contain what ends a comment. */
export const COMMENT_PHRASES: PhraseTable = {
  // How to install and where to save.
  'For Kimi Proxy: replace the tables of these names in its config.toml, then restart it.':
    'Pour Kimi Proxy : remplacez les tables du même nom dans son config.toml, puis redémarrez-le.',
  'Programs that read such a file: the proxy and the commands of the playground (--config FILE).':
    'Programmes qui lisent un tel fichier : le proxy et les commandes du playground (--config FICHIER).',
  'Save as mask.ts beside your agent; call mask(messages) before each request.':
    'À enregistrer sous mask.ts à côté de votre agent ; appelez mask(messages) avant chaque requête.',
  'Save as masking-fetch.ts beside your agent, and give it to its client:':
    'À enregistrer sous masking-fetch.ts à côté de votre agent, et à donner à son client :',
  'new OpenAI({ fetch: maskingFetch }), new Anthropic({ fetch: maskingFetch }), or a provider of the AI SDK.':
    'new OpenAI({ fetch: maskingFetch }), new Anthropic({ fetch: maskingFetch }), ou un fournisseur de l’AI SDK.',
  'Save as policy.toml beside it, and start the proxy with the address of your provider:':
    'À enregistrer sous policy.toml à côté, puis lancez le proxy avec l’adresse de votre fournisseur :',
  'Your client then gets {address} as its base URL.':
    'Votre client reçoit alors {address} comme URL de base.',
  'Settings with their default are left out.': 'Les réglages à leur valeur par défaut sont omis.',
  'Save as context-management.ts beside your agent; the line below says where it goes.':
    'À enregistrer sous context-management.ts à côté de votre agent ; la ligne ci-dessous dit où il va.',
  'Save as observation-masking.ts beside your agent; the line below says where it goes.':
    'À enregistrer sous observation-masking.ts à côté de votre agent ; la ligne ci-dessous dit où il va.',
  'Save as mask-old-tool-results.ts beside your agent; the line below says where it goes.':
    'À enregistrer sous mask-old-tool-results.ts à côté de votre agent ; la ligne ci-dessous dit où il va.',
  'Install SWE-agent: https://swe-agent.com/latest/installation/source/':
    'Installer SWE-agent : https://swe-agent.com/latest/installation/source/',
  'Save as swe-agent.yaml; add it to your configuration: sweagent run --config config/default.yaml --config swe-agent.yaml':
    'À enregistrer sous swe-agent.yaml ; ajoutez-le à votre configuration : sweagent run --config config/default.yaml --config swe-agent.yaml',
  'Install OpenHands 0.x: pip install openhands-ai':
    'Installer OpenHands 0.x : pip install openhands-ai',
  'Put this table into the config.toml in the folder where you start OpenHands.':
    'Mettez cette table dans le config.toml du dossier où vous lancez OpenHands.',
  'Spread it into each request: client.beta.messages.create({ ...contextManagement, model, max_tokens, messages })':
    'À inclure dans chaque requête : client.beta.messages.create({ ...contextManagement, model, max_tokens, messages })',
  // Settings.
  'Replace old tool results with a short placeholder. false sends everything unchanged.':
    'Remplacer les anciens résultats d’outil par un court placeholder. false envoie tout inchangé.',
  'Results of the last N tool turns are kept. 0 masks nothing.':
    'Les résultats des N derniers tours sont gardés. 0 ne masque rien.',
  'Keep old results that look like errors.':
    'Garder les anciens résultats qui ressemblent à des erreurs.',
  'Keep the last K results of each tool, however old. 0 is off.':
    'Garder les K derniers résultats de chaque outil, quel que soit leur âge. 0 désactive.',
  'Text that replaces a result. Variables: {variables}':
    'Texte qui remplace un résultat. Variables : {variables}',
  'Beyond Schema 1: other implementations may not support these.':
    'Au-delà du Schéma 1 : d’autres implémentations peuvent ne pas les connaître.',
  'The window moves once every N turns, so that a cached prefix stays valid longer.':
    'La fenêtre avance tous les N tours, pour qu’un préfixe en cache reste valable plus longtemps.',
  'Also mask results that are lists of text parts only.':
    'Masquer aussi les résultats qui ne sont que des listes de parties de texte.',
  'Results of these tools are never masked.': 'Les résultats de ces outils ne sont jamais masqués.',
  'Do not mask a result unless its placeholder has fewer tokens.':
    'Ne masquer un résultat que si son placeholder a moins de tokens.',
  'Mask only requests of at least N tokens. 0 masks all.':
    'Ne masquer que les requêtes d’au moins N tokens. 0 les masque toutes.',
  'What counts as an error for keep_errors.': 'Ce qui compte comme une erreur pour keep_errors.',
  'Texts that count as an error too, in either case.':
    'Textes qui comptent aussi comme une erreur, en majuscules ou minuscules.',
  'Also mask results without ids, linked to calls without ids by tool name and order.':
    'Masquer aussi les résultats sans identifiant, reliés aux appels sans identifiant par le nom de l’outil et l’ordre.',
  'Events: about two for each tool call.': 'Événements : environ deux par appel d’outil.',
  // TypeScript.
  'Masks old tool results in /chat/completions messages.':
    'Masque les anciens résultats d’outil de messages /chat/completions.',
  'A fetch that masks old tool results, and sends every other request as it is.':
    'Un fetch qui masque les anciens résultats d’outil, et envoie toute autre requête telle quelle.',
  'Masking is off: requests stay as they are.':
    'Le masquage est désactivé : les requêtes restent telles quelles.',
  'Masking is off: the history is unchanged.':
    'Le masquage est désactivé : l’historique est inchangé.',
  'Masking is off.': 'Le masquage est désactivé.',
  // Python.
  'Masks old tool results in OpenAI chat messages; everything else stays.':
    'Masque les anciens résultats d’outil de messages de chat OpenAI ; le reste est inchangé.',
  'Save as observation_masking.py beside your agent. Python 3.9 or later, no packages.':
    'À enregistrer sous observation_masking.py à côté de votre agent. Python 3.9 ou ultérieur, sans dépendance.',
  'For the example: pip install {packages}': 'Pour l’exemple : pip install {packages}',
  'your history: keep it as it is, and mask what you send':
    'votre historique : gardez-le tel quel, et masquez ce que vous envoyez',
  'this policy needs token counts': 'cette politique a besoin du compte des tokens',
  'Roll back with "enabled": False in POLICY: the messages are then sent unchanged.':
    'Pour revenir en arrière : "enabled": False dans POLICY ; les messages sont alors envoyés inchangés.',
  'Masks old tool results in every request of a LiteLLM proxy; everything else stays.':
    'Masque les anciens résultats d’outil de chaque requête d’un proxy LiteLLM ; le reste est inchangé.',
  'Install: pip install "litellm[proxy]"': 'Installer : pip install "litellm[proxy]"',
  'Save as observation_masking_litellm.py beside config.yaml, and add to that:':
    'À enregistrer sous observation_masking_litellm.py à côté de config.yaml, et ajoutez à celui-ci :',
  'Start: litellm --config config.yaml': 'Lancer : litellm --config config.yaml',
  'Roll back with "enabled": False in POLICY.':
    'Pour revenir en arrière : "enabled": False dans POLICY.',
  'Masks before the request is sent; a failure is logged, and the request is sent as it is.':
    'Masque avant l’envoi de la requête ; un échec est journalisé, et la requête part telle quelle.',
  'Returns the messages with old tool results replaced by placeholders.':
    'Renvoie les messages avec les anciens résultats d’outil remplacés par des placeholders.',
  'Only the content of masked results differs; the input is not changed. The same list is':
    'Seul le contenu des résultats masqués diffère ; l’entrée n’est pas changée. La même liste est',
  'returned if masking is off, otherwise a new one of the same length and order. Settings that the dict policy does':
    'renvoyée si le masquage est désactivé, sinon une nouvelle, de même longueur et dans le même ordre. Les réglages absents du',
  'not have are those of POLICY. count_tokens(text) is needed for never_grow, trigger_tokens and {original_tokens}.':
    'dict policy sont ceux de POLICY. never_grow, trigger_tokens et {original_tokens} exigent count_tokens(text).',
  'The decision for each tool result, in order: index of its message, reason, and placeholder or None.':
    'La décision pour chaque résultat d’outil, dans l’ordre : indice de son message, raison, et placeholder ou None.',
  'A result, linked to its call: its turn, its name and its members. The key is its id, or what links it instead.':
    'Un résultat, relié à son appel : son tour, son nom et ses membres. La clé est son id, ou ce qui le relie à défaut.',
  'Cut before white space is replaced: arguments can be megabytes long.':
    'Coupé avant de remplacer les espaces : les arguments peuvent faire des mégaoctets.',
  'The results of the messages, and the number of turns: assistant messages with a call that has an id.':
    'Les résultats des messages, et le nombre de tours : les messages de l’assistant dont un appel a un id.',
  'A call without a name leaves the name that an earlier call gave the id.':
    'Un appel sans nom laisse à l’id le nom qu’un appel antérieur lui a donné.',
  'The same for messages without ids: a result answers the first open call of its tool, or else the first one.':
    'De même pour des messages sans ids : un résultat répond au premier appel ouvert de son outil, à défaut au premier.',
  'True if the text is the placeholder of this call, with any numbers and any first line.':
    'True si le texte est le placeholder de cet appel, avec n’importe quels nombres et première ligne.',
  'Tests a text with A to Z in lower case, or the text as it is.':
    'Teste un texte avec A à Z en minuscules, ou le texte tel quel.',
  'Chat messages have no flag of their own.': 'Les messages de chat n’ont pas de marque propre.',
  'True for a JSON object that has a key "error", or whose status is "error".':
    'True pour un objet JSON qui a une clé "error", ou dont le status est "error".',
  'The strings of an object by key, None for other values; None if the text is not JSON. For any depth.':
    'Les chaînes d’un objet par clé, None pour les autres valeurs ; None si le texte n’est pas du JSON. À toute profondeur.',
  'Tokens of a request with these messages: those of its texts, and estimates of what is around them.':
    'Tokens d’une requête avec ces messages : ceux de ses textes, et une estimation de ce qui les entoure.',
  'The members of a dict, or of an object of the openai package; other values have none.':
    'Les membres d’un dict, ou d’un objet du paquet openai ; les autres valeurs n’en ont pas.',
  'The calls of a message, and its older form of one call, which has no id.':
    'Les appels d’un message, et sa forme plus ancienne d’un seul appel, sans id.',
  'The texts of a content; a part with a text counts unless it is an image or a file too.':
    'Les textes d’un contenu ; une partie avec un texte compte, sauf si elle est aussi une image ou un fichier.',
  'The arguments of a call as text: a string unchanged, any other value as JSON.':
    'Les arguments d’un appel en texte : une chaîne inchangée, toute autre valeur en JSON.',
  'Compact JSON with the numbers, the order of keys and the escapes of JavaScript.':
    'JSON compact avec les nombres, l’ordre des clés et les échappements de JavaScript.',
  'Its texts as code units; None if it has other parts, or no text.':
    'Ses textes en unités de code ; None s’il a d’autres parties, ou pas de texte.',
  'A text as UTF-16 code units, one character each.':
    'Un texte en unités de code UTF-16, un caractère chacune.',
  'A text as code points: the reverse of _units.':
    'Un texte en points de code : l’inverse de _units.',
  'A text with A to Z in lower case; no other letter changes.':
    'Un texte avec A à Z en minuscules ; aucune autre lettre ne change.',
}
