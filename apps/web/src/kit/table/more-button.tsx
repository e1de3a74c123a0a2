/** Loads the next page of a list and moves the focus to its first row. */
import { Button, type ButtonProps } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';

interface MoreButtonProps extends ButtonProps {
  /** As of `useInfiniteQuery`. */
  pages: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage(): Promise<unknown>;
  };
  children: ReactNode;
}

/** The list as it was before more of it was requested. */
interface Before {
  list: HTMLElement;
  rows: number;
}

/** In the same element as its list. After the last page no button is left to keep the focus. */
export function MoreButton({ pages, children, ...look }: MoreButtonProps) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  const button = useRef<HTMLButtonElement>(null);
  const before = useRef<Before>(null);

  useEffect(() => {
    if (isFetchingNextPage || before.current === null) return;
    const { list, rows } = before.current;
    before.current = null;
    return isFocusFree() ? focusNewRow(list, rows, button.current ?? list) : undefined;
  }, [isFetchingNextPage]);

  function load(): void {
    const list = button.current?.parentElement;
    before.current = list ? { list, rows: countRows(list) } : null;
    void fetchNextPage();
  }

  if (!hasNextPage) return null;
  return (
    <Button
      ref={button}
      variant="default"
      mx="auto"
      {...look}
      loading={isFetchingNextPage}
      onClick={load}
    >
      {children}
    </Button>
  );
}

/**
 * A list that becomes long is virtualized, and has its rows a little later: until then the other
 * element has the focus. Returns what stops waiting for them.
 */
function focusNewRow(list: HTMLElement, index: number, other: HTMLElement): () => void {
  const focusRow = () => {
    const row = rowAt(list, index);
    if (row) focus(row.querySelector<HTMLElement>('a[href], button:enabled') ?? row);
    return row !== undefined;
  };
  const observer = new MutationObserver(() => {
    if ((!isFocusFree() && document.activeElement !== other) || focusRow()) observer.disconnect();
  });
  if (!focusRow()) {
    focus(other);
    observer.observe(list, { childList: true, subtree: true });
  }
  return () => observer.disconnect();
}

/** Those of a table, or the items; without the rows that fill the height of a virtualized list. */
function rowsOf(list: HTMLElement): HTMLElement[] {
  const rows = [...list.querySelectorAll<HTMLElement>('tbody:not([aria-hidden]) > tr')];
  return rows.length > 0 ? rows : [...list.querySelectorAll<HTMLElement>('li')];
}

/** Of a virtualized list, only the rows in view are in the document: they have numbers from 2. */
const numberOf = (row: HTMLElement | undefined) => Number(row?.ariaRowIndex ?? 0);

function countRows(list: HTMLElement): number {
  const rows = rowsOf(list);
  return numberOf(rows.at(-1)) > 0 ? numberOf(rows.at(-1)) - 1 : rows.length;
}

function rowAt(list: HTMLElement, index: number): HTMLElement | undefined {
  const rows = rowsOf(list);
  return numberOf(rows[0]) > 0 ? rows.find((row) => numberOf(row) === index + 2) : rows[index];
}

/** The user may have moved it while the rows were loading. */
function isFocusFree(): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body;
}

function focus(target: HTMLElement): void {
  if (!target.matches('a, button')) target.tabIndex = -1;
  target.focus();
}
