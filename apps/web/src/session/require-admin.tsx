/** Around the pages of administration: others who come by a link are told why there is nothing for them. */
import { IconLock } from '@tabler/icons-react';
import { Outlet } from 'react-router';
import { words } from '../i18n/words.ts';
import { EmptyState } from '../kit/layout/empty-state.tsx';
import { useAccount } from './account.ts';

const useAdminOnlyWords = words({
  en: {
    title: 'For administrators',
    text: 'This page changes what everybody here may do, so it is theirs alone. Ask one of your administrators if you need something from it.',
  },
  fr: {
    title: 'Réservé à l’administration',
    text: 'Cette page change ce que chacun peut faire ici ; elle n’est donc qu’à elle. Adressez-vous à l’administration si vous avez besoin de quelque chose.',
  },
  de: {
    title: 'Für die Administration',
    text: 'Diese Seite ändert, was alle hier dürfen; darum ist sie der Administration vorbehalten. Wenden Sie sich an sie, wenn Sie etwas davon brauchen.',
  },
});

export function Component() {
  const t = useAdminOnlyWords();
  if (useAccount().is_admin) return <Outlet />;
  return <EmptyState icon={IconLock} title={t.title} text={t.text} page />;
}
