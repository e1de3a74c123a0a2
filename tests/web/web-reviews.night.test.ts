/** Review requests in a browser: a reviewer decides by keys, on one screen. */
import { debianImage, pushImage, randomFiles } from '@portcullis/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type SuppliedProduct, suppliedProduct } from '../support/browsed-product.ts';
import { NO_FAULTS, signedIn, visitedBy } from '../support/browser.ts';
import { ADMIN, DEVELOPER } from '../support/developer.ts';
import { bodyOf, type Call, logIn, settled } from '../support/product.ts';

const DAY_MS = 86_400_000;
const REQUESTS = 12;
/** Keys and clicks of a reviewer who decides about all of them. */
const MOST_ACTS = 30;

let browsed: SuppliedProduct;
let browser: Browser;
let url: string;
let admin: Call;

beforeAll(async () => {
  browsed = await suppliedProduct();
  ({ browser, url } = browsed);
  admin = await logIn(browsed.product, ...ADMIN);
  const developer = await logIn(browsed.product, ...DEVELOPER);
  for (let number = 1; number <= REQUESTS; number++) await requested(developer, number);
});
afterAll(() => browsed?.stop());

async function requested(developer: Call, number: number): Promise<string> {
  const job_id = await staged(developer, `acme/old-${number}`);
  const request = {
    ...{ job_id, folder: 'team', target_image: `old-${number}`, target_tag: '1.0' },
    reason: 'The release needs it.',
    ticket: `SHOP-${4700 + number}`,
    until: new Date(Date.now() + 30 * DAY_MS).toISOString(),
  };
  const { status, body } = await developer('POST', '/api/reviews', request);
  expect(status, JSON.stringify(body)).toBe(201);
  return job_id;
}

/** A blocked image that no other request is about. */
async function staged(call: Call, image: string, destination?: object): Promise<string> {
  const { upstream } = browsed;
  const more = [randomFiles(1_000, 'own.bin')];
  await pushImage(upstream.url, image, '1.0', await debianImage({ more }));
  const source = { image, tag: '1.0', source_registry_host: upstream.host, destination };
  const { job_id } = await bodyOf(call('POST', '/api/staging/pull', source));
  await settled(call, job_id);
  return job_id;
}

/** A job of the developer for a folder whose policy asks for an age, and for nothing else. */
async function tooYoung(): Promise<string> {
  const terms = { name: 'patient', rules: [], min_age_hours: 72 };
  const { id: policy_id } = await bodyOf(admin('POST', '/api/policies', terms));
  const { id } = await bodyOf(admin('POST', '/api/folders', { name: 'slow', policy_id }));
  await allow(id, { can_pull: true, can_push: true });
  const developer = await logIn(browsed.product, ...DEVELOPER);
  const place = { folder: 'slow', target_image: 'fresh', target_tag: '1.0' };
  return staged(developer, 'acme/fresh', place);
}

async function allow(folder: string, rights: object): Promise<void> {
  const groups: { id: string; name: string }[] = await bodyOf(admin('GET', '/api/groups'));
  const group_id = groups.find(({ name }) => name === 'developers')?.id;
  await bodyOf(admin('PUT', `/api/folders/${folder}/permissions`, { group_id, ...rights }));
}

/** By a client of the mirror. */
const pulled = (name: string, account = DEVELOPER as readonly string[]) =>
  fetch(`${url}/v2/hub/acme/${name}/manifests/1.0`, {
    headers: { authorization: `Basic ${Buffer.from(account.join(':')).toString('base64')}` },
  });

let hub: Promise<void> | undefined;

async function openHub(): Promise<void> {
  const registry = { name: 'upstream', owner: 'global', use_tls: false };
  const { host } = browsed.upstream;
  const { id: registry_id } = await bodyOf(admin('POST', '/api/registries', { ...registry, host }));
  const folder = { name: 'hub', mirror: { registry_id } };
  const { id } = await bodyOf(admin('POST', '/api/folders', folder));
  await allow(id, { can_pull: true, can_pull_external: true });
}

/** The job by which an account brought in what the policy blocks. */
async function refusedByMirror(name: string, account?: readonly string[]): Promise<string> {
  hub ??= openHub();
  await hub;
  const image = await debianImage({ more: [randomFiles(1_000, `${name}.bin`)] });
  await pushImage(browsed.upstream.url, `acme/${name}`, '1.0', image);
  await expect.poll(async () => (await pulled(name, account)).status).toBe(403);
  const asked = `/api/folders/hub/mirror/tags?q=${name}`;
  const { items } = await bodyOf(admin('GET', asked));
  await settled(admin, items[0].job_id);
  return items[0].job_id;
}

const states = async (): Promise<Record<string, number>> => {
  const all: { state: string }[] = await bodyOf(admin('GET', '/api/reviews?limit=50'));
  const counts: Record<string, number> = {};
  for (const { state } of all) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
};

/** The number of the request whose facts are shown. */
async function shown(page: Page): Promise<number> {
  const title = await page.getByRole('article').getByRole('heading', { level: 2 }).textContent();
  return Number(/#(\d+)$/.exec(title ?? '')?.[1]);
}

describe('a reviewer', () => {
  const it = visitedBy(() => signedIn(browser, url, ADMIN), NO_FAULTS);

  it('decides nothing by a key before the request is shown', async ({ page }) => {
    const held: (() => Promise<void>)[] = [];
    let isHeld = true;
    await page.route(`**/api/reviews/${REQUESTS - 1}`, async (route) => {
      if (isHeld) held.push(() => route.continue());
      else await route.continue();
    });
    await page.goto('/reviews');
    await expect.poll(() => shown(page)).toBe(REQUESTS);
    await expect.poll(() => held.length).toBeGreaterThan(0);
    await page.keyboard.press('j');
    await page.locator('article [aria-busy]').waitFor();
    for (const key of ['a', 'r']) await page.keyboard.press(key);
    const said = page.getByText(`Request #${REQUESTS - 1} was not shown yet`);
    await expect.poll(() => said.count()).toBe(2);
    isHeld = false;
    for (const release of held) await release();
    await expect.poll(() => shown(page)).toBe(REQUESTS - 1);
    expect(await states()).toEqual({ open: REQUESTS });
  });

  it(`decides about ${REQUESTS} requests in ${MOST_ACTS} acts at most`, async ({ page }) => {
    let acts = 0;
    const press = async (key: string) => {
      acts++;
      await page.keyboard.press(key);
    };
    await page.goto('/reviews');
    await expect
      .poll(() =>
        page.getByRole('navigation', { name: 'Review requests' }).getByRole('listitem').count(),
      )
      .toBe(REQUESTS);
    // Keys move through the queue, and back.
    await expect.poll(() => shown(page)).toBe(REQUESTS);
    await press('j');
    await expect.poll(() => shown(page)).toBe(REQUESTS - 1);
    await press('k');
    await expect.poll(() => shown(page)).toBe(REQUESTS);
    // One is rejected, with a comment.
    await page.getByRole('button', { name: 'Reject' }).waitFor();
    await press('c');
    await page.keyboard.type('Take 1.1, which is fixed.');
    acts++;
    await press('Escape');
    await press('r');
    for (let number = REQUESTS - 1; number > 0; number--) {
      await expect.poll(() => shown(page)).toBe(number);
      await page.getByRole('button', { name: 'Approve 2 vulnerabilities' }).waitFor();
      await press('a');
    }
    await page.getByRole('heading', { name: 'Nothing waits for your decision' }).waitFor();
    expect(acts).toBeLessThanOrEqual(MOST_ACTS);
    await expect.poll(states).toEqual({ approved: REQUESTS - 1, rejected: 1 });
  });

  it('reads what was decided, and what remains to be said', async ({ page }) => {
    await page.goto(`/reviews?show=all&open=${REQUESTS}`);
    await page.getByText(/Rejected by admin, .*Take 1\.1, which is fixed\./).waitFor();
    await page.getByRole('textbox', { name: 'Comment' }).fill('It is in the registry already.');
    await page.getByRole('button', { name: 'Comment' }).click();
    await page.getByText('It is in the registry already.').first().waitFor();
  });

  it('approves a part of one until a sooner day, and begins the next at its head', async ({
    page,
  }) => {
    const developer = await logIn(browsed.product, ...DEVELOPER);
    const [next, first] = [REQUESTS + 1, REQUESTS + 2];
    for (const number of [next, first]) await requested(developer, number);
    await page.setViewportSize({ width: 1280, height: 420 });
    await page.goto('/reviews');
    await expect.poll(() => shown(page)).toBe(first);
    const until = new Date(Date.now() + 14 * DAY_MS).toISOString().slice(0, 10);
    await page.getByLabel('Accepted until').fill(until);
    await page.getByRole('checkbox').first().click();
    await page.getByText('1 is left out: the image stays blocked by it.').waitFor();
    // A box that was ticked takes no letters.
    await page.keyboard.press('a');
    await expect.poll(() => shown(page)).toBe(next);
    await expect
      .poll(async () => (await page.getByRole('article').boundingBox())?.y ?? -1)
      .toBeGreaterThanOrEqual(0);
    await page.getByText(`#${first} is being approved in part`).waitFor();
    const decided = () => bodyOf(admin('GET', `/api/reviews/${first}`));
    await expect.poll(async () => (await decided()).state).toBe('partly_approved');
    const { until: end, approved_total } = await decided();
    expect(approved_total).toBe(1);
    expect(Math.abs(Date.parse(end) - Date.parse(until))).toBeLessThan(2 * DAY_MS);
  });

  it('reads a request on a phone, whose page it is', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 780 });
    await page.goto('/reviews?show=all&open=1');
    await page.getByRole('heading', { level: 1, name: 'acme/old-1:1.0 #1' }).waitFor();
  });

  it('finds what it decided', async ({ page }) => {
    await page.goto('/reviews?show=decided');
    const listed = page.getByRole('navigation', { name: 'Review requests' }).getByRole('listitem');
    await expect.poll(() => listed.count()).toBe(REQUESTS + 1);
  });

  it('finds a request by its ticket, and clears the search', async ({ page }) => {
    await page.goto('/reviews?show=all&q=shop-4707');
    await expect.poll(() => shown(page)).toBe(7);
    await page.goto('/reviews?show=all&q=nothing-like-it');
    await page.getByRole('heading', { name: 'No request matches' }).waitFor();
  });
});

describe('the developer', () => {
  const it = visitedBy(() => signedIn(browser, url, DEVELOPER), NO_FAULTS);

  it('reads the own requests, and cannot decide about them', async ({ page }) => {
    await page.goto('/reviews');
    await expect.poll(() => shown(page)).toBe(REQUESTS + 2);
    await expect.poll(() => page.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
  });

  it('sees the decision on the page that is open, and the same at the image that it pushed', async ({
    page,
  }) => {
    const developer = await logIn(browsed.product, ...DEVELOPER);
    const number = REQUESTS + 3;
    const job = await requested(developer, number);
    await page.goto(`/staging/${job}`);
    await page.getByRole('heading', { name: 'Blocked by policy' }).waitFor();
    await bodyOf(admin('POST', `/api/reviews/${number}/decision`, { decision: 'approve' }));
    await page.getByRole('heading', { name: /^Allowed until .* for team$/ }).waitFor();
    const target = { folder: 'team', target_image: `old-${number}`, target_tag: '1.0' };
    await bodyOf(developer('POST', '/api/staging/push', { job_id: job, ...target }));
    await settled(developer, job);
    const folders: { id: string; name: string }[] = await bodyOf(admin('GET', '/api/folders'));
    const team = folders.find(({ name }) => name === 'team');
    await bodyOf(admin('PATCH', `/api/folders/${team?.id}`, { pull_gate: 'enforce' }));
    await page.goto(`/images/__local__/team/old-${number}?tag=1.0`);
    await page.getByText('It passes by waivers').waitFor();
    await expect.poll(() => page.getByText('Blocked since').count()).toBe(0);
  });

  it('asks about an image that is too young, and the reviewer reads until when it waits', async ({
    page,
  }) => {
    const job = await tooYoung();
    await page.goto(`/staging/${job}`);
    await page.getByRole('heading', { name: /^Waits until/ }).waitFor();
    await page.getByRole('button', { name: 'Request a review' }).click();
    const dialog = page.getByRole('dialog', { name: 'Request a review' });
    await dialog.getByLabel('Why is it needed?').fill('It fixes what is exploited.');
    await dialog.getByRole('checkbox', { name: /^Push the image/ }).uncheck();
    await dialog.getByRole('button', { name: 'Request a review' }).click();
    await page.getByText('was sent to the reviewers.').waitFor();
    const [{ number }] = await bodyOf(admin('GET', '/api/reviews?state=open&limit=1'));
    const visitor = await signedIn(browser, url, ADMIN);
    const reviewer = visitor.page;
    await reviewer.goto(`/reviews?open=${number}`);
    const asked = reviewer.getByRole('article');
    await asked.getByText('Too young').waitFor();
    await asked.getByText(/First seen here on .* passes by itself then/).waitFor();
    await reviewer
      .getByRole('navigation', { name: 'Review requests' })
      .getByText('Waits until')
      .waitFor();
    await asked.getByRole('checkbox', { name: 'Accept its age' }).waitFor();
    await asked.getByRole('button', { name: 'Approve the age' }).click();
    await page.getByRole('heading', { name: /^Allowed until .* for slow$/ }).waitFor();
    await visitor.close();
  });

  it('asks about what a mirror refused, by the right to bring in alone', async ({ page }) => {
    const job = await refusedByMirror('mirrored');
    await page.goto(`/staging/${job}`);
    await page.getByRole('button', { name: 'Request a review' }).click();
    const dialog = page.getByRole('dialog', { name: 'Request a review' });
    await dialog.getByText('Nothing is pushed to a mirror').waitFor();
    await expect.poll(() => dialog.getByLabel('Folder').inputValue()).toBe('hub');
    await expect.poll(() => dialog.getByLabel('Push the image').count()).toBe(0);
    await dialog.getByLabel('Why is it needed?').fill('The release needs it.');
    await dialog.getByRole('button', { name: 'Request a review' }).click();
    await page.getByText('was sent to the reviewers.').waitFor();
    const [{ number, destination }] = await bodyOf(admin('GET', '/api/reviews?state=open&limit=1'));
    expect(destination).toMatchObject({ folder: 'hub', repository: 'hub/acme/mirrored' });
    await bodyOf(admin('POST', `/api/reviews/${number}/decision`, { decision: 'approve' }));
    await page.getByText('The next pull brings it into the mirror.').waitFor();
    await expect.poll(async () => (await pulled('mirrored')).status).toBe(200);
  });

  it('asks about what another account pulled first, at its row', async ({ page }) => {
    await refusedByMirror('joined', ADMIN);
    expect((await pulled('joined')).status).toBe(403);
    await page.goto('/folders/hub/mirror');
    const row = page.getByRole('row').filter({ hasText: 'acme/joined' });
    await row.getByRole('button', { name: 'Request a review…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Request a review' });
    await dialog.getByLabel('Why is it needed?').fill('The release needs it.');
    await dialog.getByRole('button', { name: 'Request a review' }).click();
    await page.getByText('was sent to the reviewers.').waitFor();
    const [{ number, destination }] = await bodyOf(admin('GET', '/api/reviews?state=open&limit=1'));
    expect(destination).toMatchObject({ repository: 'hub/acme/joined', tag: '1.0' });
    await page.goto(`/reviews?show=mine&open=${number}`);
    await page.getByText('Nothing is pushed to a mirror: the next pull').waitFor();
  });

  it('is told when the browser refuses to copy', async ({ page }) => {
    await page.addInitScript(() => {
      const writeText = () => Promise.reject(new Error('denied'));
      Object.defineProperty(navigator, 'clipboard', { value: { writeText } });
      document.execCommand = () => false;
    });
    await page.goto(`/images/__local__/team/old-${REQUESTS + 3}?tag=1.0`);
    await page.getByRole('dialog').getByRole('button', { name: /^Copy/ }).first().click();
    await page.getByRole('button', { name: 'Not copied' }).waitFor();
  });
});
