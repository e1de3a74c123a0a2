/** `pcs logout`: removes the stored login. */
import type { PcsCommand } from '../command.ts';
import { readLogin, removeLogin } from '../credentials.ts';

export const logout: PcsCommand = {
  name: 'logout',
  words: [],
  summary: 'forget the login',
  help: [
    'Removes the stored credentials from this machine. The token itself stays valid: revoke it on the page.',
  ],
  options: {},
  async run({ config }) {
    const stored = await readLogin(config.credentialsFile).catch(() => null);
    await removeLogin(config.credentialsFile);
    const lines =
      stored === null
        ? ['There was no login.']
        : [
            `The login of ${stored.username} at ${stored.url} was removed. Its token is valid until it is revoked.`,
          ];
    return { lines, facts: { url: stored?.url ?? null } };
  },
};
