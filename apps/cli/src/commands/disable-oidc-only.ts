import type { Command } from '../command.ts';
import { tell, withStore } from '../connections.ts';

const KEY = 'oidc';

export const disableOidcOnly: Command = {
  name: 'disable-oidc-only',
  words: [],
  summary: 'take passwords again, when the identity provider lets nobody in',
  help: [
    'For the day the identity provider is down or wrongly set up: logging in with a username and a password works again,',
    'within a second, whatever OIDC_ONLY says. Switch it on again on the settings page.',
  ],
  options: {},
  async run(call) {
    const changed = await withStore(call, async ({ settings }) => {
      const found = await settings.find(KEY);
      const before = typeof found === 'object' && found !== null ? found : {};
      // Said outright: where it were only taken out, OIDC_ONLY=true of the environment would hold.
      await settings.set(KEY, { ...before, oidcOnly: false });
      return Reflect.get(before, 'oidcOnly') !== false;
    });
    const warnings = await tell(call, {
      event: 'oidc.settings',
      action: 'disable-oidc-only',
      detail: { oidc_only: false },
      change: 'settings',
    });
    const done = changed ? 'Passwords are taken again.' : 'Passwords were taken already.';
    return { lines: [done, ...warnings], facts: { changed, warnings } };
  },
};
