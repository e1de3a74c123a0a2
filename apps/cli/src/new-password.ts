/** Reads or generates a password for an account: typed, piped in, or random and shown once. */
import { randomBytes } from 'node:crypto';
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '@portcullis/domain';
import { invalid } from '@portcullis/errors';
import { createPasswords } from '@portcullis/passwords';
import type { CommandCall } from './command.ts';

export interface NewPassword {
  hash: string;
  /** The generated password, which must be shown. */
  shown: string | null;
}

export const GENERATE = {
  generate: { type: 'boolean', help: 'make a random password and show it once' },
} as const;

/** @throws invalid `PASSWORD_INVALID` */
export async function newPassword({
  flag,
  terminal,
}: Pick<CommandCall, 'flag' | 'terminal'>): Promise<NewPassword> {
  const shown = flag('generate') ? randomBytes(18).toString('base64url') : null;
  const password = shown ?? (await askTwice(terminal));
  const passwords = createPasswords();
  try {
    return { hash: await passwords.hash(password), shown };
  } finally {
    await passwords.close();
  }
}

async function askTwice(terminal: CommandCall['terminal']): Promise<string> {
  const password = await terminal.secret('New password');
  if (password.length < SHORTEST_PASSWORD || password.length > LONGEST_PASSWORD) {
    const text = `a password has ${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters`;
    throw invalid('PASSWORD_INVALID', text);
  }
  if (terminal.interactive && (await terminal.secret('The same again')) !== password)
    throw invalid('PASSWORD_INVALID', 'the two are not the same');
  return password;
}

export function generatedNotice(password: string | null): string[] {
  return password === null ? [] : [`Password: ${password}   (shown this once)`];
}
