/** Settings of the installation, and its operation, in a browser: they share one product. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe } from 'vitest';
import { browsedProduct } from '../../support/browsed-product.ts';
import { addDeveloper, DEVELOPER } from '../../support/developer.ts';
import { siteOf } from '../../support/site.ts';
import { identityProvider } from './identity-provider.ts';
import { network } from './network.ts';
import { operation, RELEASE } from './operation.ts';
import { robots } from './robots.ts';
import { webhooks } from './webhooks.ts';

const releases = createServer((_request, answer) => answer.end(JSON.stringify(RELEASE)));
afterAll(() => releases.close());

const site = siteOf(async () => {
  await once(releases.listen(0, '127.0.0.1'), 'listening');
  const { port } = releases.address() as AddressInfo;
  return browsedProduct({
    TRIVY_ENABLED: 'false',
    RELEASE_CHECK_URL: `http://127.0.0.1:${port}/latest`,
    EGRESS_ALLOW: '127.0.0.1',
  });
});

describe('an installation without accounts', () => {
  network(site);
  operation(site);
  identityProvider(site);
});

describe('an installation with a team', () => {
  beforeAll(() => addDeveloper(site.product, ...DEVELOPER));
  webhooks(site);
  robots(site);
});
