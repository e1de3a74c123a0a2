/** What tracing.int and tracing.night start, and how they look at it. */
import { randomUUID } from 'node:crypto';
import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  debianImage,
  pushImage,
  serveVulnerabilityDb,
  startRegistry,
  type TestRegistry,
  testTrivy,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { type ApiEnvironment, openApiEnvironment } from '../../apps/api/src/api-process.fixture.ts';
import { bodyOf } from '../support/product.ts';
import { provideTrivy, startWorkerProcess } from './harness.ts';
import { type FaultyRegistry, startProxy } from './proxy.ts';

export const CALLER_TRACE = '0af7651916cd43dd8448eb211c80319c';

export const CALLER_SPAN = 'b7ad6b7169203331';

export let environment: ApiEnvironment;

export let upstream: TestRegistry;

export let source: FaultyRegistry;

let database: string;

/** What each run of Trivy had in its environment as TRACEPARENT. */
export let seenByTrivy: string;

export async function worker(env: Record<string, string> = {}) {
  const started = await startWorkerProcess({
    ...environment.env,
    ...{ TRIVY_DB_REPOSITORY: database, TRIVY_RESCAN_ENABLED: 'false' },
    ...{ EPSS_URL: 'off', KEV_URL: 'off', SWEEP_SECONDS: '1', WORKER_GRACE_SECONDS: '0' },
    ...env,
  });
  onTestFinished(() => started.kill('SIGKILL'));
  return started;
}

export async function account(url: string) {
  const headers = await environment.session(`ada-${randomUUID()}`, {
    isAdmin: true,
  });
  const call = async (method: string, to: string, body?: object, more = {}) => {
    const answer = await fetch(`${url}/api${to}`, {
      method,
      headers: { ...headers, ...more },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: await answer.json() };
  };
  return { call, authorization: headers.authorization ?? '' };
}

export async function pull(call: Awaited<ReturnType<typeof account>>['call'], headers = {}) {
  const order = {
    ...{ image: 'acme/tool', tag: '1' },
    ...{ source_registry_host: source.host, source_registry_use_tls: false },
    source_registry_username: upstream.credentials?.username,
    source_registry_password: upstream.credentials?.password,
  };
  const asked = await call('POST', '/staging/pull', order, headers);
  expect(asked).toMatchObject({ status: 202 });
  const id: string = asked.body.job_id;
  const read = () => bodyOf(call('GET', `/staging/jobs/${id}`));
  await expect.poll(async () => (await read()).status).toBe('staged');
  return read();
}

export const stagesIn = (lines: string[]) =>
  lines.filter((line) => line.includes('a stage ended')).map((line) => JSON.parse(line));

export function startTraced(): void {
  beforeAll(async () => {
    [environment, upstream] = await Promise.all([
      openApiEnvironment(),
      startRegistry({ auth: 'basic' }),
    ]);
    database = await serveVulnerabilityDb(environment.registry.url);
    source = await startProxy(upstream.url);
    await pushImage(upstream.url, 'acme/tool', '1', await debianImage(), upstream);
    const dir = environment.env.DATA_DIR ?? '';
    seenByTrivy = path.join(dir, 'seen-by-trivy');
    const program = path.join(dir, 'recording-trivy');
    await writeFile(
      program,
      `#!/bin/sh\n[ "$1" = resident ] && exit 1\necho "[$TRACEPARENT]" >> '${seenByTrivy}'\nexec '${await testTrivy()}' "$@"\n`,
    );
    await chmod(program, 0o755);
    await provideTrivy({ dataDir: dir }, '0', program);
  });
  afterAll(async () => {
    await source?.[Symbol.asyncDispose]();
    await upstream?.stop();
    await environment?.[Symbol.asyncDispose]();
  });
}
