/** Opens the gate and its doors, in the same way for each process that enforces them. */
import type { Source } from '@portcullis/oci';
import type { Store } from '@portcullis/store';
import { type CopyGate, createCopyGate } from './copy-gate.ts';
import { createGate, type Gate, type GatePorts } from './gate.ts';
import {
  createImmutableTags,
  type ImmutableTags,
  type ImmutableTagsPorts,
} from './immutable/immutable-tags.ts';
import type { ReadRepository } from './immutable/reachable.ts';
import { createShapes } from './manifest-shape.ts';
import { createPushGate, type PushGate, type PushGatePorts } from './push-gate.ts';
import {
  createFolderQuotas,
  type FolderQuotas,
  type FolderQuotasPorts,
} from './quota/folder-quotas.ts';
import { type AgeFixes, type AgeFixesPorts, createAgeFixes } from './waivers/age-fixes.ts';

export interface GatesPorts extends Pick<GatePorts, 'policy' | 'watch' | 'now'> {
  store: GatePorts['store'] &
    Pick<Store, 'folderContents' | 'signatureFacts'> &
    AgeFixesPorts['store'];
  /** Announces a waiver to all processes. */
  announce(): Promise<void>;
  /** The names of all folders. */
  folders(): Promise<ReadonlySet<string>>;
  /** Reads a repository of the local registry. */
  open(repository: string): ReadRepository & Pick<Source, 'fetch'>;
  database: PushGatePorts['database'];
  claims: { tags: ImmutableTagsPorts['claims']; quotas: FolderQuotasPorts['claims'] };
}

export interface Gates {
  ageFixes: AgeFixes;
  gate: Gate;
  copyGate: CopyGate;
  pushGate: PushGate;
  immutableTags: ImmutableTags;
  folderQuotas: FolderQuotas;
}

export function openGates(ports: GatesPorts): Gates {
  const { store, policy, watch, now, folders, open, database, claims, announce } = ports;
  const gate = createGate({ store, policy, shapeOf: createShapes(open), watch, now });
  const { rules } = gate;
  return {
    gate,
    ageFixes: createAgeFixes({
      ...{ rules, store, now },
      async changed() {
        gate.forget();
        await announce();
      },
    }),
    copyGate: createCopyGate({ images: gate, folders }),
    pushGate: createPushGate({
      ...{ rules, settings: policy, database, now },
      signatures: store.signatureFacts.ofDigests,
    }),
    immutableTags: createImmutableTags({ rules, folders, open, claims: claims.tags }),
    folderQuotas: createFolderQuotas({
      ...{ rules, folders, open },
      contents: store.folderContents,
      claims: claims.quotas,
    }),
  };
}
