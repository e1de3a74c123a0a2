/** A real SMTP server with configurable faults. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { makeCertificate } from '../content/certificate.ts';
import { temporaryDir } from '../temporary.ts';

export interface SmtpOptions {
  /** Security that the server offers; defaults to `none`. */
  security?: 'none' | 'starttls' | 'ssl';
  auth?: { username: string; password: string };
  /** Recipients that it refuses, with 550 or the given code. */
  refuses?: (recipient: string) => boolean | number;
  /** The code with which it refuses a message. */
  refusesMessage?: (mail: ReceivedMail) => number | null;
  /** Never sends a greeting, or never acknowledges a message. */
  hangs?: 'greeting' | 'message';
  /** The same port again, after a stop. */
  port?: number;
}

export interface ReceivedMail {
  from: string;
  to: string[];
  /** Received over TLS. */
  secure: boolean;
  /** The message as sent. */
  raw: string;
  email: Email;
}

export interface TestSmtp extends AsyncDisposable {
  port: number;
  mails: ReceivedMail[];
  /** The certificate to trust, PEM, for `localhost` and 127.0.0.1; and a file with it. */
  ca: string;
  caFile: string;
  stop(): Promise<void>;
}

export async function startSmtp(options: SmtpOptions = {}): Promise<TestSmtp> {
  const dir = await temporaryDir();
  const { certificate, key } = makeCertificate();
  const caFile = join(dir.path, 'ca.pem');
  await writeFile(caFile, certificate);
  const mails: ReceivedMail[] = [];
  const running = await (options.hangs === 'greeting'
    ? silentServer(options.port)
    : mailServer(options, mails, { certificate, key }));
  async function stop(): Promise<void> {
    await running.close();
    await dir.remove();
  }
  return { port: running.port, mails, ca: certificate, caFile, stop, [Symbol.asyncDispose]: stop };
}

interface Running {
  port: number;
  close(): Promise<void>;
}

async function mailServer(
  options: SmtpOptions,
  mails: ReceivedMail[],
  { certificate, key }: { certificate: string; key: string },
): Promise<Running> {
  const { security = 'none', port = 0 } = options;
  const server = new SMTPServer({
    secure: security === 'ssl',
    cert: certificate,
    key,
    // A STARTTLS that is only hidden would still be accepted.
    disabledCommands: [
      ...(security === 'starttls' ? [] : ['STARTTLS']),
      ...(options.auth ? [] : ['AUTH']),
    ],
    ...logins(options),
    // Without authentication the server accepts mail from any client.
    authOptional: !options.auth,
    closeTimeout: 100,
    onRcptTo({ address }, _session, callback) {
      const code = options.refuses?.(address) ?? false;
      callback(code ? fault(code === true ? 550 : code, `no such mailbox: ${address}`) : null);
    },
    onData(stream, session, callback) {
      const { mailFrom, rcptTo } = session.envelope;
      const about = {
        from: mailFrom ? mailFrom.address : '',
        to: rcptTo.map(({ address }) => address),
        secure: session.secure,
      };
      if (options.hangs === 'message') return void stream.resume();
      receive(stream).then((received) => {
        const mail = { ...about, ...received };
        const code = options.refusesMessage?.(mail) ?? null;
        if (code !== null) return callback(fault(code, 'not this message'));
        mails.push(mail);
        callback(null);
      }, callback);
    },
  });
  server.on('error', () => undefined);
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    port: portOf(server.server),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function logins({ auth }: SmtpOptions): SMTPServerOptions {
  if (!auth) return {};
  return {
    authMethods: ['PLAIN', 'LOGIN'],
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, callback) {
      const right = username === auth.username && password === auth.password;
      callback(
        right ? null : fault(535, 'wrong user or password'),
        right ? { user: username } : undefined,
      );
    },
  };
}

async function receive(stream: Readable): Promise<{ raw: string; email: Email }> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  const raw = Buffer.concat(chunks);
  return { raw: raw.toString(), email: await PostalMime.parse(raw) };
}

function fault(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

async function silentServer(port = 0): Promise<Running> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: portOf(server),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function portOf(server: Pick<Server, 'address'>): number {
  return (server.address() as AddressInfo).port;
}
