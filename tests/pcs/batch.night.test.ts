/** A transfer of fifty images of which five are blocked, as a nightly pipeline runs it. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { junitFaults } from '../api/report-schemas/junit-faults.ts';
import { schemaFaults } from '../api/report-schemas/validate.ts';
import { openPipelineSite, type PipelineSite, provideImages } from './site.ts';

const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `acme/${name}-${n}:1.0`);
const CLEAN = numbered('clean', 45);
const FLAWED = numbered('flawed', 5);

let site: PipelineSite;
let file: string;

beforeAll(async () => {
  site = await openPipelineSite();
  await provideImages(site, { clean: CLEAN, flawed: FLAWED });
  file = path.join(site.dir, 'images.txt');
  await writeFile(file, [...CLEAN, ...FLAWED].join('\n'));
});

afterAll(() => site?.[Symbol.asyncDispose]());

const order = (...more: string[]) => ['transfer', '-f', file, '--to', 'team', ...more];

it('the plan lists every image, and nothing is refused', async () => {
  const { code, out } = await site.pcs(order('--plan'));
  expect(code).toBe(0);
  expect(out).toMatch(/^50 images: 50 to copy; .* to move; 50 not scanned yet$/m);
});

describe('the transfer', () => {
  let ran: Awaited<ReturnType<PipelineSite['pcs']>>;
  beforeAll(async () => {
    ran = await site.pcs(order('--wait', '--idfile', path.join(site.dir, 'transfer.id')));
  });

  it('ends with 3, and lists the five with the reasons', () => {
    expect(ran.code, ran.err).toBe(3);
    expect(ran.out).toMatch(/partly failed, 45 pushed, 5 blocked$/m);
    for (const name of FLAWED) expect(ran.out).toContain(`/${name}@sha256:`);
    expect(ran.out.match(/1 critical; .*\(VULN_BLOCKED\)/g)).toHaveLength(5);
  });

  it('is known to the next plan, which lists the five with the reasons', async () => {
    const { code, out } = await site.pcs(order('--plan'));
    expect(code).toBe(0);
    expect(out).toMatch(/^50 images: 5 to copy, 45 present; .* to move; 5 would be blocked$/m);
    expect(out.match(/would be blocked: 1 critical; policy ".*\(VULN_BLOCKED\)$/gm)).toHaveLength(
      5,
    );
  });

  it('has valid JUnit with five failures, and valid SARIF', async () => {
    const id = await readFile(path.join(site.dir, 'transfer.id'), 'utf8');
    const junit = (await site.pcs(['report', id, '--format', 'junit'])).out;
    expect(await junitFaults(junit)).toEqual([]);
    expect(junit.match(/<testcase /g)).toHaveLength(50);
    expect(junit.match(/<failure /g)).toHaveLength(5);
    const sarif = JSON.parse((await site.pcs(['report', id, '--format', 'sarif'])).out);
    expect(schemaFaults('sarif', sarif)).toEqual([]);
  });

  it('has put the others into the folder', async () => {
    expect((await site.pcs(['gate', 'team/acme/clean-44:1.0'])).code).toBe(0);
    expect((await site.pcs(['gate', 'team/acme/flawed-0:1.0'])).code).toBe(1);
  });
});
