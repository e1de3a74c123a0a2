/**
 * What a thread does with a layer. Its heap is small: beside everything that a worker remembers,
 * the garbage of an unpacked image costs more to collect than the image to unpack.
 */
import type { AppError } from '@portcullis/errors';
import type { Digest } from '@portcullis/oci';
import { readUnpacked, unpackLayer } from './layer-archive.ts';
import type { UnpackedFacts } from './layer-cache.ts';
import { layerFault } from './layer-fault.ts';
import { type PackedBytes, readPacked } from './packed-bytes.ts';
import type { TocAnnotations } from './toc/annotations.ts';
import { type TocVerdict, verifyTocs } from './toc/verify.ts';

/** An error as data: an error that crosses threads loses its class and its code. */
export interface ThreadFault extends Pick<AppError, 'kind' | 'code' | 'message'> {
  /** The words of its cause. */
  because: string;
}

type Reply<Value> = { value: Value } | { fault: ThreadFault };

export interface ArchiveTask {
  path: string;
  maxUnpacked: number;
  annotations: TocAnnotations;
}

export function archive({
  path,
  maxUnpacked,
  annotations,
}: ArchiveTask): Promise<Reply<UnpackedFacts & { table: TocVerdict }>> {
  return replyOf(async () => {
    const facts = await readUnpacked(path, maxUnpacked);
    const table = await verifyTocs({ path, annotations, archive: () => unpackLayer(path) });
    return { ...facts, table };
  });
}

export function packed(task: { path: string; digest: Digest }): Promise<Reply<PackedBytes>> {
  return replyOf(() => readPacked(task.path, task.digest));
}

async function replyOf<Value>(read: () => Promise<Value>): Promise<Reply<Value>> {
  try {
    return { value: await read() };
  } catch (error) {
    const { kind, code, message, cause } = layerFault(error);
    const because = cause instanceof Error ? cause.message : String(cause);
    return { fault: { kind, code, message, because } };
  }
}
