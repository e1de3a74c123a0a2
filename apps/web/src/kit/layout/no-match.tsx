import { Button } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import { EmptyState } from './empty-state.tsx';

interface NoMatchProps {
  title: string;
  text?: string | undefined;
  /** The label of the button. */
  clear: string;
  onClear(): void;
}

/** The empty state of a list whose filter matches nothing. The button removes the filter. */
export function NoMatch({ title, text, clear, onClear }: NoMatchProps) {
  return (
    <EmptyState icon={IconFilterOff} title={title} text={text}>
      <Button variant="default" onClick={onClear}>
        {clear}
      </Button>
    </EmptyState>
  );
}
