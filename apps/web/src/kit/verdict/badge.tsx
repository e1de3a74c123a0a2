/** A coloured label; the text never relies on the colour. */
import type { ComponentType, ReactNode } from 'react';
import classes from './badge.module.css';

export type Tone = 'critical' | 'high' | 'medium' | 'low' | 'unknown' | 'good' | 'wait';

interface BadgeProps {
  tone: Tone;
  icon?: ComponentType<{ size?: number; stroke?: number }>;
  children: ReactNode;
}

export function Badge({ tone, icon: Icon, children }: BadgeProps) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {Icon && <Icon size={14} stroke={2} />}
      {children}
    </span>
  );
}
