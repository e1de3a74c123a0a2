/**
 * The configurations in docs/guide/tls.md, run in their programs: layers, events and client
 * addresses are passed on.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import path from 'node:path';
import { acquireBinary, cacheDir, type Program } from '@portcullis/embedded';
import {
  buildImage,
  checkTraefikFile,
  fetchManifest,
  makeCertificate,
  pushImage,
  randomFiles,
  skopeo,
  startRegistry,
  type TemporaryDir,
  type TestRegistry,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleOf } from '../support/guide.ts';
import { bodyOf, freePort, logIn, type Product, startProduct, until } from '../support/product.ts';

const PASSWORD = 'a long enough password';
const page = readFileSync(path.join(import.meta.dirname, '../../docs/guide/tls.md'), 'utf8');
const authority = makeCertificate();

interface Proxy {
  program: Program;
  /** In the directory `dir`, which contains `cert.pem` and `key.pem`. */
  config(place: { dir: string; port: number; target: string }): string;
  args(file: string): string[];
}

const NGINX: Proxy = {
  program: { names: ['nginx'], package: 'nginx', file: 'usr/sbin/nginx', probe: ['-v'] },
  args: (file) => ['-c', file, '-e', 'stderr'],
  config({ dir, port, target }) {
    const server = exampleOf(page, 'nginx')
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace('server_name images.example.com', 'server_name localhost')
      .replace(/(ssl_certificate +)\S+/, `$1${dir}/cert.pem;`)
      .replace(/(ssl_certificate_key +)\S+/, `$1${dir}/key.pem;`)
      .replace('http://127.0.0.1:8080', target);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const tempPaths = temporary.map((name) => `${name}_temp_path ${dir}/${name};`).join('\n');
    const http = `http {\naccess_log off;\n${tempPaths}\n${server}\n}`;
    return `daemon off;\nmaster_process off;\npid ${dir}/pid;\nevents {}\n${http}\n`;
  },
};

const CADDY: Proxy = {
  program: { names: ['caddy'], package: 'caddy', file: 'usr/bin/caddy', probe: ['version'] },
  args: (file) => ['run', '--config', file, '--adapter', 'caddyfile'],
  config({ dir, port, target }) {
    const site = exampleOf(page, 'caddy')
      .replace(
        'images.example.com {',
        `https://localhost:${port} {\n    tls ${dir}/cert.pem ${dir}/key.pem`,
      )
      .replace('127.0.0.1:8080', new URL(target).host);
    return `{\n    admin off\n    auto_https disable_redirects\n}\n${site}\n`;
  },
};

let upstream: TestRegistry;
let dir: TemporaryDir;
let product: Product;

beforeAll(async () => {
  upstream = await startRegistry();
  const image = await buildImage({ layers: [randomFiles(24 * 1024 * 1024)] });
  await pushImage(upstream.url, 'acme/big', '1.0', image);
  dir = await temporaryDir();
  product = await startProduct(path.join(dir.path, 'data'), {
    ADMIN_PASSWORD: PASSWORD,
    TRIVY_ENABLED: 'false',
    TRUSTED_PROXIES: '127.0.0.1',
  });
});

afterAll(async () => {
  await product?.stop();
  await upstream?.stop();
  await dir?.remove();
});

it('Traefik reads its dynamic configuration, and reports an unknown option', async () => {
  // The first block is the static configuration.
  const block = exampleOf(page.slice(page.lastIndexOf('```yaml')), 'yaml');
  const file = path.join(dir.path, 'traefik.yaml');
  await writeFile(file, block);
  await checkTraefikFile(file);
  await writeFile(file, block.replace('flushInterval', 'flushAlways'));
  await expect(checkTraefikFile(file)).rejects.toThrow('flushAlways');
});

describe.each<[string, Proxy]>([
  ['nginx', NGINX],
  ['caddy', CADDY],
])('behind %s as the page configures it', (name, proxy) => {
  let host: string;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    ({ host, stop } = await start(name, proxy));
  });

  afterAll(() => stop?.());

  it('a layer of many megabytes is pushed and pulled', async () => {
    const image = `docker://${host}/team/big:${name}`;
    const from = ['--src-tls-verify=false', `docker://${upstream.host}/acme/big:1.0`];
    await skopeo(
      'copy',
      '--dest-tls-verify=false',
      '--dest-creds',
      `admin:${PASSWORD}`,
      ...from,
      image,
    );
    const layout = `oci:${path.join(dir.path, `pulled-${name}`)}:1`;
    await skopeo(
      'copy',
      '--src-tls-verify=false',
      '--src-creds',
      `admin:${PASSWORD}`,
      image,
      layout,
    );
    const source = await fetchManifest(upstream.url, 'acme/big', '1.0');
    const inspected = await skopeo(
      ...[
        'inspect',
        '--tls-verify=false',
        '--creds',
        `admin:${PASSWORD}`,
        '--format',
        '{{.Digest}}',
        image,
      ],
    );
    expect(inspected.trim()).toBe(source.headers['docker-content-digest']);
  });

  it('redirects keep the address that the client used, with TLS', async () => {
    const answer = await ask(`https://${host}/v2/`);
    answer.resume();
    expect(answer.headers['www-authenticate']).toContain(`https://${host}/v2/token`);
  });

  it("a login has the client's address, whatever it claims, and its cookie requires TLS", async () => {
    const answer = await ask(`https://${host}/api/auth/login`, {
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9' },
      body: JSON.stringify({ username: `nobody-${name}`, password: 'guessed' }),
    });
    answer.resume();
    expect(answer.statusCode).toBe(401);
    const admin = await logIn(product, 'admin', PASSWORD);
    const recorded = async () =>
      (await bodyOf(admin('GET', `/api/system/audit?q=nobody-${name}`)))[0];
    const denied = { event: 'auth.login', outcome: 'denied', client_ip: '127.0.0.1' };
    await expect.poll(recorded).toMatchObject(denied);
    const { headers } = await enter(host);
    expect(String(headers['set-cookie'])).toMatch(/pc_token=.*Secure/);
  });

  it('events arrive as they happen', async () => {
    const { headers } = await enter(host);
    const cookie = String(headers['set-cookie']).split(';', 1)[0] ?? '';
    const events = await ask(`https://${host}/api/staging/events`, { headers: { cookie } });
    const [first] = await once(events, 'data');
    events.destroy();
    expect(String(first)).toContain('retry: 2000');
  });
});

async function enter(host: string): Promise<IncomingMessage> {
  const answer = await ask(`https://${host}/api/auth/login`, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: PASSWORD }),
  });
  answer.resume();
  return answer;
}

interface Sent {
  headers?: Record<string, string>;
  body?: string;
}

async function ask(url: string, { headers = {}, body }: Sent = {}): Promise<IncomingMessage> {
  const options = {
    method: body === undefined ? 'GET' : 'POST',
    headers,
    ca: authority.certificate,
  };
  const outgoing = request(url, { ...options, agent: false }).end(body);
  const [answer] = await once(outgoing, 'response');
  return answer;
}

async function start(name: string, { program, config, args }: Proxy) {
  const place = path.join(dir.path, name);
  await mkdir(place);
  await writeFile(path.join(place, 'cert.pem'), authority.certificate);
  await writeFile(path.join(place, 'key.pem'), authority.key);
  const port = await freePort();
  const file = path.join(place, 'config');
  await writeFile(file, config({ dir: place, port, target: product.url }));
  const binary = await acquireBinary(program, {
    cacheDir: cacheDir(process.env),
    env: process.env,
  });
  const env = {
    ...process.env,
    ...binary.env,
    HOME: place,
    XDG_DATA_HOME: place,
    XDG_CONFIG_HOME: place,
  };
  const child = spawn(binary.path, args(file), { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'close');
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const host = `localhost:${port}`;
  await until(
    () => answers(host),
    () => said,
  );
  return {
    host,
    async stop() {
      child.kill();
      await ended;
    },
  };
}

async function answers(host: string): Promise<boolean> {
  try {
    (await ask(`https://${host}/api/health`)).resume();
    return true;
  } catch {
    return false;
  }
}
