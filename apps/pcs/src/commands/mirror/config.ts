/** `pcs mirror config`: prints the files for a client of a mirror. */
import path from 'node:path';
import type { Result } from '@portcullis/command';
import type { MirrorConfig } from '@portcullis/contract';
import { MIRROR_CLIENTS } from '@portcullis/domain/mirror';
import { invalid } from '@portcullis/errors';
import type { PcsCall } from '../../command.ts';

/** Standard output has the files alone, so that it can be written to one. */
export async function config(call: PcsCall, folder: string): Promise<Result> {
  const client = MIRROR_CLIENTS.find((each) => each === call.value('client'));
  if (client === undefined)
    throw invalid('USAGE', `name the client with --client: ${MIRROR_CLIENTS.join(', ')}`);
  const authority = call.value('ca') ?? call.config.caFile;
  const ca = authority === undefined ? undefined : path.resolve(authority);
  const api = await call.api();
  const found = await api.call('folders.getMirrorConfig', {
    params: { folder_id: folder },
    query: { client, ca },
  });
  const [only, ...others] = found.files;
  if (!call.flag('json')) for (const line of notes(found)) call.terminal.note(line);
  if (only === undefined) return { lines: found.commands, facts: found };
  const lines = others.length === 0 ? linesOf(only) : found.files.flatMap(namedLines);
  return { lines, facts: found };
}

type File = MirrorConfig['files'][number];

function linesOf({ text }: File): string[] {
  return text.replace(/\n$/, '').split('\n');
}

function namedLines(file: File): string[] {
  return [`==> ${file.path} <==`, ...linesOf(file)];
}

function notes({ files, commands, limits }: MirrorConfig): string[] {
  const [only, ...others] = files;
  const place = others.length === 0 ? only?.path : undefined;
  return [
    ...(place === undefined ? [] : [`Write this to ${place}.`]),
    ...(files.length === 0 ? [] : ['Then run:', ...commands.map((command) => `  ${command}`)]),
    ...limits.map((limit) => LIMITS[limit]),
  ];
}

const LIMITS: Record<MirrorConfig['limits'][number], string> = {
  name_only:
    'Write the name of this gate: the registry-mirrors of the daemon ask the upstream after a refusal.',
  each_build:
    'Each build has to name the policy: the mirrors of buildkitd.toml ask the upstream after a refusal.',
  whole_host: 'The file is for the whole host: what is outside of the prefix is not found here.',
  other_mirror: 'Another mirror answers for this host: the first one with the name of the host.',
};
