import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentType } from 'react';

interface ActButtonProps extends Omit<ButtonProps, 'onClick' | 'leftSection' | 'loading'> {
  icon: ComponentType<{ size?: number }>;
  act: { isPending: boolean; mutate(): void };
  children: string;
}

/** A button for an act of `useAct`. */
export function ActButton({ icon: Icon, act, ...button }: ActButtonProps) {
  return (
    <Button
      variant="default"
      {...button}
      leftSection={<Icon size={16} />}
      loading={act.isPending}
      onClick={() => act.mutate()}
    />
  );
}
