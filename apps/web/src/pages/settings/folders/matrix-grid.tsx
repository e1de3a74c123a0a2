import type { Folder, Group } from '@portcullis/contract';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useMessages } from '../../../i18n/messages.ts';
import { LongName } from '../../../kit/text/long-name.tsx';
import { usePolicyChoices } from '../policies/policy-choices.ts';
import classes from './matrix.module.css';
import { MatrixWords } from './matrix-words.tsx';
import { RIGHT_ICONS } from './right-icons.ts';
import {
  type FolderRight,
  type GridPosition,
  granted,
  RIGHTS,
  type Switched,
  shown,
  step,
  toggle,
} from './rights.ts';

export const ROOT = '__root__';

/** The display name. */
export function folderName(name: string, rootName: string): string {
  return name === ROOT ? rootName : name;
}

interface MatrixGridProps {
  folders: Folder[];
  groups: Group[];
  switched: Switched;
  onSwitch(switched: Switched): void;
  onEdit(folder: Folder): void;
}

/** An ARIA grid: one tab stop, arrow keys inside. */
export function MatrixGrid({ folders, groups, switched, onSwitch, onEdit }: MatrixGridProps) {
  const t = useMessages('folders');
  const grid = useRef<HTMLTableElement>(null);
  const [at, setAt] = useState<GridPosition>({ row: 0, column: 0 });
  const last = { row: folders.length - 1, column: groups.length * RIGHTS.length - 1 };
  const here = { row: Math.min(at.row, last.row), column: Math.min(at.column, last.column) };

  function move(event: KeyboardEvent): void {
    const to = step(event.key, here, last);
    if (!to || !(event.target instanceof HTMLElement) || event.target.dataset.right === undefined)
      return;
    event.preventDefault();
    setAt(to);
    grid.current?.querySelector<HTMLElement>(`[data-place="${to.row}:${to.column}"]`)?.focus();
  }

  return (
    <MatrixWords>
      <table
        ref={grid}
        className={classes.matrix}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: it is a grid
        role="grid"
        aria-label={t.matrix}
        onKeyDown={move}
      >
        <thead>
          <tr>
            <th scope="col" className={classes.corner}>
              {t.folder}
            </th>
            {groups.map(({ id, name }) => (
              <th key={id} scope="col" className={classes.group} title={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {folders.map((folder, row) => (
            <tr key={folder.id}>
              <FolderHead folder={folder} onEdit={onEdit} />
              {groups.map((group, column) => (
                <td key={group.id}>
                  <span className={classes.cell}>
                    {RIGHTS.map((right, index) => {
                      const place = { row, column: column * RIGHTS.length + index };
                      return (
                        <RightSwitch
                          key={right}
                          right={right}
                          name={t.cell(
                            folderName(folder.name, t.rootName),
                            group.name,
                            t.rights[right],
                          )}
                          on={shown(folder, group.id, switched)[right]}
                          was={granted(folder, group.id)[right]}
                          place={place}
                          reachable={place.row === here.row && place.column === here.column}
                          onFocus={() => setAt(place)}
                          onSwitch={() => onSwitch(toggle(folder, group.id, right, switched))}
                        />
                      );
                    })}
                  </span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </MatrixWords>
  );
}

function FolderHead({ folder, onEdit }: { folder: Folder; onEdit(folder: Folder): void }) {
  const t = useMessages('folders');
  const text = folder.name === ROOT ? t.root : folder.description;
  return (
    <th scope="row" className={classes.folder}>
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
  const { nameOf } = usePolicyChoices();
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

interface RightSwitchProps {
  right: FolderRight;
  name: string;
  on: boolean;
  /** The saved value. */
  was: boolean;
  place: GridPosition;
  reachable: boolean;
  onFocus(): void;
  onSwitch(): void;
}

function RightSwitch({
  right,
  name,
  on,
  was,
  place,
  reachable,
  onFocus,
  onSwitch,
}: RightSwitchProps) {
  const Icon = RIGHT_ICONS[right];
  return (
    <button
      type="button"
      aria-pressed={on}
      aria-label={name}
      title={name}
      className={classes.right}
      data-right={right}
      data-changed={on !== was || undefined}
      data-place={`${place.row}:${place.column}`}
      tabIndex={reachable ? 0 : -1}
      onFocus={onFocus}
      onClick={onSwitch}
    >
      <Icon size={16} stroke={1.8} aria-hidden="true" />
    </button>
  );
}
