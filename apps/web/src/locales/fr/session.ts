import type { session as sessionEn } from '../en/session.ts';

export const session: typeof sessionEn = {
  title: 'Connexion',
  lead: 'Récupérer, analyser, examiner et pousser des images de conteneurs.',
  username: 'Nom d’utilisateur',
  password: 'Mot de passe',
  submit: 'Se connecter',
  withProvider: (name) => `Se connecter avec ${name}`,
  or: 'ou',
  expired: 'Votre session est terminée',
  expiredText: 'Reconnectez-vous pour continuer. Votre saisie est conservée.',
  goOn: 'Je me suis reconnecté',
  other: 'Utiliser un autre compte',
};
