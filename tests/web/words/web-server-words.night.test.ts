/**
 * What the server says in English is in the reader's language on the page: what a scan did not
 * cover, the tests of registries and of single sign-on, test deliveries, and the checks on System.
 */
import { debianImage, helmChart, json, openSql, pushImage, refusal } from '@portcullis/testing';
import type { Browser, Page, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type SuppliedProduct, suppliedProduct } from '../../support/browsed-product.ts';
import { requestsEnded, signedIn, visitedBy } from '../../support/browser.ts';
import { ADMIN } from '../../support/developer.ts';
import { bodyOf, type Call, logIn, type Product, settled } from '../../support/product.ts';

/** Nothing listens there. */
const CLOSED_PORT = 1;

let browsed: SuppliedProduct;
let product: Product;
let browser: Browser;
let admin: Call;
/** Of a release that the vulnerability database does not know. */
let outdated: string;
let chart: string;

beforeAll(async () => {
  browsed = await suppliedProduct();
  ({ product, browser } = browsed);
  const { url, host } = browsed.upstream;
  await pushImage(url, 'acme/outdated', '1.0', await debianImage({ release: '6.0' }));
  await pushImage(url, 'acme/chart', '1.0', await helmChart());
  admin = await logIn(product, ...ADMIN);
  const pulled = async (image: string) => {
    const source = { image, tag: '1.0', source_registry_host: host };
    const { job_id } = await bodyOf(admin('POST', '/api/staging/pull', source));
    await settled(admin, job_id);
    return job_id;
  };
  outdated = await pulled('acme/outdated');
  chart = await pulled('acme/chart');
});

afterAll(() => browsed?.stop());

/** The visible text, without what is marked as English, as data or as code. */
function ownText(page: Page): Promise<string> {
  return page.evaluate(() => {
    const words: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (!node.parentElement?.closest('[lang="en"], script, style'))
        words.push(node.textContent ?? '');
    return words.join('\n');
  });
}

async function notesOf(job: string): Promise<string[]> {
  return (await bodyOf(admin('GET', `/api/staging/jobs/${job}`))).vuln_result.notes;
}

function answerTo(page: Page, path: string): Promise<Response> {
  return page.waitForResponse((response) => new URL(response.url()).pathname === path);
}

describe.each([
  {
    language: 'de',
    uncovered: 'Vom Scan nicht abgedeckt',
    gap: /keine Sicherheitshinweise für debian 6/,
    noImage: /^Dies ist kein Container-Image, sondern ein Artefakt \(/,
    test: 'Testen',
    fails: 'Fehlgeschlagen',
    unreachable: 'Die Registry ist nicht erreichbar.',
    testSignOn: 'Verbindung testen',
    issuer: 'URL des Ausstellers',
    clientId: 'Client-ID',
    discovery: /Die Konfiguration des Anbieters konnte nicht gelesen werden\. Der Anbieter/,
    send: 'Test senden',
    refused: /^Der Server hat die Verbindung abgelehnt\./,
    retried: /wird wiederholt: Der Server hat die Verbindung abgelehnt\./,
  },
  {
    language: 'fr',
    uncovered: 'Non couvert par l’analyse',
    gap: /aucun avis de sécurité pour debian 6/,
    noImage: /^Ce n’est pas une image de conteneur, mais un artefact \(/,
    test: 'Tester',
    fails: 'Échec',
    unreachable: 'Le registre est injoignable.',
    testSignOn: 'Tester la connexion',
    issuer: 'URL de l’émetteur',
    clientId: 'ID client',
    discovery: /La configuration du fournisseur n’a pas pu être lue\. Le fournisseur/,
    send: 'Envoyer un test',
    refused: /^Le serveur a refusé la connexion\./,
    retried: /nouvelle tentative\s: Le serveur a refusé la connexion\./,
  },
])('an administrator who reads $language', ({ language, ...words }) => {
  const it = visitedBy(() => signedIn(browser, product.url, ADMIN, { language }));

  it('reads what the scan did not cover', async ({ page }) => {
    const notes = await notesOf(outdated);
    expect(notes.length).toBeGreaterThan(0);
    await page.goto(`/staging/${outdated}`);
    await page.getByText(words.uncovered).waitFor();
    await page.getByRole('listitem').filter({ hasText: words.gap }).waitFor();
    const text = await ownText(page);
    expect(notes.filter((note) => text.includes(note))).toEqual([]);
  });

  it('reads that a chart is no image', async ({ page }) => {
    await page.goto(`/staging/${chart}`);
    await page.getByRole('listitem').filter({ hasText: words.noImage }).waitFor();
    const text = await ownText(page);
    expect((await notesOf(chart)).filter((note) => text.includes(note))).toEqual([]);
  });

  it('reads why a saved registry does not work', async ({ page }) => {
    const name = `closed-${language}`;
    const saved = { name, host: `127.0.0.1:${CLOSED_PORT}`, use_tls: false };
    expect((await admin('POST', '/api/registries', saved)).status).toBe(201);
    await page.goto('/registries');
    const row = page.getByRole('row').filter({ hasText: name });
    await row.getByRole('button', { name: words.test, exact: true }).click();
    await row.getByText(words.fails, { exact: true }).waitFor();
    await row.getByText(words.unreachable, { exact: true }).waitFor();
    const registries = await bodyOf(admin('GET', '/api/registries'));
    const { message } = registries.find((each: { name: string }) => each.name === name).last_check;
    expect(message).toEqual(expect.any(String));
    expect(await ownText(page)).not.toContain(message);
  });

  it('reads why single sign-on does not work, with the words of the library as details', async ({
    page,
  }) => {
    await page.goto('/settings/sign-on');
    await page.getByRole('textbox', { name: words.issuer }).fill(`http://127.0.0.1:${CLOSED_PORT}`);
    await page.getByLabel(words.clientId).fill('portcullis');
    const answer = answerTo(page, '/api/oidc/test');
    await page.getByRole('button', { name: words.testSignOn }).click();
    const { steps }: { steps: { detail: string; params: { reason?: string } }[] } =
      await json(answer);
    await page.getByText(words.discovery).waitFor();
    const text = await ownText(page);
    const english = steps.flatMap(({ detail, params }) => [
      detail,
      ...(params.reason ? [params.reason] : []),
    ]);
    expect(english.filter((sentence) => text.includes(sentence))).toEqual([]);
    expect(english.length).toBeGreaterThan(2);
  });

  it('reads why a mail was not delivered, also on System', async ({ page }) => {
    const settings = {
      ...{ enabled: true, host: '127.0.0.1', port: CLOSED_PORT, security: 'none' },
      ...{ from_address: 'portcullis@example.org', to_addresses: ['mira@example.org'] },
      notify_audit: true,
    };
    expect((await admin('PUT', '/api/network/email', settings)).status).toBe(200);
    await page.goto('/settings/network');
    const section = page.getByRole('region', { name: 'E-Mail' });
    const answer = answerTo(page, '/api/network/email/test');
    await section.getByRole('button', { name: words.send, exact: true }).click();
    const { error } = await refusal(answer);
    await section.getByText(words.refused).waitFor();
    expect(error).toEqual(expect.any(String));
    expect(await ownText(page)).not.toContain(error);
    await page.goto('/system');
    await page.getByText(words.retried).waitFor();
    await requestsEnded(page);
    expect(await ownText(page)).not.toContain(error);
  });
});

describe('the result of an older release', () => {
  const it = visitedBy(() => signedIn(browser, product.url, ADMIN, { language: 'de' }));

  it('shows its notes, which are marked as English', async ({ page }) => {
    const sql = await openSql(await product.databaseUrl());
    try {
      await sql.query(`UPDATE staging_jobs SET vuln_result = vuln_result - 'gaps' WHERE id = $1`, [
        outdated,
      ]);
    } finally {
      await sql.end();
    }
    await page.goto(`/staging/${outdated}`);
    const [note = ''] = await notesOf(outdated);
    await page.locator('li[lang="en"]').filter({ hasText: note }).waitFor();
  });
});
