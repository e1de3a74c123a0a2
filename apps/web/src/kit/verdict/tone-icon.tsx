/** An icon in the colour of a tone, beside words that say the same; dimmed without a tone. */
import type { ComponentType } from 'react';
import type { Tone } from './badge.tsx';

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
