/** Shows which group may do what in which folder, as a grid. */
import type { Folder, Group } from '@portcullis/contract';
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type SyntheticEvent,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useMessages } from '../../../i18n/messages.ts';
import classes from './matrix.module.css';
import { MatrixCell } from './matrix-cell.tsx';
import { FolderHead, GroupHeads } from './matrix-heads.tsx';
import { type GridPosition, RIGHTS, type Switched, step } from './rights.ts';
import { useMatrixWindow } from './use-matrix-window.ts';
import type { Place } from './with-gaps.ts';

interface MatrixGridProps {
  folders: Folder[];
  groups: Group[];
  switched: Switched;
  onSwitch(switched: Switched): void;
  onEdit(folder: Folder): void;
}

/** An ARIA grid: one tab stop, arrow keys inside. Only what is in view is in the document. */
export function MatrixGrid(props: MatrixGridProps) {
  const { folders, groups } = props;
  const t = useMessages('folders');
  const last = { row: folders.length - 1, column: groups.length * RIGHTS.length - 1 };
  const { grid, here, setHere, onKeyDown } = useGridFocus(last);
  const { scroller, rows, columns, width, measureRow } = useMatrixWindow(
    folders.map(({ id }) => id),
    groups.map(({ id }) => id),
    { row: here.row, column: Math.floor(here.column / RIGHTS.length) },
  );
  return (
    <MatrixWords scroller={scroller}>
      <table
        ref={grid}
        className={classes.matrix}
        style={{ '--width': `${width}px` } as CSSProperties}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: it is a grid
        role="grid"
        aria-label={t.matrix}
        aria-rowcount={folders.length + 1}
        aria-colcount={groups.length + 1}
        onKeyDown={onKeyDown}
      >
        <GroupHeads groups={groups} columns={columns} />
        {rows.map(({ key, index, size }) => {
          const folder = index === null ? undefined : folders[index];
          return index === null || folder === undefined ? (
            <Gap key={key} columns={columns.length + 1} height={size} />
          ) : (
            <tbody key={folder.id}>
              <tr ref={measureRow} data-index={index} aria-rowindex={index + 2}>
                <FolderHead folder={folder} onEdit={props.onEdit} />
                <FolderCells
                  {...props}
                  folder={folder}
                  row={index}
                  columns={columns}
                  here={here}
                  onFocus={setHere}
                />
              </tr>
            </tbody>
          );
        })}
      </table>
    </MatrixWords>
  );
}

/** For the rows that are not in the document. */
function Gap({ columns, height }: { columns: number; height: number }) {
  return (
    <tbody className={classes.gap} aria-hidden="true">
      <tr>
        <td colSpan={columns} style={{ height }} />
      </tr>
    </tbody>
  );
}

type FolderCellsProps = Pick<MatrixGridProps, 'groups' | 'switched' | 'onSwitch'> & {
  folder: Folder;
  row: number;
  columns: readonly Place[];
  here: GridPosition;
  onFocus(at: GridPosition): void;
};

function FolderCells({ groups, columns, row, ...cell }: FolderCellsProps) {
  return columns.map(({ key, index }) => {
    const group = index === null ? undefined : groups[index];
    return index === null || group === undefined ? (
      <td key={key} aria-hidden="true" />
    ) : (
      <td key={key} aria-colindex={index + 2}>
        <MatrixCell {...cell} group={group} at={{ row, column: index * RIGHTS.length }} />
      </td>
    );
  });
}

interface Pointed {
  name: string;
  hint: string;
}

interface MatrixWordsProps {
  scroller: Ref<HTMLDivElement>;
  children: ReactNode;
}

/**
 * A line above the matrix that says in words what the permission under the pointer means. The line
 * keeps its own state, so that moving the pointer renders no cell again.
 */
function MatrixWords({ scroller, children }: MatrixWordsProps) {
  const t = useMessages('folders');
  const [focused, setFocused] = useState<Pointed | null>(null);
  const [hovered, setHovered] = useState<Pointed | null>(null);
  const pointed = hovered ?? focused;

  function read({ target }: SyntheticEvent): Pointed | null {
    const cell = target instanceof Element ? target.closest<HTMLElement>('[data-right]') : null;
    const right = RIGHTS.find((each) => each === cell?.dataset.right);
    if (!cell || !right) return null;
    return { name: cell.getAttribute('aria-label') ?? '', hint: t.rightHints[right] };
  }

  return (
    <>
      <p className={classes.words}>
        {pointed ? (
          <>
            <strong>{pointed.name}</strong> · {pointed.hint}
          </>
        ) : (
          t.keys
        )}
      </p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only reads what the cells report */}
      <div
        ref={scroller}
        className={classes.scroller}
        onFocus={(event) => setFocused(read(event))}
        onBlur={() => setFocused(null)}
        onMouseOver={(event) => setHovered(read(event))}
        onMouseLeave={() => setHovered(null)}
      >
        {children}
      </div>
    </>
  );
}

/** The one tab stop of the matrix, which the arrow keys move. */
function useGridFocus(last: GridPosition) {
  const grid = useRef<HTMLTableElement>(null);
  const [at, setAt] = useState<GridPosition>({ row: 0, column: 0 });
  const here = { row: Math.min(at.row, last.row), column: Math.min(at.column, last.column) };

  /** Where a key leads to. An earlier render, in which it may be out of the document, keeps it. */
  const going = useRef<GridPosition>(null);
  useEffect(() => {
    if (going.current === null) return;
    const place = `${going.current.row}:${going.current.column}`;
    const target = grid.current?.querySelector<HTMLElement>(`[data-place="${place}"]`);
    if (!target) return;
    going.current = null;
    target.focus();
  });

  function onKeyDown(event: KeyboardEvent): void {
    const to = step(event.key, here, last);
    if (!to || !(event.target instanceof HTMLElement) || event.target.dataset.right === undefined)
      return;
    event.preventDefault();
    going.current = to;
    setAt(to);
  }

  return { grid, here, setHere: setAt, onKeyDown };
}
