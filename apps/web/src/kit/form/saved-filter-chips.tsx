/** The saved filters of a list as chips, and the button that saves the present one. */
import { Button, Group } from '@mantine/core';
import { IconBookmark, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useMessages } from '../../i18n/messages.ts';
import { useAccount } from '../../session/account.ts';
import { loadedPart } from '../loaded-part.tsx';
import classes from './saved-filter-chips.module.css';
import { isSameQuery, readFilters, type SavedFilter, withFilter } from './saved-filters.ts';
import { type SavedList, savedKey } from './saved-list.ts';

const SaveFilterDialog = loadedPart(() => import('./save-filter-dialog.tsx'));

export interface SavedFilterChipsProps {
  list: SavedList;
  /** The query of the present filter; empty for none. */
  query: string;
}

function useSavedFilters(list: SavedList) {
  const key = savedKey(list, useAccount().id);
  const [filters, setFilters] = useState(() => readFilters(localStorage, key));
  function store(next: SavedFilter[]): void {
    localStorage.setItem(key, JSON.stringify(next));
    setFilters(next);
  }
  return {
    filters,
    add: (filter: SavedFilter) => store(withFilter(filters, filter)),
    remove: (name: string) => store(filters.filter((each) => each.name !== name)),
  };
}

export function SavedFilterChips({ list, query }: SavedFilterChipsProps) {
  const t = useMessages('filters');
  const { filters, add, remove } = useSavedFilters(list);
  const [naming, setNaming] = useState(false);
  const isSaved = filters.some((each) => isSameQuery(each.query, query));
  if (filters.length === 0 && query === '') return null;
  return (
    <Group gap={6} component="section" aria-label={t.saved}>
      {filters.map((filter) => (
        <Chip
          key={filter.name}
          filter={filter}
          isCurrent={isSameQuery(filter.query, query)}
          onRemove={() => remove(filter.name)}
        />
      ))}
      {query !== '' && !isSaved && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<IconBookmark size={14} />}
          onClick={() => setNaming(true)}
        >
          {t.save}
        </Button>
      )}
      {naming && (
        <SaveFilterDialog
          onClose={() => setNaming(false)}
          onName={(name) => {
            add({ name, query });
            setNaming(false);
          }}
        />
      )}
    </Group>
  );
}

interface ChipProps {
  filter: SavedFilter;
  isCurrent: boolean;
  onRemove(): void;
}

function Chip({ filter, isCurrent, onRemove }: ChipProps) {
  const t = useMessages('filters');
  return (
    <span className={classes.chip} data-current={isCurrent || undefined}>
      <Link
        to={{ search: isCurrent ? '' : filter.query }}
        className={classes.name}
        aria-current={isCurrent || undefined}
      >
        {filter.name}
      </Link>
      <button
        type="button"
        className={classes.remove}
        aria-label={t.remove(filter.name)}
        onClick={onRemove}
      >
        <IconX size={13} aria-hidden="true" />
      </button>
    </span>
  );
}
