import type { meters as english } from '../en/meters-messages'
import type { Translated } from '../translated'

export const meters: Translated<typeof english> = {
  of: 'sur {all}',
  messagesMasked: 'Messages masqués : {masked} sur {messages}',
  characters: '{before} → {after} caractères, {change}',
  share: 'Résultats d’outil : {before} → {after} du prompt',
  context: '{before} du contexte de {model} avant, {after} après',
  contextUnknown: 'La limite de contexte du modèle est inconnue.',
  contextBar: 'Tokens envoyés, en part du contexte du modèle',
  tokenBar: 'Tokens envoyés, en part de la requête sans masquage',
  how: {
    request:
      'La requête suivante est la conversation entière{schemas, plural, =0 {} one {, avec # token de schémas d’outils} other {, avec # tokens de schémas d’outils}}.',
    exact: 'Le texte est compté exactement avec {encoding}, l’encodage de {family}.',
    estimate:
      'Le tokenizer de {family} n’est pas public : {encoding} est utilisé à sa place. Les nombres absolus peuvent s’écarter ; les pourcentages sont plus proches.',
    overheads:
      'Le surcoût autour du texte est estimé : {message, number} tokens par message, {name, number} par nom, {call, number} par appel d’outil, {request, number} pour le début de la réponse. Les tokens d’un seul résultat sont ceux de son texte, sans ce surcoût.',
    calibrated:
      'La session et cette requête sont calibrées {isFitted, select, yes {sur l’usage indiqué dans le fichier} other {par une estimation pour le modèle}} : {slope, number} tokens du fournisseur pour 100 comptés{head, plural, =0 {} one {, un préambule de # token absent du fichier} other {, un préambule de # tokens absent du fichier}}{request, plural, =0 {} one {, # de plus par requête précédente} other {, # de plus par requête précédente}}. Une taille minimale de requête est comparée au compte d’avant ce calibrage.',
    nonText:
      '{n, plural, one {# partie n’est pas du texte (une image, par exemple) et n’est pas comptée} other {# parties ne sont pas du texte (des images, par exemple) et ne sont pas comptées}}.',
  },
  nothing: {
    title: 'Rien n’est masqué',
    label: 'Pourquoi rien n’est masqué',
    lines: {
      disabled: 'Le masquage est désactivé.',
      window_off: 'La fenêtre est à 0, ce qui désactive le masquage.',
      no_results: 'Cette conversation n’a pas de résultat d’outil.',
      below_trigger:
        'Nous comptons {tokens} tokens dans la requête suivante, moins que la taille minimale de requête de {trigger, number}.',
      in_window:
        '{isAll, select, yes {{turns, plural, one {Le seul tour est} other {Les # tours sont}} dans la fenêtre de {window, number}.} other {{n, plural, one {# résultat est} other {# résultats sont}} dans la fenêtre de {window, number}{batch, plural, =1 {} other {, qui avance de # tours à la fois}}.}}',
      before_first_step:
        'La fenêtre avance de {batch, number} tours à la fois. Elle n’a pas encore avancé : moins de {batch, number} tours précèdent les {window, number} derniers.',
      text_parts:
        '{n, plural, one {# résultat est une liste de parties de texte ; le Schéma 1 ne le masque pas.} other {# résultats sont des listes de parties de texte ; le Schéma 1 ne les masque pas.}}',
      non_text:
        '{n, plural, one {# résultat n’est} other {# résultats ne sont}} ni un texte ni une liste de parties de texte.',
      orphan:
        '{n, plural, one {# résultat ne répond} other {# résultats ne répondent}} à aucun appel de cette conversation.',
      without_ids:
        '{n, plural, one {# résultat et son appel n’ont pas d’identifiant ; le Schéma 1 en exige un.} other {# résultats et leurs appels n’ont pas d’identifiant ; le Schéma 1 en exige un.}}',
      no_call_id:
        '{n, plural, one {# résultat n’a} other {# résultats n’ont}} pas de tool_call_id.',
      excluded_tool:
        '{n, plural, one {# résultat vient d’un outil exclu} other {# résultats viennent d’outils exclus}}.',
      kept_last_k:
        '{n, plural, one {# résultat est parmi les {k, number} derniers de son outil} other {# résultats sont parmi les {k, number} derniers de leur outil}}.',
      kept_error:
        '{n, plural, one {# résultat est gardé comme erreur} other {# résultats sont gardés comme erreurs}}.',
      already_masked:
        '{n, plural, one {# résultat est déjà un placeholder} other {# résultats sont déjà des placeholders}}.',
      would_grow:
        'Pour {n, plural, one {# résultat} other {# résultats}}, le placeholder n’utiliserait pas moins de tokens.',
    },
    changes: {
      disabled: 'Activer le masquage',
      window_off:
        'Mettre la fenêtre à {window, number}{batch, plural, =0 {} other {, avancée à chaque tour}}',
      in_window:
        'Mettre la fenêtre à {window, number}{batch, plural, =0 {} other {, avancée à chaque tour}}',
      below_trigger: 'Retirer la taille minimale de requête',
      before_first_step: 'Avancer la fenêtre à chaque tour',
      text_parts: 'Masquer aussi les parties de texte',
      without_ids: 'Relier par l’ordre',
      excluded_tool: 'Ne plus exclure d’outils',
      kept_last_k: 'Mettre à 0 les N derniers par outil',
      kept_error: 'Masquer aussi les erreurs',
      would_grow: 'Les masquer quand même',
    },
    masks: '{n, plural, one {masquerait # résultat} other {masquerait # résultats}}',
  },
}
