/**
 * docs/guide/operations.md with the unchanged docker-compose.yml: its commands for a backup and a
 * restore, as written.
 */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { openSql, startRegistry, type TestRegistry } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isAwaited } from '../support/awaited.ts';
import { ADMIN } from '../support/developer.ts';
import { blocksOf } from '../support/guide.ts';
import { expectKept, fill, fillUpstream, type Upstream } from '../support/kept.ts';
import { bodyOf, logIn, until } from '../support/product.ts';
import { type ComposedProduct, startComposed } from './containers/composed.ts';

const PAGE = readFileSync(path.join(import.meta.dirname, '../../docs/guide/operations.md'), 'utf8');

let registry: TestRegistry;
let upstream: Upstream;
let product: ComposedProduct;
let job: string;

beforeAll(async () => {
  registry = await startRegistry();
  upstream = await fillUpstream(registry);
  product = await startComposed(upstream.settings, registry);
  job = await fill(product, upstream);
});

afterAll(async () => {
  await product?.stop();
  await registry?.stop();
});

/** The code block of the page that contains this command. */
function asWritten(command: string): string {
  const [found, ...others] = blocksOf(PAGE).filter(({ commands }) => commands.includes(command));
  if (found === undefined || others.length > 0)
    throw new Error(`the page does not say once: ${command}`);
  return found.commands;
}

it('the migration is in the audit log, although its container has no Redis (O21)', async () => {
  const admin = await logIn(product, ...ADMIN);
  const found = () => bodyOf(admin('GET', '/api/system/audit?q=migrate'));
  await until(async () => (await found()).length > 0);
  expect(await found()).toContainEqual(expect.objectContaining({ event: 'system.migrate' }));
});

it('an account of the host that reaches the registry is refused', async () => {
  const request = 'wget -O /dev/null http://127.0.0.1:5000/v2/_catalog 2>&1 || true';
  const said = await product.shell(`docker compose exec -T registry sh -c '${request}'`);
  expect(said).toContain('401');
});

it('a backup is made while everything runs', async () => {
  await product.shell(asWritten('portcullis backup -'));
  const { mode } = statSync(path.join(product.site, 'portcullis.tar'));
  expect(mode & 0o777).toBe(0o600);
});

it('a restore into empty volumes that was killed half-way is completed by the documented command (O2)', async () => {
  await product.down();
  const restore = asWritten('portcullis restore -').split('\n');
  const again = restore.findIndex((line) => line.includes('portcullis restore -'));
  await product.shell(restore.slice(0, again).join('\n'));
  const database = await openSql(await product.databaseUrl());
  await database.query('CREATE TABLE in_the_way ()');
  await database.query('BEGIN; LOCK TABLE in_the_way IN ACCESS EXCLUSIVE MODE');
  const rest = restore.slice(again);
  // podman's socket has no exit code of a removed container: it reports 0.
  let said = '';
  const killed = product.shell(`${rest[0]} 2>&1 || true`).then((text) => {
    said = text;
  });
  // It has read everything, and waits for the database.
  await until(
    () => isAwaited(database, 'in_the_way'),
    () => said,
  );
  await product.killRun();
  await killed;
  await database.end();
  await product.shell(rest.join('\n'));
  await expectKept(product, upstream, job);
});
