import type { share as english } from '../en/share-messages'
import type { Translated } from '../translated'

export const share: Translated<typeof english> = {
  close: 'Fermer',
  link: {
    label: 'Lien avec les réglages',
    length: '{chars, number} caractères',
    carries: 'Pour faire essayer ces réglages : un lien vers cette page avec {parts}.',
    parts: {
      policy: 'la politique',
      model: 'le modèle',
      view: 'la vue',
      sample: 'l’exemple affiché',
      conversation: 'le numéro de la conversation',
      pinned: 'la politique A de la comparaison',
    },
    tools: 'Il nomme {n, plural, one {l’outil exclu} other {les # outils exclus}} par vous :',
    texts: 'Il contient {n, plural, one {votre texte} other {vos # textes}} d’erreur :',
    opens:
      'Le destinataire les voit sur sa propre transcription, ou sur un exemple ; la vôtre et ses chiffres n’y sont pas.',
    copy: 'Copier le lien',
  },
  exportButton: 'Exporter',
  exportHint: 'Configuration, JSON, code pour votre agent',
  export: {
    title: 'Exporter la politique',
    description: 'Prêt à l’emploi. Les réglages qu’un format n’a pas sont indiqués sous celui-ci.',
    targets: 'Cible',
    preview: 'Aperçu : {name}',
    copy: 'Copier',
    save: 'Enregistrer {name}',
    names: {
      toml: 'Configuration TOML',
      json: 'JSON',
      library: 'Bibliothèque',
      fetch: 'Enveloppe fetch',
      proxy: 'Proxy',
      command: 'Ligne de commande',
      python: 'Python',
      litellm: 'LiteLLM',
      anthropic: 'API Anthropic',
      langchain: 'LangChain',
      langgraph: 'LangGraph',
      ai_sdk: 'Vercel AI SDK',
      swe_agent: 'SWE-agent',
      openhands: 'OpenHands',
    },
    abouts: {
      toml: '[observation_masking.schema1] pour Kimi Proxy ; les extensions ont leur propre table.',
      json: 'La politique avec ses noms de champs publiés.',
      library: 'La fonction de ce projet, en TypeScript, pour des messages.',
      fetch: 'Un fetch pour les clients d’OpenAI et d’Anthropic et pour l’AI SDK.',
      proxy: 'La politique pour le proxy de ce projet, qui masque les requêtes de tout client.',
      command: 'La commande de ce projet ; elle écrit le document masqué.',
      python: 'Un module sans dépendance, pour Python 3.9 et suivants, avec cette politique.',
      litellm: 'Un hook du proxy LiteLLM, qui masque chaque requête.',
      anthropic:
        'context_management de l’API Messages : l’API masque elle-même les anciens résultats.',
      langchain: 'contextEditingMiddleware avec ClearToolUsesEdit, pour createAgent.',
      langgraph: 'preModelHook de createReactAgent, ou votre propre nœud.',
      ai_sdk: 'prepareStep de generateText et streamText.',
      swe_agent: 'Son processeur d’historique last_n_observations.',
      openhands: 'Le condenser observation_masking d’OpenHands 0.x.',
    },
    effect: {
      title: 'Effet sur cette conversation :',
      none: 'il ne masque aucun {all, plural, one {résultat : # en tout} other {des # résultats}}.',
      same: 'il masque {cleared, plural, one {le même résultat} other {les mêmes # résultats}} sur {all, number} que cette page.',
      other:
        'il masque {cleared, number} résultats sur {all, number} ; cette page en masque {masked, number}. {extra, plural, =0 {} one {# d’entre eux est gardé ici. } other {# d’entre eux sont gardés ici. }}{missing, plural, =0 {} one {Il ne masque pas # résultat masqué ici.} other {Il ne masque pas # résultats masqués ici.}}',
      unknown:
        'les résultats masqués dépendent de ses propres comptes, que cette page ne connaît pas.',
    },
    instead: 'Différences',
    notes: {
      exact: 'Il masque exactement les résultats que cette page masque.',
      off: 'Le masquage est désactivé : il n’y a rien à faire.',
      counts_results:
        'L’outil compte des résultats, pas des tours : il garde les {keep, number} derniers, le nombre dans votre fenêtre de {window, plural, one {# tour} other {# tours}} ici.',
      counts_calls:
        'L’outil compte des usages d’outil, pas des tours : il garde les {keep, number} derniers, le nombre dans votre fenêtre de {window, plural, one {# tour} other {# tours}} ici.',
      counts_steps:
        'L’outil compte des observations, une par étape ; plusieurs appels d’une étape comptent pour un.',
      counts_events:
        'L’outil compte des événements, pas des tours : une action en est un, son observation un autre. {events, number} événements font environ {window, plural, one {# tour} other {# tours}} ; les messages entre eux comptent aussi.',
      errors_cleared:
        'L’outil n’a pas de règle pour les erreurs : les anciennes erreurs sont masquées comme tout autre résultat.',
      no_last_k:
        'Il ne sait pas garder les {k, number} derniers de chaque outil : ils sont masqués une fois anciens.',
      no_exclude: 'Il ne sait pas exclure d’outils : leurs résultats sont masqués aussi.',
      tags_calls:
        'Il ne sait pas exclure d’outils : ses étiquettes d’outil portent sur les appels, pas sur les résultats ; les résultats des outils exclus sont donc masqués aussi.',
      clear_at_least:
        'Il ne sait pas avancer tous les {batch, number} tours : il ne masque que si cela retire au moins {tokens, number} tokens, à peu près ce que contiennent ici les résultats de {batch, number} tours.',
      no_batch:
        'Il avance à chaque nouveau résultat, et non tous les {batch, number} tours, et invalide à chaque fois le cache de prompt.',
      no_batch_cost:
        'Avancée à chaque tour, cette fenêtre coûte ici {every} d’entrée, avec cache ; tous les {batch, number} tours, {own}.',
      steps_elsewhere:
        'Il avance aussi tous les {batch, number} pas, mais à d’autres tours que cette page : il garde de {window, number} à {most, number} tours.',
      no_trigger:
        'Il n’a pas de taille minimale de requête de {tokens, number} tokens : il masque les requêtes de toute taille.',
      trigger_estimated:
        'Il estime la taille minimale de requête de {tokens, number} tokens à environ quatre caractères par token.',
      no_never_grow: 'Il masque aussi les résultats plus courts que leur placeholder.',
      tokens_estimated: 'Il estime les tokens à environ quatre caractères par token.',
      own_placeholder: 'Il utilise son propre placeholder, pas le vôtre.',
      plain_placeholder: 'Son placeholder est un texte fixe sans variables : « {placeholder} ».',
      parts_cleared:
        '{n, plural, =0 {Il masque aussi les résultats qui ne sont pas du texte simple.} one {Il masque aussi # résultat qui n’est pas du texte simple.} other {Il masque aussi # résultats qui ne sont pas du texte simple.}}',
      json_outputs:
        'Les résultats JSON comptent comme leur texte, tel que chat completions l’enverrait.',
      orphans_removed:
        '{n, plural, one {Il retire de la requête # résultat sans appel.} other {Il retire de la requête # résultats sans appel.}}',
      beta_header: 'L’API demande l’en-tête anthropic-beta : {header}.',
      needs_counter:
        'Cette politique a besoin du compte des tokens : passez count_tokens, comme dans l’exemple du module. Sans lui, le module lève une ValueError.',
      counts_of_model: 'Il compte les tokens avec le tokenizer de LiteLLM pour le modèle.',
      version_0: 'Pour les versions 0.x ; l’agent SDK plus récent n’a pas ce condenser.',
    },
    config: {
      title: 'Une configuration existante',
      open: 'Ouvrir un config.toml…',
      help: 'Applique la politique du fichier. La politique peut aussi être réécrite dans le fichier ; tout le reste y est inchangé.',
      applied: 'La politique de {name} s’applique maintenant.',
      problems:
        '{n, plural, one {Une de ses valeurs a été ignorée ou corrigée :} other {# de ses valeurs ont été ignorées ou corrigées :}}',
      failed: 'Aucune politique n’a été lue dans {name}.',
      whole: '{name} avec cette politique',
      forget: 'Oublier {name}',
    },
  },
  presets: {
    button: 'Préréglages',
    title: 'Préréglages',
    description:
      'Des points de départ. Un préréglage remplace toute la politique ; « Annuler » rétablit la vôtre.',
    use: 'Utiliser',
    useNamed: 'Utiliser {name}',
    inUse: 'Utilisé',
    source: 'Source',
    sourceOf: 'Source de {name}',
    read: 'lu en novembre 2026',
    fromProject: 'De ce projet',
    needsTurns:
      'Ouvrez d’abord une conversation avec des appels d’outil : le préréglage est converti en tours de cette conversation.',
    facts: {
      window: '{n, plural, one {# tour} other {# tours}}',
      longer:
        '{n, plural, one {# tour} other {# tours}}, plus que les {turns, number} de cette conversation',
      batch: 'avancée tous les {n, number}',
      errors: 'erreurs gardées',
      noErrors: 'erreurs masquées',
      trigger: 'à partir de {n} tokens',
      growth: 'placeholders plus longs écartés',
    },
    names: {
      schema1: 'Schéma 1',
      tight: 'Serré',
      cache_friendly: 'Économe en cache',
      complexity_trap: 'The Complexity Trap',
      swe_agent: 'SWE-agent',
      openhands: 'OpenHands',
      anthropic: 'Anthropic',
      langchain: 'LangChain',
      gemini_cli: 'Gemini CLI',
      opencode: 'OpenCode',
    },
    notes: {
      schema1: 'Les valeurs par défaut du Schéma 1, masquage activé.',
      tight:
        'Peu de tours, pour les agents qui utilisent un résultat aussitôt et passent à la suite.',
      cache_friendly:
        'La fenêtre par défaut, avancée tous les 16 tours, pour que le cache reste valable entre-temps.',
      complexity_trap:
        'La fenêtre de 10 tours que l’article a mesurée sur SWE-bench Verified. L’article utilisait le placeholder de SWE-agent et des exécutions de 250 tours au plus.',
      swe_agent:
        'last_n_observations avec n = 5, d’après l’article d’origine. L’outil compte des observations, une par étape. Non repris : les étiquettes qui gardent ou retirent des observations, et son placeholder, qui compte des lignes.',
      openhands:
        'attention_window = 100 compte des événements. Une action et son observation en font deux, soit 50 tours d’un appel chacun. OpenHands compte aussi les messages entre eux ; cette page non.',
      anthropic:
        'keep = 3 usages d’outil à partir de 100 000 tokens d’entrée. Trois tours ne valent trois usages que si chaque tour a un seul appel. L’API utilise son propre placeholder.',
      langchain:
        'ClearToolUsesEdit avec keep = 3 et trigger = 100 000 tokens. L’outil compte des résultats. Il estime les tokens ; cette page les compte.',
      gemini_cli:
        'Garde les 50 000 derniers tokens de résultats d’outil et masque les plus anciens dès qu’ils atteignent 30 000 tokens. La conversion en tours ne vaut que pour cette conversation. Non repris : l’extrait dans son placeholder.',
      opencode:
        'Garde les 40 000 derniers tokens de résultats d’outil et efface les plus anciens dès qu’ils atteignent 20 000 tokens, sauf les erreurs et l’outil skill. La conversion en tours ne vaut que pour cette conversation. Non repris : il garde toujours les deux derniers tours de l’utilisateur.',
    },
  },
  compare: {
    start: 'Comparer',
    startTip: 'Fige la politique actuelle comme A ; vos modifications forment B.',
    end: 'Finir la comparaison',
    swap: 'Échanger A et B',
    label: 'Comparaison de deux politiques',
    same: 'A est la politique actuelle. Modifiez un réglage pour obtenir B.',
    change: '{label} {a} → {b}',
    changeOther: '{label} : changé',
    request: 'Requête suivante',
    plain: 'Session, sans cache',
    cached: 'Session, avec cache',
    cachedUnknown: 'Session, cache inconnu',
    tokens: '{n} tokens',
    unknown: '–',
    differing:
      '{n, plural, =0 {Aucune décision changée} one {# décision changée} other {# décisions changées}}',
    listTitle: 'Décisions changées',
    orphan: 'orphelin',
    turn: 'tour {turn, number}',
    noTool: 'outil sans nom',
    masked: 'masqué',
    kept: 'gardé',
    otherText: 'masqué, texte différent',
    goTo: 'Afficher le tour {turn, number}, {tool}',
    goToOrphan: 'Afficher le résultat orphelin de {tool}',
    rest: '{n, plural, one {# de plus, non listée} other {# de plus, non listées}}',
  },
  transcriptButton: 'Avec la transcription…',
  transcriptHint: 'Un lien qui contient la transcription, après une recherche de secrets',
  fixtureButton: 'Enregistrer un cas de test',
  fixtureHint:
    'Cas de test pour d’autres implémentations : entrée, politique, sortie attendue et décisions, en zip',
  fixtureName: '{stem}.fixture.zip',
  transcript: {
    title: 'Un lien avec la transcription',
    description:
      'La transcription suit le #, que les navigateurs n’envoient pas aux serveurs. Quiconque a le lien peut la lire en entier.',
    scan: 'Chercher des secrets',
    scanning: 'Recherche de secrets…',
    scanningAgain: 'Nouvelle recherche dans le texte caviardé…',
    remaining:
      'Une seconde recherche trouve encore {n, plural, one {un secret possible} other {# secrets possibles}} après caviardage : la transcription ne peut pas être partagée.',
    tooLong: 'La transcription a {chars, number} millions de caractères, trop pour un lien.',
    none: 'La recherche n’a trouvé ni clé, ni jeton, ni mot de passe dans une URL, ni adresse e-mail.',
    noneHint: 'Ce n’est pas une garantie : relisez la transcription avant de l’envoyer.',
    found: '{n, plural, one {Un secret possible :} other {# secrets possibles :}}',
    places: '{n, plural, one {une occurrence} other {# occurrences}}',
    rest: 'En afficher {n, number} de plus',
    redactAll: 'Tout caviarder',
    redactNone: 'Ne rien caviarder',
    redactHint:
      'Les secrets cochés sont caviardés : un même secret reçoit le même remplacement, et le masquage donne le même résultat. Le texte de cette page ne change pas.',
    sendAll: 'Non caviardé.',
    sendSome:
      '{n, plural, one {# non caviardé sur {all, number}.} other {# non caviardés sur {all, number}.}}',
    length: '{chars, number} caractères',
    fits: 'Assez court pour les messageries instantanées, qui coupent les liens vers 2 000 caractères.',
    mail: 'Plus long que les 2 000 caractères où les messageries instantanées coupent les liens ; les documents, les e-mails et la barre d’adresse l’acceptent.',
    long: 'Les messageries peuvent le couper. Le fichier s’ouvre ici avec le même contenu.',
    refused:
      'Les navigateurs gèrent mal les liens de plus de 32 000 caractères, aucun lien n’a donc été fait. Envoyez plutôt un fichier : il s’ouvre ici avec le même contenu.',
    copy: 'Copier le lien avec la transcription',
    save: 'Enregistrer {name}',
    kinds: {
      anthropic: 'clé Anthropic',
      openai: 'clé de type OpenAI',
      google: 'clé d’API Google',
      aws: 'clé d’accès AWS',
      github: 'jeton GitHub',
      stripe: 'clé Stripe',
      xai: 'clé xAI',
      groq: 'clé Groq',
      huggingface: 'jeton Hugging Face',
      langsmith: 'clé LangSmith',
      nvidia: 'clé NVIDIA',
      perplexity: 'clé Perplexity',
      replicate: 'jeton Replicate',
      tavily: 'clé Tavily',
      fireworks: 'clé Fireworks',
      pypi: 'jeton PyPI',
      digitalocean: 'jeton DigitalOcean',
      twilio: 'clé Twilio',
      telegram: 'jeton de bot Telegram',
      notion: 'jeton Notion',
      supabase: 'jeton Supabase',
      atlassian: 'jeton Atlassian',
      sentry: 'jeton Sentry',
      azure: 'clé ou jeton Azure',
      discord: 'jeton Discord',
      vercel: 'jeton Vercel',
      mailgun: 'clé Mailgun',
      age: 'clé secrète age',
      doppler: 'jeton Doppler',
      cookie: 'cookie',
      jwt: 'JSON Web Token',
      bearer: 'jeton bearer',
      basic: 'nom et mot de passe dans un en-tête',
      assigned: 'mot de passe ou clé affectés',
      private_key: 'clé privée',
      url_password: 'mot de passe dans une URL',
      email: 'adresse e-mail',
      'database-connection-string': 'URL de base de données avec mot de passe',
      basicauth: 'mot de passe dans une URL',
      privatekey: 'clé privée',
    },
    otherKind: 'identifiants {provider}',
  },
}
