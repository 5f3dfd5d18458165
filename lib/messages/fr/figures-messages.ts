export const figures = {
  title: 'Chiffres partagés',
  sender:
    'par l’expéditeur de ce lien. La transcription n’y est pas : cette page ne peut donc pas les vérifier.',
  try: 'Essayer cette politique',
  open: 'Ouvrir le playground',
  missing:
    'Cette adresse ne contient aucun chiffre ; il faut un lien fait par « Partager les chiffres » dans le playground.',
  damaged: 'Les chiffres de ce lien sont abîmés ; demandez-le de nouveau, tel qu’il a été copié.',
  newer_version:
    'Ce lien vient d’une version plus récente du playground ; rechargez cette page, ou ouvrez-le là où il a été fait.',
  fileName: 'rapport-masquage',
  save: 'Enregistrer le rapport',
  print: 'Imprimer',
  hint: 'Pour montrer ce que le masquage économise : un lien vers une page avec coûts, verdict et graphiques. Le destinataire ne voit rien de la transcription, pas même un nom.',
  share: 'Partager les chiffres',
  present: 'Présenter',
}
