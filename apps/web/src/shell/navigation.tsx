import { NavLink, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { NavLink as RouterLink, useLocation } from 'react-router';
import { keyOf, page, useAnswer } from '../api/api.ts';
import { loadAllMessages } from '../i18n/bundles.ts';
import { useLanguage } from '../i18n/language.tsx';
import { useMessages, useWords } from '../i18n/messages.ts';
import { useAccount } from '../session/account.ts';
import { NAVIGATION, type NavigationItem } from './navigation-items.ts';
import classes from './shell.module.css';

/** The items that the account may open. */
export function useNavigationItems(): readonly NavigationItem[] {
  const { is_admin } = useAccount();
  return NAVIGATION.flatMap(({ items }) => items).filter(({ adminOnly }) => is_admin || !adminOnly);
}

export function Navigation() {
  const shell = useMessages('shell');
  const mine = useNavigationItems();
  const links = useRef<HTMLDivElement>(null);
  const { pathname } = useLocation();
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
      {NAVIGATION.map(({ title, items }) => {
        const shown = items.filter((item) => mine.includes(item));
        if (shown.length === 0) return null;
        return (
          <div key={title ?? 'work'} className={classes.section}>
            {title && (
              <Text size="xs" fw={600} c="dimmed" px="sm" pb={4}>
                {shell.sections[title]}
              </Text>
            )}
            {shown.map((item) => (
              <NavigationLink key={item.path} {...item} />
            ))}
          </div>
        );
      })}
    </div>
  );
}

function NavigationLink({ path, label, icon: Icon, counted }: NavigationItem) {
  const t = useMessages('navigation');
  const [language] = useLanguage();
  // The page that is opened then does not wait for them.
  const loadMessages = () => void loadAllMessages(language);
  return (
    <NavLink
      component={RouterLink}
      to={path}
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
