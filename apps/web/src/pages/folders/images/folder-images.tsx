/** The images of a folder, the most urgent first unless sorted. */
import { Button } from '@mantine/core';
import type { FolderImage } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID, ROOT_FOLDER } from '@portcullis/domain';
import { IconPackages } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useAnswer } from '../../../api/api.ts';
import { useFormat, useMessages } from '../../../i18n/messages.ts';
import { SearchField } from '../../../kit/form/search-field.tsx';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { ListView } from '../../../kit/list/list-view.tsx';
import { type Column, defineColumns, RowName } from '../../../kit/table/columns.tsx';
import table from '../../../kit/table/table.module.css';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { LongName } from '../../../kit/text/long-name.tsx';
import { RelativeTime } from '../../../kit/text/relative-time.tsx';
import { AnswerBadge } from '../../../kit/verdict/answer-badge.tsx';
import { SeverityCountsView } from '../../../kit/verdict/severity-counts.tsx';
import { Pager } from '../../images/pager.tsx';
import { repositoryPath } from '../../images/repository-location.ts';
import classes from '../folders.module.css';
import { StandingBadge } from '../standing-label.tsx';
import { ImageBar } from './image-bar.tsx';
import type { ImageList } from './image-entry.ts';

interface FolderImagesProps {
  folder: string;
  list: ImageList;
  /** Whether it has no image at all. */
  isEmpty: boolean;
  isMirror: boolean;
  mayPush: boolean;
}

export function FolderImages(props: FolderImagesProps) {
  const { list, isEmpty, mayPush } = props;
  const t = useMessages('folder');
  const canScan = useAnswer('trivy.state').data?.enabled ?? false;
  const columns = useImageColumns(list.table.nameOf);
  const none = <NoImages {...props} />;
  return (
    <Panel
      flush
      title={t.images}
      actions={
        !isEmpty && (
          <SearchField
            className={classes.search ?? ''}
            label={t.search}
            value={list.state.q}
            onChange={(q) => list.change({ q })}
          />
        )
      }
    >
      {isEmpty ? (
        none
      ) : (
        <ListView
          panel
          list={list}
          columns={columns}
          words={{ noMatchTitle: t.noMatchImages }}
          selects={mayPush || canScan}
          empty={none}
          footer={
            <div className={classes.pager}>
              <Pager list={list} exact />
            </div>
          }
        >
          {(selectable) => <ImageBar list={selectable} canScan={canScan} mayPush={mayPush} />}
        </ListView>
      )}
    </Panel>
  );
}

function NoImages({ folder, isMirror, mayPush }: FolderImagesProps) {
  const t = useMessages('folder');
  const { emptyAction } = useMessages('images');
  const path = folder === ROOT_FOLDER ? '' : `/${folder}`;
  if (isMirror)
    return (
      <EmptyState icon={IconPackages} title={t.emptyImages} text={t.emptyMirror}>
        <Dimmed>
          <code>{`docker pull ${window.location.host}${path}/…`}</code>
        </Dimmed>
      </EmptyState>
    );
  if (!mayPush)
    return <EmptyState icon={IconPackages} title={t.emptyImages} text={t.emptyReadOnly} />;
  return (
    <EmptyState icon={IconPackages} title={t.emptyImages} text={t.emptyImagesText}>
      <Button component={Link} to="/staging/new">
        {emptyAction}
      </Button>
      <Dimmed>
        <code>{`docker push ${window.location.host}${path}/…`}</code>
      </Dimmed>
    </EmptyState>
  );
}

type NameOf = ((image: FolderImage) => string) | undefined;

/**
 * The columns of a folder's images: where each stands, its findings and its size.
 * @param nameOf the same in each render
 */
const useImageColumns = defineColumns(
  'folder',
  (t, format, nameOf: NameOf): Column<FolderImage>[] => [
    {
      title: t.image,
      sort: 'repository',
      cell: (image) => <Name image={image} name={nameOf?.(image) ?? image.repository} />,
    },
    {
      title: t.standing,
      sort: 'urgency',
      className: classes.standing,
      cell: (image) => (
        <>
          {image.standing === 'artifact' || image.state === 'waits' ? (
            <StandingBadge standing={image.standing} />
          ) : (
            <AnswerBadge answer={image} />
          )}
          <Reason image={image} />
        </>
      ),
    },
    {
      title: t.found,
      sort: 'findings',
      descendsFirst: true,
      cell: ({ counts }) => counts && <SeverityCountsView counts={counts} />,
    },
    {
      title: t.size,
      sort: 'size',
      descendsFirst: true,
      className: `${table.number} ${table.quiet}`,
      cell: ({ size }) => format.bytes(size),
    },
  ],
);

interface CellProps {
  image: FolderImage;
}

function Name({
  name,
  image: { repository, tags, tag_count, pushed_at },
}: CellProps & { name: string }) {
  const t = useMessages('folder');
  const place = { registryId: LOCAL_REGISTRY_ID, repository };
  return (
    <RowName
      to={repositoryPath(place, tags[0])}
      under={
        <>
          {tag_count > 1 && `${t.moreTags(tag_count - 1)} · `}
          <RelativeTime at={pushed_at} />
        </>
      }
    >
      <LongName>{name}</LongName>
    </RowName>
  );
}

function Reason({ image }: CellProps) {
  const words = useMessages('standing');
  const format = useFormat();
  const { blocking, blocking_total: total, standing, since, grace_until: grace } = image;
  if (standing !== 'blocked') return null;
  const [first] = blocking;
  const cause =
    first === undefined
      ? null
      : words.because(total > 1 ? words.andMore(first, format.number(total - 1)) : first);
  const dates = [
    since !== null && words.blockedAlready(format.date(since)),
    grace !== null && words.servedUntil(format.date(grace)),
  ].filter((text) => text !== false);
  return (
    <>
      {cause !== null && <span className={table.under}>{cause}</span>}
      {dates.length > 0 && <span className={table.under}>{dates.join(' · ')}</span>}
    </>
  );
}
