/** Messages between the main thread and its mover threads. All are plain data. */
import type { LookupAddress } from 'node:dns';
import type { Descriptor } from '../model/descriptor.ts';
import type { TlsTrust } from '../remote/http/dial.ts';
import type { ProxyEnv } from '../remote/http/proxy.ts';
import type { TransportSettings } from '../remote/http/transport-parts.ts';
import type { WireError } from './wire-error.ts';

export interface BlobTask {
  id: number;
  file: string;
  descriptor: Descriptor;
  /** The registry's base URL. */
  base: string;
  trust: TlsTrust;
  path: string;
  scopes: readonly string[];
  settings: TransportSettings;
  /** Tasks of one transport share idle connections, those of different ones never do. */
  transport: number;
  /** Whether `wrote` is asked after each part of the file. */
  claimed: boolean;
  /** Of the seal that a follower of the file wants. */
  sealKey: Uint8Array | undefined;
}

/** What a thread asks the main thread, which has the credentials, the guard and the limits. */
export type Question =
  | { name: 'current' }
  | { name: 'renewed'; challenge: string | undefined; refused: string | undefined }
  | { name: 'enter'; host: string }
  | { name: 'resolve'; host: string; port: number }
  | { name: 'check'; host: string; port: number }
  | { name: 'wrote'; bytes: number };

export interface Answers {
  current: string | undefined;
  renewed: string | undefined;
  enter: { slot: number; proxy: ProxyEnv | undefined };
  resolve: LookupAddress[];
  check: undefined;
  wrote: undefined;
}

export type ToThread =
  | { kind: 'move'; task: BlobTask }
  | { kind: 'abort'; id: number }
  | { kind: 'answer'; call: number; value: unknown }
  | { kind: 'refusal'; call: number; error: WireError };

export type FromThread =
  | { kind: 'question'; id: number; call: number; question: Question }
  | { kind: 'left'; id: number; slot: number }
  | { kind: 'opened'; id: number }
  | { kind: 'written'; id: number; seal: Uint8Array }
  | { kind: 'bytes'; id: number; moved: number; reused: number }
  | { kind: 'log'; id: number; facts: Record<string, unknown>; message: string }
  | { kind: 'done'; id: number; error: WireError | undefined };
