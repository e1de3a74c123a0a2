/** The types that the handlers of `/v2` share: the router's ports and the request. */
import type { KeyObject } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { KnownFolders } from '@portcullis/domain';
import type { DecidedPull, FolderQuotas, ImmutableTags } from '@portcullis/gate';
import type {
  RegistryAddress,
  StoredContent,
  StoredUploads,
  WriteLock,
} from '@portcullis/local-registry';
import type { DiskSpace, Logger } from '@portcullis/runtime';
import type { Store } from '@portcullis/store';
import type { Request, Response } from 'express';
import type { AuditPorts, PublishAudit } from '../http/audit.ts';
import type { Authenticated, V2Accounts } from './access/authenticate.ts';
import type { AccessContext } from './access/authorize.ts';
import type { RecordFailedLogin } from './access/login-audit.ts';
import type { PullGate } from './gate/pull-gate.ts';
import type { ImageAudit } from './manifests/image-audit.ts';
import type { SpendOnManifest } from './manifests/manifest-budget.ts';
import type { ManifestEvents } from './manifests/manifest-events.ts';
import type { OwnStatements } from './manifests/own-statements.ts';
import type { Pulls } from './manifests/pull-memory.ts';
import type { MirrorReads } from './mirror/mirror-reads.ts';
import type { RegistryProxy } from './proxy/proxy.ts';
import type { LocalRegistryClient } from './proxy/registry-client.ts';
import type { ProxyTimeouts } from './proxy/timeouts.ts';
import type { RepositoryRoute, V2Request } from './routes.ts';
import type { StoredReads } from './stored/stored-reads.ts';
import type { UploadStates } from './uploads/upload-states.ts';

export interface V2Ports {
  accounts: V2Accounts;
  /** The local registry; credentials in the URL are used for it. */
  registryUrl: string;
  /** Origins of the registry's object store, to which it may redirect readers; none by default. */
  storeOrigins?: readonly string[];
  /** Our address for the client, without a trailing slash. */
  publicUrl(request: Request): string;
  /** `deriveV2Key` of the secret key. */
  tokenKey: KeyObject;
  /**
   * The audience of tokens: the same for all replicas, different for installations with another
   * public URL.
   */
  audience: string;
  knownFolders(): Promise<KnownFolders>;
  /** Requires the middleware `requestId` before this router. */
  publishAudit?: PublishAudit;
  /** Commits the event of a change before the registry executes it. */
  auditChanges?: Pick<AuditPorts, 'scope' | 'end'>;
  manifests?: ManifestEvents;
  /**
   * Removes the tag only; its manifest remains.
   * @throws not_found `MANIFEST_UNKNOWN`; conflict `DELETE_UNSUPPORTED`
   */
  removeTag(repository: string, tag: string): Promise<void>;
  /** Without it there is no limit. */
  spendOnManifest?: SpendOnManifest;
  uploads: UploadStates;
  /** The registry's disk; null if it is not accessible here. */
  disk: DiskSpace | null;
  /** The registry's storage; null where the registry answers all reads. */
  storage: StoredContent | null;
  /** Uploads into the registry's storage; null where the registry receives all of them. */
  storedUploads: StoredUploads | null;
  pulls: Pulls;
  pullGate: PullGate;
  /** Folders with an upstream. */
  mirrors: MirrorReads;
  immutableTags: Pick<ImmutableTags, 'writing' | 'removingTag' | 'removing'>;
  folderQuotas: FolderQuotas;
  /** The lock between writers and garbage collection. */
  registryLock: WriteLock;
  referrers: Pick<Store['referrers'], 'record' | 'list' | 'remove'>;
  images: Pick<Store['images'], 'names' | 'tagPage'>;
  ownStatements: OwnStatements;
  /** Timeouts for the local registry; tests use shorter ones than `PROXY_TIMEOUTS`. */
  timeouts?: ProxyTimeouts;
  log: Pick<Logger, 'error' | 'warn'>;
}

export interface V2 {
  ports: V2Ports;
  registry: RegistryAddress;
  proxy: RegistryProxy;
  registryClient: LocalRegistryClient;
  storedReads: StoredReads | null;
  recordFailedLogin: RecordFailedLogin;
}

/** The registry's reply, or the one that its storage gives. */
export interface RegistryReply {
  status: number;
  headers: IncomingHttpHeaders;
}

export interface V2Call extends Authenticated {
  request: Request;
  response: Response;
  v2Request: V2Request;
}

export interface RepositoryCall extends V2Call, Pick<ImageAudit, 'record' | 'intend'> {
  route: RepositoryRoute;
  access: AccessContext;
  /** The body of an upload's request, where it was read already. */
  bytes?: Buffer;
  /** Compares the type of a manifest with what the client accepts. @throws not_found */
  negotiate?: (headers: IncomingHttpHeaders) => void;
  /** Decides about the digest that the registry serves. @throws as `PullGate.decide` */
  decide?: (digest: string | undefined) => Promise<DecidedPull>;
  /** Called when the registry has answered. */
  answered?: () => void;
}
