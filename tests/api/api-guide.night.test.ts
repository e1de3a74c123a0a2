/**
 * Runs docs/guide/api.md as a reader would: block after block in one shell, against the product and
 * another registry.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  debianImage,
  pushImage,
  serveVulnerabilityDb,
  startRegistry,
  type TemporaryDir,
  type TestRegistry,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksOf, printedBy, scriptOf } from '../support/guide.ts';
import { type Product, startProduct } from '../support/product.ts';
import { CURL, JQ, programsEnv } from '../support/programs.ts';

const PASSWORD = 'a long enough password';
const blocks = blocksOf(
  readFileSync(path.join(import.meta.dirname, '../../docs/guide/api.md'), 'utf8'),
);

let upstream: TestRegistry;
let dir: TemporaryDir;
let product: Product;
let printed: Map<number, string>;
let complaints: string;

beforeAll(async () => {
  upstream = await startRegistry();
  const database = await serveVulnerabilityDb(upstream.url);
  for (const tag of ['1.0.0', '1.1.0', '2.0.0']) {
    const more = [{ 'etc/version': tag }];
    const packages = [{ name: 'tzdata', version: '2024a-0+deb12u1' }];
    await pushImage(upstream.url, 'acme/tool', tag, await debianImage({ packages, more }));
  }
  await pushImage(upstream.url, 'acme/old', '1.0.0', await debianImage());
  dir = await temporaryDir();
  product = await startProduct(path.join(dir.path, 'data'), {
    ADMIN_PASSWORD: PASSWORD,
    TRIVY_DB_REPOSITORY: database,
  });
  ({ printed, complaints } = await walkThrough());
});

afterAll(async () => {
  await product?.stop();
  await upstream?.stop();
  await dir?.remove();
});

async function walkThrough() {
  const child = spawn('bash', ['-c', scriptOf(blocks)], {
    cwd: dir.path,
    env: {
      ...(await programsEnv([CURL, JQ])),
      URL: product.url,
      PASSWORD,
      REGISTRY: upstream.host,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  }
  const [code] = await once(child, 'close');
  const end = code === 0 ? '' : `ended with ${code} at the last of these:\n${said.stdout}`;
  return { printed: printedBy(said.stdout), complaints: `${said.stderr}${end}` };
}

describe('the guide to the API', () => {
  it('contains commands', () => expect(blocks.length).toBeGreaterThan(10));

  it('runs from its first block to its last without an error', () => {
    expect(complaints).toBe('');
    expect([...printed.keys()]).toEqual(blocks.map(({ line }) => line));
  });

  it.each(blocks.filter(({ prints }) => prints !== null))(
    'shows the output of the block at line $line',
    (block) => {
      expect(printed.get(block.line), complaints).toBe(block.prints);
    },
  );
});
