/**
 * The certificate authorities that this process trusts, for Trivy. Go reads one file and knows
 * nothing of Node's `NODE_EXTRA_CA_CERTS`.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getCACertificates } from 'node:tls';
import type { ScanDir } from '../scan/scan-dir.ts';

/** @returns the variable by which Go finds them */
export async function authoritiesFor(dir: ScanDir): Promise<{ SSL_CERT_FILE: string }> {
  const all = new Set([...getCACertificates('default'), ...getCACertificates('system')]);
  const file = join(dir.path, 'authorities.pem');
  await writeFile(file, `${[...all].join('\n')}\n`);
  return { SSL_CERT_FILE: file };
}
