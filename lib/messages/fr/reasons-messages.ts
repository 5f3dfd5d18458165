import type { reasons as english, errorRules as englishRules } from '../en/reasons-messages'
import type { Translated } from '../translated'

export const reasons: Translated<typeof english> = {
  disabled: 'Gardé : le masquage est désactivé.',
  below_trigger:
    'Gardé : la requête a moins de {trigger, number} tokens, la taille minimale de requête.',
  no_call_id: 'Gardé : sans tool_call_id, l’appel auquel il répond est inconnu.',
  orphan: 'Gardé : aucun appel n’a son identifiant.',
  in_window:
    'Gardé : le tour {turn, number} est {window, plural, one {le dernier} other {l’un des # derniers}}.',
  in_window_step:
    'Gardé : le tour {turn, number} est plus ancien que {window, plural, one {le dernier} other {les # derniers}}, mais la fenêtre n’avance que tous les {batch, number} tours.',
  excluded_tool: 'Gardé : {tool} n’est jamais masqué.',
  kept_last_k:
    'Gardé : {k, plural, one {le dernier résultat} other {l’un des # derniers résultats}} de {tool}.',
  kept_error: 'Gardé comme erreur : {rules}.',
  non_text: 'Gardé : son contenu n’est pas une chaîne.',
  non_text_parts:
    'Gardé : son contenu est une liste de parties de texte, que le Schéma 1 ne masque pas.',
  already_masked: 'Gardé : c’est déjà le placeholder de cette politique.',
  would_grow: 'Gardé : le placeholder n’aurait pas moins de tokens.',
  masked:
    'Masqué : le tour {turn, number} est plus ancien que {window, plural, one {le dernier} other {les # derniers}}.',
  masked_step:
    'Masqué : le tour {turn, number} précède le tour {first, number}, le premier de la fenêtre.',
}

export const errorRules: Translated<typeof englishRules> = {
  traceback: 'contient « traceback »',
  exception: 'contient « exception »',
  error_line: 'une ligne commence par « error »',
  timeout: 'contient « timeout »',
  connection: 'contient « connect_error » ou « connection refused »',
  json_error: 'JSON avec une erreur',
  flag: 'signalé comme erreur par son format',
  stack_trace: 'contient une pile d’appels',
  exit_code: 'code de sortie autre que 0',
  error_flag: 'clé « is_error » à true',
  json_failure: '« success » à false ou « status » à « error »',
  pattern: 'contient l’un de vos textes',
}
