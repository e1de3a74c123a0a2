/** The demonstration as a newcomer runs it: its story, each link, its accounts, and its end. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fetchManifest, openBrowser, type TemporaryDir, temporaryDir } from '@portcullis/testing';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signedIn } from '../support/browser.ts';
import {
  type DemoRun,
  demoCache,
  linksIn,
  loginIn,
  originIn,
  runDemoCommand,
  startDemo,
} from '../support/demo-run.ts';
import { openWhole } from '../support/example-product.ts';
import { logIn, processesOf, until } from '../support/product.ts';

let dir: TemporaryDir;
let cache: string;
let browser: Browser;
let demo: DemoRun;
let told: string;

beforeAll(async () => {
  dir = await temporaryDir();
  cache = await demoCache(dir.path);
  browser = await openBrowser();
  demo = await startDemo(cache);
  told = demo.output();
}, 20 * 60_000);
afterAll(async () => {
  await demo?.stop();
  await browser?.close();
  await dir?.remove();
});

it.each([
  ['says that all of it is made up', /SAMPLE DATA/],
  ['scans three distributions', /samples\/(?:web|proxy|tools):1\.0 [\s\S]*Ubuntu 24\.04/],
  ['finds nothing in what is repaired', /✓ samples\/billing:1\.1 clean/],
  ['finds a flaw of Go', /✗ samples\/agent:1\.0 BLOCKED, 1 high/],
  ['finds a flaw of Python', /✓ samples\/reports:1\.0 passes, 1 medium/],
  [
    'blocks an image with the reason',
    /✗ VULN_BLOCKED: .*CVE-2099-1007 in org\.example:ledger 2\.0\.0, fixed in 2\.1\.0/,
  ],
  ['says that it is exploited', /CVE-2099-1007 is known to be exploited \(KEV\).*97 %/],
  ['lets no account approve its own request', /✗ dana approves it: WAIVER_FORBIDDEN/],
  ['lets another account approve it', /✓ rita approves it ✓ shop\/queue:1\.0 is in the built-in/],
  ['pulls back what was pushed', /✓ shop\/web:1\.0 has the digest of the source/],
  ['refuses a pull at the gate', /✗ 403 DENIED: blocked by policy .*CVE-2099-1001/],
  ['transfers what passes', /✓ 9 of 13 are in the folder shop ✓ .* ✗ 4 are blocked/],
  ['copies a signature with its image', /✓ shop\/signed has its signature, sha256:/],
])('the story %s', (_, text) => {
  // Long lines are wrapped.
  expect(told.replace(/\s+/g, ' ')).toMatch(text);
});

it('each link leads to a page that says that it shows sample data', async () => {
  const links = linksIn(told);
  expect(links.length).toBeGreaterThanOrEqual(8);
  const { page, faults, close } = await signedIn(
    browser,
    originIn(told),
    loginIn(told, 'administrator'),
  );
  for (const link of links) {
    await openWhole(page, link);
    await page.getByText('Images, vulnerabilities and accounts are made up.').waitFor();
    expect(await page.getByText('Page not found').count(), link).toBe(0);
  }
  expect(faults).toEqual([]);
  await close();
});

it('the vulnerability database is marked where its date is', async () => {
  const url = originIn(told);
  const { page, close } = await signedIn(browser, url, loginIn(told, 'administrator'));
  await page.goto('/dashboard');
  await page.getByText(/^Sample data · Updated · Trivy /).waitFor();
  await page.goto(linksIn(told).find((link) => link.includes('/staging/')) ?? '');
  await page.getByText(/, \d\d:\d\d \(Sample data\)$/).waitFor();
  await page.goto('/system');
  await page.getByText(/\/sample-data\/trivy-db:2$/).waitFor();
  await close();
});

it('the printed accounts sign in, and the robot pulls', async () => {
  const url = originIn(told);
  for (const role of ['administrator', 'developer', 'reviewer'])
    await logIn({ url }, ...loginIn(told, role));
  const [username, password] = loginIn(told, 'robot');
  const credentials = { username, password };
  const pulled = await fetchManifest(url, 'shop/web', '1.0', { credentials });
  expect(pulled.status).toBe(200);
});

it('a second one is refused while it runs', async () => {
  const second = runDemoCommand(cache, ['--remove']);
  expect(await second.ended).toBe(1);
  expect(second.output()).toContain('running already');
});

it('Ctrl-C ends everything, and the next run goes on with the same accounts', async () => {
  await demo.stop();
  expect(demo.output()).toMatch(/stopped\s*$/);
  expect(await processesOf(cache)).toEqual([]);
  demo = await startDemo(cache);
  expect(demo.output()).toContain('with the data of the last run');
  expect(loginIn(demo.output(), 'robot')).toEqual(loginIn(told, 'robot'));
});

it('a kill leaves no process, and --remove no file', async () => {
  const url = originIn(demo.output());
  const main = (await processesOf(cache)).find((line) => line.includes('tools/demo/main.ts'));
  process.kill(Number.parseInt(main ?? '', 10), 'SIGKILL');
  await demo.ended;
  await until(async () => (await processesOf(cache)).length === 0);
  await expect(fetch(url)).rejects.toThrow();
  const removal = runDemoCommand(cache, ['--remove']);
  expect(await removal.ended, removal.output()).toBe(0);
  expect(existsSync(path.join(cache, 'demo'))).toBe(false);
});
