import type { first as english } from '../en/first-messages'
import type { Translated } from '../translated'

export const first: Translated<typeof english> = {
  meters: {
    howCounted: 'Comment c’est compté',
    label: 'Effet du masquage',
    nextRequest: 'Requête suivante',
    requestOf: 'Requête {request, number} sur {count, number}',
    unknown: '–',
    tokens: 'tokens',
    before: 'avant {value},',
    after: 'après {value}',
    fewerTokens: '{n, plural, one {# token de moins} other {# tokens de moins}}',
    moreTokens: '{n, plural, one {# token de plus} other {# tokens de plus}}',
    sameTokens: 'aucun changement',
    resultsMasked: 'Masqués : {masked} sur {results}',
    contextOver: 'Plus que le contexte de {limit} tokens.',
    counting: 'Comptage des tokens',
    announce:
      'Requête suivante : {after} tokens après masquage, {before} avant, {change}. Résultats d’outil masqués : {masked} sur {results}.',
    announceSession:
      'Coût de la session{rule, select, unknown {, cache inconnu} other { avec cache}} : {after} après masquage, {before} avant.',
    family: {
      exact: 'tokenizer exact',
      estimate: 'estimation',
      calibrated: 'calibré',
    },
    nonText:
      '{n, plural, one {# image ou autre partie non comptée} other {# images ou autres parties non comptées}}',
  },
  cost: {
    figures: {
      plain:
        '{n, plural, =0 {Coût de la session, sans cache} one {Coût de la session, # requête, sans cache} other {Coût de la session, # requêtes, sans cache}}',
      plainTokens:
        '{n, plural, one {Tokens de la session, # requête} other {Tokens de la session, # requêtes}}',
      cached:
        'Coût de la session, {rule, select, unknown {cache inconnu} other {avec cache}} <model></model>',
      tokens: 'tokens',
      inputTokens: '{before} → {after} tokens',
      answers:
        'Seule l’entrée est comptée{isKnown, select, yes { ; la sortie de {n, plural, one {# requête} other {# requêtes}} ajoute {cost} (inchangé)} other {}}.',
      plainHint: 'Le coût sans cache facture chaque token au prix plein à chaque requête.',
      details: 'D’où vient ce coût',
      estimated: 'Compté × {factor, number} pour le tokenizer de Claude : une estimation.',
    },
    note: {
      unknown: '–',
      ended: 'Ces prix ne sont plus valables.',
      breaks: '{n, plural, one {invalide le cache # fois} other {invalide le cache # fois}}',
      priceUnknown: 'Certains prix de {model} sont inconnus, aucun coût n’est donc affiché.',
      pricesEnded:
        'Les prix de {model} ne sont plus valables depuis le {date} ; aucun prix plus récent n’est connu ici.',
      noCache: 'Rien n’est mis en cache : chaque token est facturé au prix plein à chaque requête.',
      ruleUnknown:
        'La règle de cache de ce modèle est inconnue : rien ne compte comme mis en cache.',
      nothingMasked: 'Rien n’est masqué, le cache reste donc valable.',
      unbroken: 'Le masquage ne change aucun message antérieur, le cache reste donc valable.',
      slides:
        'La fenêtre avance à chaque tour et invalide le cache {n, plural, one {# fois} other {# fois}}.',
      steps:
        'La fenêtre avance tous les {batch, number} tours et invalide le cache {n, plural, one {# fois} other {# fois}}.',
      even: 'Le masquage ne change pas le coût ici.',
      charged:
        'Le fournisseur a facturé {cost} pour cette entrée. Les deux chiffres sont ceux de notre rejeu des requêtes, pour être comparables.',
      paysAlways: 'Le masquage fait économiser dès la première requête.',
      pays: 'Le masquage est rentable à partir de la requête {from} sur {all}.',
    },
    request: {
      label: 'Requête antérieure',
      title: 'Requête {request, number} sur {count, number}',
      goTo: 'Aller à la requête',
      goToOf: 'sur {count, number}',
      goToOfOrDrag: 'sur {count, number}, ou faites glisser la marque à la fin',
      handle: 'Requête affichée',
      handleKeys: 'Gauche et droite : requête par requête. Échap : revenir à la requête suivante.',
      handleNext: 'La requête suivante, après {count, plural, one {# requête} other {# requêtes}}',
      handleValue: 'Requête {request, number} sur {count, number}',
      cache:
        'Tokens de son prompt : {read} en lecture du cache, {written} en écriture, {fresh} hors cache.',
      first: 'C’est la première requête.',
      same: 'Elle commence par toute la requête {before, number}, inchangée.',
      changed:
        'Elle diffère de la requête {before, number} à partir du <a>message {message, number}</a>, désormais masqué.',
      changedPlain:
        'Elle diffère de la requête {before, number} à partir du message {message, number}.',
      copies: '« Copier » et « Télécharger » donnent toujours la requête suivante.',
      back: 'Revenir à la requête suivante',
    },
  },
  reading: {
    badge: {
      title: 'Document',
      details: 'Détails du document :',
      conversations: '{count, plural, one {# conversation} other {# conversations}}',
      messages: '{count, plural, one {# message} other {# messages}}',
      turns: '{count, plural, one {# tour} other {# tours}}',
      results: '{count, plural, one {# résultat} other {# résultats}}',
      problems: '{count, plural, one {# problème} other {# problèmes}}',
      reading: 'Lecture, {percent, number} %',
      unreadable: 'illisible',
      shapes: {
        message_array: 'tableau de messages',
        request_body: 'corps de requête',
        message_lines: 'un message par ligne',
        body_lines: 'une conversation par ligne',
        nested_lists: 'listes imbriquées',
        event_lines: 'journal d’événements',
        event_array: 'liste d’événements',
        session: 'session enregistrée',
        trace: 'trace',
        har: 'fichier HAR',
      },
    },
  },
  report: {
    unknown: '–',
    charged: {
      title:
        'Facturé par le fournisseur pour {requests, plural, one {# requête} other {# requêtes}}',
      masked:
        '{all, select, none {La session a été facturée {cost}} other {Cette conversation a été facturée {cost} ({all} pour {conversations, plural, =0 {toutes les conversations} other {les # conversations}})}} ; avec cette politique, elle aurait coûté environ {masked} ({change}).',
      same: '{all, select, none {La session a été facturée {cost}} other {Cette conversation a été facturée {cost} ({all} pour {conversations, plural, =0 {toutes les conversations} other {les # conversations}})}} ; cette politique n’y change rien.',
      off: '{all, select, none {La session a été facturée {cost}} other {Cette conversation a été facturée {cost} ({all} pour {conversations, plural, =0 {toutes les conversations} other {les # conversations}})}} ; le masquage est désactivé.',
      input: 'Entrée',
      output: 'Réponses',
      cache: 'Cache',
      amount: '{cost} pour {tokens} tokens',
      cacheValue:
        'tokens : {read} en lecture, {written} en écriture{hour, select, none {} other {, dont {hour} pour une heure}}',
      differs: 'De notre compte de la transcription au montant facturé',
      parts: {
        plain: 'Notre compte, cache sans expiration',
        head: 'Prompt système et outils absents du fichier',
        counting: 'Tokenizer du fournisseur, tokens non visibles par requête',
        hour_writes: 'Écritures dans le cache pour une heure',
        expiry: 'Entrées du cache expirées',
        model: 'Changement de modèle',
        compaction: 'Première requête après un compactage',
        misses: 'Défauts de cache qu’aucune règle ne prévoit',
        rest: 'Reste',
        charged: 'Facturé',
      },
    },
  },
  drafts: {
    recent: 'Récents',
    recentTip:
      'Transcriptions enregistrées dans ce navigateur ; enregistrer celle qui est ouverte dans un fichier',
  },
  share: {
    button: 'Partager',
  },
  fileList: {
    title: 'Fichiers',
    listed: 'Fichiers : {count, number}',
    at: '{position, number} sur {count, number}',
    atLabel: 'Fichier {position, number} sur {count, number}',
    previous: 'Fichier précédent',
    previousTip: "Fichier précédent, touche '{'",
    next: 'Fichier suivant',
    nextTip: 'Fichier suivant, touche }',
  },
  uses: {
    arcs: {
      legend: '{count, plural, one {# réutilisé} other {# réutilisés}}',
      legendLost: '{count, plural, one {# réutilisé} other {# réutilisés}} après masquage',
      step: '{label} : aller au suivant',
    },
  },
  panes: {
    missing: 'L’éditeur n’a pas pu être chargé ; tout le reste fonctionne.',
    reload: 'Recharger la page',
  },
}
