import type { adminOnly as adminOnlyEn } from '../en/admin-only.ts';

export const adminOnly: typeof adminOnlyEn = {
  title: 'Réservé à l’administration',
  text: 'Cette page change ce que chacun peut faire ici ; elle n’est donc qu’à elle. Adressez-vous à l’administration si vous avez besoin de quelque chose.',
};
