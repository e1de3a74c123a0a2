import { type ReactNode, useEffect, useRef } from 'react';
import { useNextRender } from './use-next-render.ts';

/**
 * The content of a dialog, which is rendered after the dialog has opened: both together would be
 * one long task. Then the field with `data-autofocus` has the focus.
 */
export function DialogContent({ children }: { children: ReactNode }) {
  return useNextRender() ? <Content>{children}</Content> : null;
}

function Content({ children }: { children: ReactNode }) {
  const content = useRef<HTMLDivElement>(null);
  // The dialog has looked for it before.
  useEffect(() => content.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), []);
  return <div ref={content}>{children}</div>;
}
