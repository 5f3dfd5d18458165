import type { loop as english } from '../en/loop-messages'
import type { Translated } from '../translated'

export const loop: Translated<typeof english> = {
  title: 'Appels d’outil',
  open: 'Appels d’outil : {found}',
  close: 'Fermer les appels d’outil',
  parts: 'Appels d’outil',
  part: {
    repeated_calls: 'Appels répétés',
    checks: 'Contrôles',
    arguments: 'Arguments invalides',
    errors: 'Règles d’erreur',
    next_request: 'Requête suivante',
    simulator: 'Simulateur',
  },
  repeats: '{count, plural, one {# répétition} other {# répétitions}}',
  found: '{count, plural, one {# constat} other {# constats}}',
  broken: '{count, plural, one {# argument invalide} other {# arguments invalides}}',
  problems: '{count, plural, one {# problème} other {# problèmes}}',
  nothing: 'aucune répétition',
  marks: {
    found: 'répétitions dans {count, plural, one {# tour} other {# tours}}',
    stopped: 'arrêts dans {count, plural, one {# tour} other {# tours}}',
    step: 'Aller au suivant',
  },
}
