/**
 * Logins in a real browser, with the provider as another site, so that the browser's cookie rules
 * apply.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  openBrowser,
  startOidcProvider,
  type TemporaryDir,
  type TestOidcProvider,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../api.fixture.ts';
import { atProvider, Browser } from './oidc.fixture.ts';

let api: TestApi;
let provider: TestOidcProvider;
let web: TemporaryDir;
let browser: Awaited<ReturnType<typeof openBrowser>>;

beforeAll(async () => {
  web = await temporaryDir();
  await mkdir(path.join(web.path, 'assets'));
  await writeFile(path.join(web.path, 'index.html'), '<!doctype html><title>Portcullis</title>');
  api = await startApi({ WEB_DIR: web.path });
  provider = await startOidcProvider({
    hostname: 'localhost',
    redirectUris: [`${api.url}/api/oidc/callback`],
    postLogoutRedirectUris: [`${api.url}/login`],
  });
  provider.account('ann', { preferred_username: 'ann' });
  await api.account('root', { isAdmin: true });
  const { issuer, clientId: client_id, clientSecret: client_secret } = provider;
  const admin = await api.as('root');
  await admin.put('/api/oidc/settings', { enabled: true, issuer, client_id, client_secret });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await provider?.stop();
  await api?.stop();
  await web?.remove();
});

describe('in a real browser', () => {
  it('a login at the provider ends signed in, and the logout there ends at our login page', async () => {
    const page = await browser.newPage();
    await page.goto(`${api.url}/api/oidc/login?next=/staging`);
    await expect.poll(() => new URL(page.url()).origin).toBe(provider.issuer);
    await page.fill('input[name=name]', 'ann');
    await page.click('button[value=login]');
    await page.waitForURL(`${api.url}/staging`);
    expect(await meIn(page)).toMatchObject({ username: 'ann', auth_source: 'oidc' });

    expect(await page.evaluate(() => document.cookie)).toBe('');
    await page.evaluate(() => fetch('/api/auth/logout', { method: 'POST' }));
    expect(await meIn(page)).toMatchObject({ status: 401 });
    await page.goto(`${api.url}/api/oidc/logout`);
    await expect.poll(() => new URL(page.url()).origin).toBe(provider.issuer);
    await page.click('button[name=logout]');
    await page.waitForURL(`${api.url}/login`);
    await page.goto(`${api.url}/api/oidc/login`);
    await expect.poll(() => page.locator('input[name=name]').count()).toBe(1);
  });

  it('a login that another browser started creates no session', async () => {
    const form = { name: 'ann', act: 'login' };
    const caught = await atProvider(new Browser(), `${api.url}/api/oidc/login`, { provider, form });
    const victim = await browser.newContext();
    const page = await victim.newPage();
    await page.goto(caught);
    await expect.poll(() => page.url()).toBe(`${api.url}/login?error=OIDC_STATE_INVALID`);
    expect(await meIn(page)).toMatchObject({ status: 401 });
    await victim.close();
  });
});

type Page = Awaited<ReturnType<typeof browser.newPage>>;

function meIn(page: Page): Promise<unknown> {
  return page.evaluate(async () => {
    const response = await fetch('/api/auth/me');
    return { status: response.status, ...(await response.json()) };
  });
}
