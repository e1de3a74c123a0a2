/** The images of a folder, the most urgent first unless sorted. */
import { Button } from '@mantine/core';
import { ROOT_FOLDER } from '@portcullis/domain';
import { IconPackages } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { ask } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { SearchField } from '../../../kit/form/search-field.tsx';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { ListView } from '../../../kit/list/list-view.tsx';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { Pager } from '../../images/pager.tsx';
import classes from '../folders.module.css';
import { ImageBar } from './image-bar.tsx';
import { useImageColumns } from './image-columns.tsx';
import type { ImageList } from './image-entry.ts';

interface FolderImagesProps {
  folder: string;
  list: ImageList;
  /** Whether it has no image at all. */
  isEmpty: boolean;
  mayPush: boolean;
}

export function FolderImages(props: FolderImagesProps) {
  const { list, isEmpty, mayPush } = props;
  const t = useMessages('folder');
  const canScan = useQuery(ask('trivy.state')).data?.enabled ?? false;
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

function NoImages({ folder, mayPush }: Pick<FolderImagesProps, 'folder' | 'mayPush'>) {
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
      <Dimmed>
        <code>{`docker push ${window.location.host}${path}/…`}</code>
      </Dimmed>
    </EmptyState>
  );
}
