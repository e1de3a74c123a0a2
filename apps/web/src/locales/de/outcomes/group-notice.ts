import type { groupNotice as groupNoticeEn } from '../../en/outcomes/group-notice.ts';

export const groupNotice: typeof groupNoticeEn = {
  title: 'Ihre Gruppen konnten nicht gelesen werden',
  why: {
    absent:
      'Der Identitätsanbieter hat Ihre Gruppen nicht gesendet. Ihre Berechtigungen bleiben deshalb, wie sie waren. Ein Administrator kann das beim Anbieter korrigieren.',
    overage:
      'Sie sind in mehr Gruppen, als der Identitätsanbieter sendet. Ihre Berechtigungen bleiben deshalb, wie sie waren. Ein Administrator kann die gesendeten Gruppen einschränken.',
    unreadable:
      'Der Identitätsanbieter hat Ihre Gruppen in einer unbekannten Form gesendet. Ihre Berechtigungen bleiben deshalb, wie sie waren. Ein Administrator kann das beim Anbieter korrigieren.',
    not_here:
      'Einige Ihrer Gruppen sind Gruppen zugeordnet, die es hier nicht gibt. Ihnen fehlen deshalb vielleicht Berechtigungen. Ein Administrator kann die Zuordnung korrigieren.',
  },
  close: 'Diesen Hinweis schließen',
};
