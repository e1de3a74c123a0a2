/** What the handlers of `/v2` share: the ports of the router, and the request that they answer. */
import type { RegistryAddress, WriteLock } from '@portcullis/local-registry';
import type { DiskSpace, Logger } from '@portcullis/runtime';
import type { Images, Referrers } from '@portcullis/store';
import type { Request, Response } from 'express';
import type { AuditPorts, PublishAudit } from '../http/audit.ts';
import type { Caller, V2Accounts } from './access/authenticate.ts';
import type { Asker } from './access/authorize.ts';
import type { TellOfGuess } from './access/login-audit.ts';
import type { ImageAudit } from './manifests/image-audit.ts';
import type { SpendOnManifest } from './manifests/manifest-budget.ts';
import type { ManifestEvents } from './manifests/manifest-events.ts';
import type { Pulls } from './manifests/pull-memory.ts';
import type { RepositoryRoute, V2Request } from './parse.ts';
import type { RegistryProxy } from './proxy/proxy.ts';
import type { LocalRegistryClient } from './proxy/registry-client.ts';
import type { ProxyTimeouts } from './proxy/timeouts.ts';
import type { UploadStates } from './uploads/upload-states.ts';

export interface V2Ports {
  accounts: V2Accounts;
  /** Of the local registry; a user and password in it are used there. */
  registryUrl: string;
  /** Of its object store, where it sends readers there; none unless given. */
  storeOrigins?: readonly string[];
  /** As the client reaches us, without a trailing slash. */
  publicUrl(request: Request): string;
  /** `deriveV2Key` of the secret key. */
  tokenKey: Buffer;
  /**
   * Of the tokens: the same for all replicas, and another one for installations with another public
   * URL.
   */
  audience: string;
  /** Every folder there is. */
  folders(): Promise<ReadonlySet<string>>;
  /** Needs `requestId` of http/ before this router. */
  publishAudit?: PublishAudit;
  /** Commits the event of a change before the registry is asked for it. */
  auditChanges?: Pick<AuditPorts, 'scope' | 'end'>;
  manifests?: ManifestEvents;
  /**
   * The tag alone: its manifest stays.
   * @throws not_found `MANIFEST_UNKNOWN`; conflict `DELETE_UNSUPPORTED`
   */
  removeTag(repository: string, tag: string): Promise<void>;
  /** Without it there is no bound. */
  spendOnManifest?: SpendOnManifest;
  uploads: UploadStates;
  /** Of the registry's storage; null where that isn't at hand. */
  disk: DiskSpace | null;
  pulls: Pulls;
  /** Between writers and the collector of garbage. */
  gate: WriteLock;
  referrers: Pick<Referrers, 'record' | 'list' | 'remove'>;
  images: Pick<Images, 'names'>;
  /** With the local registry; `PATIENCE` unless a test has less. */
  patience?: ProxyTimeouts;
  log: Pick<Logger, 'error'>;
}

/** What the handlers of `/v2` work with. */
export interface V2 {
  ports: V2Ports;
  registry: RegistryAddress;
  proxy: RegistryProxy;
  registryClient: LocalRegistryClient;
  tellOfGuess: TellOfGuess;
}

export interface V2Call extends Caller {
  request: Request;
  response: Response;
  asked: V2Request;
}

export interface RepositoryCall extends V2Call, Pick<ImageAudit, 'told' | 'intend'> {
  route: RepositoryRoute;
  asker: Asker;
}
