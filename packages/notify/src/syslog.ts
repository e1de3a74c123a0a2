/**
 * Sends messages to a syslog collector. Syslog has no acknowledgement. Over TCP and TLS each batch
 * has its own connection: a collector that closes it in good order has read everything, while a
 * closed or broken one resets it. UDP only shows a closed port nearby.
 */
import { createSocket } from 'node:dgram';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { SyslogSettings } from '@portcullis/domain';
import { DELIVERY_TIMEOUTS, type DeliveryResult, type DeliveryTimeouts } from './delivery.ts';
import { DeliveryError, failureOf } from './failure.ts';
import { pinned, type Resolve, type ResolvedAddress } from './resolve.ts';
import type { SyslogEntry } from './syslog-entry.ts';
import { framed, type LineFormat, syslogLine } from './syslog-line.ts';
import { readPem } from './tls-files.ts';

export interface SendOptions {
  /** HOSTNAME field of the messages. */
  hostname: string;
  resolve: Resolve;
  signal?: AbortSignal | undefined;
  timeouts?: DeliveryTimeouts | undefined;
}

/** Sends all messages in order, or reports that they were not delivered. Never throws. */
export async function sendSyslog(
  entries: readonly SyslogEntry[],
  settings: SyslogSettings,
  { hostname, resolve, signal, timeouts = DELIVERY_TIMEOUTS }: SendOptions,
): Promise<DeliveryResult> {
  const transcript: string[] = [];
  const lines = entries.map((entry) => syslogLine(entry, lineFormat(settings, hostname)));
  const target = { host: settings.syslog_host ?? '', port: settings.syslog_port };
  try {
    const addresses = await resolve(target.host, target.port);
    const sending = { lines, target, addresses, settings, transcript, signal, timeouts };
    if (settings.syslog_protocol === 'udp') await overUdp(sending);
    else await overStream(sending);
    return { delivered: settings.syslog_protocol === 'udp' ? null : true, transcript };
  } catch (error) {
    return { delivered: false, transcript, ...failureOf(error) };
  }
}

/** Credentials are sent only where no client certificate authenticates us. */
function lineFormat(settings: SyslogSettings, hostname: string): LineFormat {
  const {
    syslog_rfc: rfc,
    syslog_auth_enabled,
    syslog_auth_username,
    syslog_auth_password,
  } = settings;
  const sendsCredentials =
    syslog_auth_enabled && syslog_auth_username !== null && !hasCertificate(settings);
  const auth = sendsCredentials
    ? { username: syslog_auth_username, password: syslog_auth_password ?? '' }
    : null;
  return { rfc, hostname, auth };
}

function hasCertificate(settings: SyslogSettings): boolean {
  const { syslog_protocol, syslog_auth_enabled, syslog_tls_client_cert, syslog_tls_client_key } =
    settings;
  return (
    syslog_protocol === 'tcp+tls' &&
    syslog_auth_enabled &&
    syslog_tls_client_cert !== null &&
    syslog_tls_client_key !== null
  );
}

interface Sending {
  lines: Buffer[];
  target: { host: string; port: number };
  addresses: ResolvedAddress[];
  settings: SyslogSettings;
  transcript: string[];
  signal: AbortSignal | undefined;
  timeouts: DeliveryTimeouts;
}

/** How long to wait for a closed port or an early end of the connection to show. */
const REFUSAL_MS = 50;

/** A full receive buffer drops messages silently. */
const PACE = 4;
const PACE_MS = 2;

async function overUdp({ lines, target, addresses, transcript, signal }: Sending): Promise<void> {
  const [{ address, family } = { address: target.host, family: 4 }] = addresses;
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  socket.on('error', failed.reject);
  try {
    await Promise.race([
      failed.promise,
      new Promise<void>((resolve) => socket.connect(target.port, address, resolve)),
    ]);
    for (const [index, line] of lines.entries()) {
      await Promise.race([failed.promise, datagram(socket, line)]);
      if (index % PACE === PACE - 1) await pause(PACE_MS, undefined, { signal });
    }
    await Promise.race([failed.promise, pause(REFUSAL_MS, undefined, { signal })]);
    const bytes = lines.reduce((sum, line) => sum + line.length, 0);
    transcript.push(`sent ${lines.length} datagrams, ${bytes} bytes, to ${address}:${target.port}`);
    transcript.push(
      'UDP has no answer: whether the collector took them can not be known from here',
    );
  } finally {
    socket.close();
  }
}

function datagram(socket: ReturnType<typeof createSocket>, line: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.send(line, (error) => (error ? reject(error) : resolve()));
  });
}

const FRAMED: Record<SyslogSettings['syslog_framing'], string> = {
  'octet-counting': 'with octet counting',
  newline: 'each ended by a newline',
};

async function overStream(sending: Sending): Promise<void> {
  const { lines, transcript, timeouts, target, settings } = sending;
  const socket = await openStream(sending);
  transcript.push(`connected to ${target.host}:${target.port}${tlsFacts(socket)}`);
  const closed = closeOf(socket, timeouts.answerMs);
  const onAbort = () => socket.destroy(new DeliveryError('DELIVERY_ABORTED'));
  sending.signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const bytes = Buffer.concat(lines.map((line) => framed(line, settings.syslog_framing)));
    await Promise.race([write(socket, bytes), closed]);
    // A collector that accepts no more closes at once, which must show before we close.
    await Promise.race([pause(REFUSAL_MS), closed]);
    socket.end();
    const how = await closed;
    const sent = `sent ${lines.length} messages, ${bytes.length} bytes`;
    transcript.push(`${sent}, ${FRAMED[settings.syslog_framing]}`, how);
  } finally {
    sending.signal?.removeEventListener('abort', onAbort);
    socket.destroy();
  }
}

async function openStream({
  target,
  addresses,
  settings,
  signal,
  timeouts,
}: Sending): Promise<Socket> {
  const tls = settings.syslog_protocol === 'tcp+tls';
  const options = tls ? await tlsOptions(settings) : {};
  const there = { ...target, lookup: pinned(addresses) };
  const socket = tls ? connectTls({ ...there, ...options }) : connectTcp(there);
  const limit = AbortSignal.timeout(timeouts.connectMs);
  const ended = signal ? AbortSignal.any([signal, limit]) : limit;
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const onAbort = () => {
    reject(new DeliveryError(limit.aborted ? 'CONNECTION_TIMEOUT' : 'DELIVERY_ABORTED'));
    socket.destroy();
  };
  ended.addEventListener('abort', onAbort, { once: true });
  if (ended.aborted) onAbort();
  // Handles late errors as well: one without a listener would end the process.
  socket.on('error', reject);
  socket.once(tls ? 'secureConnect' : 'connect', () => resolve(socket));
  return promise.finally(() => ended.removeEventListener('abort', onAbort));
}

async function tlsOptions(settings: SyslogSettings) {
  const { syslog_host, syslog_tls_verify: rejectUnauthorized, syslog_tls_ca_cert } = settings;
  const ca = await readPem('syslog_tls_ca_cert', syslog_tls_ca_cert);
  const identity = hasCertificate(settings)
    ? {
        cert: await readPem('syslog_tls_client_cert', settings.syslog_tls_client_cert),
        key: await readPem('syslog_tls_client_key', settings.syslog_tls_client_key),
        ...(settings.syslog_auth_password !== null && {
          passphrase: settings.syslog_auth_password,
        }),
      }
    : {};
  return {
    rejectUnauthorized,
    // SNI carries names only (RFC 6066 § 3).
    ...(syslog_host !== null && isIP(syslog_host) === 0 && { servername: syslog_host }),
    ...(ca !== undefined && { ca }),
    ...identity,
  };
}

function write(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

function tlsFacts(socket: Socket): string {
  return 'getProtocol' in socket ? ` with ${(socket as TLSSocket).getProtocol()}` : '';
}

/**
 * How the connection ended after we closed it. Rejects when it broke, or when the collector closed
 * it first.
 */
function closeOf(socket: Socket, timeoutMs: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const timer = setTimeout(() => {
    if (socket.writableFinished) resolve('the collector took everything and kept its end open');
    else reject(new DeliveryError('COLLECTOR_SILENT'));
  }, timeoutMs);
  socket.once('error', reject);
  socket.once('end', () => {
    if (socket.writableEnded) resolve('the collector closed in good order');
    else reject(new DeliveryError('COLLECTOR_CLOSED'));
  });
  socket.once('close', () => {
    clearTimeout(timer);
    reject(new DeliveryError('CONNECTION_CLOSED'));
  });
  // Received data is ignored, but the end of the stream only shows while reading.
  socket.resume();
  promise.catch(() => undefined);
  return promise;
}
