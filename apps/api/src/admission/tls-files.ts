/**
 * The certificate, key and client CA of a server, in files that are replaced while it runs, as
 * cert-manager and mounted secrets do.
 */
import { readFile } from 'node:fs/promises';
import { createSecureContext, type SecureContextOptions, type Server } from 'node:tls';
import { invalid } from '@portcullis/errors';
import type { Logger } from '@portcullis/runtime';

export interface TlsFiles {
  certificate: string;
  key: string;
  /** Signs the certificates of clients that may connect; null: all may. */
  clientCa: string | null;
}

type TlsContent = Pick<SecureContextOptions, 'cert' | 'key' | 'ca' | 'minVersion'>;

/** Watching files misses mounts of Kubernetes, which replace a folder. */
const LOOK_MS = 5_000;

/** @throws invalid `TLS_FILES_INVALID` */
export async function readTlsFiles({ certificate, key, clientCa }: TlsFiles): Promise<TlsContent> {
  const content: TlsContent = {
    minVersion: 'TLSv1.2',
    cert: await readText(certificate),
    key: await readText(key),
    ...(clientCa !== null && { ca: await readText(clientCa) }),
  };
  try {
    createSecureContext(content);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw invalid('TLS_FILES_INVALID', `${certificate} and ${key} can't be used: ${why}`);
  }
  return content;
}

/** A context of an empty key is made, and fails each handshake. */
async function readText(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw invalid('TLS_FILES_INVALID', `the file ${path} can't be read`);
  });
  if (text.trim() === '') throw invalid('TLS_FILES_INVALID', `the file ${path} is empty`);
  return text;
}

/** New connections use what is in the files; while it can't be used, what was there before. */
export function followTlsFiles(
  server: Pick<Server, 'setSecureContext'>,
  { files, content, log, lookMs = LOOK_MS }: FollowOptions,
): { stop(): void } {
  let known = JSON.stringify(content);
  let lastFault = '';

  async function look(): Promise<void> {
    try {
      const now = await readTlsFiles(files);
      const text = JSON.stringify(now);
      lastFault = '';
      if (text === known) return;
      server.setSecureContext(now);
      known = text;
      log.info({ certificate: files.certificate }, 'the certificate of the webhook was replaced');
    } catch (err) {
      const fault = err instanceof Error ? err.message : String(err);
      if (fault !== lastFault) log.error({ err }, 'the webhook keeps its former certificate');
      lastFault = fault;
    }
  }

  const looking = setInterval(() => void look(), lookMs);
  looking.unref();
  return { stop: () => clearInterval(looking) };
}

interface FollowOptions {
  files: TlsFiles;
  /** What the server began with. */
  content: TlsContent;
  log: Pick<Logger, 'info' | 'error'>;
  lookMs?: number | undefined;
}
