import type { drafts as english, draftNotices as englishNotices } from '../en/drafts-messages'
import type { Translated } from '../translated'

export const drafts: Translated<typeof english> = {
  title: 'Transcriptions récentes',
  stays:
    'Tout ce qui est ici est enregistré dans ce navigateur, sur cet appareil. Rien n’est envoyé. Le navigateur peut l’effacer quand le disque est plein ; enregistrez un fichier de session comme sauvegarde.',
  openNow: 'Actuellement ouverte',
  saving: {
    nothing: 'Un exemple est enregistré dès que vous y changez quelque chose.',
    pending: 'Enregistrement…',
    saved: 'Enregistré dans ce navigateur avec ses réglages et son historique d’annulation.',
    failed:
      'Non enregistré : le navigateur a refusé. Votre travail dure jusqu’à la fermeture de cet onglet.',
  },
  untitled: 'Sans titre',
  sample: 'exemple',
  turns: '{turns, plural, one {# tour} other {# tours}}',
  unread: 'illisible',
  openElsewhere: 'ouverte dans un autre onglet',
  none: 'Rien d’autre n’est encore enregistré.',
  noneHelp:
    'Les transcriptions que vous collez ou ouvrez sont enregistrées ici au fil du travail, avec leurs réglages et leur historique d’annulation.',
  list: 'Transcriptions enregistrées',
  remove: 'Supprimer {name}',
  removeSure: 'Supprimer définitivement ?',
  removeDo: 'Supprimer',
  removeNot: 'Annuler',
  total:
    '{count, plural, one {# transcription} other {# transcriptions}} au total, {size}, y compris celle qui est ouverte.',
  conversations: {
    title: 'Exécutions et requêtes enregistrées',
    automatic:
      'Enregistrer les exécutions du simulateur et les requêtes construites au fur et à mesure',
    most: 'Garder les plus récentes',
    mostHelp:
      'Les plus anciennes sont supprimées quand une nouvelle est enregistrée, sauf si vous les avez modifiées.',
  },
  close: 'Fermer',
  cancel: 'Annuler',
  forget: 'Supprimer toutes les données…',
  forgetTitle: 'Supprimer toutes les données ?',
  forgetWhat: 'Sont supprimés définitivement de ce navigateur :',
  forgetItems: {
    transcripts:
      'toutes les transcriptions enregistrées, y compris celle qui est ouverte, avec leurs réglages, leur historique d’annulation et leurs notes',
    prices: 'vos prix et vos modèles',
    page: 'les préférences : langue, couleurs, panneaux ouverts, notes cachées',
  },
  forgetTabs:
    'Tous les onglets ouverts sur cette page sont réinitialisés. Les fichiers enregistrés sur le disque ne changent pas.',
  forgetDo: 'Supprimer toutes les données',
  save: 'Enregistrer la session…',
  saveTitle: 'Enregistrer la session dans un fichier',
  saveHelp:
    'Un seul fichier avec la transcription intacte, les réglages, le modèle, vos prix et vos notes. Il s’ouvre ici comme toute transcription.',
  saveHolds:
    'Le fichier contient toute la transcription ({size}). Ne le partagez qu’avec des personnes autorisées à la lire.',
  saveNotHeld: 'L’historique d’annulation n’en fait pas partie.',
  notes: 'Notes',
  notesHint: 'Pourquoi ces réglages, que regarder',
  saveDo: 'Enregistrer {name}',
  notice: {
    openIt: 'Ouvrir',
    saveSession: 'Enregistrer la session…',
    showRecent: 'Afficher les transcriptions récentes',
    restorePrices: 'Rétablir mes prix',
  },
}

export const draftNotices: Translated<typeof englishNotices> = {
  draft_resumed: '{name} a été rouvert tel que vous l’aviez laissé.',
  draft_copied:
    '{name} est aussi ouvert dans un autre onglet. Cet onglet continue avec une copie ; aucun des deux n’écrase l’autre.',
  draft_lost: 'La transcription de cet onglet n’est plus enregistrée dans ce navigateur.',
  draft_incomplete:
    '{steps, plural, one {Une étape d’annulation n’est plus enregistrée} other {# étapes d’annulation ne sont plus enregistrées}}. Le texte et les réglages sont complets.',
  draft_offered: 'Votre transcription {name} est enregistrée telle que vous l’aviez laissée.',
  draft_quota:
    'Le navigateur n’a pas la place d’enregistrer cette transcription ({megabytes, number} Mo). Elle dure jusqu’à la fermeture de cet onglet. Enregistrez-la dans un fichier de session, ou supprimez-en d’autres sous « Récents ».',
  draft_refused:
    'Ce navigateur ne laisse pas la page enregistrer de brouillons ({reason}). Votre travail dure jusqu’à la fermeture de cet onglet ; enregistrez un fichier de session pour le garder.',
  draft_failed:
    'Le brouillon n’a pas pu être enregistré ({reason}). Votre travail dure jusqu’à la fermeture de cet onglet. La page réessaie à votre prochaine modification.',
  draft_saved_again: '{name} est de nouveau enregistré dans ce navigateur.',
  draft_history_bounded:
    'L’historique d’annulation est trop grand pour être enregistré : {steps, plural, one {son étape la plus ancienne sera perdue} other {ses # étapes les plus anciennes seront perdues}} à la fermeture de cet onglet.',
  draft_not_replaced:
    'La transcription ouverte n’a pas pu être enregistrée : rien n’a été ouvert à sa place. Enregistrez-la d’abord dans un fichier de session.',
  draft_removed: '{name} a été supprimé de ce navigateur.',
  conversation_saved: 'Enregistré sous le nom {name} dans « Récents ».',
  conversation_saved_again: '{name} a été mis à jour dans « Récents ».',
  conversation_not_saved: 'La conversation n’a pas pu être enregistrée ({reason}).',
  drafts_unread: 'Les brouillons de ce navigateur n’ont pas pu être lus ({reason}).',
  forgotten:
    'Toutes les données ont été supprimées. Plus rien de vous n’est enregistré dans ce navigateur.',
  forget_failed:
    'Le navigateur n’a pas supprimé les données ({reason}). Tout est encore enregistré.',
  session_opened: 'La session {name} est ouverte : transcription, réglages, modèle, prix et notes.',
  session_saved: '{name} est enregistré.',
  session_secrets:
    'Une seconde recherche trouve encore de possibles secrets après le caviardage : aucun fichier n’a été enregistré.',
  session_newer:
    'Cette session a été enregistrée par une version plus récente ({version}). Les valeurs que cette version connaît ont été appliquées ; les autres sont conservées.',
  session_version:
    'La session porte la version {version} ; un nombre entier était attendu. Elle a quand même été lue.',
  session_value:
    '{count, plural, one {Une valeur de la session a été ignorée ou ajustée :} other {# valeurs de la session ont été ignorées ou ajustées :}} {reason}{rest, plural, =0 {} other { (et # de plus)}}',
  session_prices:
    'Les prix de la session ont remplacé les vôtres pour {count, plural, one {{models}} other {# modèles : {models}}}.',
}
