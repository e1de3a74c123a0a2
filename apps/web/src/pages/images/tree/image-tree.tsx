/** Folders and repositories as a WAI-ARIA tree view with one tab stop. */

import {
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { useMessages } from '../../../i18n/messages.ts';
import { useVirtualList } from '../../../kit/virtual/use-virtual-list.ts';
import classes from './tree.module.css';
import { TreeLine } from './tree-line.tsx';
import { rowTyped, stepOf, type TreeStep } from './tree-rows.ts';
import type { ImageTreeView } from './use-image-tree.ts';

interface ImageTreeProps {
  tree: ImageTreeView;
  onToggle(path: string): void;
}

const LINE_HEIGHT = 41;

export function ImageTree({ tree: { rows, more, retry }, onToggle }: ImageTreeProps) {
  const t = useMessages('images');
  const typed = useTyped();
  const [chosen, choose] = useState<string>();
  const at = rows.some(({ id }) => id === chosen) ? chosen : rows[0]?.id;
  const { list, shown, total, measure } = useVirtualList<HTMLDivElement>({
    count: rows.length,
    height: LINE_HEIGHT,
    keyOf: (index) => rows[index]?.id ?? index,
    kept: rows.findIndex(({ id }) => id === at),
  });
  const line = (id = '') =>
    list.current?.querySelector<HTMLElement>(`[data-line="${CSS.escape(id)}"]`);

  /** Where a key leads to. An earlier render, in which it may be out of the document, keeps it. */
  const going = useRef<string>(null);
  useEffect(() => {
    const target = going.current === null ? null : line(going.current);
    if (!target) return;
    going.current = null;
    show(target);
  });

  const waited = shown
    .map(({ index }) => rows[index])
    .find((row) => row?.kind === 'waiting')?.within;
  const fetchMore = useEffectEvent(more);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new rows may leave the level waiting
  useEffect(() => {
    if (waited !== undefined) fetchMore(waited);
  }, [waited, rows.length]);

  function take(step: TreeStep): void {
    if (step === null) return;
    if ('use' in step) line(step.use)?.click();
    else if ('toggle' in step) onToggle(step.toggle);
    else if (step.go === at) show(line(at));
    else {
      going.current = step.go;
      choose(step.go);
    }
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const letter = /^[\p{L}\p{N}._-]$/u.test(event.key);
    const step = letter ? rowTyped(typed(event.key), rows, at) : stepOf(event.key, rows, at);
    if (step === null && !letter) return;
    event.preventDefault();
    // A letter typed in the tree is not a shortcut of the page.
    event.stopPropagation();
    take(step);
  }

  /** A repository opens its page; its chevron and all other lines expand and collapse. */
  function onClick(event: MouseEvent<HTMLElement>): void {
    const target = event.target instanceof Element ? event.target : null;
    const row = rows.find(({ id }) => id === idOf(target));
    if (row?.kind === 'failed') retry();
    if (row?.kind !== 'node' || row.open === null) return;
    if (row.node.is_repository && !target?.closest('[data-chevron]')) return;
    event.preventDefault();
    event.stopPropagation();
    onToggle(row.node.path);
  }

  return (
    <div
      ref={list}
      role="tree"
      aria-label={t.tree}
      className={classes.tree}
      style={{ height: total }}
      onKeyDown={onKeyDown}
      onClickCapture={onClick}
      onFocus={({ target }) => choose(idOf(target))}
    >
      {shown.map(({ index, key, start }) => {
        const row = rows[index];
        return (
          row && (
            <div
              key={key}
              ref={measure}
              data-index={index}
              role="none"
              className={classes.place}
              style={{ transform: `translateY(${start}px)` }}
            >
              <TreeLine row={row} stop={row.id === at} />
            </div>
          )
        );
      })}
    </div>
  );
}

function show(line: HTMLElement | null | undefined): void {
  line?.focus();
  line?.scrollIntoView({ block: 'nearest' });
}

function idOf(element: Element | null): string | undefined {
  return element?.closest<HTMLElement>('[data-line]')?.dataset.line;
}

const TYPING_MS = 600;

/** Type-ahead: letters typed quickly form a prefix; a repeated letter goes to the next match. */
function useTyped(): (letter: string) => string {
  const typing = useRef({ text: '', at: 0 });
  return (letter) => {
    const now = performance.now();
    const before = now - typing.current.at < TYPING_MS ? typing.current.text : '';
    typing.current = { text: before === letter ? letter : before + letter, at: now };
    return typing.current.text;
  };
}
