/** The button of a page that begins a new entry; so does the key `n`. */
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useShortcut } from '../../shell/shortcuts.ts';

interface NewButtonProps {
  children: string;
  disabled?: boolean;
  onClick(): void;
}

export function NewButton({ children, disabled = false, onClick }: NewButtonProps) {
  useShortcut('n', children, () => !disabled && onClick());
  return (
    <Button leftSection={<IconPlus size={16} />} disabled={disabled} onClick={onClick}>
      {children}
    </Button>
  );
}
