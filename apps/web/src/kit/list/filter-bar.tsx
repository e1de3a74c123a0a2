/** The filters above a list: the search, others, what removes them, and the saved ones. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMessages } from '../../i18n/messages.ts';
import { SavedFilterChips, type SavedList } from '../form/saved-filter-chips.tsx';
import { SearchField } from '../form/search-field.tsx';
import classes from './list.module.css';
import type { FilteredList } from './list.ts';

interface FilterBarProps {
  list: Pick<
    FilteredList<never, { q: string }>,
    'state' | 'change' | 'clear' | 'isFiltered' | 'saved'
  >;
  /** The label of the search field. */
  search: string;
  /** The list that filters are saved of. */
  saved: SavedList;
  /** Beside the search: a filter by one of few states; false while there is nothing to choose. */
  states?: ReactNode;
  /** Further filters. */
  children?: ReactNode;
}

export function FilterBar({ list, search, saved, states, children }: FilterBarProps) {
  const { clear } = useMessages('filters');
  const words = (
    <SearchField
      className={classes.words ?? ''}
      label={search}
      value={list.state.q}
      onChange={(q) => list.change({ q })}
    />
  );
  return (
    <search className={classes.filters}>
      {states === undefined ? (
        words
      ) : (
        // Also without a choice: the field would lose the focus while it is typed into.
        <div className={classes.line}>
          {words}
          {states}
        </div>
      )}
      {children}
      {children && list.isFiltered && (
        <Button variant="subtle" color="gray" onClick={list.clear}>
          {clear}
        </Button>
      )}
      <div className={classes.saved}>
        <SavedFilterChips list={saved} query={list.saved} />
      </div>
    </search>
  );
}
