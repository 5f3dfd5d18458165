import type { fleetReport as english } from '../en/fleet-report-messages'
import type { Translated } from '../translated'

export const fleetReport: Translated<typeof english> = {
  title:
    'Masquer les anciens résultats d’outil : le coût de {count, plural, one {# session} other {# sessions}}',
  subtitle:
    '{count, plural, one {Une session d’agent enregistrée} other {# sessions d’agent enregistrées}}, de {files, plural, one {# fichier} other {# fichiers}}, {requests, plural, one {rejouée comme la # requête envoyée} other {rejouées comme les # requêtes envoyées}} par les agents. Créé le {day}.',
  headline: {
    saves:
      'Avec {policy}, {count, plural, one {la session coûte} other {les # sessions coûtent}} {share} de moins (de {low} à {high}) : {after} au lieu de {before}.',
    costs:
      'Avec {policy}, {count, plural, one {la session coûte} other {les # sessions coûtent}} {share} de plus (de {low} à {high}) : {after} au lieu de {before}.',
    same: 'Avec {policy}, le masquage ne change pas le coût {count, plural, one {de la session} other {des # sessions}} : {before}.',
    off: 'Le masquage est désactivé : {count, plural, one {la session coûte} other {les # sessions coûtent}} {before}, cache de prompt compris.',
    unpriced: 'Le coût de ces sessions est inconnu : leurs modèles n’ont pas de prix.',
  },
  isRecommended: 'C’est le réglage recommandé pour toutes.',
  recommended: 'Recommandation : {sentence}',
  figures: {
    cached: 'Toutes les sessions, avec cache',
    cachedNote: 'réponses comprises',
    plain: 'Toutes les sessions, sans cache',
    plainNote: 'entrée et réponses de {requests, plural, one {# requête} other {# requêtes}}',
    worst: 'Si tout ce qui est perdu est demandé de nouveau',
    worstNote:
      '{count, plural, =0 {aucune session ne coûte} one {# session coûte} other {# sessions coûtent}} plus',
  },
  settings: {
    title: 'Un réglage pour toutes, et un par session',
    setting: 'Réglage',
    cost: 'Coût, avec cache',
    saved: 'Économie',
    worst: 'Économie si tout ce qui est perdu est redemandé',
    costlier: 'Plus chères, dans ce cas',
    none: 'Sans masquage',
    inUse: 'Réglage actuel : {policy}',
    recommended: 'Recommandé : {policy}',
    own: 'Chaque session avec son réglage le moins cher',
    range: '{share} (de {low} à {high})',
    count: '{count, number} sur {all, number}',
  },
  sessions: {
    title: 'Sessions',
    session: 'Session',
    number: 'Session {number, number}',
    conversation: '{file}, conversation {number, number}',
    model: 'Modèle',
    turns: 'Tours',
    requests: 'Requêtes',
    before: 'Sans masquage',
    after: 'Avec',
    change: 'Écart',
    worst: 'Tout redemandé',
    lostUses: 'Réutilisations perdues',
    own: 'Réglage propre',
    ownSetting: '{window, number} / {batch, number} : −{share}',
    doNotMask: 'ne pas masquer',
    note: 'Les coûts comptent le cache et les réponses. Réglage propre : la fenêtre et le pas recommandés pour la session seule, et ce qu’ils économisent.',
  },
  reading: {
    title: 'Comment lire ce rapport',
    quality:
      'Le rapport ne mesure pas si les agents travaillent aussi bien sans les anciens résultats. D’autres sessions, modèles ou prix donnent d’autres réponses.',
  },
  models:
    '{count, plural, one {# session} other {# sessions}} : modèle et prix par million de tokens',
  expiry:
    'Les entrées du cache expirent d’après les heures d’une transcription, si elle en a ; les sessions se suivent une à une.',
  answers: 'Les coûts comprennent les réponses, que le masquage ne change pas.',
  more: 'CSV des sessions',
  names: 'Inclure les noms des fichiers',
  fileName: 'rapport-sessions',
  chartName: 'graphique-sessions',
  tableName: 'sessions',
  footer: {
    names: 'Il contient les noms des fichiers, mais aucun texte d’une transcription.',
  },
}
