/**
 * The actions for selected entries: those of the list, and their deletion. It asks first, as that
 * of one entry does, and can be undone for a moment. The end of the selection leaves the question
 * open: a list renders this also while nothing is selected.
 */
import { IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useMessages } from '../../i18n/messages.ts';
import { useNothingToDo } from '../action/row-acts.ts';
import type { SelectedRows } from '../table/selected-rows.ts';
import { SelectionBar } from '../table/selection-bar.tsx';
import { useChosenRows } from '../table/use-chosen-rows.ts';
import { entryKey, type ListEntry } from './entry.ts';
import { type Enabling, type EntryAct, enablingActs } from './entry-acts.ts';
import { RemovalQuestion } from './removal-question.tsx';

interface EntryRemoval<T> {
  title(count: number): string;
  /** What is deleted with them. */
  text: string | ((entries: readonly T[]) => ReactNode);
  /** Whether the account may delete it. */
  allows?(entry: T): boolean;
  run(entries: readonly T[]): void;
}

interface EntryBarProps<T extends ListEntry> {
  /** The name of the list, where a page has several. */
  list?: string;
  /** The loaded ones. */
  entries: readonly T[];
  selection: SelectedRows;
  /** Where the list has several pages: how many entries there are, and all of them. */
  others?: { total: number; all(): Promise<T[]> } | undefined;
  /** Where they can be disabled and enabled. */
  enabling?: Enabling<T>;
  /** Other actions. */
  acts?: readonly EntryAct<T>[];
  /** Absent where the account may delete none. */
  removal: EntryRemoval<T> | undefined;
}

interface Question<T> {
  entries: readonly T[];
  /** How many of the selected ones the account may not delete. */
  leftOut: number;
}

const always = () => true;

export function EntryBar<T extends ListEntry>(props: EntryBarProps<T>) {
  const { list, entries, selection, others, enabling, acts = [], removal } = props;
  const t = useMessages('bulk');
  const sayNothing = useNothingToDo();
  const [question, setQuestion] = useState<Question<T> | null>(null);
  const { chosen, isPending, find, start } = useChosenRows<T>(selection, {
    rows: entries,
    keyOf: entryKey,
    all: others?.all ?? (async () => [...entries]),
  });

  function ask(found: readonly T[]): void {
    const allowed = found.filter(removal?.allows ?? always);
    if (allowed.length === 0) sayNothing();
    else setQuestion({ entries: allowed, leftOut: found.length - allowed.length });
  }

  function confirm(doomed: readonly T[]): void {
    setQuestion(null);
    selection.clear();
    removal?.run(doomed);
  }

  const isIdle = (applies: (entry: T) => boolean) =>
    isPending || !(selection.everything || chosen.some(applies));
  return (
    <>
      {selection.ids.length > 0 && (
        <SelectionBar
          list={list}
          selection={selection}
          total={others?.total ?? null}
          buttons={[
            ...[...(enabling ? enablingActs(enabling) : []), ...acts].map(
              ({ appliesTo = always, run, ...look }) => ({
                ...look,
                disabled: isIdle(appliesTo),
                run: () => start((found) => run(found.filter(appliesTo))),
              }),
            ),
            ...(removal
              ? [
                  {
                    label: t.remove,
                    icon: IconTrash,
                    danger: true,
                    disabled: isIdle(removal.allows ?? always),
                    run: () => find(ask),
                  },
                ]
              : []),
          ]}
        />
      )}
      {removal && question && (
        <RemovalQuestion
          {...question}
          title={removal.title(question.entries.length)}
          text={typeof removal.text === 'string' ? removal.text : removal.text(question.entries)}
          onConfirm={() => confirm(question.entries)}
          onClose={() => setQuestion(null)}
        />
      )}
    </>
  );
}
