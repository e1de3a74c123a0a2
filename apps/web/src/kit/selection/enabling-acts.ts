/** The actions that disable and enable selected entries, each for those of the other state. */
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import type { EntryAct } from './entry-bar.tsx';

export interface Enabling<T> {
  labels: { disable: string; enable: string };
  /** To disable them ends something that is in use. */
  danger?: boolean;
  isEnabled(entry: T): boolean;
  change(entries: readonly T[], enabled: boolean): void;
}

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
