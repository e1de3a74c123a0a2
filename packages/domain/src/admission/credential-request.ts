/**
 * What the kubelet asks a credential provider, and how it is answered: one JSON document each, of
 * `credentialprovider.kubelet.k8s.io/v1`.
 */
import { isRecord } from '../is-record.ts';

const API = 'credentialprovider.kubelet.k8s.io/v1';

export interface CredentialRequest {
  image: string;
  /** Of the service account of the pod; null where the kubelet is not configured to send it. */
  serviceAccountToken: string | null;
}

export interface PullCredentials {
  host: string;
  username: string;
  password: string;
  /** When the password ends. */
  expiresAt: Date;
}

/** A kubelet gives up a pull whose credentials end meanwhile. */
const MARGIN_MS = 60_000;

/** @returns a fault as text */
export function readCredentialRequest(text: string): CredentialRequest | string {
  const request = parse(text);
  if (!isRecord(request)) return 'standard input has no JSON object';
  const { kind, apiVersion, image, serviceAccountToken: token } = request;
  if (kind !== 'CredentialProviderRequest' || apiVersion !== API)
    return `only a CredentialProviderRequest of ${API} is answered`;
  if (typeof image !== 'string' || image === '') return 'the request names no image';
  const isGiven = typeof token === 'string' && token !== '';
  return { image, serviceAccountToken: isGiven ? token : null };
}

/** Kept by the kubelet for one registry and one service account. */
export function credentialResponse(
  { host, username, password, expiresAt }: PullCredentials,
  now: Date,
) {
  const seconds = Math.floor((expiresAt.getTime() - now.getTime() - MARGIN_MS) / 1_000);
  return {
    ...HEAD,
    cacheKeyType: 'Registry',
    cacheDuration: `${Math.max(0, seconds)}s`,
    auth: { [host]: { username, password } },
  };
}

/** For an image of another registry: the kubelet pulls it without credentials of ours. */
export function noCredentials() {
  return { ...HEAD, cacheKeyType: 'Image', cacheDuration: '0s', auth: {} };
}

const HEAD = { kind: 'CredentialProviderResponse', apiVersion: API };

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
