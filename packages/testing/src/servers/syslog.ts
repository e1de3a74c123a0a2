/** A real rsyslog that parses the messages we send into fields. */
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import {
  acquireBinary,
  type Binary,
  freePort,
  type Program,
  type Service,
  startService,
  untilReady,
} from '@portcullis/embedded';
import { testCacheDir, testEnv } from '../config.ts';
import { makeCertificate } from '../content/certificate.ts';
import { temporaryDir } from '../temporary.ts';

/** The package of its TLS driver, which depends on rsyslog. */
export const RSYSLOG: Program = {
  names: ['rsyslogd'],
  package: 'rsyslog-openssl',
  file: 'usr/sbin/rsyslogd',
  probe: ['-v'],
};

export interface SyslogOptions {
  protocol: 'udp' | 'tcp' | 'tcp+tls';
  /** With `tcp+tls`: accepts only clients with a certificate of this CA, PEM. */
  clientCa?: string;
  /** Over TCP and TLS: takes each line for a message, and a length before it for a part of it. */
  readsLines?: boolean;
}

/** One message as parsed by rsyslog. */
export interface SyslogFields {
  /** Numeric. */
  facility: string;
  severity: string;
  time: string;
  hostname: string;
  app: string;
  procid: string;
  msgid: string;
  /** Structured data by element and parameter. */
  sd: Record<string, Record<string, string>>;
  msg: string;
}

export interface TestSyslog extends AsyncDisposable {
  port: number;
  /** With `tcp+tls`: the certificate to trust, PEM, and a file with it. */
  ca: string;
  caFile: string;
  received(): Promise<SyslogFields[]>;
  /** Received messages are kept; `start` uses the same port again. */
  halt(): Promise<void>;
  start(): Promise<void>;
}

export async function startSyslog(options: SyslogOptions): Promise<TestSyslog> {
  const { protocol, clientCa, readsLines = false } = options;
  const binary = await acquireBinary(RSYSLOG, { cacheDir: testCacheDir, env: testEnv });
  const dir = await temporaryDir();
  const port = await freePort();
  const { certificate, key } = makeCertificate();
  const files = { dir: dir.path, ca: join(dir.path, 'ca.pem'), output: join(dir.path, 'messages') };
  await writeFile(join(dir.path, 'tls.crt'), certificate);
  await writeFile(join(dir.path, 'tls.key'), key);
  // The CA that signs client certificates; its own certificate where clients need none.
  await writeFile(join(dir.path, 'clients.pem'), clientCa ?? certificate);
  await writeFile(files.ca, certificate);
  await writeFile(files.output, '');
  const config = join(dir.path, 'rsyslog.conf');
  await writeFile(
    config,
    configuration({
      ...files,
      port,
      protocol,
      readsLines,
      wantsCertificate: clientCa !== undefined,
    }),
  );
  let service: Service | null = null;

  async function start(): Promise<void> {
    service = await startService({
      name: 'rsyslog',
      command: binary.path,
      args: ['-n', '-f', config, '-i', join(dir.path, 'pid'), ...modules(binary)],
      env: { ...testEnv, ...binary.env },
    });
    const listens = protocol === 'udp' ? () => isBound(port) : () => accepts(port);
    await untilReady(service, listens);
  }

  async function halt(): Promise<void> {
    await service?.stop();
    service = null;
  }

  await start();
  return {
    port,
    ca: certificate,
    caFile: files.ca,
    received: async () =>
      (await readFile(files.output, 'utf8')).split('\n').filter(Boolean).map(parse),
    halt,
    start,
    async [Symbol.asyncDispose]() {
      await halt();
      await dir.remove();
    },
  };
}

function parse(line: string): SyslogFields {
  return JSON.parse(line);
}

/** An rsyslog that was unpacked has its modules in the same tree. */
function modules({ path, env }: Binary): string[] {
  if (!env.LD_LIBRARY_PATH) return [];
  const found = env.LD_LIBRARY_PATH.split(':').map((libraries) => join(libraries, 'rsyslog'));
  return ['-M', [...found, join(dirname(path), '..', 'lib', 'rsyslog')].join(':')];
}

interface Configuration {
  dir: string;
  output: string;
  port: number;
  protocol: SyslogOptions['protocol'];
  readsLines: boolean;
  wantsCertificate: boolean;
}

const FIELDS = {
  facility: 'syslogfacility',
  severity: 'syslogseverity',
  hostname: 'hostname',
  app: 'app-name',
  procid: 'procid',
  msgid: 'msgid',
  msg: 'msg',
};

function configuration(options: Configuration): string {
  const { dir, output, port, protocol, readsLines, wantsCertificate } = options;
  const fields = Object.entries(FIELDS).map(
    ([outname, name]) =>
      `property(outname="${outname}" name="${name}" format="jsonf") constant(value=",")`,
  );
  const module = protocol === 'udp' ? 'imudp' : 'imtcp';
  const tls =
    protocol === 'tcp+tls'
      ? ` StreamDriver.Name="ossl" StreamDriver.Mode="1" StreamDriver.AuthMode="${wantsCertificate ? 'x509/certvalid' : 'anon'}"`
      : '';
  const framing = readsLines ? ' SupportOctetCountedFraming="off"' : '';
  return `
global(workDirectory="${dir}"
  defaultNetstreamDriverCAFile="${dir}/clients.pem"
  defaultNetstreamDriverCertFile="${dir}/tls.crt"
  defaultNetstreamDriverKeyFile="${dir}/tls.key")
module(load="${module}"${tls})
module(load="mmpstrucdata")
template(name="fields" type="list") {
  constant(value="{")
  ${fields.join('\n  ')}
  property(outname="time" name="timereported" dateFormat="rfc3339" format="jsonf")
  constant(value=",\\"sd\\":") property(name="$!sd") constant(value="}\\n")
}
ruleset(name="all") {
  action(type="mmpstrucdata")
  set $!sd = $!rfc5424-sd;
  if $!sd == "" then { set $!sd = "{}"; }
  action(type="omfile" file="${output}" template="fields" asyncWriting="off" flushOnTXEnd="on")
}
input(type="${module}" port="${port}" address="127.0.0.1" ruleset="all"${framing})
`;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const done = (ready: boolean) => {
      socket.destroy();
      resolve(ready);
    };
    socket.once('connect', () => done(true));
    socket.once('error', () => done(false));
  });
}

/** Reads the kernel's list: a datagram that is sent too early would be lost silently. */
async function isBound(port: number): Promise<boolean> {
  const sockets = await readFile('/proc/net/udp', 'utf8');
  return sockets.includes(`:${port.toString(16).toUpperCase().padStart(4, '0')} `);
}
