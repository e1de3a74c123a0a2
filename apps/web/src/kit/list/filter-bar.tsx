/** The filters above a list: the search, others, what removes them, and the saved ones. */
import { Button } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { useMessages } from '../../i18n/messages.ts';
import { SavedFilterLine } from '../form/saved-filter-line.tsx';
import type { SavedList } from '../form/saved-list.ts';
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
        <SavedFilterLine list={saved} query={list.saved} />
      </div>
    </search>
  );
}

interface StateFilterProps<V extends string> {
  /** What the states are of. */
  label: string;
  names: Readonly<Record<V, string>>;
  values: readonly V[];
  value: V;
  onChange(value: V): void;
}

/** A filter by one of few states, side by side. */
export function StateFilter<V extends string>({ names, values, ...field }: StateFilterProps<V>) {
  return (
    <div className={classes.states}>
      <Segments options={values.map((value) => ({ value, label: names[value] }))} {...field} />
    </div>
  );
}

interface SegmentsProps<V extends string> {
  label: string;
  options: { value: V; label: string }[];
  value: V;
  onChange(value: V): void;
}

/** A choice of one of few, side by side: radio buttons, without JavaScript. */
function Segments<V extends string>({ label, options, value, onChange }: SegmentsProps<V>) {
  const name = useId();
  return (
    <div className={classes.segments} role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value} className={classes.segment}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
