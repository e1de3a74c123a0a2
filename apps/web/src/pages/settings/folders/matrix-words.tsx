/** A line above the matrix that says in words what the permission under the pointer means. */

import { type ReactNode, type Ref, type SyntheticEvent, useState } from 'react';
import { useMessages } from '../../../i18n/messages.ts';
import classes from './matrix.module.css';
import { RIGHTS } from './rights.ts';

interface Pointed {
  name: string;
  hint: string;
}

interface MatrixWordsProps {
  scroller: Ref<HTMLDivElement>;
  children: ReactNode;
}

/** The line keeps its own state, so that moving the pointer renders no cell again. */
export function MatrixWords({ scroller, children }: MatrixWordsProps) {
  const t = useMessages('folders');
  const [focused, setFocused] = useState<Pointed | null>(null);
  const [hovered, setHovered] = useState<Pointed | null>(null);
  const pointed = hovered ?? focused;

  function read({ target }: SyntheticEvent): Pointed | null {
    const cell = target instanceof Element ? target.closest<HTMLElement>('[data-right]') : null;
    const right = RIGHTS.find((each) => each === cell?.dataset.right);
    if (!cell || !right) return null;
    return { name: cell.getAttribute('aria-label') ?? '', hint: t.rightHints[right] };
  }

  return (
    <>
      <p className={classes.words}>
        {pointed ? (
          <>
            <strong>{pointed.name}</strong> · {pointed.hint}
          </>
        ) : (
          t.keys
        )}
      </p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only reads what the cells report */}
      <div
        ref={scroller}
        className={classes.scroller}
        onFocus={(event) => setFocused(read(event))}
        onBlur={() => setFocused(null)}
        onMouseOver={(event) => setHovered(read(event))}
        onMouseLeave={() => setHovered(null)}
      >
        {children}
      </div>
    </>
  );
}
