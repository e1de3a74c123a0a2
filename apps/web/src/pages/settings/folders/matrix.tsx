/** The permission matrix: folders by groups, with unsaved changes. */
import { Group as Row, Select } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { Folder, Group } from '@portcullis/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { useNotices } from '../../../kit/action/notices.ts';
import { SaveBar } from '../../../kit/form/save-bar.tsx';
import { SearchField } from '../../../kit/form/search-field.tsx';
import { optional, text } from '../../../kit/list/codecs.ts';
import { defineFilter } from '../../../kit/list/filter.ts';
import { useUrlState } from '../../../kit/use-url-state.ts';
import { allFolders } from '../all-entries.ts';
import { folderName } from './folder-name.ts';
import classes from './matrix.module.css';
import { MatrixGrid } from './matrix-grid.tsx';
import { RIGHT_ICONS } from './right-icons.ts';
import { type Change, changes, matching, RIGHTS, type Switched } from './rights.ts';

interface MatrixProps {
  folders: Folder[];
  groups: Group[];
  onEdit(folder: Folder): void;
}

const FEW = 8;
/** As many as fit beside the navigation of a laptop. */
const FITTING = 6;

export function Matrix({ folders, groups, onEdit }: MatrixProps) {
  const t = useMessages('folders');
  const [switched, setSwitched] = useState<Switched>({});
  const [filter, setFilter] = useMatrixFilter();
  const group = groups.find(({ id }) => id === filter.group) ?? groups[0];
  const narrow = useMediaQuery('(max-width: 47.99em)') ?? false;
  const pending = changes(folders, switched);
  const save = useSave(() => setSwitched({}));
  const rows = matching(folders, filter.folders, ({ name }) => folderName(name, t.rootName));
  const columns = narrow
    ? groups.filter((each) => each === group)
    : matching(groups, filter.groups, ({ name }) => name);
  return (
    <div>
      <RightsLegend />
      <Row gap="sm">
        {(folders.length > FEW || filter.folders !== '') && (
          <SearchField
            mb="sm"
            flex={1}
            maw={420}
            label={t.filterFolders}
            value={filter.folders}
            onChange={(words) => setFilter({ folders: words })}
          />
        )}
        {!narrow && (groups.length > FITTING || filter.groups !== '') && (
          <SearchField
            mb="sm"
            flex={1}
            maw={420}
            label={t.filterGroups}
            value={filter.groups}
            onChange={(words) => setFilter({ groups: words })}
          />
        )}
      </Row>
      {narrow && groups.length > 1 && (
        <Select
          mb="sm"
          label={t.group}
          data={groups.map(({ id, name }) => ({ value: id, label: name }))}
          value={group?.id ?? null}
          allowDeselect={false}
          searchable={groups.length > FEW}
          onChange={(id) => setFilter({ group: id })}
        />
      )}
      {rows.length === 0 || columns.length === 0 ? (
        <p className={classes.none}>{rows.length === 0 ? t.noMatch : t.noGroupMatch}</p>
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

function RightsLegend() {
  const t = useMessages('folders');
  return (
    <dl className={classes.legend}>
      {RIGHTS.map((right) => {
        const Icon = RIGHT_ICONS[right];
        return (
          <div key={right}>
            <dt>
              <Icon size={16} stroke={1.8} aria-hidden="true" />
              {t.rights[right]}
            </dt>
            <dd>{t.rightHints[right]}</dd>
          </div>
        );
      })}
    </dl>
  );
}

const MATRIX_FILTER = defineFilter({
  /** Parts of the names of folders and of groups. */
  folders: text('q', 'folders'),
  groups: text('groups', 'groups'),
  /** The id of the group that a narrow page shows; null: the first one. */
  group: optional('group'),
});

/** Which folders and groups the matrix of permissions shows, kept in the URL. */
const useMatrixFilter = () => useUrlState(MATRIX_FILTER);
