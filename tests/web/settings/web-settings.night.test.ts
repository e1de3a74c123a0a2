/** What administrators set up, and navigation, in a browser: scenarios that share one product. */
import { beforeAll, describe } from 'vitest';
import { browsedProduct } from '../../support/browsed-product.ts';
import { addDeveloper, DEVELOPER } from '../../support/developer.ts';
import { siteOf } from '../../support/site.ts';
import { accounts } from './accounts.ts';
import { authorities } from './authorities.ts';
import { clusters } from './clusters.ts';
import { connection } from './connection.ts';
import { navigation } from './navigation.ts';
import { policies } from './policies.ts';
import { rights } from './rights.ts';
import { unsaved } from './unsaved.ts';

const site = siteOf(() => browsedProduct({ TRIVY_ENABLED: 'false' }));

describe('an installation without accounts', () => {
  accounts(site);
});

describe('an installation with a team', () => {
  beforeAll(() => addDeveloper(site.product, ...DEVELOPER));
  rights(site);
  navigation(site);
  connection(site);
  policies(site);
  authorities(site);
  clusters(site);
  unsaved(site);
});
