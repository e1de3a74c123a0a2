/**
 * The actions for selected rows: those of the list, and their deletion. It asks first, as that of
 * one row does, and can be undone for a moment. The end of the selection leaves the question open:
 * a list renders this also while nothing is selected.
 */

import { Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { type ComponentType, type ReactNode, useState } from 'react';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { ConfirmDialog } from '../action/confirm-dialog.tsx';
import { useNothingToDo } from '../action/row-acts.ts';
import type { SelectableList } from '../list/list.ts';
import { SelectionBar } from '../table/selection-bar.tsx';
import { useChosenRows } from './use-chosen-rows.ts';

export interface EntryRemoval<T> {
  title(count: number): string;
  /** What is deleted with them. */
  text: string | ((entries: readonly T[]) => ReactNode);
  /** Whether the account may delete it. */
  allows?(entry: T): boolean;
  run(entries: readonly T[]): void;
}

export interface EntryBarProps<T> {
  list: Pick<SelectableList<T>, 'table' | 'total' | 'all'>;
  /** The name of the list, where a page has several. */
  title?: string;
  /** Other actions. */
  acts?: readonly EntryAct<T>[];
  /** Absent where the account may delete none, or an action does it. */
  removal?: EntryRemoval<T> | undefined;
}

interface Question<T> {
  entries: readonly T[];
  /** How many of the selected ones the account may not delete. */
  leftOut: number;
}

const always = () => true;

export function EntryBar<T>({ list, title, acts = [], removal }: EntryBarProps<T>) {
  const { selection, keyOf, nameOf = keyOf } = list.table;
  const t = useMessages('bulk');
  const sayNothing = useNothingToDo();
  const [question, setQuestion] = useState<Question<T> | null>(null);
  const { chosen, isPending, find, start } = useChosenRows(list);

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
          list={title}
          selection={selection}
          total={list.total}
          buttons={[
            ...acts.map(({ appliesTo = always, disabled = false, run, ...look }) => ({
              ...look,
              disabled: disabled || isIdle(appliesTo),
              run: () => start((found) => run(found.filter(appliesTo))),
            })),
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
          names={question.entries.map(nameOf)}
          leftOut={question.leftOut}
          title={removal.title(question.entries.length)}
          text={typeof removal.text === 'string' ? removal.text : removal.text(question.entries)}
          onConfirm={() => confirm(question.entries)}
          onClose={() => setQuestion(null)}
        />
      )}
    </>
  );
}

/** Of the entries that it applies to. */
export interface EntryAct<T> {
  label: string;
  icon: ComponentType<{ size?: number }>;
  danger?: boolean;
  /** The account may not do it. */
  disabled?: boolean;
  appliesTo?(entry: T): boolean;
  run(entries: readonly T[]): void;
}

interface RemovalQuestionProps {
  title: string;
  text: ReactNode;
  names: readonly string[];
  /** How many of the selected ones the account may not delete. */
  leftOut: number;
  onConfirm(): void;
  onClose(): void;
}

/** The title says how many there are. */
const MOST_NAMED = 10;

/** Asks before several entries are deleted: which, and what is deleted with them. */
function RemovalQuestion({ text, names, leftOut, ...dialog }: RemovalQuestionProps) {
  const { remove } = useMessages('bulk');
  const [t, format] = useWords('rowActs');
  return (
    <ConfirmDialog opened action={remove} {...dialog}>
      <Text mb="xs" fw={550} style={{ overflowWrap: 'anywhere' }}>
        {names.length > MOST_NAMED
          ? `${names.slice(0, MOST_NAMED).join(', ')} …`
          : format.list(names)}
      </Text>
      {text}
      {leftOut > 0 && <Text mt="xs">{t.leftOut(leftOut)}</Text>}
    </ConfirmDialog>
  );
}
