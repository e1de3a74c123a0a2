import type { Command } from '../command.ts';
import { tell, withStore } from '../connections.ts';

const KEY = 'oidc';

export const disableOidcOnly: Command = {
  name: 'disable-oidc-only',
  words: [],
  summary: 'accept passwords again, when nobody can log in by the identity provider',
  help: [
    'For the day the identity provider is down or wrongly set up: logging in with a username and a password works again,',
    'within a second, whatever OIDC_ONLY says. Switch it on again on the settings page.',
  ],
  options: {},
  async run(call) {
    const changed = await withStore(call, async ({ settings }) => {
      const found = await settings.find(KEY);
      const before = typeof found === 'object' && found !== null ? found : {};
      // Set explicitly: if it were only removed, OIDC_ONLY=true of the environment would apply.
      await settings.set(KEY, { ...before, oidcOnly: false });
      return Reflect.get(before, 'oidcOnly') !== false;
    });
    const warnings = await tell(call, {
      event: 'oidc.settings',
      action: 'disable-oidc-only',
      detail: { oidc_only: false },
      change: 'settings',
    });
    const done = changed ? 'Passwords are accepted again.' : 'Passwords were accepted already.';
    return { lines: [done, ...warnings], facts: { changed, warnings } };
  },
};
