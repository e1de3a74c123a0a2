/** Connection test of a registry: which steps succeed, with a message for people. */

import type { AbortOptions } from '../copy/content.ts';
import { isOciError } from '../oci-error.ts';
import { CATALOG_SCOPE } from './auth/scope.ts';
import { type AuthorizedClient, createRegistryClient, type RegistryOptions } from './client.ts';
import { shownText } from './named/shown-name.ts';
import { registryError } from './registry-error.ts';

export interface PingResult {
  /** The host implements the registry API. */
  reachable: boolean;
  /** It accepts the credentials, or anonymous access if there are none. */
  authenticated: boolean;
  /** It lists its repositories. */
  catalog: boolean;
  /** What failed; null where the registry is usable. */
  code: string | null;
  message: string;
  latencyMs: number;
}

export interface PingOptions extends AbortOptions {
  /** Time limit for the whole test; after it the registry counts as unreachable. */
  timeoutMs?: number | undefined;
}

const TIMEOUT_MS = 15_000;

export async function ping(options: RegistryOptions, given: PingOptions = {}): Promise<PingResult> {
  const started = performance.now();
  const timeout = AbortSignal.timeout(given.timeoutMs ?? TIMEOUT_MS);
  const signal = given.signal ? AbortSignal.any([given.signal, timeout]) : timeout;
  const outcome = await examine(options, signal).catch((error: unknown) => {
    given.signal?.throwIfAborted();
    if (timeout.aborted)
      return failure({
        code: 'REGISTRY_SILENT',
        message: `${options.host} doesn't answer in time`,
      });
    if (!isOciError(error)) throw error;
    return failure(error, isFromRegistry(error.code));
  });
  const { host, shownAs } = options;
  const message =
    shownAs === undefined ? outcome.message : shownText(outcome.message, { host, shownAs });
  return { ...outcome, message, latencyMs: Math.round(performance.now() - started) };
}

type Outcome = Omit<PingResult, 'latencyMs'>;

async function examine(
  options: RegistryOptions,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const client = createRegistryClient(options);
  const answer = await client.send({ method: 'GET', path: '', scopes: [], retry: false, signal });
  if (answer.status === 401 || answer.status === 403) {
    return failure(registryError(answer, 'the registry'), true);
  }
  if (answer.status !== 200) {
    return failure({
      code: 'NOT_A_REGISTRY',
      message: `${answer.url.host} answers, but not as a registry (${answer.status})`,
    });
  }
  const catalog = await listsCatalog(client, signal);
  const listing = catalog
    ? 'and lists its repositories'
    : 'but keeps the list of its repositories to itself';
  const who = options.credentials ? 'accepts the login' : 'answers without a login';
  return {
    reachable: true,
    authenticated: true,
    catalog,
    code: null,
    message: `the registry ${who} ${listing}`,
  };
}

/** The catalog is optional and closed on public registries, so a refusal is not an error. */
async function listsCatalog(
  client: AuthorizedClient,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const request = {
    method: 'GET',
    path: '_catalog?n=1',
    scopes: [CATALOG_SCOPE],
    retry: false,
    signal,
  } as const;
  try {
    return (await client.send(request)).status === 200;
  } catch (error) {
    signal?.throwIfAborted();
    if (isOciError(error)) return false;
    throw error;
  }
}

/**
 * The registry itself refused, as opposed to the address guard, which refuses before a connection
 * is made.
 */
function isFromRegistry(code: string): boolean {
  return ['REGISTRY_UNAUTHENTICATED', 'LOGIN_WITHHELD', 'REGISTRY_FORBIDDEN'].includes(code);
}

function failure({ code, message }: { code: string; message: string }, reachable = false): Outcome {
  return { reachable, authenticated: false, catalog: false, code, message };
}
