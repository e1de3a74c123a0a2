/** The filters above a list: words and a choice of one of few states, with what else it has. */
import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { SearchField } from '../form/search-field.tsx';
import { Segments } from '../form/segments.tsx';
import classes from './list-filters.module.css';

interface ListFiltersProps<V extends string> {
  search: string;
  q: string;
  onWords(q: string): void;
  /** What the states are of. */
  label: string;
  states: readonly V[];
  names: Readonly<Record<V, string>>;
  state: V;
  onState(state: V): void;
  /** Further filters, in rows. */
  children: ReactNode;
}

export function ListFilters<V extends string>({
  search,
  q,
  onWords,
  label,
  states,
  names,
  state,
  onState,
  children,
}: ListFiltersProps<V>) {
  return (
    <search className={classes.filters}>
      <Group gap="sm">
        <SearchField className={classes.search ?? ''} label={search} value={q} onChange={onWords} />
        <div className={classes.scroller}>
          <Segments
            label={label}
            options={states.map((value) => ({ value, label: names[value] }))}
            value={state}
            onChange={onState}
          />
        </div>
      </Group>
      {children}
    </search>
  );
}
