/** A link below the state of a tag that opens a request. */
import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import table from '../../../kit/table/table.module.css';

export function AskLink({ onClick, children }: { onClick(): void; children: ReactNode }) {
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      ta="left"
      onClick={onClick}
      className={table.above ?? ''}
    >
      {children}
    </Anchor>
  );
}
