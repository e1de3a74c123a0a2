/** The folders that the account may pull from, with what needs attention in each. */
import { Button } from '@mantine/core';
import type { FolderSummary } from '@portcullis/contract';
import { ROOT_FOLDER } from '@portcullis/domain';
import { IconFolder } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { ask } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { SearchField } from '../../kit/form/search-field.tsx';
import { EmptyState } from '../../kit/layout/empty-state.tsx';
import { PageHead } from '../../kit/layout/page-head.tsx';
import { QueryView } from '../../kit/layout/query-view.tsx';
import { text, words } from '../../kit/list/codecs.ts';
import { defineFilter } from '../../kit/list/filter.ts';
import { useUrlState } from '../../kit/use-url-state.ts';
import { useAccount } from '../../session/account.ts';
import { Administrators } from '../../session/contacts.tsx';
import { FolderTable } from './folder-table.tsx';
import classes from './folders.module.css';

const FEW = 8;

export function Component() {
  const t = useMessages('folder');
  const { is_admin: isAdmin } = useAccount();
  const folders = useQuery(ask('folders.listFolderSummaries'));
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        {isAdmin && (
          <Button component={Link} to="/settings/folders" variant="default">
            {t.changeAccess}
          </Button>
        )}
      </PageHead>
      <QueryView query={folders} rows={8} rowHeight={58}>
        {(found) => <Folders folders={found} />}
      </QueryView>
    </>
  );
}

/** In the address, beside the order. */
const FILTER = defineFilter({ q: words(), sort: text('sort', 'sort') });

function Folders({ folders }: { folders: FolderSummary[] }) {
  const t = useMessages('folder');
  const [{ q }, change] = useUrlState(FILTER);
  const shown = useMemo(() => {
    const wanted = q.trim().toLowerCase();
    return folders.filter(({ name, description }) =>
      `${name === ROOT_FOLDER ? t.root : name} ${description}`.toLowerCase().includes(wanted),
    );
  }, [folders, q, t]);
  if (folders.length === 0)
    return (
      <EmptyState icon={IconFolder} title={t.emptyTitle} text={t.emptyText}>
        <Administrators />
      </EmptyState>
    );
  return (
    <>
      {(folders.length > FEW || q !== '') && (
        <SearchField
          mb="sm"
          maw={420}
          label={t.filter}
          value={q}
          onChange={(typed) => change({ q: typed })}
        />
      )}
      {shown.length === 0 ? (
        <p className={classes.quiet}>{t.noMatch}</p>
      ) : (
        <FolderTable folders={shown} />
      )}
    </>
  );
}
