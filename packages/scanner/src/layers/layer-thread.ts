/**
 * What a thread does with a layer. Its heap is small: beside everything that a worker remembers,
 * the garbage of an unpacked image costs more to collect than the image to unpack.
 */
import { access, type FileHandle } from 'node:fs/promises';
import type { AppError } from '@portcullis/errors';
import type { Digest } from '@portcullis/oci';
import { createSealer } from '@portcullis/oci/layout';
import { readUnpacked, tooMuch, unpackGrown, unpackLayer } from './layer-archive.ts';
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
  /** What was read of it already. */
  known: UnpackedFacts | null;
}

export function archive({
  path,
  maxUnpacked,
  annotations,
  known,
}: ArchiveTask): Promise<Reply<UnpackedFacts & { table: TocVerdict }>> {
  return replyOf(async () => {
    // What is known of a layer says nothing of the tables of one that is not here.
    await access(path);
    const facts = known ?? (await readUnpacked(await unpackLayer(path), maxUnpacked));
    if (facts.unpacked > maxUnpacked) throw tooMuch();
    const table = await verifyTocs({ path, annotations, archive: () => unpackLayer(path) });
    return { ...facts, table };
  });
}

export interface GrownTask {
  /** It belongs to the thread. */
  file: FileHandle;
  /** In bytes, once all of it is written. */
  size: number;
  sealKey: Uint8Array;
  maxUnpacked: number;
}

export interface Grown {
  facts: UnpackedFacts;
  /** Of the bytes that were read. A source may send others first, which are written over. */
  seal: Uint8Array;
}

export function grown({ size, sealKey, maxUnpacked, ...task }: GrownTask): Promise<Reply<Grown>> {
  return replyOf(async () => {
    await using file = task.file;
    const sealer = createSealer(sealKey);
    const facts = await readUnpacked(await unpackGrown(file, size, sealer), maxUnpacked);
    return { facts, seal: sealer.end() };
  });
}

export interface PackedTask {
  /** It belongs to the thread. */
  file: FileHandle;
  digest: Digest;
}

export function packed(task: PackedTask): Promise<Reply<PackedBytes>> {
  return replyOf(async () => {
    await using file = task.file;
    return await readPacked(file, task.digest);
  });
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
