import { Text } from '@mantine/core';
import type { ComponentProps } from 'react';
import { SortedTable } from '../../../kit/table/sorted-table.tsx';
import { SectionTitle } from './section-title.tsx';

interface DetailTableProps<T> extends Omit<ComponentProps<typeof SortedTable<T>>, 'inner'> {
  title: string;
  hint: string;
  /** Between the title and the table. */
  summary?: string;
  /** Below the table. */
  note?: string | null;
}

/** A table below its title, among the details of an image; nothing without rows. */
export function DetailTable<T>({ title, hint, summary, note, ...table }: DetailTableProps<T>) {
  if (table.rows.length === 0) return null;
  return (
    <section>
      <SectionTitle hint={hint}>{title}</SectionTitle>
      {summary && (
        <Text size="sm" mb={8}>
          {summary}
        </Text>
      )}
      <SortedTable {...table} inner />
      {note && <Text size="sm">{note}</Text>}
    </section>
  );
}
