/** The permission matrix: folders by groups, with unsaved changes. */

import { Select } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { Folder, Group } from '@portcullis/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { useNotices } from '../../../kit/action/notices.ts';
import { SaveBar } from '../../../kit/form/save-bar.tsx';
import { SearchField } from '../../../kit/form/search-field.tsx';
import { allFolders } from '../all-entries.ts';
import classes from './matrix.module.css';
import { MatrixGrid } from './matrix-grid.tsx';
import { type Change, changes, type Switched } from './rights.ts';
import { RightsLegend } from './rights-legend.tsx';

interface MatrixProps {
  folders: Folder[];
  groups: Group[];
  onEdit(folder: Folder): void;
}

const FEW = 8;

export function Matrix({ folders, groups, onEdit }: MatrixProps) {
  const t = useMessages('folders');
  const [switched, setSwitched] = useState<Switched>({});
  const [filter, setFilter] = useState('');
  const [groupId, setGroupId] = useState(groups[0]?.id ?? '');
  const narrow = useMediaQuery('(max-width: 47.99em)') ?? false;
  const pending = changes(folders, switched);
  const save = useSave(() => setSwitched({}));
  const rows = folders.filter(({ name }) => name.includes(filter.trim().toLowerCase()));
  const columns = narrow ? groups.filter(({ id }) => id === groupId) : groups;
  return (
    <div>
      <RightsLegend />
      {folders.length > FEW && (
        <SearchField
          mb="sm"
          maw={420}
          label={t.filterFolders}
          value={filter}
          onChange={setFilter}
        />
      )}
      {narrow && groups.length > 1 && (
        <Select
          mb="sm"
          label={t.group}
          data={groups.map(({ id, name }) => ({ value: id, label: name }))}
          value={groupId}
          allowDeselect={false}
          searchable={groups.length > FEW}
          onChange={(id) => setGroupId(id ?? groupId)}
        />
      )}
      {rows.length === 0 ? (
        <p className={classes.none}>{t.noMatch}</p>
      ) : (
        <MatrixGrid
          folders={rows}
          groups={columns}
          switched={switched}
          onSwitch={setSwitched}
          onEdit={onEdit}
        />
      )}
      <SaveBar
        dirty={pending.length > 0}
        summary={t.changes(pending.reduce((sum, { differing }) => sum + differing, 0))}
        pending={save.isPending}
        error={save.error}
        onSave={() => save.mutate(pending)}
        onDiscard={() => setSwitched({})}
      />
    </div>
  );
}

/** Saves one cell after the other; after a failure the rest stays unsaved. */
function useSave(onDone: () => void) {
  const t = useMessages('folders');
  const notices = useNotices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (pending: Change[]) => {
      for (const change of pending) await saveOne(change);
    },
    onSuccess: () => notices.done(t.saved),
    onSettled: async (_, error) => {
      await queries.invalidateQueries(allFolders);
      if (!error) onDone();
    },
  });
}

function saveOne({ folderId, groupId, rights, empty }: Change): Promise<unknown> {
  return empty
    ? call('folders.removePermission', { params: { folder_id: folderId, group_id: groupId } })
    : call('folders.setPermission', {
        params: { folder_id: folderId },
        body: { group_id: groupId, ...rights },
      });
}
