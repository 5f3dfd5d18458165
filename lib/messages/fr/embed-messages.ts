export const embed = {
  title: 'Masquage des observations sur la transcription d’un agent',
  open: 'Ouvrir dans le playground',
  copy: 'Copier le code à intégrer',
  code: 'code à intégrer',
  hint: 'Chiffres et messages de cet exemple, pour votre page',
  ownText:
    'Pour intégrer votre propre transcription, mettez « embed » avant le # d’un lien avec la transcription.',
}
