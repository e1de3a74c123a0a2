import type { common as commonEn } from '../en/common.ts';

export const common: typeof commonEn = {
  cancel: 'Annuler',
  copy: 'Copier',
  copied: 'Copié',
  unsaved: 'Modifications non enregistrées',
  discard: 'Annuler les modifications',
  save: 'Enregistrer',
  remove: 'Supprimer…',
  close: 'Fermer',
  clear: 'Effacer',
  reveal: 'Afficher le mot de passe',
};
