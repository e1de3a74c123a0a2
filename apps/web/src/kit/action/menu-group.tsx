import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';

/** Entries of a menu that belong together: a label by itself may not stand in a menu. */
export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no group of a menu
    <div role="group" aria-label={label}>
      <Menu.Label aria-hidden="true">{label}</Menu.Label>
      {children}
    </div>
  );
}
