/**
 * The product with registries of other projects. `npm run interop` writes what is met to
 * docs/interoperability.md; otherwise that page has to say it already.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, openHarness } from '../worker/harness.ts';
import { CANDIDATES, NOT_TRIED } from './candidates.ts';
import { firstLine, type Measured, measure } from './measure.ts';
import { habitRow, pageOf, resultRow } from './page.ts';

const PAGE = path.join(import.meta.dirname, '../../docs/interoperability.md');
const writesPage = process.env.INTEROP_PAGE === 'write';
const measured: Measured[] = [];
const failed: { name: string; reason: string }[] = [];
let harness: Harness;

beforeAll(async () => {
  harness = await openHarness();
  await harness.startWorker({ EGRESS_ALLOW: '127.0.0.1' });
});

afterAll(async () => {
  await harness?.[Symbol.asyncDispose]();
  if (!writesPage) return;
  for (const each of measured) process.stdout.write(`${resultRow(each)}\n`);
  for (const { name, reason } of [...NOT_TRIED, ...failed])
    process.stdout.write(`not tried: ${name}: ${reason}\n`);
  // A run of some of them would leave out the rest.
  if (measured.length + failed.length < CANDIDATES.length) return;
  const today = new Date().toISOString().slice(0, 10);
  writeFileSync(PAGE, pageOf({ measured, failed }, today));
});

describe.each(CANDIDATES)('$name', (candidate) => {
  it('does what the page says', async () => {
    if (writesPage) return written(candidate);
    const met = await measure(candidate, harness);
    const page = readFileSync(PAGE, 'utf8').split('\n');
    expect(page).toContain(resultRow(met));
    expect(page).toContain(habitRow(met));
  });
});

/** A registry that can't be built or started is on the page, with the reason. */
async function written(candidate: (typeof CANDIDATES)[number]): Promise<void> {
  try {
    measured.push(await measure(candidate, harness));
  } catch (error) {
    failed.push({ name: candidate.name, reason: firstLine(error) });
  }
}
