/** The permissions of a group on a folder, each a switch. */
import type { Folder, Group } from '@portcullis/contract';
import { useMessages } from '../../../i18n/messages.ts';
import { folderName } from './folder-name.ts';
import classes from './matrix.module.css';
import { RIGHT_ICONS } from './right-icons.ts';
import {
  type FolderRight,
  type GridPosition,
  granted,
  RIGHTS,
  type Switched,
  shown,
  toggle,
} from './rights.ts';

interface MatrixCellProps {
  folder: Folder;
  group: Group;
  /** Of the first switch. */
  at: GridPosition;
  /** The switch with the tab stop. */
  here: GridPosition;
  switched: Switched;
  onFocus(at: GridPosition): void;
  onSwitch(switched: Switched): void;
}

export function MatrixCell(props: MatrixCellProps) {
  const { folder, group, at, here, switched, onFocus, onSwitch } = props;
  const t = useMessages('folders');
  const name = folderName(folder.name, t.rootName);
  return (
    <span className={classes.cell}>
      {RIGHTS.map((right, index) => {
        const place = { row: at.row, column: at.column + index };
        return (
          <RightSwitch
            key={right}
            right={right}
            name={t.cell(name, group.name, t.rights[right])}
            on={shown(folder, group.id, switched)[right]}
            was={granted(folder, group.id)[right]}
            place={place}
            reachable={place.row === here.row && place.column === here.column}
            onFocus={() => onFocus(place)}
            onSwitch={() => onSwitch(toggle(folder, group.id, right, switched))}
          />
        );
      })}
    </span>
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
