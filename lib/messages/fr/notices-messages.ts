import type { notices as english } from '../en/notices-messages'
import type { Translated } from '../translated'
import { draftNotices } from './drafts-messages'

export const notices: Translated<typeof english> = {
  ...draftNotices,
  problem: 'Impossible d’ouvrir {name}.',
  read_as_refused: 'Le format de {name} n’a pas été changé.',
  worker_failed:
    'Le traitement en arrière-plan a échoué ({reason}). Votre texte n’est pas perdu ; le traitement redémarre à votre prochaine modification.',
  worker_replaced:
    'Le traitement en arrière-plan s’est arrêté : {reason}. Un autre a démarré et reprend ce qu’il faisait. Votre texte n’est pas perdu.',
  worker_retry: 'Relire le texte',
  sample_missing: 'Il n’y a pas d’exemple nommé {sample}.',
  link_value:
    '{count, plural, one {Une valeur du lien a été ignorée ou corrigée :} other {# valeurs du lien ont été ignorées ou corrigées :}} {reason}{rest, plural, =0 {} other { (et # de plus)}}',
  link_newer:
    'Ce lien vient d’une version plus récente ({version}). Les valeurs connues de cette version ont été appliquées ; les autres sont conservées.',
  link_version:
    'Le lien porte la version {version} ; un nombre était attendu. Ses réglages ont été lus malgré tout.',
  link_own_text:
    'Les réglages du lien s’appliquent maintenant à votre transcription. L’exemple {sample} du lien n’a pas été ouvert.',
  link_applied: 'Les réglages du lien s’appliquent maintenant à la transcription ouverte.',
  link_take_back: 'Rétablir les réglages précédents',
  link_conversation:
    'Le lien demande la conversation {number, number}, mais le document en a {count, plural, one {une seule} other {#}}.',
  link_transcript_waits:
    'Le lien contient une transcription de {chars, number} caractères. La vôtre reste ouverte.',
  link_open_transcript: 'Ouvrir la transcription du lien',
  link_transcript_damaged:
    'La transcription de ce lien est abîmée, souvent parce qu’un programme a coupé le lien. Les réglages ont été appliqués.',
  link_transcript_large:
    'La transcription de ce lien dépasse {limit, number} millions d’octets une fois décompressée et n’a pas été ouverte. Les réglages ont été appliqués.',
  copied:
    'Texte masqué copié : {chars, number} caractères{conversations, plural, one {} other {, {results, plural, one {# résultat masqué} other {# résultats masqués}} dans ses {conversations, number} conversations}}.',
  copied_link: 'Lien copié, avec les réglages, sans transcription : {chars, number} caractères.',
  copied_full_link: 'Lien copié, avec la transcription : {chars, number} caractères.',
  copied_figures:
    'Lien copié ({chars, number} caractères) : les chiffres, {hasNames, select, yes {noms de fichier et d’outils compris} other {rien de la transcription}}.',
  copied_long_figures:
    'Lien copié ({chars, number} caractères) : les chiffres, {hasNames, select, yes {noms de fichier et d’outils compris} other {rien de la transcription}}. Les messageries peuvent le couper ; un rapport enregistré est un fichier.',
  figures_long:
    'Un lien avec les chiffres d’autant de requêtes aurait {chars, number} caractères, que certains navigateurs coupent. Enregistrez plutôt le rapport.',
  show_report: 'Aller à « Enregistrer le rapport »',
  figures_wait: 'Les chiffres sont encore en cours de calcul ; partagez-les dans un instant.',
  copied_export: 'Copié : {name}.',
  config_applied: 'La politique de {name} est appliquée. Votre transcription est inchangée.',
  config_problems:
    'La politique de {name} est appliquée. {count, plural, one {Une de ses valeurs a été ignorée ou corrigée :} other {# de ses valeurs ont été ignorées ou corrigées :}} {reason}{rest, plural, =0 {} other { (et # de plus)}}',
  config_failed: 'Aucune politique n’a été lue dans {name}. {reason}',
  copy_failed: 'Le navigateur a refusé la copie. Sélectionnez le texte et copiez-le à la main.',
  downloaded: '{name} enregistré.',
  downloaded_output:
    '{name} enregistré{conversations, plural, one {} other { : {results, plural, one {# résultat masqué} other {# résultats masqués}} dans ses {conversations, number} conversations}}.',
  formatted: 'Mis en forme avec des sauts de ligne ; seuls les espaces ont changé.',
  opened: '{name} ouvert.',
  body_extracted:
    '{count, plural, one {Voici le corps JSON extrait ({kind}, {place}).} other {Voici les # corps JSON extraits ({kind}), un par ligne (le premier : {place}).}} « Annuler » rétablit le texte d’origine.',
  stream_read:
    'Voici les messages de {count, plural, one {la réponse en flux ({place}), après sa requête} other {# réponses en flux ({place}), après leurs requêtes}}.{wrong, plural, =0 {} other { {reason}}}{rest, plural, =0 {} other { (et # de plus)}} « Annuler » rétablit le texte d’origine.',
  stream_read_alone:
    'Voici les messages de {count, plural, one {la réponse en flux} other {# réponses en flux}} ({place}). Il n’y a rien à masquer : les résultats d’outil sont dans les requêtes, absentes ici.{wrong, plural, =0 {} other { {reason}}}{rest, plural, =0 {} other { (et # de plus)}} « Annuler » rétablit le texte d’origine.',
  line_ends: 'La saisie a uniformisé les fins de ligne, jusque-là mélangées.',
  pasted_document: 'Ce que vous avez collé est un document entier.',
  pasted_replace: 'Tout remplacer',
  new_version: 'Une nouvelle version est prête. Votre transcription reste ouverte.',
  new_version_load: 'La charger',
  code_missing:
    'Une partie de la page n’a pas pu être chargée. Connectez-vous au réseau, rechargez la page et réessayez.',
  unpacking: 'Décompression de {name}…',
  results_applied:
    'La requête suivante a maintenant {count, plural, one {un résultat} other {# résultats}} du simulateur.',
  results_not_applied: 'Aucun de ces appels n’est dans le tour auquel la requête suivante répond.',
  copied_table: 'Tableau copié : {rows, plural, one {# fichier} other {# fichiers}} et les totaux.',
}
