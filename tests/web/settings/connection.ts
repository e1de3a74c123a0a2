/** The page without a connection, and after an upgrade, in a browser with the running product. */
import { describe } from 'vitest';
import { signedIn, visitedBy } from '../../support/browser.ts';
import { DEVELOPER } from '../../support/developer.ts';
import type { Site } from '../../support/site.ts';

export function connection(site: Site): void {
  describe('connection', () => {
    describe('a page without a connection', () => {
      const it = visitedBy(() => signedIn(site.browser, site.url, DEVELOPER));

      it('loads again where its first words could not be loaded', async ({ page }) => {
        await page.route(/\/assets\/sign-in\.bundle-/, (route) => route.abort(), { times: 1 });
        await page.goto('/staging');
        await page.getByRole('heading', { name: 'Pulls', level: 1 }).waitFor();
      });

      it('opens a page that was not loaded yet once the connection is back', async ({ page }) => {
        await page.goto('/staging');
        await page.getByText('Live', { exact: true }).waitFor();
        await page.context().setOffline(true);
        await page.getByRole('link', { name: 'Transfers' }).click();
        await page.getByRole('heading', { name: 'No connection to the server' }).waitFor();
        await page.context().setOffline(false);
        await page.getByRole('heading', { name: 'Transfers', level: 1 }).waitFor();
      });

      it('shows what failed without the server once that is reached again', async ({ page }) => {
        // The browser itself stays online, and its window keeps the focus.
        const unreachable = /\/api\/(vulnerabilities|staging\/events)/;
        await page.route(unreachable, (route) => route.abort());
        await page.goto('/vulnerabilities');
        await page.getByRole('button', { name: 'Try again' }).waitFor();
        await page.unroute(unreachable);
        await page.getByRole('button', { name: 'Try again' }).waitFor({ state: 'detached' });
        await page.getByRole('heading', { name: 'Vulnerabilities', level: 1 }).waitFor();
      });
    });

    describe('after an upgrade', () => {
      const it = visitedBy(() => signedIn(site.browser, site.url, DEVELOPER));

      for (const kind of ['js', 'css'])
        it(`a removed ${kind} file asks for a reload`, async ({ page }) => {
          await page.goto('/staging');
          await page.getByText('Live', { exact: true }).waitFor();
          await page.route(`**/assets/*.${kind}`, (route) => route.fulfill({ status: 404 }));
          await page.getByRole('link', { name: 'Registries' }).click();
          await page.getByRole('heading', { name: 'The server was upgraded' }).waitFor();
          await page.unroute(`**/assets/*.${kind}`);
          await page.getByRole('button', { name: 'Reload the page' }).click();
          await page.getByRole('heading', { name: 'Registries', level: 1 }).waitFor();
        });
    });
  });
}
