/** Creates an administrator. */
import { invalid } from '@portcullis/errors';
import { migrate } from '@portcullis/store';
import type { Command } from '../command.ts';
import { announceChange, withStore } from '../connections.ts';
import { GENERATE, generatedNotice, newPassword } from '../new-password.ts';

export const createAdmin: Command = {
  name: 'create-admin',
  words: ['<username>'],
  summary: 'create another administrator',
  help: [
    'Creates a local account with all rights. Its password is prompted for, or read from standard input if that is not a',
    'terminal, never from the command line. A generated one must be changed at the first login.',
  ],
  options: { ...GENERATE, email: { type: 'string', help: 'its e-mail address' } },
  async run(call) {
    const username = (call.words[0] ?? '').trim();
    if (username === '' || username.length > 255)
      throw invalid('USERNAME_INVALID', 'a username has 1 to 255 characters');
    const { hash, shown } = await newPassword(call);
    await migrate(await call.surroundings.url('postgres'));
    const account = {
      username,
      email: call.value('email') ?? null,
      passwordHash: hash,
      isAdmin: true,
      mustChangePassword: shown !== null,
    };
    const { id } = await withStore(call, (store) => store.users.insert(account));
    const warnings = await announceChange(call, {
      event: 'user.create',
      action: 'create-admin',
      resource: { kind: 'user', id, name: username },
      detail: { is_admin: true },
    });
    return {
      lines: [`The administrator ${username} was made.`, ...generatedNotice(shown), ...warnings],
      facts: { id, username, warnings, ...(shown !== null && { password: shown }) },
    };
  },
};
