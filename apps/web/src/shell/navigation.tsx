import { NavLink, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { keyOf, page, useAnswer } from '../api/api.ts';
import { loadAllMessages } from '../i18n/bundles.ts';
import { useLanguage } from '../i18n/language.tsx';
import { useMessages, useWords } from '../i18n/messages.ts';
import { useAccount } from '../session/account.ts';
import { NAVIGATION, type NavigationItem, type Section } from './navigation-items.ts';
import { sectionsFor, whereIs } from './places.ts';
import classes from './shell.module.css';

/** What the account may open. */
export function useSections(): readonly Section[] {
  const { is_admin: isAdmin } = useAccount();
  return useMemo(() => sectionsFor(NAVIGATION, isAdmin), [isAdmin]);
}

export function Navigation() {
  const shell = useMessages('shell');
  const sections = useSections();
  const links = useRef<HTMLDivElement>(null);
  const { pathname } = useLocation();
  const current = whereIs(pathname, sections)?.item;
  // In a low window the list is longer than its space, which also shrinks while the page loads.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path decides which one is current
  useEffect(() => {
    const list = links.current;
    const sizes = new ResizeObserver(() =>
      list?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' }),
    );
    if (list) sizes.observe(list);
    return () => sizes.disconnect();
  }, [pathname]);
  return (
    <div ref={links} className={classes.links}>
      {sections
        .filter(({ name }) => name !== 'account')
        .map(({ name, items }) => (
          <div key={name} className={classes.section}>
            {name === 'administration' && (
              <Text size="xs" fw={600} c="dimmed" px="sm" pb={4}>
                {shell.administration}
              </Text>
            )}
            {items.map((item) => (
              <NavigationLink key={item.label} item={item} isCurrent={item === current} />
            ))}
          </div>
        ))}
    </div>
  );
}

interface NavigationLinkProps {
  item: NavigationItem;
  isCurrent: boolean;
}

function NavigationLink({ item, isCurrent }: NavigationLinkProps) {
  const { label, icon: Icon, counted, places } = item;
  const t = useMessages('navigation');
  const [language] = useLanguage();
  // The page that is opened then does not wait for them.
  const loadMessages = () => void loadAllMessages(language);
  return (
    <NavLink
      component={Link}
      to={places[0]?.path ?? '/'}
      aria-current={isCurrent ? 'page' : undefined}
      label={t[label]}
      leftSection={<Icon size={18} stroke={1.6} />}
      rightSection={counted && <ReviewCount />}
      className={classes.place ?? ''}
      onPointerEnter={loadMessages}
      onFocus={loadMessages}
    />
  );
}

const REFRESH_MS = 60_000;

/** How many requests and single waivers wait for the account; only for accounts that review. */
function ReviewCount() {
  const [t, format] = useWords('shell');
  const { is_admin, can_bypass_vuln_block: bypasses } = useAccount();
  const options = { enabled: is_admin || bypasses, refetchInterval: REFRESH_MS };
  const query = { reviewable: 'true', limit: 1 } as const;
  const { data: requests } = useAnswer('reviews.count', undefined, options);
  const { data: waivers } = useQuery({
    queryKey: keyOf('waivers.list', { query }),
    queryFn: () => page('waivers.list', { query }),
    ...options,
  });
  const total = (requests?.to_decide ?? 0) + (waivers?.total ?? 0);
  if (total === 0) return null;
  return (
    <span className={classes.count} role="img" aria-label={t.toReview(total)}>
      {format.number(total)}
    </span>
  );
}
