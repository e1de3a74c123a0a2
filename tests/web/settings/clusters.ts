/** Clusters in a browser: an empty list that leads, a report, a silent agent, and a release. */
import { sealer } from '@portcullis/runtime';
import { openStore } from '@portcullis/store';
import { openSql } from '@portcullis/testing';
import { describe, expect } from 'vitest';
import { signedIn, visitedBy } from '../../support/browser.ts';
import { ADMIN } from '../../support/developer.ts';
import type { Site } from '../../support/site.ts';

/** An image of which no tag is left, and two that the agent can't name. */
async function report(site: Site): Promise<void> {
  const url = await site.product.databaseUrl();
  const [store, sql] = [openStore(url, sealer(Buffer.alloc(32))), await openSql(url)];
  await sql.query(`INSERT INTO local_repositories (name, namespace, updated_at, seen_at, created_at)
                   VALUES ('team/app', 'team', now(), now(), now() - interval '1 day')`);
  const reporter = await store.users.findByUsername(ADMIN[0]);
  const image = { namespace: 'shop', repository: 'team/app', digest: `sha256:${'a'.repeat(64)}` };
  await store.clusters.report({
    ...{ cluster: 'prod-eu', reporterId: reporter?.id ?? '', folders: 'all', notKnown: 2 },
    images: [image],
  });
  await Promise.all([store.close(), sql.end()]);
}

async function silence(site: Site): Promise<void> {
  const sql = await openSql(await site.product.databaseUrl());
  await sql.query(`UPDATE clusters SET reported_at = now() - interval '1 hour'`);
  await sql.end();
}

export function clusters(site: Site): void {
  describe('clusters', () => {
    const it = visitedBy(() => signedIn(site.browser, site.url, ADMIN));

    it('lead to their first report, are shown, fall silent, and are released', async ({ page }) => {
      await page.goto('/settings/webhooks');
      await page.getByRole('link', { name: 'Clusters' }).click();
      await page.getByText('No cluster says what it runs yet').waitFor();
      await page.getByText(/^helm upgrade .* --set agent\.cluster=/).waitFor();
      const guide = page.getByRole('link', { name: 'Kubernetes in the guide' });
      await expect
        .poll(() => guide.getAttribute('href'))
        .toMatch(/^https:.*\/docs\/guide\/kubernetes\.md$/);

      await report(site);
      await page.reload();
      const row = page.getByRole('row', { name: /prod-eu/ });
      await row.getByText('Reports', { exact: true }).waitFor();
      await row.getByText('1 image by namespace').waitFor();
      await row.getByText('2 more are not known').waitFor();
      await page.keyboard.press('n');
      await page.getByRole('dialog', { name: 'Add a cluster' }).waitFor();
      await page.keyboard.press('Escape');
      await row.getByRole('link', { name: 'prod-eu' }).click();
      await page.getByRole('link', { name: 'team/app' }).waitFor();
      await page.getByText('by the newest report').waitFor();

      await silence(site);
      await page.reload();
      await page.getByText('Silent', { exact: true }).waitFor();
      await page.getByText(/^What ran there when the agent reported last, on/).waitFor();
      await page.getByRole('button', { name: 'Release…' }).click();
      await page
        .getByRole('dialog', { name: 'Release prod-eu?' })
        .getByRole('button', { name: 'Release cluster' })
        .click();
      await page.getByText('prod-eu was released.').waitFor();
      await page.getByText('No cluster says what it runs yet').waitFor();
      await page.goBack();
      await page.getByText('This cluster is not known').waitFor();
    });
  });
}
