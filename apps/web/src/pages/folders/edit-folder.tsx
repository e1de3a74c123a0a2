/** Opens the dialog of a folder's description, policy and gates; for administrators. */
import { Button } from '@mantine/core';
import { IconEdit } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { FolderDialog } from '../settings/folders/folder-dialog.tsx';

export function EditFolder({ id }: { id: string }) {
  const t = useMessages('folder');
  const [isOpen, setOpen] = useState(false);
  const { data, isFetching } = useQuery({
    ...ask('folders.getFolder', { params: { folder_id: id } }),
    enabled: isOpen,
    // What another administrator saved meanwhile is edited, not what was shown before.
    staleTime: 0,
    gcTime: 0,
  });
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
