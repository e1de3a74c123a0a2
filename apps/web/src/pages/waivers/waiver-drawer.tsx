/** One waiver: its facts, what it covers, and its review. */
import { Anchor, Stack, Text, Title } from '@mantine/core';
import type { WaiverCoverage as Coverage, Waiver } from '@portcullis/contract';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useAnswer } from '../../api/api.ts';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { AskedDrawer } from '../../kit/form/asked-close.tsx';
import { type Fact, FactList } from '../../kit/layout/panel.tsx';
import { QueryView } from '../../kit/layout/query-view.tsx';
import { RelativeTime } from '../../kit/text/relative-time.tsx';
import { useScopeText } from '../../kit/waiver/waiver-words.ts';
import { folderPath } from '../folders/folder-location.ts';
import { useWaivedName } from './use-waived-name.ts';
import { WaiverReview } from './waiver-review.tsx';
import { WaiverEnd, WaiverState } from './waiver-state.tsx';
import classes from './waivers.module.css';

interface WaiverDrawerProps {
  /** Null: closed. */
  id: string | null;
  onClose(): void;
}

export function WaiverDrawer({ id, onClose }: WaiverDrawerProps) {
  const t = useMessages('waivers');
  return (
    <AskedDrawer opened={id !== null} onClose={onClose} size={560} title={t.one}>
      {() => id !== null && <OneWaiver key={id} id={id} />}
    </AskedDrawer>
  );
}

function OneWaiver({ id }: { id: string }) {
  const nameOf = useWaivedName();
  const waiver = useAnswer('waivers.get', { params: { id } });
  return (
    <QueryView query={waiver} rows={4} rowHeight={60}>
      {(found) => (
        <Stack gap="lg">
          <Title order={3}>{nameOf(found.vulnerability)}</Title>
          <Facts waiver={found} />
          <WaiverReview waiver={found} />
          <WaiverCoverage waiver={found} />
        </Stack>
      )}
    </QueryView>
  );
}

function Facts({ waiver }: { waiver: Waiver }) {
  return <FactList facts={useFacts(waiver)} />;
}

function useFacts(waiver: Waiver): Fact[] {
  const [t, format] = useWords('waivers');
  const scope = useScopeText();
  const { state, approvals, closed, vex, justification, review } = waiver;
  const names = approvals.map(({ username }) => username ?? t.deletedAccount);
  const closing = state === 'rejected' || state === 'revoked' ? t.closedBy[state] : t.end;
  return [
    [t.state, <WaiverState key="state" waiver={waiver} />],
    [t.scope, scope(waiver)],
    [
      t.folder,
      waiver.folder === null ? null : (
        <Anchor key="folder" component={Link} to={folderPath(waiver.folder)} underline="always">
          {waiver.folder}
        </Anchor>
      ),
    ],
    [t.status, t.statuses[waiver.status]],
    [t.justification, justification && t.justifications[justification]],
    [t.reason, <Prose key="reason">{waiver.reason}</Prose>],
    [t.ticket, waiver.ticket],
    [
      t.ofReview,
      review !== null && (
        <Anchor
          key="review"
          component={Link}
          to={`/reviews?show=all&open=${review}`}
          underline="always"
        >
          #{review}
        </Anchor>
      ),
    ],
    [
      t.requestedBy,
      <Moment key="requested" name={waiver.requested_by.username} at={waiver.created_at} />,
    ],
    [t.approvedBy, names.length > 0 ? format.list(names) : null],
    [closing, closed && <Prose key="closed">{closingWords(closed, format.colon)}</Prose>],
    [t.vex, vex && (vex.author === null ? vex.document : t.vexAuthor(vex.document, vex.author))],
    ...(closed === null ? [[t.end, <WaiverEnd key="end" waiver={waiver} />] as const] : []).map(
      ([name, value]): [string, ReactNode] => [name, value],
    ),
  ];
}

function closingWords({ by, reason }: NonNullable<Waiver['closed']>, colon: string): string {
  return reason === null ? by : `${by}${colon}${reason}`;
}

function Moment({ name, at }: { name: string | null; at: string }) {
  return (
    <>
      {name}, <RelativeTime at={at} />
    </>
  );
}

function Prose({ children }: { children: string }) {
  return <span className={classes.text}>{children}</span>;
}

const MOST_SHOWN = 20;

/** The preview of a waiver: the images and findings of today that it covers. */
function WaiverCoverage({ waiver }: { waiver: Waiver }) {
  const t = useMessages('waivers');
  const coverage = useAnswer('waivers.covered', { params: { id: waiver.id } });
  return (
    <section>
      <Title order={3} size="h4">
        {waiver.in_force ? t.covers : t.wouldCover}
      </Title>
      <QueryView query={coverage} rows={2} rowHeight={44}>
        {(covered) => <Covered {...covered} />}
      </QueryView>
    </section>
  );
}

function Covered({ images, findings, items }: Coverage) {
  const [t, format] = useWords('waivers');
  if (findings === 0)
    return (
      <Text size="sm" c="dimmed">
        {t.coversNothing}
      </Text>
    );
  const shown = items.slice(0, MOST_SHOWN);
  return (
    <>
      <Text size="sm" c="dimmed">
        {t.coverage(images, findings)}
      </Text>
      <ul className={classes.covered}>
        {shown.map((each) => (
          <li key={[each.repository, each.digest, each.package, each.installed_version].join(' ')}>
            <b>{each.repository}</b> {each.tags.join(', ')}
            <br />
            {each.package} {each.installed_version}
            {format.colon}
            {each.fixed_version === null ? t.noFix : t.fixedIn(each.fixed_version)}
          </li>
        ))}
        {findings > shown.length && <li>{t.coveredMore(findings - shown.length)}</li>}
      </ul>
    </>
  );
}
