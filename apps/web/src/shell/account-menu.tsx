/** Offers what concerns the account: settings, language, colours and signing out. */
import { Menu, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { IconCheck, IconLogout, IconSelector, IconUserCircle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useLanguage } from '../i18n/language.tsx';
import { LANGUAGES, type Language } from '../i18n/languages.ts';
import { useMessages } from '../i18n/messages.ts';
import { MenuGroup } from '../kit/action/actions-menu.tsx';
import { useAccount } from '../session/account.ts';
import { signOut } from '../session/sign-out.ts';
import { SCHEMES } from './colour-schemes.ts';
import classes from './shell.module.css';

export function AccountMenu() {
  const t = useMessages('shell');
  const navigation = useMessages('navigation');
  const account = useAccount();
  const { username, is_admin } = account;
  return (
    <Menu position="top-start" width={216} withinPortal={false}>
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
        <Menu.Divider role="separator" />
        <Languages />
        <Menu.Divider role="separator" />
        <Menu.Item
          component={Link}
          to="/settings/account"
          leftSection={<IconUserCircle size={16} />}
        >
          {navigation.account}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut(account)}>
          {t.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Appearance() {
  const t = useMessages('shell');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <MenuGroup label={t.appearance}>
      <Menu.RadioGroup value={colorScheme}>
        {SCHEMES.map(([scheme, Icon]) => (
          <Menu.RadioItem
            key={scheme}
            value={scheme}
            checkIcon={CHOSEN}
            rightSection={<Icon size={16} aria-hidden="true" />}
            closeMenuOnClick={false}
            onChange={() => setColorScheme(scheme)}
          >
            {t.schemes[scheme]}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </MenuGroup>
  );
}

function Languages() {
  const t = useMessages('shell');
  const [language, setLanguage] = useLanguage();
  const all = Object.entries(LANGUAGES) as [Language, string][];
  return (
    <MenuGroup label={t.language}>
      <Menu.RadioGroup value={language}>
        {all.map(([each, name]) => (
          <Menu.RadioItem
            key={each}
            value={each}
            lang={each}
            checkIcon={CHOSEN}
            closeMenuOnClick={false}
            onChange={() => setLanguage(each)}
          >
            {name}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </MenuGroup>
  );
}

const CHOSEN = <IconCheck size={14} aria-hidden="true" />;
