/** Registries that images are copied from and to, with and without TLS. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startRegistry, type TestRegistry } from '@portcullis/testing';

export interface End {
  url: string;
  host: string;
  /** With TLS: the certificate to trust, PEM, and a file that has it. */
  ca?: string | undefined;
  caFile?: string | undefined;
}

export interface Registry extends End {
  stop(): Promise<void>;
}

/** An empty registry, or one on an existing storage. */
export async function startEnd(
  dir: string,
  options: { tls: boolean; storageDir?: string },
): Promise<Registry> {
  return withFile(await startRegistry(options), dir);
}

async function withFile({ url, host, ca, stop }: TestRegistry, dir: string): Promise<Registry> {
  if (ca === undefined) return { url, host, stop };
  const caFile = path.join(dir, `${host.replace(':', '-')}.crt`);
  await writeFile(caFile, ca);
  return { url, host, ca, caFile, stop };
}

/** Trusts the certificate: Go programs read this variable, and so do `pull.ts` and `push.ts`. */
export function trusting({ caFile }: End, argv: string[]): string[] {
  return caFile === undefined ? argv : ['env', `SSL_CERT_FILE=${caFile}`, ...argv];
}
