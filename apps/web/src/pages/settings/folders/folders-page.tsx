import { Button, Stack } from '@mantine/core';
import type { Folder } from '@portcullis/contract';
import { IconFolderPlus, IconPlus, IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { EmptyState } from '../../../components/empty-state.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { useShortcut } from '../../../shell/shortcuts.ts';
import { everyFolder, everyGroup } from '../every.ts';
import { Explain } from './explain.tsx';
import { FolderDialog } from './folder-dialog.tsx';
import { useFoldersWords } from './folders-words.ts';
import { Matrix } from './matrix.tsx';

export function Component() {
  const t = useFoldersWords();
  const [shown, setShown] = useState<Folder | 'new' | null>(null);
  useShortcut('n', t.newFolder, () => setShown('new'));
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        <Button leftSection={<IconPlus size={16} />} onClick={() => setShown('new')}>
          {t.newFolder}
        </Button>
      </PageHead>
      <Stack gap="lg">
        <Rights onEdit={setShown} />
        <Explain />
      </Stack>
      {shown && (
        <FolderDialog folder={shown === 'new' ? null : shown} onClose={() => setShown(null)} />
      )}
    </>
  );
}

function Rights({ onEdit }: { onEdit(folder: Folder): void }) {
  const t = useFoldersWords();
  const folders = useQuery(everyFolder);
  const groups = useQuery(everyGroup);
  return (
    <Loaded query={folders} rows={6}>
      {(allFolders) => (
        <Loaded query={groups} rows={6}>
          {(allGroups) => {
            if (allGroups.length === 0)
              return (
                <EmptyState icon={IconUsersGroup} title={t.noGroupsTitle} text={t.noGroups}>
                  <Button variant="default" component={Link} to="/settings/groups">
                    {t.toGroups}
                  </Button>
                </EmptyState>
              );
            if (allFolders.length === 0)
              return (
                <EmptyState icon={IconFolderPlus} title={t.noFoldersTitle} text={t.noFolders} />
              );
            return <Matrix folders={allFolders} groups={allGroups} onEdit={onEdit} />;
          }}
        </Loaded>
      )}
    </Loaded>
  );
}
