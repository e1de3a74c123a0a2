/** What can be done with selected entries besides their deletion, as to disable and enable them. */
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import type { ComponentType } from 'react';

/** Of the entries that it applies to. */
export interface EntryAct<T> {
  label: string;
  icon: ComponentType<{ size?: number }>;
  danger?: boolean;
  /** The account may not do it. */
  disabled?: boolean;
  appliesTo?(entry: T): boolean;
  run(entries: readonly T[]): void;
}

export interface Enabling<T> {
  labels: { disable: string; enable: string };
  /** To disable them ends something that is in use. */
  danger?: boolean;
  isEnabled(entry: T): boolean;
  change(entries: readonly T[], enabled: boolean): void;
}

/** The actions that disable and enable entries, each for those of the other state. */
export function enablingActs<T>({
  labels,
  danger = false,
  isEnabled,
  change,
}: Enabling<T>): EntryAct<T>[] {
  return [
    {
      label: labels.disable,
      icon: IconPlayerPause,
      danger,
      appliesTo: isEnabled,
      run: (entries) => change(entries, false),
    },
    {
      label: labels.enable,
      icon: IconPlayerPlay,
      appliesTo: (entry) => !isEnabled(entry),
      run: (entries) => change(entries, true),
    },
  ];
}
