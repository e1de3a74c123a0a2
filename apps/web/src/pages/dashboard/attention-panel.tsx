/** Names what needs attention. */
import { Button, Group, Stack, Text } from '@mantine/core';
import type { Attention } from '@portcullis/contract';
import { IconAlertTriangle, IconCircleCheck, IconUrgent } from '@tabler/icons-react';
import { Link } from 'react-router';
import { type Format, type Messages, useMessages, useWords } from '../../i18n/messages.ts';
import { Panel } from '../../kit/layout/panel.tsx';
import { ToneIcon } from '../../kit/verdict/badge.tsx';
import { useAccount } from '../../session/account.ts';
import { useChanges } from './changes-panel.tsx';
import classes from './dashboard.module.css';

interface Way {
  to: string;
  adminOnly?: true;
}

const WAYS: Record<Attention['kind'], Way> = {
  reviews_waiting: { to: '/reviews?show=waiting' },
  waivers_waiting: { to: '/waivers?state=review' },
  jobs_blocked: { to: '/staging?show=blocked' },
  jobs_failed: { to: '/staging?show=failed&range=day' },
  scanner_unavailable: { to: '/system', adminOnly: true },
  scanner_db_old: { to: '/system', adminOnly: true },
  registry_unavailable: { to: '/system', adminOnly: true },
  no_worker: { to: '/system', adminOnly: true },
  disk_short: { to: '/system', adminOnly: true },
  disk_nearly_full: { to: '/system', adminOnly: true },
  events_lagging: { to: '/settings/network', adminOnly: true },
  gc_failed: { to: '/system', adminOnly: true },
};

/** What needs attention, with a link to each. */
export function AttentionPanel({ attention }: { attention: Attention[] }) {
  const t = useMessages('dashboard');
  if (attention.length === 0) return <Well />;
  return (
    <Panel title={t.attention}>
      <Stack component="ul" gap={8}>
        {attention.map((each) => (
          <AttentionLine key={each.kind} {...each} />
        ))}
      </Stack>
    </Panel>
  );
}

/** The panel of changes below names the images that were blocked. */
function Well() {
  const t = useMessages('dashboard');
  const { data, isPending } = useChanges();
  // Not before it is known whether images were blocked.
  if (isPending) return null;
  const blocked = data?.blocked ?? 0;
  const icon = blocked > 0 ? IconAlertTriangle : IconCircleCheck;
  return (
    <Group gap={8} wrap="nowrap">
      <ToneIcon icon={icon} tone={blocked > 0 ? 'high' : 'good'} size={20} />
      <Text>{blocked > 0 ? t.wellButBlocked(blocked) : t.allWell}</Text>
    </Group>
  );
}

function AttentionLine(attention: Attention) {
  const { kind, level } = attention;
  const [t, format] = useWords('dashboard');
  const { is_admin } = useAccount();
  const { to, adminOnly } = WAYS[kind];
  const text = attentionText(attention, t, format);
  return (
    <Group component="li" gap={10} wrap="nowrap">
      {level === 'critical' ? (
        <ToneIcon icon={IconUrgent} tone="critical" size={20} />
      ) : (
        <ToneIcon icon={IconAlertTriangle} tone="high" size={20} />
      )}
      <span className={classes.message}>{text}</span>
      {(is_admin || !adminOnly) && (
        <Button
          component={Link}
          to={to}
          variant="default"
          size="xs"
          aria-label={`${t.look}${format.colon}${text}`}
        >
          {t.look}
        </Button>
      )}
    </Group>
  );
}

function attentionText(
  { kind, count, oldest_at: oldest }: Attention,
  t: Messages['dashboard'],
  format: Format,
): string {
  switch (kind) {
    case 'reviews_waiting':
    case 'waivers_waiting':
      return t.kinds[kind](count, oldest === null ? '' : format.relative(oldest));
    case 'scanner_db_old':
      return t.kinds[kind](format.duration(count));
    case 'jobs_blocked':
    case 'jobs_failed':
    case 'disk_nearly_full':
    case 'events_lagging':
      return t.kinds[kind](count);
    default:
      return t.kinds[kind];
  }
}
