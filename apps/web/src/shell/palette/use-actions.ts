/** Pages and actions that the palette offers: what the sidebar and the account's menu have. */
import { useMantineColorScheme } from '@mantine/core';
import { IconDownload, IconLanguage, IconLogout, IconTransferOut } from '@tabler/icons-react';
import { useLanguage } from '../../i18n/language.tsx';
import { LANGUAGES, type Language } from '../../i18n/languages.ts';
import { useMessages } from '../../i18n/messages.ts';
import { useAccount } from '../../session/account.ts';
import { signOut } from '../../session/sign-out.ts';
import { SCHEMES } from '../colour-schemes.ts';
import { useNavigationItems } from '../navigation.tsx';
import type { PaletteEntry } from './entry.ts';

export function useActions(): PaletteEntry[] {
  const t = useMessages('palette');
  const navigation = useMessages('navigation');
  const pages = useNavigationItems().map(({ path, label, icon }) =>
    action(path, navigation[label], icon, { path }),
  );
  return [
    action('/staging/new', t.newPull, IconDownload, { path: '/staging/new' }),
    action('/transfers/new', t.newTransfer, IconTransferOut, { path: '/transfers/new' }),
    ...pages,
    ...usePreferences(),
  ];
}

function usePreferences(): PaletteEntry[] {
  const t = useMessages('palette');
  const shell = useMessages('shell');
  const account = useAccount();
  const { setColorScheme } = useMantineColorScheme();
  const [, setLanguage] = useLanguage();
  const languages = Object.entries(LANGUAGES) as [Language, string][];
  return [
    ...SCHEMES.map(([scheme, icon]) =>
      action(`scheme ${scheme}`, t.choice(shell.appearance, shell.schemes[scheme]), icon, {
        run: () => setColorScheme(scheme),
      }),
    ),
    ...languages.map(([language, name]) =>
      action(`language ${language}`, t.choice(shell.language, name), IconLanguage, {
        run: () => setLanguage(language),
      }),
    ),
    action('sign-out', shell.signOut, IconLogout, { run: () => void signOut(account) }),
  ];
}

function action(
  id: string,
  label: string,
  icon: PaletteEntry['icon'],
  does: Pick<PaletteEntry, 'path' | 'run'>,
): PaletteEntry {
  return { id: `action ${id}`, kind: 'action', label, icon, ...does };
}
