import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';

/** A labelled group of menu items; ARIA allows no bare label in a menu. */
export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is not a menu group
    <div role="group" aria-label={label}>
      <Menu.Label aria-hidden="true">{label}</Menu.Label>
      {children}
    </div>
  );
}
