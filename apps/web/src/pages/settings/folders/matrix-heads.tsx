/** The headings of the matrix: groups above, folders at the start of their rows. */
import type { Folder, Group } from '@portcullis/contract';
import { ROOT_FOLDER } from '@portcullis/domain';
import { useMessages } from '../../../i18n/messages.ts';
import { LongName } from '../../../kit/text/long-name.tsx';
import { usePolicyName } from '../policies/policy-select.tsx';
import { folderName } from './folder-name.ts';
import classes from './matrix.module.css';
import type { Place } from './with-gaps.ts';

interface GroupHeadsProps {
  groups: readonly Group[];
  columns: readonly Place[];
}

export function GroupHeads({ groups, columns }: GroupHeadsProps) {
  const t = useMessages('folders');
  return (
    <>
      <colgroup>
        <col className={classes.headColumn} />
        {columns.map(({ key, size }) => (
          <col key={key} style={{ width: size }} />
        ))}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          <th scope="col" className={classes.corner} aria-colindex={1}>
            {t.folder}
          </th>
          {columns.map(({ key, index }) => {
            const name = index === null ? undefined : groups[index]?.name;
            return index === null || name === undefined ? (
              <td key={key} aria-hidden="true" />
            ) : (
              <th
                key={key}
                scope="col"
                className={classes.group}
                title={name}
                aria-colindex={index + 2}
              >
                {name}
              </th>
            );
          })}
        </tr>
      </thead>
    </>
  );
}

export function FolderHead({ folder, onEdit }: { folder: Folder; onEdit(folder: Folder): void }) {
  const t = useMessages('folders');
  const text = folder.name === ROOT_FOLDER ? t.root : folder.description;
  return (
    <th scope="row" className={classes.folder} aria-colindex={1}>
      <button
        type="button"
        className={classes.folderName}
        aria-label={t.edit(folderName(folder.name, t.rootName))}
        onClick={() => onEdit(folder)}
      >
        <LongName>{folderName(folder.name, t.rootName)}</LongName>
      </button>
      <span className={classes.description} title={text}>
        {text}
      </span>
      <GateNote folder={folder} />
    </th>
  );
}

/** What differs from a new folder. */
function GateNote({ folder: { policy_id: id, pull_gate: mode } }: { folder: Folder }) {
  const t = useMessages('folders');
  const nameOf = usePolicyName();
  const policy = id === null ? null : nameOf(id);
  const parts = [mode !== 'off' && t.pullNotes[mode], policy !== null && t.policyNote(policy)];
  const notes = parts.filter((part) => part !== false);
  return (
    notes.length > 0 && (
      <span className={classes.folderText}>
        <LongName>{notes.join(' · ')}</LongName>
      </span>
    )
  );
}
