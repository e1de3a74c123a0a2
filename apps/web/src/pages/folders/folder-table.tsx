import type { FolderSummary } from '@portcullis/contract';
import { ROOT_FOLDER, STANDING_GROUPS } from '@portcullis/domain';
import { Link } from 'react-router';
import { useMessages } from '../../i18n/messages.ts';
import table from '../../kit/table/table.module.css';
import { LongName } from '../../kit/text/long-name.tsx';
import { RelativeTime } from '../../kit/text/relative-time.tsx';
import { useAccount } from '../../session/account.ts';
import { folderPath } from './folder-location.ts';
import { useRightsWords } from './rights-words.ts';
import { StandingCounts } from './standing-counts.tsx';

export function FolderTable({ folders }: { folders: readonly FolderSummary[] }) {
  const t = useMessages('folder');
  const { is_admin: isAdmin } = useAccount();
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th scope="col">{t.name}</th>
          <th scope="col">{t.images}</th>
          {!isAdmin && <th scope="col">{t.yourRights}</th>}
          <th scope="col">{t.lastPush}</th>
        </tr>
      </thead>
      <tbody>
        {folders.map((folder) => (
          <FolderRow key={folder.id} folder={folder} isAdmin={isAdmin} />
        ))}
      </tbody>
    </table>
  );
}

function FolderRow({ folder, isAdmin }: { folder: FolderSummary; isAdmin: boolean }) {
  const t = useMessages('folder');
  const words = useRightsWords();
  const { name, description, images, updated_at: updatedAt } = folder;
  const isRoot = name === ROOT_FOLDER;
  const about = isRoot ? t.rootHint : description;
  const total = STANDING_GROUPS.reduce((sum, group) => sum + images[group], 0);
  return (
    <tr>
      <td>
        <Link className={table.name} to={folderPath(name)}>
          <LongName>{isRoot ? t.root : name}</LongName>
        </Link>
        {about !== '' && (
          <span className={table.under}>
            <LongName>{about}</LongName>
          </span>
        )}
      </td>
      <td>
        {total === 0 ? (
          <span className={table.quiet}>{t.noImages}</span>
        ) : (
          <>
            <StandingCounts images={images} />
            <span className={table.under}>{t.imageCount(total)}</span>
          </>
        )}
      </td>
      {!isAdmin && <td className={table.quiet}>{words(folder.rights)}</td>}
      <td className={`${table.quiet} ${table.nowrap}`} data-label={t.lastPush}>
        {updatedAt !== null && <RelativeTime at={updatedAt} />}
      </td>
    </tr>
  );
}
