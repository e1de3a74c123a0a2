/** Maps errors of the registry to replies for the client. */
import type { IncomingMessage } from 'node:http';
import { type AppError, invalid, unavailable } from '@portcullis/errors';
import { z } from 'zod';
import { OCI_CODES } from '../errors.ts';
import type { V2Request } from '../routes.ts';

export function registryUnavailable(cause: unknown): AppError {
  const message = 'the registry can not be reached; try again in a moment';
  return unavailable('REGISTRY_UNAVAILABLE', message, { cause });
}

const OciErrors = z.object({
  errors: z
    .array(
      z.object({
        code: z.string(),
        message: z.string().default(''),
        detail: z.unknown().optional(),
      }),
    )
    .min(1),
});
type OciErrors = z.output<typeof OciErrors>['errors'];

const MAX_BODY_BYTES = 64 * 1024;

/**
 * Whether the status concerns the registry or our access to it rather than the client's request.
 */
export function isRegistryFault(status: number): boolean {
  return status >= 500 || status === 401 || status === 403;
}

/** Consumes the rest of the reply. */
export async function registryFault(
  v2Request: V2Request,
  upstream: IncomingMessage,
): Promise<AppError> {
  const status = upstream.statusCode ?? 502;
  const errors = errorsIn(await bodyOf(upstream));
  const said = errors.map(({ code, message }) => `${code}: ${message}`).join('; ');
  const cause = new Error(`the registry answered ${status} ${said}`, { cause: errors });
  if (status === 401 || status === 403) {
    const message = 'the registry refused the credential in REGISTRY_URL';
    return unavailable('REGISTRY_CREDENTIAL_REFUSED', message, { cause });
  }
  if (errors.length === 0) return registryUnavailable(cause);
  if (errors.some(({ detail }) => isFull(detail))) {
    const message =
      'the storage of the registry is full; nothing can be pushed until space is freed';
    return unavailable('STORAGE_FULL', message, { cause });
  }
  if (isAboutManifest(v2Request, errors))
    return invalid(
      'MANIFEST_INVALID',
      `the registry refused the manifest: ${said}`.slice(0, 1000),
      {
        cause,
      },
    );
  const message = `the registry failed (${status} ${said}); its log has more`.slice(0, 1000);
  return unavailable('REGISTRY_FAILED', message, { cause });
}

async function bodyOf(upstream: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of upstream) {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) break;
      chunks.push(chunk);
    }
  } catch {
    return ''; // The reply was cut off.
  }
  return Buffer.concat(chunks).toString('utf8');
}

function errorsIn(body: string): OciErrors {
  try {
    return OciErrors.safeParse(JSON.parse(body)).data?.errors ?? [];
  } catch {
    return [];
  }
}

const NOT_ABOUT_THE_REQUEST = new Set([
  'UNAUTHORIZED',
  'DENIED',
  'TOOMANYREQUESTS',
  'UNAVAILABLE',
  'UNKNOWN',
]);

/**
 * Distribution 2.8 answers 500 for a manifest that violates one of its rules, beside an error about
 * the manifest.
 */
function isAboutManifest({ method, route }: V2Request, errors: OciErrors): boolean {
  if (method !== 'PUT' || route.kind !== 'manifest') return false;
  return errors.some(
    ({ code }) => OCI_CODES.some((known) => known === code) && !NOT_ABOUT_THE_REQUEST.has(code),
  );
}

/** ENOSPC and EDQUOT of Linux. */
const FULL_NUMBERS = new Set([28, 122]);
const FULL_TEXT = /: (?:no space left on device|disk quota exceeded)$/;
const StorageDriver = z.object({ Enclosed: z.object({ Err: z.number() }) });

/**
 * Distribution reports file system errors as a number, or as Go's text for a failed write of a
 * blob.
 */
function isFull(detail: unknown): boolean {
  if (typeof detail === 'string') return FULL_TEXT.test(detail);
  const driver = StorageDriver.safeParse(detail);
  return driver.success && FULL_NUMBERS.has(driver.data.Enclosed.Err);
}
