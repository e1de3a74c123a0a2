/** Sets a new password for a local account. */
import { GUESSES_PREFIX, guessesOf } from '@portcullis/domain';
import { conflict, notFound } from '@portcullis/errors';
import type { Store, User } from '@portcullis/store';
import type { Command } from '../command.ts';
import { announceChange, withStore } from '../connections.ts';
import { GENERATE, generatedNotice, newPassword } from '../new-password.ts';

export const resetPassword: Command = {
  name: 'reset-password',
  words: ['<username>'],
  summary: 'set another password for a local account, and enable it',
  help: [
    'The account is enabled, its sessions and personal access tokens end, the count of wrong passwords is reset, and the',
    'new password must be changed at the first login. Running processes apply it within a second.',
  ],
  options: {
    ...GENERATE,
    'keep-tokens': { type: 'boolean', help: 'keep its personal access tokens' },
    'keep-password': {
      type: 'boolean',
      help: 'do not ask for another password at the first login',
    },
  },
  async run(call) {
    const user = await withStore(call, (store) => localAccount(store, call.words[0] ?? ''));
    const { hash, shown } = await newPassword(call);
    const change = {
      passwordHash: hash,
      disabled: false,
      mustChangePassword: !call.flag('keep-password'),
    };
    const ended = await withStore(call, async (store) => {
      await store.users.update(user.id, change);
      const tokens = call.flag('keep-tokens') ? 0 : await store.tokens.removeAll(user.id);
      return { sessions: await store.sessions.revokeAll(user.id), tokens };
    });
    const warnings = await announceChange(call, {
      event: 'user.update',
      action: 'reset-password',
      resource: { kind: 'user', id: user.id, name: user.username },
      detail: { password: 'changed', ...ended, ...(user.disabled && { disabled: false }) },
      change: 'access',
      forget: [GUESSES_PREFIX + guessesOf(user.username)],
    });
    return {
      lines: [
        `${user.username} has a new password; ${ended.sessions} session(s) and ${ended.tokens} token(s) ended.`,
        ...(user.disabled ? ['The account is enabled again.'] : []),
        ...generatedNotice(shown),
        ...warnings,
      ],
      facts: {
        id: user.id,
        username: user.username,
        sessions_ended: ended.sessions,
        tokens_ended: ended.tokens,
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
