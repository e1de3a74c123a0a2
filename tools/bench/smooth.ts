/**
 * `npm run bench smooth [-- rounds [slowdown [page...]]]`: the longest task of the browser's main
 * thread for each thing that a user does with a job of 10,000 findings and with lists of 10,000
 * rows, on a CPU that Chromium slows down four times. Prints a table for docs/benchmarks.md.
 */
import { loadavg } from 'node:os';
import { browsedProduct } from '../../tests/support/browsed-product.ts';
import { signedIn } from '../../tests/support/browser.ts';
import { ADMIN } from '../../tests/support/developer.ts';
import { seedFindings } from '../../tests/support/seeded-findings.ts';
import { seedJobs } from '../../tests/support/seeded-jobs.ts';
import { median } from './figures.ts';
import { useFindings } from './smooth/findings.ts';
import { LISTS, useList } from './smooth/lists.ts';
import { measuredPage } from './smooth/long-tasks.ts';
import { seedLists } from './smooth/seed.ts';

const rounds = Number(process.argv[2] ?? 5);
const slowdown = Number(process.argv[3] ?? 4);
const wanted = process.argv.slice(4);
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);
const ROWS = 10_000;
const PATIENCE_MS = 600_000;

const { product, browser, stop } = await browsedProduct({
  TRIVY_ENABLED: 'false',
  RATE_LIMIT_ENABLED: 'false',
});
try {
  const job = await seedFindings(product, { owner: ADMIN[0], count: ROWS });
  await seedJobs(product, { owner: ADMIN[0], count: ROWS });
  await seedLists(product, ROWS);
  const { page, close } = await signedIn(browser, product.url, ADMIN);
  page.setDefaultTimeout(PATIENCE_MS);
  const measured = await measuredPage(page, slowdown);
  for (let round = 0; round < rounds; round += 1) {
    if (isWanted('job')) await useFindings(measured, job);
    for (const list of LISTS) if (isWanted(list.name)) await useList(measured, list);
    process.stderr.write(`round ${round + 1} of ${rounds}, load ${loadavg()[0]?.toFixed(1)}\n`);
  }
  await close();
  process.stdout.write('| action | longest task | its time of the CPU |\n|---|---|---|\n');
  for (const [name, { taken, cpu }] of measured.results)
    process.stdout.write(`| ${name} | ${shown(taken)} | ${shown(cpu)} |\n`);
} finally {
  await stop();
}

/** The median and the lowest; the browser reports no tasks below 50 ms. */
function shown(all: number[]): string {
  const [middle, lowest] = [median(all), Math.min(...all)];
  return middle < 50 ? '< 50 ms' : `${Math.round(middle)} ms (${lowest})`;
}
