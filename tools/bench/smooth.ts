/**
 * `npm run bench smooth [-- page... [rounds [slowdown]] [--trace folder]]`: the longest task of
 * the browser's main thread for each thing that a user does with a job of 10,000 findings and with
 * lists of 10,000 rows, on a CPU that Chromium slows down four times. Prints a table for
 * docs/benchmarks.md as each page ends. One page and one round take about two minutes. Chromium
 * slows down by waiting in the main thread, which is too long where other work delays it: on a busy
 * machine, measure the time of the CPU with a slowdown of 1.
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { browsedProduct } from '../../tests/support/browsed-product.ts';
import { signedIn } from '../../tests/support/browser.ts';
import { ADMIN } from '../../tests/support/developer.ts';
import { table } from './aims.ts';
import { median } from './figures.ts';
import { type LongestTasks, measuredPage } from './smooth/long-tasks.ts';
import { chosenPages } from './smooth/pages.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { trace: { type: 'string' } },
});
const isNumber = (text: string) => /^\d+$/.test(text);
const pages = chosenPages(positionals.filter((each) => !isNumber(each)));
const [rounds = 3, slowdown = 4] = positionals.filter(isNumber).map(Number);
const ROWS = 10_000;
const PATIENCE_MS = 120_000;

const { product, browser, stop } = await browsedProduct({
  TRIVY_ENABLED: 'false',
  RATE_LIMIT_ENABLED: 'false',
});
try {
  for (const { name, prepare } of pages) {
    const use = await prepare(product, ROWS);
    const { page, close } = await signedIn(browser, product.url, ADMIN);
    page.setDefaultTimeout(PATIENCE_MS);
    const measured = await measuredPage(page, slowdown, values.trace);
    for (let round = 1; round <= rounds; round += 1) {
      await use(measured);
      const load = loadavg()[0]?.toFixed(1);
      process.stderr.write(`${name}: round ${round} of ${rounds}, load ${load}\n`);
    }
    await close();
    process.stdout.write(`${resultTable(measured.results)}\n`);
  }
} finally {
  await stop();
}

function resultTable(results: ReadonlyMap<string, LongestTasks>): string {
  const rows = [...results].map(([name, { taken, cpu }]) => [name, longest(taken), figures(cpu)]);
  return table(['action', 'longest task', 'its time of the CPU'], rows);
}

/** The browser reports no tasks below 50 ms. */
function longest(all: number[]): string {
  return median(all) < 50 ? '< 50 ms' : figures(all);
}

/** The median and the lowest. */
function figures(all: number[]): string {
  return `${Math.round(median(all))} ms (${Math.min(...all)})`;
}
