/**
 * `npm run bases`: resolves the current digests of the base images at their registries, and writes
 * them to deploy/image/bases.json and from there to every file that names one. `npm run bases --
 * --write` only does the second step, after a change by hand.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Digest, parseManifest, platformName } from '@portcullis/oci';
import { createTransport, type Transport } from '@portcullis/oci/remote';
import { BASE_NAMES, type Bases, PLACES, unfitness, unpinned, written } from './bases.ts';
import { openNamed, parseNamedImage } from './image-name.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const LIST = 'deploy/image/bases.json';

export const readBases = (root = ROOT): Bases =>
  JSON.parse(readFileSync(path.join(root, LIST), 'utf8'));

export const readPlaces = (root = ROOT): Map<string, string> =>
  new Map(PLACES.map(({ file }) => [file, readFileSync(path.join(root, file), 'utf8')]));

/**
 * Resolves current digests. @throws where a registry cannot be reached, or an image lacks one of
 * our platforms
 */
export async function pin(bases: Bases, transport: Transport): Promise<Bases> {
  const pinned = structuredClone(bases);
  await Promise.all(
    BASE_NAMES.map(async (name) => {
      pinned[name].digest = await digestOf(bases[name].image, transport);
    }),
  );
  return pinned;
}

async function digestOf(image: string, transport: Transport): Promise<Digest> {
  const named = parseNamedImage(image);
  if (named.tag === undefined) throw new Error(`${image} has no tag`);
  const { descriptor, bytes } = await openNamed(named, transport).manifest(named.tag);
  const document = await parseManifest(bytes, descriptor.mediaType);
  const children = document.kind === 'index' ? document.manifests : [];
  const platforms = children.flatMap(({ platform }) =>
    platform ? [platformName({ os: platform.os, architecture: platform.architecture })] : [],
  );
  const reason = unfitness(descriptor, platforms);
  if (reason !== null) throw new Error(`${image} can't be a base: ${reason}`);
  return descriptor.digest;
}

function write(bases: Bases, root = ROOT): void {
  // First, because it fails where a file has changed in an unexpected way.
  const files = written(bases, readPlaces(root));
  const lines = BASE_NAMES.map((name) => {
    const { image, digest } = bases[name];
    return `  ${JSON.stringify(name)}: { "image": ${JSON.stringify(image)}, "digest": ${JSON.stringify(digest)} }`;
  });
  writeFileSync(path.join(root, LIST), `{\n${lines.join(',\n')}\n}\n`);
  for (const [file, text] of files) writeFileSync(path.join(root, file), text);
}

/** The changes, one per line; shown before they are committed. */
export function differences(before: Bases, after: Bases): string[] {
  return BASE_NAMES.map((name) => {
    const { image, digest } = after[name];
    const old = before[name].digest;
    return `${name}: ${image} ${old === digest ? 'is still' : `${old ?? 'was not pinned'} →`} ${digest}`;
  });
}

async function main(args: string[]): Promise<void> {
  const say = (text: string): void => void process.stdout.write(`${text}\n`);
  const before = readBases();
  if (args.includes('--write')) {
    write(before);
    return say(`written; without a digest: ${unpinned(before).join(', ') || 'none'}`);
  }
  const { HTTP_PROXY, HTTPS_PROXY, NO_PROXY } = process.env;
  const transport = createTransport({ proxy: { HTTP_PROXY, HTTPS_PROXY, NO_PROXY } });
  try {
    const after = await pin(before, transport);
    write(after);
    for (const line of differences(before, after)) say(line);
  } finally {
    await transport.close();
  }
}

if (import.meta.main) {
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(
      `nothing was changed: ${error instanceof Error ? error.message : error}\n`,
    );
    process.exitCode = 1;
  }
}
