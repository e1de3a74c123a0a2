/** The list of the command palette. The focus stays in the search field. */
import { Box } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useMessages } from '../../i18n/messages.ts';
import type { EntryGroup, PaletteEntry } from './entry.ts';
import classes from './palette.module.css';

interface PaletteListProps {
  groups: readonly EntryGroup[];
  listId: string;
  /** The index of the active entry over all groups. */
  active: number;
  onActive(index: number): void;
  onChoose(entry: PaletteEntry): void;
}

export const optionId = (listId: string, index: number) => `${listId}-${index}`;

export function PaletteList({ groups, listId, active, onActive, onChoose }: PaletteListProps) {
  const t = useMessages('palette');
  const indexes = new Map(groups.flatMap(({ entries }) => entries).map((each, at) => [each, at]));
  return (
    // The search field has the keyboard: the list itself is no tab stop.
    <div id={listId} role="listbox" aria-label={t.title} className={classes.list}>
      {groups.map(({ name, entries }) => (
        <Box key={name} role="group" aria-labelledby={`${listId}-${name}`}>
          <div id={`${listId}-${name}`} className={classes.heading} role="presentation">
            {t.groups[name]}
          </div>
          {entries.map((entry) => {
            const index = indexes.get(entry) ?? 0;
            return (
              <Option
                key={entry.id}
                id={optionId(listId, index)}
                entry={entry}
                active={index === active}
                onActive={() => onActive(index)}
                onChoose={() => onChoose(entry)}
              />
            );
          })}
        </Box>
      ))}
    </div>
  );
}

interface OptionProps {
  id: string;
  entry: PaletteEntry;
  active: boolean;
  onActive(): void;
  onChoose(): void;
}

function Option({ id, entry, active, onActive, onChoose }: OptionProps) {
  const { label, note, icon: Icon } = entry;
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active) row.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <Box
      ref={row}
      id={id}
      role="option"
      aria-selected={active}
      tabIndex={-1}
      className={classes.option ?? ''}
      onMouseMove={active ? undefined : onActive}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <Icon size={17} stroke={1.6} />
      <span className={classes.label}>{label}</span>
      {note && <span className={classes.note}>{note}</span>}
    </Box>
  );
}
