import { Menu, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import {
  IconCheck,
  IconDeviceDesktop,
  IconKey,
  IconLogout,
  IconMoon,
  IconSelector,
  IconSun,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useLanguage } from '../i18n/language.tsx';
import { LANGUAGES, type Language } from '../i18n/words.ts';
import { useAccount } from '../session/account.ts';
import { signOut } from '../session/sign-out.ts';
import classes from './shell.module.css';
import { useShellWords } from './shell-words.ts';

const SCHEMES = [
  ['light', IconSun],
  ['dark', IconMoon],
  ['auto', IconDeviceDesktop],
] as const;

export function AccountMenu() {
  const t = useShellWords();
  const account = useAccount();
  const { username, is_admin } = account;
  return (
    <Menu position="top-start" width={216} withinPortal>
      <Menu.Target>
        <UnstyledButton className={classes.account ?? ''}>
          <span className={classes.initial} aria-hidden="true">
            {username.slice(0, 1).toUpperCase()}
          </span>
          <span style={{ flex: 1, minWidth: 0 }}>
            <Text size="sm" fw={550} truncate>
              {username}
            </Text>
            {is_admin && (
              <Text size="xs" c="dimmed">
                {t.administrator}
              </Text>
            )}
          </span>
          <IconSelector size={16} stroke={1.6} aria-hidden="true" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Appearance />
        <Menu.Divider />
        <Languages />
        <Menu.Divider />
        <Menu.Item component={Link} to="/settings/account" leftSection={<IconKey size={16} />}>
          {t.changePassword}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut(account)}>
          {t.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Appearance() {
  const t = useShellWords();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Label>{t.appearance}</Menu.Label>
      {SCHEMES.map(([scheme, Icon]) => (
        <Choice
          key={scheme}
          chosen={colorScheme === scheme}
          icon={<Icon size={16} />}
          onClick={() => setColorScheme(scheme)}
        >
          {t[scheme === 'auto' ? 'system' : scheme]}
        </Choice>
      ))}
    </>
  );
}

function Languages() {
  const t = useShellWords();
  const [language, setLanguage] = useLanguage();
  const all = Object.entries(LANGUAGES) as [Language, string][];
  return (
    <>
      <Menu.Label>{t.language}</Menu.Label>
      {all.map(([each, name]) => (
        <Choice key={each} chosen={language === each} onClick={() => setLanguage(each)} lang={each}>
          {name}
        </Choice>
      ))}
    </>
  );
}

interface ChoiceProps {
  chosen: boolean;
  icon?: ReactNode;
  lang?: string;
  onClick: () => void;
  children: ReactNode;
}

function Choice({ chosen, icon, lang, onClick, children }: ChoiceProps) {
  return (
    <Menu.Item
      role="menuitemradio"
      aria-checked={chosen}
      leftSection={icon}
      rightSection={chosen ? <IconCheck size={14} aria-hidden="true" /> : null}
      onClick={onClick}
      closeMenuOnClick={false}
      {...(lang && { lang })}
    >
      {children}
    </Menu.Item>
  );
}
