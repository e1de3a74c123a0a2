/** What authorized requests to one registry need, also from another thread. */
import type { TlsTrust } from '../http/dial.ts';

export interface ScopedRequest {
  scopes: readonly string[];
  signal?: AbortSignal | undefined;
}

/** The values of `Authorization` for one registry. */
export interface Authorizations {
  /** The answer to the registry's last challenge, if there was one. */
  current(request: ScopedRequest): Promise<string | undefined>;
  /** The answer to a 401 after `refused`; undefined if there is none. */
  renewed(
    request: ScopedRequest,
    challenge: string | undefined,
    refused: string | undefined,
  ): Promise<string | undefined>;
}

export interface RegistrySession {
  /** `https://host/v2/` */
  base: URL;
  trust: TlsTrust;
  authorizations: Authorizations;
}
