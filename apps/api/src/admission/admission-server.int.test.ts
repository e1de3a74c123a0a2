/** The port of the webhook: its certificate, who may connect, and files that change. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:http2';
import { request } from 'node:https';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { type Certificate, makeCertificate, temporaryDir } from '@portcullis/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../config.ts';
import { admissionServer } from './admission-server.ts';

interface Presented {
  status: number;
  fingerprint: string;
}

async function serving(isForClients = false) {
  const dir = await temporaryDir();
  const [own, client] = [makeCertificate(), makeCertificate('api-server')];
  const files = {
    certificate: join(dir.path, 'tls.crt'),
    key: join(dir.path, 'tls.key'),
    clientCa: isForClients ? join(dir.path, 'ca.crt') : null,
  };
  const write = async ({ certificate, key }: Certificate) => {
    await writeFile(files.key, key);
    await writeFile(files.certificate, certificate);
  };
  await write(own);
  if (files.clientCa) await writeFile(files.clientCa, client.certificate);
  const faults: unknown[] = [];
  const log = { info() {}, error: (fault: unknown) => void faults.push(fault) };
  const server = admissionServer((_, response) => void response.end('{}'), {
    ...{ port: 0, host: '127.0.0.1', files, log, lookMs: 100 },
  });
  await server.start?.();
  const stop = async () => server.stop?.();
  onTestFinished(async () => {
    await stop();
    await dir.remove();
  });
  return { own, client, write, faults, port: () => server.port() ?? 0, stop };
}

function ask(port: number, own: Certificate, client?: Certificate): Promise<Presented> {
  return new Promise((resolve, reject) => {
    const login = client && { cert: client.certificate, key: client.key };
    const asking = request(
      { ...{ host: '127.0.0.1', port, ca: own.certificate, agent: false }, ...login },
      (response) => {
        const fingerprint = (response.socket as TLSSocket).getPeerCertificate().fingerprint256;
        response.resume();
        response.once('end', () => resolve({ status: response.statusCode ?? 0, fingerprint }));
      },
    );
    asking.once('error', reject);
    asking.end();
  });
}

it('a certificate that is replaced is used, and one that is broken is not', async () => {
  const { own, write, port, faults } = await serving();
  const { fingerprint: first } = await ask(port(), own);
  const next = makeCertificate();
  await write({ certificate: next.certificate, key: own.key });
  await expect.poll(() => faults.length).toBe(1);
  expect((await ask(port(), own)).fingerprint).toBe(first);
  await write(next);
  await expect
    .poll(() =>
      ask(port(), next).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200);
});

it('an API server that has a connection of HTTP/2 open does not hold up the end', async () => {
  const { own, port, stop } = await serving();
  const session = connect(`https://127.0.0.1:${port()}`, { ca: own.certificate });
  const ends = once(session, 'close');
  const asking = session.request({ ':method': 'POST', ':path': '/admission' });
  const [headers] = await once(asking.end('{}'), 'response');
  expect(headers[':status']).toBe(200);
  asking.resume();
  await stop();
  await ends;
});

describe('with a CA of clients', () => {
  it('only who has a certificate of it is answered', async () => {
    const { own, client, port } = await serving(true);
    expect((await ask(port(), own, client)).status).toBe(200);
    await expect(ask(port(), own)).rejects.toThrow();
    await expect(ask(port(), own, makeCertificate('other'))).rejects.toThrow();
  });
});

it.each([
  ['no certificate', { certificate: '', key: '' }, "the file .* can't be read"],
  ['an empty key', { ...makeCertificate(), key: '\n' }, 'a.key is empty'],
  ['a key of another certificate', makeCertificate(), "can't be used: .*key values mismatch"],
])('%s stops the start', async (_, { certificate, key }, message) => {
  const dir = await temporaryDir();
  onTestFinished(() => dir.remove());
  const files = {
    certificate: join(dir.path, 'a.crt'),
    key: join(dir.path, 'a.key'),
    clientCa: null,
  };
  if (certificate) {
    await writeFile(files.certificate, makeCertificate().certificate);
    await writeFile(files.key, key);
  }
  const log = { info() {}, error() {} };
  const server = admissionServer(() => {}, { port: 0, host: '127.0.0.1', files, log });
  await expect(server.start?.()).rejects.toMatchObject({
    code: 'TLS_FILES_INVALID',
    message: expect.stringMatching(message),
  });
});

const ENV = {
  DATABASE_URL: 'postgresql://localhost/x',
  REDIS_URL: 'redis://localhost',
  REGISTRY_URL: 'http://localhost:5000',
  ADMISSION_PORT: '8443',
  ADMISSION_CERT_FILE: '/tls.crt',
  ADMISSION_KEY_FILE: '/tls.key',
  ADMISSION_HOSTS: 'registry.example.com',
};

it.each<[string, Record<string, string>, string]>([
  [
    'no certificate',
    { ADMISSION_CERT_FILE: '' },
    'ADMISSION_CERT_FILE: needed with ADMISSION_PORT',
  ],
  ['no key', { ADMISSION_KEY_FILE: '' }, 'ADMISSION_KEY_FILE: needed with ADMISSION_PORT'],
  ['no host', { ADMISSION_HOSTS: '' }, 'ADMISSION_HOSTS: needed with ADMISSION_PORT'],
  ['a URL as a host', { ADMISSION_HOSTS: 'https://a.example' }, 'ADMISSION_HOSTS: expected hosts'],
  ['another word', { ADMISSION_FOREIGN: 'maybe' }, 'ADMISSION_FOREIGN: '],
  ['no platform', { ADMISSION_PLATFORMS: 'amd64' }, 'ADMISSION_PLATFORMS: expected platforms'],
])('settings with %s are refused', (_, change, message) => {
  expect(() => readConfig({ ...ENV, ...change })).toThrow(message);
});

it('without a port nothing else is needed, and with a public URL no host', () => {
  const { ADMISSION_PORT: port, ADMISSION_HOSTS: hosts, ...env } = ENV;
  expect(readConfig(env)).toMatchObject({ ADMISSION_FOREIGN: 'deny', ADMISSION_HOSTS: [] });
  const url = { PUBLIC_URL: 'https://registry.example.com', ADMISSION_PORT: port };
  expect(readConfig({ ...env, ...url }).ADMISSION_PORT).toBe(Number(port));
  expect(hosts).toBeDefined();
});
