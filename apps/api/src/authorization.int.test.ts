/**
 * Sends every operation of the contract as every kind of caller; authorization.fixture.ts has the
 * expected results.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from './api.fixture.ts';
import { ROLES, type World } from './authorization.fixture.ts';
import { ask, createRoles, endpoints } from './authorization-world.fixture.ts';

let api: TestApi;
let world: Omit<World, 'role'>;

beforeAll(async () => {
  api = await startApi({ DOCKERHUB_API_URL: 'http://127.0.0.1:1' });
  world = await createRoles(api);
});
afterAll(() => api?.stop());

describe.each(endpoints)('$name', (endpoint) => {
  it.each(ROLES.map((role, at) => ({ role, expected: endpoint.row.expected[at] })))(
    'answers $role with $expected',
    async ({ role, expected }) => {
      const response = await ask(endpoint, { ...world, role });
      const why = response.status === expected ? '' : await response.text();
      await response.body?.cancel().catch(() => {});
      expect([response.status, why]).toEqual([expected, '']);
    },
  );
});
