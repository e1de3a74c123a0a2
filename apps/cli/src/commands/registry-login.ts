import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { invalid } from '@portcullis/errors';
import { parseRegistryUrl } from '@portcullis/local-registry';
import { htpasswdLine } from '@portcullis/passwords';
import type { Command } from '../command.ts';

export const registryLogin: Command = {
  name: 'registry-login',
  words: ['<file>'],
  summary: "write the registry's password file (htpasswd) for the login in REGISTRY_URL",
  help: [
    'For the registry beside containers of Portcullis: it then refuses everybody without that login. Replaces the file.',
    'The entry has the lowest cost of bcrypt, because the registry compares it at each request: use a random password.',
  ],
  options: {},
  // Nothing has to run: the registry starts afterwards.
  services: [],
  async run({ words, config }) {
    const { credentials } = parseRegistryUrl(config.registryUrl ?? 'http://none');
    if (!credentials)
      throw invalid('REGISTRY_LOGIN_MISSING', 'REGISTRY_URL contains no user and password');
    const file = path.resolve(config.cwd, words[0] ?? '');
    const { username, password } = credentials;
    await replaceFile(file, await htpasswdLine(username, password));
    return { lines: [`${file} has the login of ${username}.`], facts: { file, username } };
  },
};

/** A registry that reads it meanwhile sees either the old file or the new one. */
async function replaceFile(file: string, text: string): Promise<void> {
  const draft = `${file}.new`;
  await rm(draft, { force: true });
  await writeFile(draft, text, { flag: 'wx', mode: 0o600 });
  await rename(draft, file);
}
