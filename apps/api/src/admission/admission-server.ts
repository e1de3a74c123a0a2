/** The port of the admission webhook: HTTP/2 and HTTP/1.1 over TLS, with its own certificate. */
import { type EventEmitter, once } from 'node:events';
import {
  createSecureServer,
  type Http2SecureServer,
  type SecureServerOptions,
  type ServerHttp2Session,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { Logger, Part } from '@portcullis/runtime';
import type { ApiConfig } from '../config.ts';
import type { AdmissionListener } from './admission-listener.ts';
import { REQUEST_MS } from './review-body.ts';
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

const STOP_MS = 2_000;
/** API servers keep connections for 90 seconds. */
const IDLE_MS = 120_000;
const MOST_STREAMS = 250;
const TIMES = { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS };

/**
 * An API server has all its reviews on one connection of HTTP/2. Over HTTP/1.1 it keeps 25, and
 * 200 pods at once cost 175 handshakes.
 */
const HTTP: SecureServerOptions = {
  allowHTTP1: true,
  settings: { maxConcurrentStreams: MOST_STREAMS },
};

export function admissionServer(
  listener: AdmissionListener,
  { port, host, files, log, lookMs }: AdmissionServerOptions,
): AdmissionServer {
  const sessions = new Set<ServerHttp2Session>();
  const sockets = new Set<Socket>();
  let server: Http2SecureServer | null = null;
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
      server = createSecureServer({ ...HTTP, ...TIMES, ...content, ...asking }, listener);
      server.setTimeout(IDLE_MS);
      server.on('session', (session) => track(sessions, session));
      server.on('secureConnection', (socket) => track(sockets, socket));
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
      for (const session of sessions) session.close();
      const end = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, STOP_MS);
      await closed;
      clearTimeout(end);
    },
  };
}

/** Until it is closed. */
function track<T extends EventEmitter>(open: Set<T>, each: T): void {
  open.add(each);
  each.once('close', () => open.delete(each));
}

/** Nothing where the webhook is switched off. */
export function admissionPart(
  opened: { listener: AdmissionListener; stop(): Promise<void> } | null,
  { ADMISSION_PORT: port = 0, HOST: host, ...config }: AdmissionConfig,
  log: AdmissionServerOptions['log'],
): Part {
  if (opened === null) return {};
  const files = {
    certificate: config.ADMISSION_CERT_FILE ?? '',
    key: config.ADMISSION_KEY_FILE ?? '',
    clientCa: config.ADMISSION_CLIENT_CA_FILE ?? null,
  };
  const server = admissionServer(opened.listener, { port, host, files, log });
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
