/** The tags of a mirror: how each stands to its upstream, with both digests and the reason. */
import { Anchor } from '@mantine/core';
import type { MirrorTagView, MirrorView } from '@portcullis/contract';
import { GATE_CODES, LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { MIRROR_TAG_STATES } from '@portcullis/domain/mirror';
import { IconPackageImport } from '@tabler/icons-react';
import { useCallback } from 'react';
import { Link } from 'react-router';
import { useMessages } from '../../../i18n/messages.ts';
import { JobFault } from '../../../kit/fault/job-fault.tsx';
import { SearchField } from '../../../kit/form/search-field.tsx';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { FilterSelect } from '../../../kit/list/filter-select.tsx';
import { ListView } from '../../../kit/list/list-view.tsx';
import { defineNumberedList, useNumberedList } from '../../../kit/list/use-numbered-list.ts';
import { type Column, defineColumns, RowName, timeColumn } from '../../../kit/table/columns.tsx';
import table from '../../../kit/table/table.module.css';
import { CopyableText } from '../../../kit/text/copyable-text.tsx';
import { Digest } from '../../../kit/text/digest.tsx';
import { LongName } from '../../../kit/text/long-name.tsx';
import { RelativeTime } from '../../../kit/text/relative-time.tsx';
import { Pager } from '../../images/pager.tsx';
import { repositoryPath } from '../../images/repository-location.ts';
import { AskReview } from './ask-review.tsx';
import classes from './mirror.module.css';
import { StateBadge } from './state-badge.tsx';
import { MIRROR_TAG_FILTER } from './tag-filter.ts';
import { Wait } from './wait.tsx';

const TAGS = defineNumberedList({
  operation: 'folders.listMirrorTags',
  filter: MIRROR_TAG_FILTER,
  pageSize: 25,
  refresh: 15_000,
  steady: 'name',
});

const keyOf = ({ repository, tag }: MirrorTagView): string => `${repository}:${tag}`;

export function MirrorTags({ mirror }: { mirror: MirrorView }) {
  const t = useMessages('mirror');
  const { folder } = mirror;
  // Within its folder.
  const nameOf = useCallback((tag: MirrorTagView) => keyOf(tag).slice(folder.length + 1), [folder]);
  const params = { folder_id: folder };
  const list = useNumberedList(TAGS, { params, enabled: () => true, keyOf, nameOf });
  const { state, change } = list;
  const columns = useColumns(nameOf);
  return (
    <Panel
      flush
      title={t.tags}
      actions={
        <>
          <SearchField label={t.search} value={state.q} onChange={(q) => change({ q })} />
          <FilterSelect
            label={t.state}
            values={MIRROR_TAG_STATES}
            names={t.states}
            value={state.state}
            any={t.anyState}
            onChange={(chosen) => change({ state: chosen })}
          />
        </>
      }
    >
      <ListView
        panel
        list={list}
        columns={columns}
        words={{ noMatchTitle: t.noMatch }}
        selects={false}
        empty={<NoTags mirror={mirror} />}
        footer={
          <div className={classes.pager}>
            <Pager list={list} exact />
          </div>
        }
      />
    </Panel>
  );
}

function NoTags({ mirror: { folder, may_bring_in: may } }: { mirror: MirrorView }) {
  const t = useMessages('mirror');
  return (
    <EmptyState icon={IconPackageImport} title={t.empty} text={may ? t.emptyText : t.emptyReadOnly}>
      {may && (
        <CopyableText
          text={`docker pull ${window.location.host}/${folder}/…`}
          label={t.copyCommand}
        />
      )}
    </EmptyState>
  );
}

const useColumns = defineColumns(
  'mirror',
  (t, _format, nameOf: (tag: MirrorTagView) => string): Column<MirrorTagView>[] => [
    {
      title: t.image,
      sort: 'name',
      className: classes.image,
      cell: (tag) => <Name tag={tag} name={nameOf(tag)} />,
    },
    {
      title: t.state,
      sort: 'urgency',
      cell: (tag) => <State tag={tag} />,
    },
    {
      title: t.digests,
      cell: (tag) => <Digests tag={tag} />,
    },
    timeColumn('passed_at', t.passedAt, { label: t.passedAt, none: '–' }),
  ],
);

/** It leads to the image, or to the job that says why there is none. */
function Name({ tag, name }: { tag: MirrorTagView; name: string }) {
  const t = useMessages('mirror');
  const { repository, digest, job_id: job, used_at: used } = tag;
  const under = (
    <>
      {t.usedAt} <RelativeTime at={used} />
    </>
  );
  const shown = <LongName>{name}</LongName>;
  const place = { registryId: LOCAL_REGISTRY_ID, repository };
  const to = digest !== null ? repositoryPath(place, tag.tag) : job && `/staging/${job}`;
  if (to !== null)
    return (
      <RowName to={to} under={under}>
        {shown}
      </RowName>
    );
  return (
    <>
      <span className={classes.name}>{shown}</span>
      <span className={table.under}>{under}</span>
    </>
  );
}

function State({ tag }: { tag: MirrorTagView }) {
  const { state, error, next_at: next, waits_until: waits, job_id: job } = tag;
  const t = useMessages('mirror');
  return (
    <>
      <StateBadge state={state} />
      {error && (
        <div className={table.above}>
          <JobFault fault={error} />
        </div>
      )}
      {waits !== null && <Wait tag={tag} until={waits} />}
      {waits === null && job === null && isKeptOut(tag) && <AskReview tag={tag} />}
      {error && next !== null && waits === null && (
        <span className={table.under}>
          {t.next} <RelativeTime at={next} />
        </span>
      )}
      {job !== null && state !== 'current' && (
        <Anchor component={Link} to={`/staging/${job}`} size="sm" className={table.above ?? ''}>
          {t.job}
        </Anchor>
      )}
    </>
  );
}

/** By the gate, which a review may open. */
function isKeptOut({ state, error }: MirrorTagView): boolean {
  const isRefused = state === 'refused' || state === 'behind';
  return isRefused && GATE_CODES.some((code) => code === error?.code);
}

/** One where both are the same. */
function Digests({
  tag: { digest, upstream_digest: upstream, ripe_digest: ripe, state, reduced },
}: {
  tag: MirrorTagView;
}) {
  const t = useMessages('mirror');
  const isOther = upstream !== digest && (state !== 'current' || reduced);
  const isOlder = ripe !== digest && state !== 'current';
  const shown: [string, string | null][] = [
    [t.here, digest],
    [t.atUpstream, digest === null || isOther ? upstream : null],
    [t.oldEnough, isOlder ? ripe : null],
  ];
  return (
    <>
      <dl className={`${classes.digests} ${table.above}`}>
        {shown.map(
          ([name, each]) =>
            each !== null && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <Digest digest={each} />
                </dd>
              </div>
            ),
        )}
      </dl>
      {reduced && <span className={table.under}>{t.reduced}</span>}
    </>
  );
}
