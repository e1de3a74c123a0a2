/** `pcs statements`: what the installation states about an image. */
import type { ImageStatements } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import type { PcsCommand } from '../command.ts';
import { localImage } from '../images.ts';

export const statements: PcsCommand = {
  name: 'statements',
  words: ['<image>'],
  summary: 'the signed statements about an image',
  help: [
    'The image is repository:tag or repository@digest of the built-in registry. It prints each statement with the digest',
    'of its manifest, and those that are left out or could not be written.',
  ],
  options: {},
  async run(call) {
    const api = await call.api();
    const { repository, reference } = localImage(call.words[0] ?? '', api.site);
    const stated = await api.call('images.listImageStatements', {
      params: { registry_id: LOCAL_REGISTRY_ID },
      query: { repository, reference },
    });
    return { lines: linesOf(repository, stated), facts: stated };
  },
};

function linesOf(repository: string, { digest, statements: all }: ImageStatements): string[] {
  const name = `${repository}@${digest}`;
  if (all.length === 0) return [`${name}: nothing is stated about it`];
  return [`${name}:`, ...all.map((each) => `  ${each.kind.padEnd(10)} ${stateOf(each)}`)];
}

type Stated = ImageStatements['statements'][number];

const LEFT_OUT: Record<NonNullable<Stated['left_out']>, string> = {
  too_large: 'left out: the document is larger than readers read',
  packages_unknown: 'left out: the packages are not known',
};

function stateOf({ digest, signed_at: at, key_id: key, left_out: why, error }: Stated): string {
  const failure = error && `failed, and is tried again: ${error.message}`;
  if (why !== null) return LEFT_OUT[why];
  if (digest === null) return failure ?? 'not signed yet';
  return [`${digest} signed ${at} by ${key}`, ...(failure ? [failure] : [])].join('; ');
}
