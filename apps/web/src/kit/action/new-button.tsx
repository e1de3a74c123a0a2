/**
 * The button of a page that begins a new entry; so do the key `n` and the address with `NEW_ENTRY`.
 */
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useEffect, useEffectEvent } from 'react';
import { useShortcut } from '../../shell/shortcuts.ts';
import { useUrlPart } from '../use-url-part.ts';
import { NEW_ENTRY } from './new-entry.ts';

interface NewButtonProps {
  children: string;
  disabled?: boolean;
  onClick(): void;
}

export function NewButton({ children, disabled = false, onClick }: NewButtonProps) {
  const [read, set] = useUrlPart();
  const isAsked = read(NEW_ENTRY) !== '' && !disabled;
  const begin = useEffectEvent(() => {
    set({ [NEW_ENTRY]: '' });
    onClick();
  });
  useEffect(() => {
    if (isAsked) begin();
  }, [isAsked]);
  useShortcut('n', children, () => !disabled && onClick());
  return (
    <Button leftSection={<IconPlus size={16} />} disabled={disabled} onClick={onClick}>
      {children}
    </Button>
  );
}
