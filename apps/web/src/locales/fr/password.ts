import type { password as passwordEn } from '../en/password.ts';

export const password: typeof passwordEn = {
  title: 'Changer de mot de passe',
  forced: 'Choisissez votre propre mot de passe pour continuer.',
  current: 'Mot de passe actuel',
  wanted: 'Nouveau mot de passe',
  hint: 'Au moins 12 caractères ; une phrase convient bien.',
  again: 'Nouveau mot de passe, encore une fois',
  differ: 'Les deux ne sont pas identiques.',
  short: (missing) => `Encore ${missing}.`,
  submit: 'Changer le mot de passe',
  done: 'Votre mot de passe est changé.',
  signOut: 'Se déconnecter',
};
