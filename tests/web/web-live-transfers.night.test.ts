/** Transfers in a browser while they change: by events, and by polling where these fail. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../support/browsed-product.ts';
import { signedIn, visitedBy } from '../support/browser.ts';
import { addDeveloper, DEVELOPER } from '../support/developer.ts';
import { bodyOf, type Call, logIn } from '../support/product.ts';

/** A registry that answers a manifest only when the test says so: it is unknown. */
interface HoldingRegistry extends AsyncDisposable {
  host: string;
  answer(repository: string): void;
}

async function startHoldingRegistry(): Promise<HoldingRegistry> {
  const answered = new Set<string>();
  const held: { repository: string; response: ServerResponse }[] = [];
  const unknown = (response: ServerResponse) =>
    response.writeHead(404).end('{"errors":[{"code":"MANIFEST_UNKNOWN","message":"unknown"}]}');
  const server = createServer(({ url = '' }, response) => {
    const repository = /^\/v2\/(.+)\/manifests\//.exec(url)?.[1];
    if (repository === undefined) response.writeHead(200).end('{}');
    else if (answered.has(repository)) unknown(response);
    else held.push({ repository, response });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    answer(repository) {
      answered.add(repository);
      for (const each of held) if (each.repository === repository) unknown(each.response);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const EVENTS = '/api/transfer/events';

let source: HoldingRegistry;
let browsed: BrowsedProduct;
let browser: Browser;
let url: string;
let developer: Call;
let registryId: string;

beforeAll(async () => {
  source = await startHoldingRegistry();
  browsed = await browsedProduct({ TRIVY_ENABLED: 'false', EGRESS_ALLOW: source.host });
  browser = browsed.browser;
  url = browsed.product.url;
  await addDeveloper(browsed.product, ...DEVELOPER);
  developer = await logIn(browsed.product, ...DEVELOPER);
  const saved = { name: 'Supplier', host: source.host, use_tls: false };
  registryId = (await bodyOf(developer('POST', '/api/registries', saved))).id;
});
afterAll(async () => {
  await browsed?.stop();
  await source?.[Symbol.asyncDispose]();
});

async function transferOf(...repositories: string[]): Promise<string> {
  const images = repositories.map((repository) => ({ repository, tag: '1' }));
  const body = { images, source_registry_id: registryId, dest_folder: 'team' };
  const made = await bodyOf(developer('POST', '/api/transfer', body));
  return made.transfer_id;
}

interface Traffic {
  /** Paths of requests for transfers, and of their stream once it is open, in order. */
  all: string[];
  /** Requests for transfers that have no answer yet. */
  waiting(): number;
  /** Streams that ended. */
  closed(): number;
}

function trafficOf(page: Page): Traffic {
  const all: string[] = [];
  const open = new Set<Request>();
  let closed = 0;
  const pathOf = (request: Request) => new URL(request.url()).pathname;
  page.on('request', (request) => {
    if (!pathOf(request).startsWith('/api/transfer/jobs')) return;
    all.push(pathOf(request));
    open.add(request);
  });
  page.on('response', (response) => {
    if (pathOf(response.request()) === EVENTS) all.push(EVENTS);
  });
  const ended = (request: Request) => {
    open.delete(request);
    if (pathOf(request) === EVENTS) closed++;
  };
  page.on('requestfailed', ended);
  page.on('requestfinished', ended);
  return { all, waiting: () => open.size, closed: () => closed };
}

/** The stream of transfers is open, and what is shown was loaded again since. */
async function connected({ all, waiting }: Traffic, path: string): Promise<void> {
  const isLoaded = () => {
    const open = all.lastIndexOf(EVENTS);
    return open !== -1 && all.slice(open).includes(path) && waiting() === 0;
  };
  await expect.poll(isLoaded).toBe(true);
}

describe('a developer', () => {
  const it = visitedBy(() => signedIn(browser, url, DEVELOPER));

  it('sees on the page of a transfer what changes, without a further request', async ({ page }) => {
    const images = ['acme/a', 'acme/b', 'acme/c', 'acme/d', 'acme/e'];
    const id = await transferOf(...images);
    const path = `/api/transfer/jobs/${id}`;
    await page.clock.install();
    // The stream of jobs, whose beginning loads the transfer as well, is open before.
    await page.goto('/staging');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Transfers' }).click();
    const link = page.getByRole('row', { name: /5 images/ }).getByRole('link');
    await link.waitFor();
    const traffic = trafficOf(page);
    await link.click();
    await page.getByText('0 of 5 pushed').waitFor();
    await connected(traffic, path);
    const before = traffic.all.length;
    for (const [nth, image] of images.slice(0, -1).entries()) {
      source.answer(image);
      await page.getByText(`${nth + 1} failed`).waitFor();
    }
    // Timers that would poll run as after five seconds; the server's heartbeat comes as often.
    await page.clock.runFor(5_000);
    expect(traffic.all.slice(before)).toEqual([]);
    source.answer('acme/e');
    await page.getByText('5 failed').waitFor();
  });

  it('closes the stream with the page and while it is hidden', async ({ page }) => {
    const traffic = trafficOf(page);
    await page.goto('/transfers');
    await connected(traffic, '/api/transfer/jobs');
    const before = traffic.closed();
    await show(page, 'hidden');
    await expect.poll(traffic.closed).toBe(before + 1);
    await show(page, 'visible');
    await expect.poll(() => traffic.all.filter((path) => path === EVENTS).length).toBe(2);
    await page.getByRole('link', { name: 'Registries' }).click();
    await expect.poll(traffic.closed).toBe(before + 2);
  });

  it('sees in the list what begins and what changes, without polling', async ({ page }) => {
    const traffic = trafficOf(page);
    await page.goto('/transfers');
    await connected(traffic, '/api/transfer/jobs');
    await transferOf('acme/f', 'acme/g', 'acme/h');
    const row = page.getByRole('row', { name: /3 images/ });
    await row.getByText('Running', { exact: true }).waitFor();
    await expect.poll(traffic.waiting).toBe(0);
    const before = traffic.all.length;
    for (const [nth, image] of ['acme/f', 'acme/g'].entries()) {
      source.answer(image);
      await row.getByText(`${nth + 1} failed`).waitFor();
    }
    expect(traffic.all.slice(before)).toEqual([]);
    source.answer('acme/h');
  });

  it('sees changes without the stream, by polling', async ({ page }) => {
    await page.route(`**${EVENTS}`, (route) => route.abort());
    const id = await transferOf('acme/i', 'acme/j');
    const traffic = trafficOf(page);
    await page.goto(`/transfers/${id}`);
    await page.getByText('0 of 2 pushed').waitFor();
    source.answer('acme/i');
    await page.getByText('1 failed').waitFor();
    source.answer('acme/j');
    await page.getByText('2 failed').waitFor();
    expect(traffic.all).not.toContain(EVENTS);
  });
});

/** As when the account changes to another tab. */
async function show(page: Page, state: DocumentVisibilityState): Promise<void> {
  await page.evaluate((visibilityState) => {
    Object.defineProperty(document, 'visibilityState', {
      value: visibilityState,
      configurable: true,
    });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);
}
