/** The images of a folder, the most urgent first unless sorted. */
import { Button, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { ROOT_FOLDER } from '@portcullis/domain';
import { IconFilterOff, IconPackages } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { ask } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { SearchField } from '../../../kit/form/search-field.tsx';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { QueryView } from '../../../kit/layout/query-view.tsx';
import { entryKey } from '../../../kit/selection/entry.ts';
import { useSelectable } from '../../../kit/selection/use-selectable.ts';
import { Pager } from '../../images/pager.tsx';
import { type FolderView, imageOrderOf, queryOf } from '../folder-location.ts';
import classes from '../folders.module.css';
import { ImageBar } from './image-bar.tsx';
import { allImages, entryOf } from './image-entry.ts';
import { ImageTable } from './image-table.tsx';

const PAGE_SIZE = 25;
const REFRESH_MS = 30_000;

interface FolderImagesProps {
  folder: string;
  /** Whether it has no image at all. */
  isEmpty: boolean;
  mayPush: boolean;
  view: FolderView;
  onView(change: Partial<FolderView>): void;
}

export function FolderImages(props: FolderImagesProps) {
  const t = useMessages('folder');
  const { isEmpty, view, onView } = props;
  return (
    <Panel
      flush
      title={t.images}
      actions={
        !isEmpty && (
          <SearchField
            className={classes.search ?? ''}
            label={t.search}
            value={view.q}
            onChange={(q) => onView({ q })}
          />
        )
      }
    >
      {isEmpty ? <NoImages {...props} /> : <Found {...props} />}
    </Panel>
  );
}

function Found({ folder, mayPush, view, onView }: FolderImagesProps) {
  const [q] = useDebouncedValue(view.q, 250);
  const conditions = queryOf({ ...view, q });
  const images = useQuery({
    ...ask('folders.listFolderImages', {
      params: { folder_id: folder },
      query: { ...conditions, page: view.page, page_size: PAGE_SIZE },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  const { data } = images;
  const entries = useMemo(
    () => (data?.items ?? []).map((image) => entryOf(folder, image)),
    [folder, data],
  );
  const canScan = useQuery(ask('trivy.state')).data?.enabled ?? false;
  const filter = JSON.stringify([folder, conditions, view.page]);
  const { rows, selection } = useSelectable(entries, entryKey, filter);
  const all = () => allImages(folder, conditions);
  return (
    <QueryView query={images} rows={8} rowHeight={58}>
      {({ items, total }) => (
        <div data-stale={images.isPlaceholderData || undefined} className={classes.found}>
          {items.length === 0 ? (
            <NoMatch onView={onView} />
          ) : (
            <ImageTable
              images={rows}
              sorting={{
                order: view.sort,
                onChange: (order) => onView({ sort: imageOrderOf(order) }),
              }}
              selection={mayPush || canScan ? selection : undefined}
            />
          )}
          <ImageBar
            images={rows}
            selection={selection}
            others={total > items.length ? { total, all } : undefined}
            canScan={canScan}
            mayPush={mayPush}
          />
          {items.length > 0 && (
            <div className={classes.pager}>
              <Pager
                exact
                page={view.page}
                pageSize={PAGE_SIZE}
                shown={items.length}
                total={total}
                onPage={(next) => onView({ page: next })}
              />
            </div>
          )}
        </div>
      )}
    </QueryView>
  );
}

function NoMatch({ onView }: Pick<FolderImagesProps, 'onView'>) {
  const t = useMessages('folder');
  return (
    <EmptyState icon={IconFilterOff} title={t.noMatchImages}>
      <Button variant="default" onClick={() => onView({ q: '', standing: null })}>
        {t.showAll}
      </Button>
    </EmptyState>
  );
}

function NoImages({ folder, mayPush }: FolderImagesProps) {
  const t = useMessages('folder');
  const { emptyAction } = useMessages('images');
  if (!mayPush)
    return <EmptyState icon={IconPackages} title={t.emptyImages} text={t.emptyReadOnly} />;
  const path = folder === ROOT_FOLDER ? '' : `/${folder}`;
  return (
    <EmptyState icon={IconPackages} title={t.emptyImages} text={t.emptyImagesText}>
      <Button component={Link} to="/staging/new">
        {emptyAction}
      </Button>
      <Text size="sm" c="dimmed">
        <code>{`docker push ${window.location.host}${path}/…`}</code>
      </Text>
    </EmptyState>
  );
}
