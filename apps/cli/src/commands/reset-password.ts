import { conflict, notFound } from '@portcullis/errors';
import type { Store, User } from '@portcullis/store';
import type { Command } from '../command.ts';
import { announce, withStore } from '../connections.ts';
import { GENERATE, newPassword, shownOnce } from '../new-password.ts';

export const resetPassword: Command = {
  name: 'reset-password',
  words: ['<username>'],
  summary: 'give a local account another password, and let it in again',
  help: [
    'The account is enabled, its sessions end, and the new password must be changed at the first login. Its personal',
    'tokens stay, unless --revoke-tokens is given. Running processes act on it within a second.',
  ],
  options: {
    ...GENERATE,
    'revoke-tokens': { type: 'boolean', help: 'take back its personal access tokens, too' },
    'keep-password': { type: 'boolean', help: 'do not ask for another password at the first login' },
  },
  async run(call) {
    const user = await withStore(call, (store) => localAccount(store, call.words[0] ?? ''));
    const { hash, shown } = await newPassword(call);
    const change = { passwordHash: hash, disabled: false, mustChangePassword: !call.flag('keep-password') };
    const ended = await withStore(call, async (store) => {
      await store.users.update(user.id, change);
      if (call.flag('revoke-tokens')) await removeTokens(store, user.id);
      return store.sessions.revokeAll(user.id);
    });
    const warnings = await announce(call, 'access');
    return {
      lines: [
        `${user.username} has a new password; ${ended} session(s) ended.`,
        ...(user.disabled ? ['The account is enabled again.'] : []),
        ...shownOnce(shown),
        ...warnings,
      ],
      facts: {
        id: user.id,
        username: user.username,
        sessions_ended: ended,
        enabled_again: user.disabled,
        warnings,
        ...(shown !== null && { password: shown }),
      },
    };
  },
};

async function localAccount(store: Store, username: string): Promise<User> {
  const user = await store.users.findByUsername(username);
  if (!user) throw notFound('USER_UNKNOWN', `there is no account ${username}`);
  if (user.authSource === 'local') return user;
  const text = `${username} logs in by the identity provider and has no password; use create-admin to get in`;
  throw conflict('PASSWORD_NOT_LOCAL', text);
}

async function removeTokens(store: Store, userId: string): Promise<void> {
  for (const { id } of await store.tokens.list(userId)) await store.tokens.remove(id);
}
