import { Skeleton } from '@mantine/core';
import { LOCAL_REGISTRY_ID, ROOT_FOLDER } from '@portcullis/domain';
import {
  IconAlertTriangle,
  IconChevronRight,
  IconFolder,
  IconFolderOpen,
  IconFolderX,
  IconPackage,
} from '@tabler/icons-react';
import type { CSSProperties } from 'react';
import { Link } from 'react-router';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { useFaultText } from '../../../kit/fault/fault.tsx';
import { RelativeTime } from '../../../kit/text/relative-time.tsx';
import { repositoryPath } from '../repository-location.ts';
import classes from './tree.module.css';
import type { NodeRow, RestRow, TreeRow } from './tree-rows.ts';

/** Clicks and keys are handled by the tree. */
export function TreeLine({ row, stop }: { row: TreeRow; stop: boolean }) {
  const line = {
    className: classes.line,
    style: { '--level': Math.min(row.level - 1, DEEPEST) } as CSSProperties,
  };
  if (row.kind === 'waiting')
    return (
      <div {...line} aria-hidden="true">
        <Skeleton height={12} width={180} />
      </div>
    );
  const item = {
    ...line,
    role: 'treeitem',
    'aria-level': row.level,
    tabIndex: stop ? 0 : -1,
    'data-line': row.id,
  };
  if (row.kind === 'failed')
    return (
      <div {...item}>
        <Failed row={row} />
      </div>
    );
  const node = {
    ...item,
    'aria-posinset': row.position,
    'aria-setsize': row.siblings,
    ...(row.open !== null && { 'aria-expanded': row.open }),
    children: <Node row={row} />,
  };
  const place = { registryId: LOCAL_REGISTRY_ID, repository: row.node.path };
  return row.node.is_repository ? <Link {...node} to={repositoryPath(place)} /> : <div {...node} />;
}

/** Deeper levels are not indented further. */
const DEEPEST = 8;

function Failed({ row }: { row: RestRow & { kind: 'failed' } }) {
  const text = useFaultText();
  const t = useMessages('fault');
  return (
    <>
      <IconAlertTriangle className={classes.icon} size={17} aria-hidden="true" />
      <span>
        {text(row.error)} <span className={classes.action}>{t.tryAgain}</span>
      </span>
    </>
  );
}

function Node({ row }: { row: NodeRow }) {
  const [t, format] = useWords('images');
  const { node, open } = row;
  const Icon = iconOf(row);
  return (
    <>
      <span className={classes.chevron} data-open={open ?? undefined}>
        {open !== null && (
          <IconChevronRight data-chevron size={22} stroke={1.8} aria-hidden="true" />
        )}
      </span>
      <Icon className={classes.icon} size={17} stroke={1.6} aria-hidden="true" />
      <span className={classes.name}>{node.name === ROOT_FOLDER ? t.root : node.name}</span>
      <span className={classes.facts}>
        {node.repositories > 0 && <span>{t.repositoryCount(node.repositories)}</span>}
        <span className={classes.tags}>
          {node.tag_count > 0 ? t.tagCount(node.tag_count) : t.noTags}
        </span>
        {/* Repositories share blobs, so that no sum of their sizes is what a folder takes on disk. */}
        <span className={classes.size}>
          {!node.repositories && node.size > 0 && format.bytes(node.size)}
        </span>
        <span className={classes.age}>
          {node.updated_at !== null && <RelativeTime at={node.updated_at} />}
        </span>
      </span>
    </>
  );
}

function iconOf({ node, open }: NodeRow) {
  if (node.is_repository) return IconPackage;
  if (node.name === ROOT_FOLDER) return IconFolderX;
  return open ? IconFolderOpen : IconFolder;
}
