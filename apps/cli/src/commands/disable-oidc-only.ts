import type { Command } from '../command.ts';
import { announceChange, withStore } from '../connections.ts';

const KEY = 'oidc';

export const disableOidcOnly: Command = {
  name: 'disable-oidc-only',
  words: [],
  summary: 'accept passwords again, if logging in with the identity provider is impossible',
  help: [
    'For when the identity provider is down or misconfigured: logging in with a username and a password works again,',
    'within a second, whatever the value of OIDC_ONLY. Enable it again on the settings page.',
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
    const warnings = await announceChange(call, {
      event: 'oidc.settings',
      action: 'disable-oidc-only',
      detail: { oidc_only: false },
      change: 'settings',
    });
    const done = changed ? 'Passwords are accepted again.' : 'Passwords were accepted already.';
    return { lines: [done, ...warnings], facts: { changed, warnings } };
  },
};
