import type { cost as english } from '../en/cost-messages'
import type { Translated } from '../translated'

export const cost: Translated<typeof english> = {
  chart: {
    label: 'Coût de la session selon la fenêtre',
    axis: 'Valeur affichée',
    axes: { cached: 'coût, avec cache', plain: 'coût, sans cache', tokens: 'tokens' },
    axisNotes: {
      cached: 'Coût d’entrée en dollars avec le cache de ce modèle',
      cachedUnknown: 'Coût d’entrée en dollars ; le cache de ce modèle est inconnu',
      plain: 'Coût d’entrée en dollars sans cache',
      tokens: 'Tokens d’entrée de toutes les requêtes',
    },
    described: {
      cached: 'Coût de la session avec cache, selon la fenêtre',
      cachedUnknown: 'Coût de la session, cache inconnu, selon la fenêtre',
      plain: 'Coût de la session sans cache, selon la fenêtre',
      tokens: 'Tokens de la session, selon la fenêtre',
    },
    everything: 'Tout envoyer : {value}.',
    set: 'Réglage actuel, fenêtre {window, number}{batch, plural, =1 {} other {, tous les # tours}} : {value}.',
    best: 'Recommandé, fenêtre {window, number}{batch, plural, =1 {} other {, tous les # tours}} : {value}.',
    numbers: 'Tableau des valeurs',
    ends: 'Résultats réutilisés après masquage',
    end: { best: 'rien de redemandé', worst: 'tout ce qui est perdu redemandé' },
    tableNote:
      'Écart par rapport à l’envoi de tout, {value}. Cliquez sur un nombre pour régler la fenêtre et le pas ; le réglage recommandé est souligné.',
    window: 'Fenêtre',
    batch: '{n, plural, =1 {chaque tour} other {tous les #}}',
  },
  prices: {
    open: 'Prix',
    openCustom: 'Prix : personnalisés',
    title: 'Prix de {model}',
    description:
      'En dollars par million de tokens. La liste date du {date} ({source} {version}). Les prix que vous saisissez restent dans ce navigateur.',
    close: 'Fermer',
    kinds: {
      input: 'Entrée',
      cachedRead: 'Entrée lue dans le cache',
      cacheWrite: 'Entrée écrite dans le cache',
      output: 'Sortie',
    },
    origins: {
      user: 'Personnalisé',
      price_data: 'De la liste, {provider}',
      overlay: 'Plus récent que la liste, {provider}',
      cache_rule: '{share, number} × le prix d’entrée, selon la règle de cache',
      rule: 'Selon la règle de cache',
    },
    tier: '{price} pour les requêtes de plus de {above} tokens',
    unknown: 'Inconnu',
    notCached: 'Rien n’est mis en cache',
    changesByHour:
      'Ce sont les prix des heures creuses : le fournisseur facture plus à certaines heures.',
    overlay:
      'Ces prix sont plus récents que la liste : <a>{isQuoted, select, yes {une autre page qui cite le fournisseur} other {source}}</a>, au {date}.',
    until: 'Ces prix sont valables jusqu’au {date}.',
    ended:
      'Ces prix ne sont plus valables depuis le {date} ; aucun prix plus récent n’est connu ici. Saisissez les prix actuels.',
    reset: 'Réinitialiser « {label} »',
    resetAll: 'Tout réinitialiser',
    remove: 'Supprimer ce modèle',
    rule: 'Cache de prompt',
    rules: {
      none: 'Rien n’est lu dans un cache.',
      prefix: 'Le plus long début inchangé d’une requête antérieure est lu dans le cache.',
      breakpoint: 'Une requête antérieure est lue dans le cache si elle est entièrement inchangée.',
      units:
        'Ce qui finit avec une requête ou une réponse antérieure, ou que deux requêtes antérieures ont en commun, est lu dans le cache.',
      interval:
        'Le fournisseur stocke aussi des unités à intervalles fixes des longues entrées, sans dire leur taille. Réglez une taille de pas pour les compter.',
    },
    ruleCustom: 'Choisie par vous.',
    ruleReset: 'Revenir à la règle documentée',
    ruleUnknown: 'La règle de cache de ce modèle est inconnue ; choisissez-en une.',
    ruleSource: '<a>Telle que documentée</a>, lue en {date}.',
    sizes: {
      minimumTokens: 'Taille minimale',
      stepTokens: 'Taille de pas',
      contextWindow: 'Limite de contexte',
    },
    tokens: 'tokens',
    add: 'Ajouter un modèle',
    addPlaceholder: 'Nom du modèle',
    addDo: 'Ajouter',
    addNote:
      'Ses prix sont inconnus tant que vous ne les avez pas saisis. Si le nom commence comme celui d’un modèle connu, les tokens sont comptés comme pour ce modèle.',
  },
  model: {
    label: 'Modèle',
    search: 'Chercher modèles et fournisseurs',
    custom: 'Personnalisé',
    recent: 'Actuel et récents',
    loading: 'Chargement de la liste de prix…',
    none: 'Aucun modèle ne porte ce nom. Ajoutez-le sous « Prix ».',
    prices: '{input} entrée · {read} cache · {output} sortie · {key}',
    more: '{n, plural, one {# modèle de plus} other {# modèles de plus}} : saisissez pour chercher. Prix par million de tokens.',
    left: '{n, plural, =0 {Prix par million de tokens.} one {# de plus : continuez la saisie. Prix par million de tokens.} other {# de plus : continuez la saisie. Prix par million de tokens.}}',
  },
}
