/** The port of the admission webhook: HTTPS with its own certificate. */
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Logger, Part } from '@portcullis/runtime';
import type { ApiConfig } from '../config.ts';
import { followTlsFiles, readTlsFiles, type TlsFiles } from './tls-files.ts';

export interface AdmissionServerOptions {
  /** 0: any free port. */
  port: number;
  host: string;
  files: TlsFiles;
  log: Pick<Logger, 'info' | 'error'>;
  /** How often the files are looked at. */
  lookMs?: number;
}

export interface AdmissionServer extends Part {
  /** Null while it does not listen. */
  port(): number | null;
}

const REQUEST_MS = 10_000;
const STOP_MS = 2_000;

export function admissionServer(
  app: RequestListener,
  { port, host, files, log, lookMs }: AdmissionServerOptions,
): AdmissionServer {
  let server: Server | null = null;
  let following: { stop(): void } | null = null;

  function listening(): number | null {
    const address = server?.address() as AddressInfo | null | undefined;
    return address?.port ?? null;
  }

  return {
    port: listening,
    async start() {
      const content = await readTlsFiles(files);
      const asksClients = files.clientCa !== null;
      const asking = { requestCert: asksClients, rejectUnauthorized: asksClients };
      server = createServer({ ...content, ...asking, requestTimeout: REQUEST_MS }, app);
      server.headersTimeout = REQUEST_MS;
      server.listen(port, host);
      await once(server, 'listening');
      following = followTlsFiles(server, { files, content, log, lookMs });
      log.info({ host, port: listening() }, 'the admission webhook is served here');
    },
    async stop() {
      following?.stop();
      if (server === null || listening() === null) return;
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      const end = setTimeout(() => server?.closeAllConnections(), STOP_MS);
      await closed;
      clearTimeout(end);
    },
  };
}

/** Nothing where the webhook is switched off. */
export function admissionPart(
  opened: { app: RequestListener; stop(): Promise<void> } | null,
  { ADMISSION_PORT: port = 0, HOST: host, ...config }: AdmissionConfig,
  log: AdmissionServerOptions['log'],
): Part {
  if (opened === null) return {};
  const files = {
    certificate: config.ADMISSION_CERT_FILE ?? '',
    key: config.ADMISSION_KEY_FILE ?? '',
    clientCa: config.ADMISSION_CLIENT_CA_FILE ?? null,
  };
  const server = admissionServer(opened.app, { port, host, files, log });
  return {
    start: server.start,
    async stop() {
      await server.stop?.();
      await opened.stop();
    },
  };
}

type AdmissionConfig = Pick<
  ApiConfig,
  | 'ADMISSION_PORT'
  | 'HOST'
  | 'ADMISSION_CERT_FILE'
  | 'ADMISSION_KEY_FILE'
  | 'ADMISSION_CLIENT_CA_FILE'
>;
