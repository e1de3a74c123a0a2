import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentType } from 'react';
import { Link } from 'react-router';

interface ActButtonProps extends Omit<ButtonProps, 'leftSection'> {
  icon: ComponentType<{ size?: number }>;
  /** Of `useAct`. */
  act?: { isPending: boolean; mutate(): void };
  onClick?: () => void;
  /** A page that it leads to. */
  to?: string;
  children: string;
}

/** A button with an icon, for an act or a way to another page. */
export function ActButton({ icon: Icon, act, onClick, to, ...button }: ActButtonProps) {
  const look = { variant: 'default', leftSection: <Icon size={16} />, ...button };
  if (to !== undefined) return <Button {...look} component={Link} to={to} />;
  if (act) return <Button {...look} loading={act.isPending} onClick={() => act.mutate()} />;
  return <Button {...look} {...(onClick && { onClick })} />;
}
