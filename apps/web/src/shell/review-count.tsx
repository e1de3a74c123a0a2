/** How many waivers wait for the review of the account; only for accounts that review. */
import { useQuery } from '@tanstack/react-query';
import { keyOf, page } from '../api/api.ts';
import { useWords } from '../i18n/messages.ts';
import { useAccount } from '../session/account.ts';
import classes from './shell.module.css';

const REFRESH_MS = 60_000;

export function ReviewCount() {
  const [t, format] = useWords('shell');
  const { is_admin, can_bypass_vuln_block: bypasses } = useAccount();
  const query = { reviewable: 'true', limit: 1 } as const;
  const { data } = useQuery({
    queryKey: keyOf('waivers.list', { query }),
    queryFn: () => page('waivers.list', { query }),
    enabled: is_admin || bypasses,
    refetchInterval: REFRESH_MS,
  });
  const total = data?.total ?? 0;
  if (total === 0) return null;
  return (
    <span className={classes.count} role="img" aria-label={t.toReview(total)}>
      {format.number(total)}
    </span>
  );
}
