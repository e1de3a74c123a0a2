/** The frame of every page: sidebar, global dialogs and keyboard shortcuts. */

import { AppShell, Burger, Group, Text } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { Suspense, useEffect } from 'react';
import { Link, Outlet, useLocation, useNavigate, useNavigation } from 'react-router';
import { useMessages } from '../i18n/messages.ts';
import { Splash } from '../kit/layout/splash.tsx';
import { useLiveJobs } from '../live/live-jobs.ts';
import { Mark } from '../theme/mark.tsx';
import { DependencyBanner } from './dependency-banner.tsx';
import { GroupBanner } from './group-banner.tsx';
import {
  AccountMenu,
  Bell,
  CommandPalette,
  EndedSession,
  Help,
  LeaveGuard,
} from './lazy-dialogs.tsx';
import { Navigation, useSections } from './navigation.tsx';
import type { NavigationPlace } from './navigation-items.ts';
import { OfflineBanner } from './offline-banner.tsx';
import { SampleBanner } from './sample-banner.tsx';
import { SEARCH_KEYS, SearchButton, SearchIcon } from './search-button.tsx';
import { SectionTabs } from './section-tabs.tsx';
import classes from './shell.module.css';
import { useShortcut, useShortcutKeys } from './shortcuts.ts';

/** Below it the sidebar is a menu, and the header is shown. */
const NARROW = '(max-width: 47.99em)';

export function Shell() {
  const t = useMessages('shell');
  const [menu, { toggle, close }] = useDisclosure();
  const [searching, search] = useDisclosure();
  const [notifying, bell] = useDisclosure();
  const { pathname } = useLocation();
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const busy = useNavigation().state === 'loading';
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu
  useEffect(close, [pathname, close]);
  useLiveJobs();
  const notifications = <Bell opened={notifying} onToggle={bell.toggle} onClose={bell.close} />;
  return (
    <AppShell
      header={{ height: { base: 52, sm: 0 } }}
      navbar={{ width: 216, breakpoint: 'sm', collapsed: { mobile: !menu } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a className={classes.skip} href="#content">
        {t.skip}
      </a>
      <AppShell.Header hiddenFrom="sm" className={classes.header}>
        <Brand />
        <Group gap={4} wrap="nowrap">
          <SearchIcon onClick={search.open} />
          {isNarrow && notifications}
          <Burger
            opened={menu}
            onClick={toggle}
            size="sm"
            aria-label={t.menu}
            aria-expanded={menu}
          />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} aria-label={t.mainNavigation}>
        <Group visibleFrom="sm" px="sm" py="sm" justify="space-between" wrap="nowrap">
          <Brand />
          {!isNarrow && notifications}
        </Group>
        <SearchButton onClick={search.open} />
        <Navigation />
        <AccountMenu />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={classes.main}>
        {busy && <div className={classes.busy} role="progressbar" aria-label={t.loading} />}
        <div className={classes.page}>
          <SampleBanner />
          <OfflineBanner />
          <DependencyBanner />
          <GroupBanner />
          <SectionTabs />
          <Suspense fallback={<Splash />}>
            <Outlet />
          </Suspense>
        </div>
      </AppShell.Main>
      <Keys onSearch={search.open} />
      <CommandPalette opened={searching} onClose={search.close} />
      <EndedSession />
      <LeaveGuard />
    </AppShell>
  );
}

function Brand() {
  return (
    <Link to="/" className={classes.brand}>
      <Mark />
      <Text component="span" fw={640} size="lg" c="var(--mantine-color-text)">
        Portcullis
      </Text>
    </Link>
  );
}

function Keys({ onSearch }: { onSearch(): void }) {
  const t = useMessages('shell');
  const [help, { open, close }] = useDisclosure();
  const places = useSections().flatMap(({ items }) => items.flatMap((item) => item.places));
  useShortcutKeys();
  useShortcut(SEARCH_KEYS, t.searchAll, onSearch);
  useShortcut('?', t.showHelp, open);
  useShortcut('/', t.searchHere, focusSearch);
  return (
    <>
      {places.map((place) => (
        <GoTo key={place.path} place={place} />
      ))}
      <Help opened={help} onClose={close} />
    </>
  );
}

function GoTo({ place: { path, label, key } }: { place: NavigationPlace }) {
  const navigate = useNavigate();
  useShortcut(
    `g ${key}`,
    useMessages('shell').goTo(useMessages('navigation')[label]),
    () => void navigate(path),
  );
  return null;
}

function focusSearch(): void {
  document.querySelector<HTMLInputElement>('main [data-search]')?.focus();
}
