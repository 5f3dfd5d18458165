import type { charged as english } from '../en/charged-messages'
import type { Translated } from '../translated'

export const charged: Translated<typeof english> = {
  title: 'Facturé et rejoué',
  intro:
    'Les comptes du fournisseur, que le fichier indique pour {known, number} {all, plural, one {requête sur #} other {requêtes sur #}} : l’entrée, aux prix utilisés. Notre rejeu calcule {all, plural, one {la requête} other {les # requêtes}} à partir de la transcription, pour savoir ce que change le masquage.',
  figures: {
    charged: 'Facturé',
    replayed: 'Notre rejeu, sans masquage',
    masked: 'Avec cette politique, environ',
    output: 'Réponses, en plus',
    tokens: '{tokens} tokens',
    outputTokens: '{tokens} tokens, raisonnement compris',
  },
  fields: {
    title: 'Calibrage',
    isOn: 'Utiliser les comptes de tokens du fournisseur',
    isOnWithoutUsage: 'Ajuster nos comptes de tokens',
    estimate:
      'Claude compte environ {slope, number} tokens pour 100 des nôtres : une estimation ({source}). Le fichier n’indique aucune consommation sur laquelle l’ajuster.',
    isOnNote:
      'Ajusté sur {n, plural, one {# requête} other {# requêtes}} ; l’écart est inférieur à {percent} % pour la moitié d’entre elles.',
    none: 'Le fichier n’indique aucune consommation sur laquelle les ajuster.',
    head: 'Préambule absent du fichier',
    slope: 'Tokens du fournisseur pour 100 comptés',
    request: 'Absent du fichier, par requête',
    tokens: 'tokens',
    reset: 'Revenir à l’ajustement',
  },
  requests: {
    title: 'Tableau des requêtes facturées',
    request: 'Requête',
    charged: 'Facturé',
    replayed: 'Rejoué',
    read: 'Lu',
    tokens: 'Tokens',
    cost: 'Coût',
    why: 'Part principale',
  },
  unseen: {
    title: 'Le prompt système et les outils manquent peut-être',
    intro:
      'Ce fichier n’indique aucune consommation de tokens. S’il ne contient ni le prompt système ni les schémas des outils, chaque requête était plus longue qu’elle ne paraît. Ajoutez un préambule pour voir comment le résultat change.',
    head: 'Préambule absent du fichier',
    change: 'Effet du masquage',
    cost: 'Session, sans masquage → masquée',
    use: 'Utiliser<more> {head} tokens</more>',
    used: 'Utilisé',
    typical:
      'Préambules courants, mesurés sur des sessions publiées : Claude Code 42 000 tokens, Cline 25 000, Gemini CLI 12 000, Codex 5 500 à 7 200, Kimi CLI 3 800.',
    clock: 'Le fichier n’a pas d’horodatage : aucune entrée du cache n’expire pendant le rejeu.',
  },
}
