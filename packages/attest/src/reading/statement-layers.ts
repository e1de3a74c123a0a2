/** Which layers of a manifest hold statements of this installation. */
import { type Descriptor, type Digest, forEachAtMost, type Source } from '@portcullis/oci';
import { openPublicKeys } from '../authority/public-keys.ts';
import { isStatedBy } from './stated-by-keys.ts';

/** PEM of each key that this installation signs with or ever signed with. */
export type StatementKeys = () => Promise<readonly string[]>;

/** @throws where one can not be read: it may be a statement */
export type StatementLayers = (
  source: Pick<Source, 'fetch'>,
  layers: readonly Descriptor[],
) => Promise<ReadonlySet<Digest>>;

/** Four times as long as a statement may be: spaces make no other document of it. */
const MOST_BYTES = 16 * 1024 * 1024;
const AT_ONCE = 4;
const OF_IMAGES = /\.(?:layer|diff)\b.*tar/;
const SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);
const BRACE = 0x7b;

/** @param isSkipped errors of layers that count as none, such as of one that is missing */
export function statementLayers(
  publicKeys: StatementKeys,
  isSkipped: (error: unknown) => boolean = () => false,
): StatementLayers {
  return async (source, layers) => {
    const found = new Set<Digest>();
    const asked = layers.filter(
      ({ mediaType, size }) => size <= MOST_BYTES && !OF_IMAGES.test(mediaType),
    );
    if (asked.length === 0) return found;
    const keys = (await publicKeys()).flatMap(openPublicKeys);
    if (keys.length === 0) return found;
    await forEachAtMost(AT_ONCE, asked, async (layer) => {
      try {
        const document = await readObject(source, layer);
        if (document !== null && (await isStatedBy(keys, document))) found.add(layer.digest);
      } catch (error) {
        if (!isSkipped(error)) throw error;
      }
    });
    return found;
  };
}

/** Null once it is known that it is no JSON object, or longer than it says. */
async function readObject(
  source: Pick<Source, 'fetch'>,
  layer: Descriptor,
): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isBegun = false;
  for await (const chunk of await source.fetch(layer)) {
    const first: number | undefined = isBegun
      ? BRACE
      : chunk.find((byte: number) => !SPACE.has(byte));
    if (first !== undefined && first !== BRACE) return null;
    isBegun ||= first !== undefined;
    size += chunk.length;
    if (size > layer.size) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
