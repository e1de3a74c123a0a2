import type { ImageTag } from '@portcullis/contract';
import { IconLock } from '@tabler/icons-react';
import { useMemo } from 'react';
import { type Format, useFormat } from '../../../i18n/format.ts';
import { type Messages, useMessages } from '../../../i18n/messages.ts';
import { useSteady } from '../../../kit/steady.ts';
import type { Column, Sorting } from '../../../kit/table/columns.ts';
import { DataTable } from '../../../kit/table/data-table.tsx';
import type { SelectedRows } from '../../../kit/table/selected-rows.ts';
import table from '../../../kit/table/table.module.css';
import { Digest } from '../../../kit/text/digest.tsx';
import { RelativeTime } from '../../../kit/text/relative-time.tsx';
import { VerdictBadge } from '../../../kit/verdict/verdict-badge.tsx';
import classes from '../images.module.css';
import type { RepositoryLocation } from '../repository-location.ts';
import { ScanButton } from '../standing/scan-button.tsx';
import { TagReason } from '../standing/tag-reason.tsx';
import { TagMenu } from './tag-menu.tsx';

interface TagTableProps {
  place: RepositoryLocation;
  tags: ImageTag[];
  /** Absent where the registry decides about the order. */
  sorting: Sorting | undefined;
  selection: SelectedRows;
  onOpen(tag: string): void;
}

export function TagTable({ place, tags, sorting, selection, onOpen }: TagTableProps) {
  return (
    <DataTable
      rows={tags}
      columns={useFilled(useColumns(place, onOpen), tags)}
      keyOf={tagKey}
      nameOf={tagKey}
      sorting={sorting}
      selection={selection}
    />
  );
}

/** Other registries do not say these of a tag that was never pulled. */
function isFilled(id: string, tags: ImageTag[]): boolean {
  if (id === 'size') return tags.some(({ size }) => size !== null);
  if (id === 'platforms') return tags.some(({ platforms }) => platforms.length > 0);
  if (id === 'updated') return tags.some(({ updated_at }) => updated_at !== null);
  return true;
}

function useFilled(columns: Column<ImageTag>[], tags: ImageTag[]): Column<ImageTag>[] {
  return useMemo(() => columns.filter(({ id }) => isFilled(id, tags)), [columns, tags]);
}

export const tagKey = ({ tag }: ImageTag): string => tag;

function useColumns(
  { registryId, repository }: RepositoryLocation,
  open: (tag: string) => void,
): Column<ImageTag>[] {
  const t = useMessages('images');
  const format = useFormat();
  const onOpen = useSteady(open);
  return useMemo(
    () => columnsOf(t, format, { place: { registryId, repository }, onOpen }),
    [t, format, registryId, repository, onOpen],
  );
}

function columnsOf(
  t: Messages['images'],
  format: Format,
  { place, onOpen }: Pick<TagTableProps, 'place' | 'onOpen'>,
): Column<ImageTag>[] {
  return [
    {
      id: 'tag',
      title: t.tag,
      sort: 'tag',
      cell: ({ tag, immutable }) => (
        <>
          <button type="button" className={table.name} onClick={() => onOpen(tag)}>
            {tag}
          </button>
          {immutable && <ImmutableMark />}
        </>
      ),
    },
    {
      id: 'verdict',
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
      id: 'size',
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
    {
      id: 'updated',
      title: t.updated,
      sort: 'updated_at',
      descendsFirst: true,
      className: `${table.quiet} ${table.nowrap}`,
      width: '130px',
      cell: ({ updated_at }) => updated_at !== null && <RelativeTime at={updated_at} />,
    },
    {
      id: 'actions',
      title: null,
      className: table.tools,
      width: '52px',
      cell: (tag) => (
        <span className={table.above}>
          <TagMenu place={place} tag={tag} onOpen={() => onOpen(tag.tag)} />
        </span>
      ),
    },
  ];
}

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
  if (tag.verdict === null)
    return (
      <span className={table.above}>
        <span className={table.quiet}>{t.neverJudged}</span>{' '}
        <ScanButton image={tag} wasScanned={false} />
      </span>
    );
  return (
    <>
      <VerdictBadge verdict={tag.verdict} />
      <TagReason tag={tag} />
    </>
  );
}

const FEW = 3;

function Platforms({ platforms }: { platforms: string[] }) {
  const rest = platforms.length - FEW;
  return (
    <span className={classes.platforms} title={platforms.join(', ')}>
      {platforms.slice(0, rest === 1 ? FEW + 1 : FEW).map((platform) => (
        <span key={platform} className={classes.platform}>
          {platform.replace(/^linux\//, '')}
        </span>
      ))}
      {rest > 1 && <span className={classes.platform}>+{rest}</span>}
    </span>
  );
}
