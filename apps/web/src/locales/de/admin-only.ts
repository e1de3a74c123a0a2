import type { adminOnly as adminOnlyEn } from '../en/admin-only.ts';

export const adminOnly: typeof adminOnlyEn = {
  title: 'Für die Administration',
  text: 'Diese Seite ändert, was alle hier dürfen; darum ist sie der Administration vorbehalten. Wenden Sie sich an sie, wenn Sie etwas davon brauchen.',
};
