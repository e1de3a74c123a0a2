/**
 * What works with a product without people: robots with tokens, trust rules, authorities of
 * signatures and webhooks.
 */
import type { TestRegistry } from '@portcullis/testing';
import type { Call } from './product.ts';

export interface ExampleMachines {
  webhookId: string;
}

type Create = (call: Call, route: string, body: unknown) => Promise<Record<string, string>>;

/** The webhook is refused by its receiver, the upstream registry. */
export async function addMachines(
  admin: Call,
  create: Create,
  upstream: TestRegistry,
): Promise<ExampleMachines> {
  const robot = await create(admin, '/api/robots', {
    name: 'build-ci',
    description: 'Builds of the shop, and the nightly transfer of its base images',
  });
  const scope = { folders: ['team'], actions: ['pull', 'push'], registry: true };
  await create(admin, `/api/robots/${robot.id}/tokens`, { name: 'Build server', scope });
  await create(admin, '/api/robots', { name: 'scanner-of-the-registry-of-the-partner' });
  await create(admin, '/api/trusts', {
    name: 'Releases of the shop',
    issuer: 'https://token.actions.githubusercontent.com',
    audience: 'portcullis.example',
    conditions: { repository: ['acme/shop'], ref: ['refs/heads/main', 'refs/tags/*'] },
    robot_id: robot.id,
    scope,
  });
  await create(admin, '/api/authorities', {
    name: 'release',
    kind: 'keyless',
    issuer: 'https://token.actions.githubusercontent.com',
    subject: 'https://github.com/acme/shop/.github/workflows/release.yml@refs/tags/*',
  });
  await create(admin, '/api/auth/tokens', { name: 'Laptop', scope: 'docker' });
  await create(admin, '/api/auth/tokens', { name: 'Reports of the platform team', scope });
  return { webhookId: await webhooks(admin, create, upstream) };
}

async function webhooks(admin: Call, create: Create, upstream: TestRegistry): Promise<string> {
  const { id = '' } = await create(admin, '/api/webhooks', {
    name: 'Tickets',
    url: `${upstream.url}/hook`,
    folder: 'team',
    kinds: ['job.failed', 'job.blocked', 'image.blocked'],
  });
  await create(admin, `/api/webhooks/${id}/test`, {});
  await create(admin, '/api/webhooks', {
    name: 'Chat of the platform team',
    url: `${upstream.url}/services/T0/B0/secret`,
    format: 'slack',
    enabled: false,
  });
  return id;
}
