/** The registry that `pull.ts` and `push.ts` copy from or to; loads no other module. */
import { readFileSync } from 'node:fs';

/** With https the certificate in `SSL_CERT_FILE` is trusted. */
export function endAt(url: string) {
  const { host, protocol } = new URL(url);
  if (protocol === 'http:') return { host, tls: 'off' } as const;
  const ca = readFileSync(process.env.SSL_CERT_FILE ?? '', 'utf8');
  return { host, tls: 'required', ca } as const;
}
