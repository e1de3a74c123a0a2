/** Defines the columns of tags. */

import { Group } from '@mantine/core';
import type { ImageTag, TagStanding } from '@portcullis/contract';
import { IconLock } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { type Column, defineColumns, RowName, timeColumn } from '../../../kit/table/columns.tsx';
import table from '../../../kit/table/table.module.css';
import { Digest } from '../../../kit/text/digest.tsx';
import { AnswerBadge } from '../../../kit/verdict/answer-badge.tsx';
import { VerdictBadge } from '../../../kit/verdict/verdict-badge.tsx';
import classes from '../images.module.css';
import type { RepositoryLocation } from '../repository-location.ts';
import { ScanButton } from '../standing/scan-button.tsx';
import { TagMenu } from './tag-menu.tsx';

type OnOpen = (tag: string) => void;

/** @param onOpen the same in each render */
export function useTagColumns(
  { registryId, repository }: RepositoryLocation,
  tags: readonly ImageTag[],
  onOpen: OnOpen,
): Column<ImageTag>[] {
  const columns = useColumns(registryId, repository, onOpen);
  return useMemo(
    () => columns.filter(({ id, sort }) => isFilled(id ?? sort, tags)),
    [columns, tags],
  );
}

/** Other registries do not say these of a tag that was never pulled. */
function isFilled(id: string | undefined, tags: readonly ImageTag[]): boolean {
  if (id === 'size') return tags.some(({ size }) => size !== null);
  if (id === 'platforms') return tags.some(({ platforms }) => platforms.length > 0);
  if (id === 'updated_at') return tags.some(({ updated_at }) => updated_at !== null);
  return true;
}

const useColumns = defineColumns(
  'images',
  (t, format, registryId: string, repository: string, onOpen: OnOpen): Column<ImageTag>[] => [
    {
      title: t.tag,
      sort: 'tag',
      cell: ({ tag, immutable }) => (
        <>
          <RowName onOpen={() => onOpen(tag)}>{tag}</RowName>
          {immutable && <ImmutableMark />}
        </>
      ),
    },
    {
      title: t.verdict,
      sort: 'standing',
      width: '24%',
      cell: (tag) => <TagVerdict tag={tag} />,
    },
    {
      id: 'digest',
      title: t.digest,
      width: '190px',
      cell: ({ digest }) => (
        <span className={table.above}>
          <Digest digest={digest} />
        </span>
      ),
    },
    {
      title: t.size,
      sort: 'size',
      descendsFirst: true,
      className: `${table.number} ${table.quiet}`,
      width: '90px',
      cell: ({ size }) => size !== null && format.bytes(size),
    },
    {
      id: 'platforms',
      title: t.platforms,
      width: '16%',
      cell: ({ platforms }) => <Platforms platforms={platforms} />,
    },
    timeColumn('updated_at', t.updated),
    {
      id: 'actions',
      title: null,
      className: table.tools,
      width: '52px',
      cell: (tag) => (
        <span className={table.above}>
          <TagMenu place={{ registryId, repository }} tag={tag} onOpen={() => onOpen(tag.tag)} />
        </span>
      ),
    },
  ],
);

function ImmutableMark() {
  const t = useMessages('images');
  return (
    <span className={classes.immutable} title={t.tagImmutable}>
      <IconLock size={14} aria-hidden />
      {t.immutable}
    </span>
  );
}

function TagVerdict({ tag }: { tag: ImageTag }) {
  const t = useMessages('images');
  const { standing, verdict } = tag;
  if (standing !== null && standing.state !== 'waits')
    return (
      <>
        <AnswerBadge answer={standing} />
        <TagReason tag={tag} />
      </>
    );
  if (verdict === null)
    return (
      <span className={table.above}>
        <span className={table.quiet}>{t.neverJudged}</span>{' '}
        <ScanButton image={tag} wasScanned={false} />
      </span>
    );
  return (
    <>
      <VerdictBadge verdict={verdict} />
      <TagReason tag={tag} />
    </>
  );
}

const FEW = 3;

function Platforms({ platforms }: { platforms: string[] }) {
  const rest = platforms.length - FEW;
  return (
    <Group component="span" display="inline-flex" gap={4} title={platforms.join(', ')}>
      {platforms.slice(0, rest === 1 ? FEW + 1 : FEW).map((platform) => (
        <span key={platform} className={classes.platform}>
          {platform.replace(/^linux\//, '')}
        </span>
      ))}
      {rest > 1 && <span className={classes.platform}>+{rest}</span>}
    </Group>
  );
}

type Judged = Pick<ImageTag, 'bypassed'> & { standing: TagStanding };

/**
 * Why a tag is blocked and who bypassed the gate, or which waivers allow it, since when, under its
 * verdict.
 */
function TagReason({ tag: { standing, bypassed } }: { tag: ImageTag }) {
  // Without a scan the verdict says everything.
  if (standing === null || standing.passes === null) return null;
  return <Sentences standing={standing} bypassed={bypassed} />;
}

function Sentences({ standing, bypassed }: Judged) {
  const [t, format] = useWords('standing');
  const { passes, since, until: waived, grace_until: grace } = standing;
  const reasons = [
    useCause(standing),
    passes && waived !== null && t.waivedUntil(format.date(waived)),
  ];
  const dates = [
    since !== null && (passes ? t.allowedSince : t.blockedAlready)(format.date(since)),
    grace !== null && t.servedUntil(format.date(grace)),
  ];
  const privilege = [!passes && bypassed !== null && t.bypassedBy(bypassed.by)];
  return [reasons, dates, privilege].map((line) => {
    const shown = line.filter((text) => typeof text === 'string').join(' · ');
    return (
      shown !== '' && (
        <span key={shown} className={table.under}>
          {shown}
        </span>
      )
    );
  });
}

function useCause({ code, blocking, blocking_total: total }: TagStanding): string | null {
  const [t, format] = useWords('standing');
  const [first] = blocking;
  if (code === null) return null;
  const words: Partial<Record<string, string>> = t.codes;
  if (code !== 'VULN_BLOCKED' || !first) return words[code] ?? code;
  const what = t.finding(first.vulnerability, first.package);
  return t.because(total > 1 ? t.andMore(what, format.number(total - 1)) : what);
}
