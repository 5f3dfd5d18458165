import type { report as english } from '../en/report-messages'
import type { Translated } from '../translated'

export const report: Translated<typeof english> = {
  title: 'Masquer les anciens résultats d’outil : le coût d’une session',
  subtitle:
    '{hasName, select, yes {{name} : une} other {Une}} session d’agent enregistrée ({format}), {messages, plural, one {# message} other {# messages}}, {results, plural, one {# résultat d’outil} other {# résultats d’outil}} en {turns, plural, one {# tour} other {# tours}}, rejouée {requests, plural, one {comme la # requête envoyée} other {comme les # requêtes envoyées}} par l’agent{isLog, select, yes { (d’après le journal)} other {}}. Rapport créé le {day}.',
  headline: {
    saves:
      '{caching, select, yes {Avec le cache de prompt de {model}, le} other {Le}} masquage réduit de {share} le coût de l’entrée de cette session : {after} au lieu de {before}.',
    costs:
      '{caching, select, yes {Avec le cache de prompt de {model}, le} other {Le}} masquage augmente de {share} le coût de l’entrée de cette session : {after} au lieu de {before}.',
    same: 'Le masquage ne change pas le coût de cette session : {before}.',
    off: 'Le masquage est désactivé : l’entrée de cette session coûte {before}, cache de prompt compris.',
    price_unknown:
      'Effet du masquage sur les tokens de cette session : {tokensChange}. Le coût est inconnu : aucun prix pour {model}.',
    risk: '{worst, select, none {} other {Au pire, {worst} : }}{results, plural, one {# résultat est réutilisé} other {# résultats sont réutilisés}} après masquage.',
  },
  detail: {
    what: 'Un agent renvoie tout son historique à chaque requête. Le masquage remplace les résultats d’outil antérieurs {window, plural, one {au dernier tour} other {aux # derniers tours}} par un placeholder d’une ligne{batch, plural, =1 {} other {, la fenêtre avançant tous les # tours}}. Les résultats que la politique ci-dessous garde, et tout ce qui n’est pas un résultat d’outil, restent inchangés. Le masquage ne sert pas à cacher des données confidentielles.',
    tokensAndMoney:
      'Nombre de tokens : {tokensChange} ; sans cache, le coût de l’entrée change d’autant. Les fournisseurs facturent moins le début d’une requête qu’ils ont déjà vu. Le masquage a changé un message antérieur dans {breaks, plural, =0 {aucune requête} one {# requête} other {# requêtes}} sur {requests, number} ; tout ce qui suit un tel changement est de nouveau facturé au prix plein.',
  },
  calibration: {
    title: 'Calibrage du compte des tokens',
    unseen: 'Non visibles',
    unseenValue: '{head} tokens dans le préambule, {request} à chaque requête',
    slope: 'Tokens du fournisseur pour 100 comptés',
    basis: 'Base',
    fit: 'usage de {requests, plural, one {# requête} other {# requêtes}} ; la moitié s’écarte de moins de {percent} %',
    set: 'réglé à la main',
    estimate: 'estimation pour le tokenizer : {source}',
    off: 'désactivé',
  },
  figures: {
    next: 'Requête suivante',
    plain: 'Session, sans cache',
    cached: 'Session, avec cache',
    cachedUnknown: 'Session, cache inconnu',
    nextNote: 'tokens de toute la conversation',
    plainNote:
      'entrée de {requests, plural, one {# requête} other {# requêtes}}, {before} → {after} tokens',
    cachedNote: 'entrée ; {before} → {after} des tokens lus dans le cache',
    noCaching: 'sans cache de prompt',
  },
  chart: {
    title: 'Coût d’entrée cumulé par requête',
    cached: 'Avec cache de prompt',
    cachedUnknown: 'Cache inconnu',
    plain: 'Sans cache',
    context: 'Tokens par requête',
    before: 'Non masqué',
    after: 'Masqué',
    request: 'requête {n, number}',
    laterRequest: '{n, number}',
    limit: 'limite {tokens}',
    description:
      '{title}. {caching, select, yes {Avec cache de prompt} other {Sans cache}} : {before} sans masquage, {after} avec masquage, après {requests, plural, one {# requête} other {# requêtes}}.',
    tokensTitle: 'Tokens d’entrée cumulés par requête',
  },
  strategies: {
    title: 'La même session avec d’autres stratégies',
    columns: {
      strategy: 'Stratégie',
      tokens: 'Tokens d’entrée',
      plain: 'Sans cache',
      cached: 'Avec cache',
      cachedUnknown: 'Cache inconnu',
      lost: 'Absent de la dernière requête',
      complexity: 'Complexité',
      remark: 'Risque et remarques',
    },
    names: {
      everything: 'Tout envoyer',
      as_set:
        '{isOff, select, yes {Masquage, réglage actuel : désactivé} other {Masquage, réglage actuel : fenêtre {window, number}, {batch, plural, =1 {à chaque tour} other {tous les # tours}}}}',
      recommended:
        '{isCheaper, select, yes {Masquage recommandé} other {Masquage, son réglage le moins cher{smallest, plural, =1 {} other { avec une fenêtre d’au moins # tours}}}} : fenêtre {window, number}, {batch, plural, =1 {à chaque tour} other {tous les # tours}}',
      truncated: 'Tronquer le milieu des longs résultats *',
      summarised: 'Résumer les anciens tours par un modèle *',
    },
    lost: {
      nothing: 'rien',
      masked:
        '{count, number} résultats sur {of, number}, {tokens} tokens, remplacés par des placeholders',
      truncated: 'le milieu de {count, number} résultats sur {of, number}, {tokens} tokens',
      summarised:
        '{count, number} tours sur {of, number}, {tokens} tokens, remplacés par un résumé',
    },
    risk: {
      nothing: 'risque faible : rien ne manque ici',
      everything: 'risque faible, mais atteint la limite de contexte en premier',
      as_set: 'risque moyen : un ancien résultat peut resservir',
      recommended: 'risque moyen, comme ci-dessus',
      truncated: 'risque moyen : coupe des résultats encore lus',
      summarised: 'risque moyen : peut omettre des faits ; ajoute de la latence',
    },
    complexity: {
      explained: '{complexity} : {phrase}',
      low: 'faible',
      medium: 'moyenne',
      high: 'élevée',
      everything: 'rien à construire',
      as_set: 'une fonction pure avant chaque requête',
      recommended: 'la même, réglée sur des sessions enregistrées',
      truncated: 'une règle par résultat',
      summarised:
        '{calls, plural, =0 {aucun résumé nécessaire ici} one {# appel au modèle en plus} other {# appels au modèle en plus}}, des résumés à contrôler',
    },
    notes: {
      estimates:
        '* Estimations. La troncature garde les {head, number} premiers et les {tail, number} derniers caractères des résultats de plus de {limit, number}, les tokens étant proportionnels aux caractères. Les résumés ont {summary, number} tokens et sont réécrits tous les {every, number} tours ; les {keep, number} derniers tours restent entiers. {calls, plural, =0 {Cette session est trop courte pour un résumé.} one {Le coût comprend le seul appel de résumé ({cost}).} other {Le coût comprend les # appels de résumé ({cost}).}}',
    },
  },
  when: {
    title: 'Quand le masquage fait économiser',
    breakEven: {
      from_first:
        'Avec cache, le masquage ne coûte jamais plus que l’envoi de tout, dès la première requête.',
      from_request:
        'Avec cache, le masquage coûte moins cher à partir de la requête {request, number} sur {requests, number} ; une session qui finit plus tôt n’économise rien ou coûte plus cher.',
      never:
        'Avec cache, le masquage n’est pas encore rentable {requests, plural, one {à la seule requête} other {à la dernière des # requêtes}}.',
    },
    breakEvenPlain: {
      from_first: 'Sans cache, le masquage coûte moins cher dès la première requête.',
      from_request:
        'Sans cache, le masquage coûte moins cher à partir de la requête {request, number}.',
      never: 'Sans cache, le masquage n’est pas rentable non plus.',
    },
    recommendation: {
      mask: 'Recommandé après coup pour cette session : une fenêtre de {window, plural, one {# tour} other {# tours}}, avancée {batch, plural, =1 {à chaque tour} other {tous les # tours}}{smallest, plural, =1 {} other { (plus petite fenêtre admise : #)}}. Coût : {cost}, {change} par rapport à l’envoi de tout{lost, plural, =0 {, sans rien perdre qui soit réutilisé} other { ; {worst} si l’agent redemande tout ce qu’il perd}}. Parmi les réglages {rule, select, keep_uses {qui préservent {kept} des réutilisations et } other {}}dont le coût au pire dépasse de 1 % au plus celui du moins cher, c’est celui qui garde le plus de tokens.',
      do_not_mask:
        '{smallest, plural, =1 {Ne masquez pas cette session} other {Une fenêtre de # tours ou plus n’est pas rentable ici}} : après coup, aucun réglage {rule, select, keep_uses {qui préserve {kept} des réutilisations } other {}}n’économise plus de 1 % une fois redemandé tout ce qu’il perd{hasCheapest, select, yes { ; le moins cher de ces réglages qui masque un résultat, {window, plural, one {# tour} other {# tours}} en avançant {batch, plural, =1 {à chaque tour} other {tous les # tours}}, coûte {cost}, {change}} other {}}.',
      no_results: 'Il n’y a aucun résultat d’outil à masquer.',
      nothing_maskable:
        'La politique garde les {results, number} résultats d’outil, quelle que soit la fenêtre.',
      price_unknown: 'Il n’y a pas de recommandation, car un prix est inconnu.',
    },
    overflow: {
      unknown:
        'La limite de contexte de {model} est inconnue : le rapport ne dit donc pas si les requêtes y tiennent.',
      never:
        'Toutes les requêtes tiennent dans la limite de {limit} tokens de {model}, avec ou sans masquage.',
      before:
        'Sans masquage, la requête {before, number} est la première à dépasser la limite de {limit} tokens de {model} ; avec masquage, toutes tiennent.',
      after:
        'Sans masquage, toutes les requêtes tiennent dans la limite de {limit} tokens de {model} ; avec masquage, la requête {after, number} est la première à la dépasser.',
      both: 'La première requête au-delà de la limite de {limit} tokens de {model} est la requête {before, number} sans masquage et la requête {after, number} avec masquage.',
    },
    quality:
      'Le rapport ne mesure pas si l’agent travaille aussi bien sans les anciens résultats. Des sessions plus courtes, d’autres modèles et d’autres prix donnent d’autres réponses.',
  },
  history:
    '{found, plural, =0 {Sans masquage, cet historique n’a aucun motif connu de refus par un fournisseur.} one {Un fournisseur peut refuser # endroit de cet historique, avec ou sans masquage.} other {Des fournisseurs peuvent refuser # endroits de cet historique, avec ou sans masquage.}}{added, plural, =0 {} one { Le masquage change un résultat avant le raisonnement signé de # réponse, ce que les modèles Claude les plus récents refusent.} other { Le masquage change des résultats avant le raisonnement signé de # réponses, ce que les modèles Claude les plus récents refusent.}}',
  historyModel: {
    rejects: '{model} en fait partie.',
    accepts: '{model} n’en fait pas partie.',
  },
  losses: {
    title: 'Ce que le masquage fait perdre',
    counts:
      '{uses, plural, =0 {Les réponses n’ont utilisé aucun terme précis que seuls des résultats d’outil avaient appris au modèle.} one {Les réponses ont utilisé # terme précis que seuls des résultats d’outil avaient appris au modèle, {share} en {turns, plural, one {# tour} other {# tours}} au plus.} other {Les réponses ont utilisé # termes précis que seuls des résultats d’outil avaient appris au modèle, dont {share} en {turns, plural, one {# tour} other {# tours}} au plus.}} {lost, plural, =0 {Cette politique n’en perd aucun.} one {Avec cette politique, # ne pourrait plus être lu, issu de {results, plural, one {# résultat masqué} other {# résultats masqués}}.} other {Avec cette politique, # ne pourraient plus être lus, issus de {results, plural, one {# résultat masqué} other {# résultats masqués}}.}}',
    range:
      'Si chacun de ces résultats est redemandé une fois, l’entrée coûte {worst} ({change} par rapport à l’envoi de tout) au lieu de {cost}{breakEven, select, none {} other { ; le masquage reste rentable jusqu’à {breakEven} appels de ce genre}}.',
    definition:
      'Un terme (chemin, URL, identifiant, nombre, nom, citation, ligne) est perdu s’il ne figurait que dans des résultats et qu’il est absent de la requête masquée : c’est un fait qu’une recherche peut vérifier, pas un échec. L’agent peut le redemander ou s’en passer ; d’autres mots pour le même fait ne sont pas trouvés, et un nom que le modèle connaît déjà peut être compté.',
    outcomes:
      'Publié : {pairs, number} paires d’exécutions d’un agent de code avec cinq modèles, tout masqué sauf les 10 derniers résultats ; tours de {fewest} à {most}, tâches résolues de {worst} à {best} points, chaque intervalle contient 0 ou s’y arrête (arXiv 2508.21433). Les agents de recherche diffèrent (arXiv 2606.00408).',
  },
  assumptions: {
    title: 'Hypothèses',
    steps:
      'L’agent fait les mêmes étapes avec et sans masquage ; les requêtes enregistrées sont rejouées une à une.',
    cache: {
      none: 'Le cache de prompt n’est pas compté.',
      prefix:
        'Cache ({label}) : le plus long début inchangé d’une requête antérieure est lu dans le cache s’il a au moins {minimum, number} tokens{step, plural, =1 {} other {, par pas de # tokens}}.',
      breakpoint:
        'Cache ({label}) : une requête antérieure est lue dans le cache si elle est entièrement inchangée et a au moins {minimum, number} tokens.',
      units:
        'Cache ({label}) : un début d’au moins {minimum, number} tokens qui finit avec une requête ou une réponse antérieure, ou que deux requêtes antérieures ont en commun, est lu dans le cache{step, plural, =0 {. Les unités à intervalles fixes des longues entrées, de taille non documentée, ne sont pas comptées} other {, de même que chaque tranche de # tokens d’un début commun}}.',
      source: 'Source de la règle, lue en {date} : {source}',
      user: 'La règle ou ses tailles ont été réglées à la main.',
      unknown: 'La règle de cache de ce modèle est inconnue : aucun cache n’est compté.',
      noExpiry:
        'Les entrées du cache n’expirent pas entre deux requêtes, et les sessions se suivent une à une.',
      expiry:
        'Les entrées du cache expirent selon les heures de la transcription ; les sessions se suivent une à une.',
    },
    answers:
      'Les coûts sont ceux de l’entrée. Les tokens de sortie ({tokens} en {requests, plural, one {# requête} other {# requêtes}}) ajoutent {hasCost, select, yes {{cost}, que le masquage ne change pas} other {le même coût avec et sans masquage}}.',
    tokensExact:
      'Le texte est compté exactement avec {encoding} ; le surcoût autour des messages et des appels est estimé.',
    tokensEstimate:
      'Le tokenizer de {model} n’est pas public, {encoding} est utilisé à sa place. Les pourcentages sont plus justes que les nombres absolus.',
    nonText:
      '{n, plural, one {# image ou autre contenu qui n’est pas du texte n’est pas compté.} other {# images ou autres contenus qui ne sont pas du texte ne sont pas comptés.}}',
    byHour: 'Ce sont les prix des heures creuses : le fournisseur facture plus à certaines heures.',
  },
  policy: {
    title: 'Politique',
    on: 'true',
    off: 'false',
    none: 'aucun',
    unnamed: '{n, plural, one {# nom, absent de ce rapport} other {# noms, absents de ce rapport}}',
  },
  prices: {
    title: 'Modèle et prix par million de tokens',
    model: 'Modèle',
    input: 'Entrée',
    cachedRead: 'Lu dans le cache',
    cacheWrite: 'Écrit dans le cache',
    output: 'Sortie',
    tier: '{price} au-delà de {tokens}',
    unknown: 'inconnu',
    origin: {
      cache_rule: ' (selon la règle de cache)',
      user: ' (réglé à la main)',
    },
    list: 'Liste de prix',
    listValue: '{source}, {date}',
    custom: 'réglé à la main',
    url: 'Liste de prix du fournisseur',
    context: 'Limite de contexte',
    contextValue: '{tokens} tokens',
  },
  tools: {
    title: 'Résultats d’outil de la requête suivante, par outil',
    unknown: 'outil inconnu',
    value:
      '{results, plural, one {# résultat} other {# résultats}}, {masked, plural, one {# masqué} other {# masqués}}, {tokens} tokens',
    others: '{n, plural, one {# autre outil} other {# autres outils}}',
  },
  footer: {
    made: 'Créé avec l’Observation Masking Playground.',
    names: 'Contient les noms du fichier et de ses outils, mais aucun texte de la transcription.',
    noNames: 'Ne contient aucun texte ni aucun nom de la transcription.',
  },
}
