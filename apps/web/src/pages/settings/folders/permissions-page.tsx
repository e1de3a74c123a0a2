/** Shows folders with the rights of groups, and explains those of an account. */
import { Button, Stack } from '@mantine/core';
import type { Folder, Group } from '@portcullis/contract';
import { IconFolderPlus, IconUserQuestion, IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type Ref, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useMessages } from '../../../i18n/messages.ts';
import { NewButton } from '../../../kit/action/new-button.tsx';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { PageHead } from '../../../kit/layout/page-head.tsx';
import { QueryView } from '../../../kit/layout/query-view.tsx';
import { allFolders, allGroups } from '../all-entries.ts';
import { Explain } from './explain.tsx';
import { FolderDialog } from './folder-dialog.tsx';
import { Matrix } from './matrix.tsx';

export function Component() {
  const t = useMessages('folders');
  const [shown, setShown] = useState<Folder | 'new' | null>(null);
  const check = useRef<HTMLInputElement>(null);
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        <Button
          variant="default"
          leftSection={<IconUserQuestion size={16} />}
          onClick={() => show(check.current)}
        >
          {t.explain}
        </Button>
        <NewButton onClick={() => setShown('new')}>{t.newFolder}</NewButton>
      </PageHead>
      <Rights onEdit={setShown} check={check} />
      {shown && (
        <FolderDialog folder={shown === 'new' ? null : shown} onClose={() => setShown(null)} />
      )}
    </>
  );
}

/** It is below the matrix, which may fill the window. */
function show(field: HTMLInputElement | null): void {
  field?.scrollIntoView({ block: 'center' });
  field?.focus({ preventScroll: true });
}

interface RightsProps extends Pick<GrantedProps, 'onEdit'> {
  check: Ref<HTMLInputElement>;
}

/** The explanation comes with the matrix, which would move it. */
function Rights({ onEdit, check }: RightsProps) {
  const folders = useQuery(allFolders);
  const groups = useQuery(allGroups);
  return (
    <QueryView query={folders} rows={6}>
      {(folderList) => (
        <QueryView query={groups} rows={6}>
          {(groupList) => (
            <Stack gap="lg">
              <Granted folders={folderList} groups={groupList} onEdit={onEdit} />
              <Explain field={check} />
            </Stack>
          )}
        </QueryView>
      )}
    </QueryView>
  );
}

interface GrantedProps {
  folders: Folder[];
  groups: Group[];
  onEdit(folder: Folder): void;
}

function Granted({ folders, groups, onEdit }: GrantedProps) {
  const t = useMessages('folders');
  if (groups.length === 0)
    return (
      <EmptyState icon={IconUsersGroup} title={t.noGroupsTitle} text={t.noGroups}>
        <Button variant="default" component={Link} to="/settings/groups">
          {t.toGroups}
        </Button>
      </EmptyState>
    );
  if (folders.length === 0)
    return <EmptyState icon={IconFolderPlus} title={t.noFoldersTitle} text={t.noFolders} />;
  return <Matrix folders={folders} groups={groups} onEdit={onEdit} />;
}
