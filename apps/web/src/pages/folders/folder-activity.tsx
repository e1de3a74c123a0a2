/** What happened in a folder last. */
import { Anchor } from '@mantine/core';
import type { FolderEvent, FolderOverview } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID, ROOT_FOLDER } from '@portcullis/domain';
import {
  IconBarrierBlock,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconMessageQuestion,
  IconShieldCheck,
  IconShieldExclamation,
  IconShieldQuestion,
  IconUpload,
} from '@tabler/icons-react';
import { Link } from 'react-router';
import { useMessages } from '../../i18n/messages.ts';
import { Panel } from '../../kit/layout/panel.tsx';
import { LongName } from '../../kit/text/long-name.tsx';
import { RelativeTime } from '../../kit/text/relative-time.tsx';
import { type Tone, ToneIcon } from '../../kit/verdict/badge.tsx';
import { useAccount } from '../../session/account.ts';
import { repositoryPath } from '../images/repository-location.ts';
import classes from './folders.module.css';

const LOOKS: Record<FolderEvent['kind'], [typeof IconUpload, Tone?]> = {
  pushed: [IconUpload],
  bypassed: [IconShieldExclamation, 'wait'],
  blocked: [IconBarrierBlock, 'critical'],
  cleared: [IconCircleCheck, 'good'],
  waiver_requested: [IconShieldQuestion],
  waiver_approved: [IconShieldCheck, 'good'],
  waiver_rejected: [IconCircleX],
  waiver_revoked: [IconCircleX],
  review_requested: [IconMessageQuestion, 'wait'],
  review_approved: [IconShieldCheck, 'good'],
  review_partly_approved: [IconShieldCheck, 'good'],
  review_rejected: [IconCircleX],
  review_withdrawn: [IconCircleX],
  review_expired: [IconClock],
};

const SHOWN = 10;

export function FolderActivity({ folder }: { folder: FolderOverview }) {
  const t = useMessages('folder');
  const { is_admin: isAdmin } = useAccount();
  const { name, activity } = folder;
  return (
    <Panel
      title={t.activity}
      actions={
        isAdmin &&
        name !== ROOT_FOLDER && (
          <Anchor component={Link} to={`/audit?${new URLSearchParams({ q: name })}`} size="sm">
            {t.auditLog}
          </Anchor>
        )
      }
      empty={activity.length === 0 && t.noActivity}
    >
      <ol className={classes.activity}>
        {activity.slice(0, SHOWN).map((event) => (
          <Entry key={keyOf(event)} event={event} />
        ))}
      </ol>
    </Panel>
  );
}

function keyOf(event: FolderEvent): string {
  const { kind, at, repository, digest, tag, waiver_id: waiver, review } = event;
  return [kind, at, repository, digest, tag, waiver, review].join(' ');
}

function Entry({ event }: { event: FolderEvent }) {
  const [icon, tone] = LOOKS[event.kind];
  return (
    <li>
      <ToneIcon icon={icon} tone={tone} size={16} />
      <div>
        <Subject event={event} />
        <span className={classes.when}>
          <Sentence event={event} /> · <RelativeTime at={event.at} />
        </span>
      </div>
    </li>
  );
}

function Subject({ event }: EntryProps) {
  const { repository, tag, vulnerability, waiver_id: waiver, review } = event;
  if (repository === null)
    return (
      <Link to={`/waivers?${new URLSearchParams({ state: 'all', open: waiver ?? '' })}`}>
        {vulnerability}
      </Link>
    );
  const place = { registryId: LOCAL_REGISTRY_ID, repository };
  const name = tag === null ? repository : `${repository}:${tag}`;
  if (review !== null)
    return (
      <Link to={`/reviews?open=${review}`}>
        <LongName>{`#${review} ${name}`}</LongName>
      </Link>
    );
  return (
    <Link to={repositoryPath(place, tag ?? undefined)}>
      <LongName>{name}</LongName>
    </Link>
  );
}

interface EntryProps {
  event: FolderEvent;
}

function Sentence({ event: { kind, by } }: EntryProps) {
  const { events } = useMessages('folder');
  const words = events[kind];
  return typeof words === 'string' ? words : words(by ?? '');
}
