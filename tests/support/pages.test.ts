import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { PAGE_NAMES, pagesOf } from './pages.ts';

const SOURCE = path.resolve(import.meta.dirname, '../../apps/web/src');
/** Tests visit it by an address that is missing. */
const APART = ['*'];

const ids = { jobId: 'j', failedJobId: 'f', registryId: 'r', transferId: 't', scheduleId: 's' };
const addresses = Object.values(pagesOf({ ...ids, policyId: 'p', webhookId: 'w' }));

it('every route of the web page has a page', async () => {
  const text = await readFile(path.join(SOURCE, 'routes.tsx'), 'utf8');
  const routes = [...text.matchAll(/'([^']+)': \(\) => import/g)].map(([, route = '']) => route);
  const isShown = (route: string) => {
    const pattern = route.replaceAll(/:\w+/g, '[^/]+').replace('*', '.+');
    return addresses.some((address) => new RegExp(`^${pattern}(?:\\?.*)?$`).test(address));
  };
  expect(routes.length).toBeGreaterThan(30);
  expect(routes.filter((route) => !APART.includes(route) && !isShown(route))).toEqual([]);
  expect(PAGE_NAMES).toHaveLength(addresses.length);
});
