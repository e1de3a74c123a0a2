/** Threads that move whole blobs from registries to files; see `mover-pool.ts`. */
import type { MoveOptions } from '../copy/content.ts';
import type { Descriptor } from '../model/descriptor.ts';
import type { RegistrySession } from '../remote/auth/session.ts';
import type { TransportParts } from '../remote/http/transport-parts.ts';

export interface RemoteBlob {
  parts: TransportParts;
  session: RegistrySession;
  /** Path below `/v2/`. */
  path: string;
  scopes: readonly string[];
  descriptor: Descriptor;
}

export interface BlobMovers {
  /** Whether a blob of this size should be moved by a thread now. */
  takes(size: number): boolean;
  /** @throws as reading and writing the blob here would; unavailable `MOVER_LOST` */
  move(blob: RemoteBlob, file: string, options: MoveOptions): Promise<void>;
  /** Ends the threads, each once it has moved its blobs. */
  close(): Promise<void>;
}
