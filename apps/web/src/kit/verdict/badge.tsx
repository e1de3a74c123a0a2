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

/** An icon in the colour of a tone, beside words that say the same; dimmed without a tone. */
interface IconProps {
  size?: number;
  stroke?: number;
  color?: string;
  style?: { flex: 'none' };
  role?: 'img';
  'aria-label'?: string;
  'aria-hidden'?: true;
}

interface ToneIconProps {
  icon: ComponentType<IconProps>;
  tone: Tone | undefined;
  size?: number;
  /** Where it says what the words do not. */
  label?: string;
}

export function ToneIcon({ icon: Icon, tone, size = 18, label }: ToneIconProps) {
  const words =
    label === undefined
      ? ({ 'aria-hidden': true } as const)
      : { 'aria-label': label, role: 'img' as const };
  const color = tone ? `var(--${tone})` : 'var(--mantine-color-dimmed)';
  return <Icon size={size} stroke={1.8} color={color} style={{ flex: 'none' }} {...words} />;
}
