/** Reads the header by which `/v2/` of an installation of ours identifies that installation. */
import type { Transport } from '@portcullis/oci/remote';

export const MARK_HEADER = 'Portcullis-Instance';

const TIMEOUT_MS = 3_000;

/**
 * Tries TLS first, then plain HTTP. We send no credential, so the certificate is not checked: an
 * impostor that sends our mark only gets our own access rules applied.
 */
export async function readMark(transport: Transport, host: string): Promise<string | null> {
  for (const scheme of ['https', 'http']) {
    const mark = await request(transport, `${scheme}://${host}/v2/`);
    if (mark !== undefined) return mark;
  }
  return null;
}

async function request(transport: Transport, url: string): Promise<string | null | undefined> {
  const call = {
    method: 'GET' as const,
    url: new URL(url),
    trust: { verify: false },
    retry: false,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  };
  const answer = await transport.send(call).catch(() => undefined);
  return answer && (answer.headers[MARK_HEADER.toLowerCase()] ?? null);
}
