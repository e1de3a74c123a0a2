/**
 * The whole way of an image at the gate: blocked, reviewed, pushed, pulled from an enforcing folder
 * by podman, refused when its waiver has ended, and served again after the vulnerability database
 * cleared it.
 */
import { publishChange } from '@portcullis/events';
import { openRedis } from '@portcullis/runtime';
import {
  type ContainerTools,
  containerTools,
  debianImage,
  openSql,
  pushImage,
  serveVulnerabilityDb,
  startRegistry,
  type TestRegistry,
} from '@portcullis/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../support/browsed-product.ts';
import { type Account, signedIn } from '../support/browser.ts';
import { ADMIN, addDeveloper, DEVELOPER } from '../support/developer.ts';
import { bodyOf, type Call, embeddedUrls, logIn } from '../support/product.ts';

/** Blocks by the database of today; that of the day before does not know it. */
const FINDING = 'CVE-2099-0011';
const SUDO = { name: 'sudo', version: '1.9.13p3-1' };
const DAY_MS = 86_400_000;

let upstream: TestRegistry;
let browsed: BrowsedProduct;
let browser: Browser;
let tools: ContainerTools;
let admin: Call;
let url: string;

beforeAll(async () => {
  upstream = await startRegistry();
  const database = await serveVulnerabilityDb(upstream.url);
  await pushImage(upstream.url, 'acme/sudo', '1', await debianImage({ packages: [SUDO] }));
  const repaired = await debianImage({ packages: [{ ...SUDO, version: '1.9.13p3-2' }] });
  await pushImage(upstream.url, 'acme/sudo', '2', repaired);
  tools = await containerTools();
  browsed = await browsedProduct({
    TRIVY_DB_REPOSITORY: database,
    EGRESS_ALLOW: upstream.host,
    PULL_GATE_WAIT_SECONDS: '50',
  });
  ({ browser } = browsed);
  ({ url } = browsed.product);
  await addDeveloper(browsed.product, ...DEVELOPER);
  admin = await logIn(browsed.product, ...ADMIN);
});

afterAll(async () => {
  await tools?.[Symbol.asyncDispose]();
  await browsed?.stop();
  await upstream?.stop();
});

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

function pull(): Promise<string> {
  const credentials = ['--tls-verify=false', '--creds', DEVELOPER.join(':')];
  return tools.podman('pull', ...credentials, `${new URL(url).host}/team/sudo:1`);
}

async function endWaiver(): Promise<void> {
  const { redis } = await embeddedUrls(browsed.product.dataDir);
  const sql = await openSql(await browsed.product.databaseUrl());
  const connection = openRedis(redis, { mode: 'patient' });
  await sql.query('UPDATE waivers SET expires_at = now() WHERE vulnerability = $1', [FINDING]);
  await publishChange(connection, 'gate');
  connection.disconnect();
  await sql.end();
}

/** What an account does in a separate browser. */
async function as(account: Account, act: (page: Page) => Promise<void>): Promise<void> {
  const { page, close } = await signedIn(browser, url, account);
  try {
    await act(page);
  } finally {
    await close();
  }
}

async function changeTeam(change: object): Promise<void> {
  const body = await bodyOf(admin('GET', '/api/folders'));
  const team = body.find(({ name }: { name: string }) => name === 'team');
  expect((await admin('PATCH', `/api/folders/${team.id}`, change)).status).toBe(200);
}

it('an image is blocked, reviewed, pushed, pulled, refused, and served again once it is clean', async () => {
  let job = '';
  // The developer is blocked, and requests a review until tomorrow.
  await as(DEVELOPER, async (page) => {
    await page.goto('/staging/new');
    await page.getByRole('combobox', { name: 'Image' }).fill(`${upstream.host}/acme/sudo:1`);
    await page.getByRole('button', { name: 'Pull and scan' }).click();
    await page.getByRole('heading', { name: 'Blocked by policy' }).waitFor();
    job = new URL(page.url()).pathname;
    await page.getByText('1.9.13p3-2').first().waitFor();
    // One click tries the newest tag; then the page names it as one that passes.
    await page.getByText('No other tag of this image was judged yet.').waitFor();
    await page.getByRole('button', { name: 'Try the newest tag' }).click();
    await page.getByRole('heading', { name: 'acme/sudo:2' }).waitFor();
    await page.getByRole('heading', { name: 'Clean', exact: true }).waitFor();
    await page.goto(job);
    const instead = page.getByRole('region', { name: 'Use this instead' });
    await instead.getByRole('listitem').filter({ hasText: 'acme/sudo:2 passes' }).waitFor();
    await page.getByRole('button', { name: 'Request a review' }).click();
    const form = dialog(page, 'Request a review');
    await form.getByLabel('Why is it needed?').fill('Nobody logs in there.');
    const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
    await form.getByLabel('Accept until').fill(tomorrow);
    await form.getByLabel('Push the image automatically').uncheck();
    await form.getByRole('button', { name: 'Request a review' }).click();
    await page.getByRole('link', { name: '#1 for team' }).waitFor();
  });
  // The reviewer sees what is asked for, and approves it by one key.
  await as(ADMIN, async (page) => {
    await page.goto('/staging');
    await page.getByRole('link', { name: /Reviews.*1 waiting for your review/ }).click();
    await page.getByRole('heading', { name: 'acme/sudo:1 #1' }).waitFor();
    await page.getByRole('checkbox', { name: `Accept ${FINDING}` }).waitFor();
    await page.keyboard.press('a');
    await page.getByRole('heading', { name: 'Nothing waits for your decision' }).waitFor();
    const state = async () => (await bodyOf(admin('GET', '/api/reviews/1'))).state;
    await expect.poll(state).toBe('approved');
  });
  // The developer is allowed, and pushes it.
  await as(DEVELOPER, async (page) => {
    await page.goto(job);
    await page.getByRole('heading', { name: /^Allowed until .*team/ }).waitFor();
    await page.getByRole('button', { name: 'Push…' }).first().click();
    await dialog(page, 'Push image').getByRole('button', { name: 'Push', exact: true }).click();
    await page.getByText(/Allowed by admin until .*: CVE-/).waitFor();
    await page.getByRole('link', { name: 'Open the image, with its pull commands' }).click();
    await dialog(page, 'team/sudo:1').getByText('podman pull').waitFor();
  });
  // Podman pulls it from the folder, which enforces its policy.
  await changeTeam({ pull_gate: 'enforce' });
  expect(await pull()).toMatch(/^[0-9a-f]{64}\n/m);
  // Podman is refused with the reason once the waiver has ended: the api learns it by an event.
  await endWaiver();
  const outcome = () => pull().then(() => 'served', String);
  const reason = `1 critical (${FINDING} in sudo 1.9.13p3-1`;
  await expect.poll(outcome, { interval: 500 }).toContain(reason);
  await as(DEVELOPER, async (page) => {
    // An image without a report is scanned by a click.
    await changeTeam({ push_gate: 'off' });
    const [username, password] = DEVELOPER;
    const image = await debianImage({ packages: [SUDO, { name: 'tzdata', version: '2024a-0' }] });
    await pushImage(url, 'team/fresh', '1', image, { credentials: { username, password } });
    await page.goto('/images/__local__/team/fresh');
    await page.getByRole('button', { name: 'Scan', exact: true }).click();
    await page.getByRole('row', { name: new RegExp(`1 .*Blocked.*${FINDING} in sudo`) }).waitFor();
    await page.getByRole('button', { name: 'Actions for 1' }).click();
    await page.getByRole('menuitem', { name: 'Scan again' }).click();
    await page.getByText('1 scan requested.').first().waitFor();
    // The developer reads at the image why its pulls are refused.
    await page.goto('/images/__local__/team/sudo?tag=1');
    const drawer = dialog(page, 'team/sudo:1');
    await drawer.getByText('Your pulls are refused.').waitFor();
    await drawer.getByText(/Default policy, version /).waitFor();
    await drawer.getByText(`${FINDING} in sudo 1.9.13p3-1, by rule 1`).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('row', { name: new RegExp(`1 .*Blocked.*${FINDING} in sudo`) }).waitFor();
    // The overview shows how many images are newly blocked.
    await page.goto('/dashboard');
    await page
      .getByText(/2 images were newly blocked/)
      .first()
      .waitFor();
  });
  // An update of the database clears it, and podman pulls it again.
  const UpdatedAt = new Date(Date.now() + 60_000).toISOString();
  await serveVulnerabilityDb(upstream.url, { isEarlier: true, metadata: { UpdatedAt } });
  expect((await admin('POST', '/api/trivy/db/update')).status).toBe(202);
  const pulled = () => pull().then(Boolean, () => false);
  await expect.poll(pulled, { interval: 2_000 }).toBe(true);
  await as(DEVELOPER, async (page) => {
    await page.goto('/images/__local__/team/sudo?tag=1');
    await page.getByText('Clean').first().waitFor();
  });
});
