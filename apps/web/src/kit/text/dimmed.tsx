import { Text, type TextProps } from '@mantine/core';
import type { AriaRole, ReactNode } from 'react';

interface DimmedProps extends TextProps {
  role?: AriaRole;
  'aria-live'?: 'polite';
  children: ReactNode;
}

/** A note beside what matters: smaller and paler, with enough contrast. */
export function Dimmed(props: DimmedProps) {
  return <Text size="sm" c="dimmed" {...props} />;
}
