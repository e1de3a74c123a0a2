import type { groupNotice as groupNoticeEn } from '../../en/outcomes/group-notice.ts';

export const groupNotice: typeof groupNoticeEn = {
  title: 'Vos groupes n’ont pas pu être lus',
  why: {
    absent:
      'Le fournisseur d’identité n’a pas envoyé vos groupes ; vos autorisations restent donc inchangées. Un administrateur peut corriger cela chez le fournisseur.',
    overage:
      'Vous êtes membre de plus de groupes que le fournisseur d’identité n’en envoie ; vos autorisations restent donc inchangées. Un administrateur peut limiter les groupes envoyés.',
    unreadable:
      'Le fournisseur d’identité a envoyé vos groupes sous une forme inconnue ; vos autorisations restent donc inchangées. Un administrateur peut corriger cela chez le fournisseur.',
    not_here:
      'Certains de vos groupes correspondent à des groupes qui n’existent pas ici ; il peut donc vous manquer des autorisations. Un administrateur peut corriger la correspondance.',
  },
  close: 'Fermer cet avis',
};
