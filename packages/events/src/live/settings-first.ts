/**
 * A watch of changes that reports those of settings after `settings` has dropped the old ones.
 * Another connection might bring the message earlier, and its listener would read the old settings.
 */
import type { Redis } from '@portcullis/runtime';
import { type ChangeWatch, type OnChange, watchChanges } from './changes.ts';
import type { LiveSettings } from './live-settings.ts';

export function watchAfterSettings(
  redis: Redis,
  settings: Pick<LiveSettings, 'onChange' | 'live'>,
  onChange: OnChange,
): ChangeWatch {
  const watch = watchChanges(redis, (kind, digests) => {
    if (kind !== 'settings') onChange(kind, digests);
  });
  const unsubscribe = settings.onChange(() => onChange('settings', null));
  return {
    live: () => watch.live() && settings.live(),
    close() {
      unsubscribe();
      watch.close();
    },
  };
}
