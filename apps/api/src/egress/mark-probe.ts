import type { Transport } from '@portcullis/oci/remote';
import { MARK_HEADER } from './own-hosts.ts';

const PATIENCE_MS = 3_000;

/**
 * Asks a host for our mark, with TLS and, where that fails, without. No credential is sent, so its certificate
 * doesn't matter: an impostor that shows our mark only gets our own rules applied.
 */
export async function markOf(transport: Transport, host: string): Promise<string | null> {
  for (const scheme of ['https', 'http']) {
    const mark = await ask(transport, `${scheme}://${host}/v2/`);
    if (mark !== undefined) return mark;
  }
  return null;
}

async function ask(transport: Transport, url: string): Promise<string | null | undefined> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const call = {
    method: 'GET' as const,
    url: new URL(url),
    trust: { verify: false },
    retry: false,
    signal,
  };
  const answer = await transport.send(call).catch(() => undefined);
  return answer && (answer.headers[MARK_HEADER.toLowerCase()] ?? null);
}
