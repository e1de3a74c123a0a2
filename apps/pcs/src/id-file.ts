/** `--idfile`: the id for a later command, as `--cidfile` of docker. */
import { writeFile } from 'node:fs/promises';
import type { Option } from '@portcullis/command';
import type { PcsCall } from './command.ts';

export const ID_FILE: Readonly<Record<string, Option>> = {
  idfile: { type: 'string', help: 'a file that gets the id as soon as it is known' },
};

export async function writeIdFile(call: PcsCall, id: string): Promise<void> {
  const file = call.value('idfile');
  if (file !== undefined) await writeFile(file, id);
}
