/**
 * One folder: its images by urgency, what scans found, who may do what, its gate, and what happened
 * last.
 */
import { Button, Skeleton } from '@mantine/core';
import type { FolderOverview } from '@portcullis/contract';
import { ROOT_FOLDER } from '@portcullis/domain';
import { IconEdit, IconFolderX, IconPackages } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { useAnswer } from '../../api/api.ts';
import { isProblem } from '../../api/problem-error.ts';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { ActButton } from '../../kit/action/act-button.tsx';
import { FaultView } from '../../kit/fault/fault.tsx';
import { EmptyState } from '../../kit/layout/empty-state.tsx';
import { Breadcrumbs, PageHead } from '../../kit/layout/page-head.tsx';
import { RelativeTime } from '../../kit/text/relative-time.tsx';
import { useAccount } from '../../session/account.ts';
import { treePath } from '../images/repository-location.ts';
import { FolderDialog } from '../settings/folders/folder-dialog.tsx';
import { FolderAccess } from './folder-access.tsx';
import { FolderActivity } from './folder-activity.tsx';
import { FolderGate } from './folder-gate.tsx';
import classes from './folders.module.css';
import { FolderImages } from './images/folder-images.tsx';
import { useImageList } from './images/image-entry.ts';
import { LazyTrend } from './lazy-trend.tsx';
import { LazyMirror } from './mirror/lazy-mirror.tsx';
import { MirrorSkeleton } from './mirror/mirror-skeleton.tsx';
import { QuotaUse } from './quota/quota-use.tsx';
import { LazyRetention } from './retention/lazy-retention.tsx';
import { StandingTiles } from './standing-tiles.tsx';

const REFRESH_MS = 30_000;

export function Component() {
  const t = useMessages('folder');
  const { folder: name = '' } = useParams();
  const overview = useAnswer(
    'folders.getFolderOverview',
    { params: { folder_id: name } },
    { refetchInterval: REFRESH_MS },
  );
  if (isProblem(overview.error, 'FOLDER_UNKNOWN')) return <NoFolder />;
  return (
    <>
      <Breadcrumbs label={t.title} parents={[{ name: t.title, to: '/folders' }]} />
      {overview.data ? (
        <Found folder={overview.data} />
      ) : overview.isError ? (
        <FaultView error={overview.error} retry={() => void overview.refetch()} />
      ) : (
        <FolderSkeleton name={name === ROOT_FOLDER ? t.root : name} />
      )}
    </>
  );
}

function Found({ folder }: { folder: FolderOverview }) {
  const isEmpty = folder.tags === 0;
  const list = useImageList(folder.name, !isEmpty);
  return (
    <>
      <Head folder={folder} />
      <StandingTiles
        folder={folder}
        chosen={list.state.standing}
        onChoose={(standing) => list.change({ standing })}
      />
      <div className={classes.columns}>
        <div className={classes.main}>
          <FolderImages
            folder={folder.name}
            list={list}
            isEmpty={isEmpty}
            isMirror={folder.is_mirror}
            mayPush={folder.rights.can_push}
          />
          <LazyTrend folder={folder.name} />
        </div>
        <div className={classes.side}>
          <FolderAccess folder={folder} />
          <FolderGate folder={folder} />
          <Mirror folder={folder} />
          <FolderActivity folder={folder} />
          <LazyRetention folder={folder.name} />
        </div>
      </div>
    </>
  );
}

/** Nothing for other accounts than administrators where the folder is none. */
function Mirror({ folder: { name, is_mirror: isMirror } }: { folder: FolderOverview }) {
  const { is_admin: isAdmin } = useAccount();
  if (!isMirror && (!isAdmin || name === ROOT_FOLDER)) return null;
  return <LazyMirror folder={name} waiting={<MirrorSkeleton isMirror={isMirror} />} />;
}

function Head({ folder }: { folder: FolderOverview }) {
  const t = useMessages('folder');
  const { is_admin: isAdmin } = useAccount();
  const isRoot = folder.name === ROOT_FOLDER;
  const open = isRoot ? treePath([], ROOT_FOLDER) : treePath([folder.name], folder.name);
  return (
    <PageHead
      title={isRoot ? t.root : folder.name}
      description={
        <>
          <div>{isRoot ? t.rootHint : folder.description}</div>
          <Facts folder={folder} />
        </>
      }
    >
      <ActButton to={open} icon={IconPackages}>
        {t.showImages}
      </ActButton>
      {isAdmin && <EditFolder id={folder.id} />}
    </PageHead>
  );
}

function Facts({ folder }: { folder: FolderOverview }) {
  const [t, format] = useWords('folder');
  const { repositories, tags, bytes, quota_bytes: quota, updated_at: updatedAt } = folder;
  return (
    <div className={classes.facts}>
      <span>{t.repositories(repositories)}</span>
      <span>{t.tags(tags)}</span>
      {quota === null ? (
        <span title={t.bytesHint}>{t.bytes(format.bytes(bytes))}</span>
      ) : (
        <QuotaUse bytes={bytes} quota={quota} />
      )}
      {updatedAt !== null && (
        <span>
          {t.lastPush} <RelativeTime at={updatedAt} />
        </span>
      )}
    </div>
  );
}

function NoFolder() {
  const t = useMessages('folder');
  return (
    <EmptyState page icon={IconFolderX} title={t.unknownTitle} text={t.unknownText}>
      <Button component={Link} to="/folders" variant="default">
        {t.toList}
      </Button>
    </EmptyState>
  );
}

/** Opens the dialog of a folder's description, policy and gates; for administrators. */
function EditFolder({ id }: { id: string }) {
  const t = useMessages('folder');
  const [isOpen, setOpen] = useState(false);
  const { data, isFetching } = useAnswer(
    'folders.getFolder',
    { params: { folder_id: id } },
    {
      enabled: isOpen,
      // What another administrator saved meanwhile is edited, not what was shown before.
      staleTime: 0,
      gcTime: 0,
    },
  );
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconEdit size={16} aria-hidden="true" />}
        loading={isOpen && isFetching && !data}
        onClick={() => setOpen(true)}
      >
        {t.edit}
      </Button>
      {isOpen && data && <FolderDialog folder={data} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The outline of a folder's page while it loads. */
function FolderSkeleton({ name }: { name: string }) {
  return (
    <div aria-busy="true">
      <PageHead title={name} description={<Skeleton height={20} width={260} mt={4} />} />
      <Skeleton className={classes.tilesSkeleton ?? ''} />
      <div className={classes.columns}>
        <Skeleton height={560} />
        <div className={classes.side}>
          <Skeleton height={170} />
          <Skeleton height={300} />
          <Skeleton height={420} />
        </div>
      </div>
    </div>
  );
}
