/**
 * Sends every operation of the contract as every kind of caller; authorization.fixture.ts has the
 * expected results.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from './api.fixture.ts';
import { ASKERS, type World } from './authorization.fixture.ts';
import { ask, createAskers, endpoints } from './authorization-world.fixture.ts';

let api: TestApi;
let world: Omit<World, 'asker'>;

beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_ENABLED: 'false', DOCKERHUB_API_URL: 'http://127.0.0.1:1' });
  world = await createAskers(api);
});
afterAll(() => api?.stop());

describe.each(endpoints)('$name', (endpoint) => {
  it.each(ASKERS.map((asker, at) => ({ asker, expected: endpoint.row.expected[at] })))(
    'answers $asker with $expected',
    async ({ asker, expected }) => {
      const response = await ask(endpoint, { ...world, asker });
      const why = response.status === expected ? '' : await response.text();
      await response.body?.cancel().catch(() => {});
      expect([response.status, why]).toEqual([expected, '']);
    },
  );
});
