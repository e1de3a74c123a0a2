/** Tags of a target: a tag is set where it doesn't lead to the digest yet, and read back. */
import type { Descriptor } from '../model/descriptor.ts';
import { invalid, isOciError, unavailable } from '../oci-error.ts';
import { unlessAborted } from './concurrency.ts';
import type { AbortOptions, Resolver, Target } from './content.ts';
import { withErrorSide } from './error-side.ts';

/** Registries of several replicas show what was pushed after seconds. */
const PAUSES = [250, 500, 1_000, 2_000, 4_000];

/**
 * A registry with immutable tags refuses to store even the same tag again, so nothing is stored
 * where the tag leads to the digest.
 */
export async function setTag(
  target: Pick<Target, 'resolve' | 'tag'>,
  { descriptor, tag }: { descriptor: Descriptor; tag: string },
  { signal }: AbortOptions,
): Promise<void> {
  if (await leadsTo(target, { descriptor, tag }, { signal })) return;
  await withErrorSide('target', () => target.tag(descriptor, tag, { signal }));
}

/** Whether the tag is set to this manifest already. */
export async function leadsTo(
  target: Pick<Target, 'resolve'>,
  { descriptor, tag }: { descriptor: Descriptor; tag: string },
  { signal }: AbortOptions,
): Promise<boolean> {
  try {
    return (await target.resolve(tag, { signal })).digest === descriptor.digest;
  } catch (error) {
    // The push decides, where the tag can't be read.
    signal?.throwIfAborted();
    if (isOciError(error)) return false;
    throw error;
  }
}

/**
 * @throws invalid `TARGET_DIGEST_MISMATCH`; unavailable `TARGET_NOT_VISIBLE` where the target still
 * doesn't have what it accepted
 */
export async function readBack(
  target: Resolver,
  { root, reference }: { root: Descriptor; reference: string },
  { signal, pauses = PAUSES }: AbortOptions & { pauses?: readonly number[] | undefined },
): Promise<void> {
  let found: Descriptor | undefined;
  for (const pause of [0, ...pauses]) {
    if (pause > 0) await delay(pause, signal);
    found = await target.resolve(reference, { signal }).catch(unlessMissing);
    if (found?.digest === root.digest) return;
  }
  throw found ? mismatch(root, found) : notVisible(reference);
}

async function delay(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  try {
    await unlessAborted(over, signal);
  } finally {
    clearTimeout(timer);
  }
}

function unlessMissing(error: unknown): undefined {
  if (isOciError(error) && error.kind === 'not_found') return undefined;
  throw error;
}

/** Another client moved the tag meanwhile, or the registry rewrites manifests. */
function mismatch(root: Descriptor, found: Descriptor) {
  return invalid('TARGET_DIGEST_MISMATCH', 'the target has another digest than was copied', {
    detail: { expected: root.digest, found: found.digest },
  });
}

function notVisible(reference: string) {
  return unavailable(
    'TARGET_NOT_VISIBLE',
    `the target accepted ${reference} but still answers that it doesn't have it`,
  );
}
