import { expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { programEnv, programs } from './processes.ts';

const URLS = { postgres: 'postgresql://given', redis: 'redis://given', registry: 'http://given' };
const config = readConfig({
  SECRET_KEY: 'the key of the secrets',
  ADMIN_PASSWORD_FILE: '/run/secrets/admin_password',
  EMAIL_PASSWORD_FILE: '/run/secrets/email_password',
  REDIS_URL_FILE: import.meta.filename,
});

it('an external service may be configured by a file', () => {
  expect(config.redisUrl).toContain('an outside service may be named in a file');
});

it('each further worker is a process with another name', () => {
  expect(programs(1).map(({ name }) => name)).toEqual(['api', 'worker', 'notifier']);
  const several = programs(3);
  expect(several.map(({ name }) => name)).toEqual([
    'api',
    'worker',
    'worker-2',
    'worker-3',
    'notifier',
  ]);
  expect(several.map(({ role }) => role).filter((role) => role === 'worker')).toHaveLength(3);
});

it('no program gets a variable both directly and as a file', () => {
  const env = programEnv(
    'worker',
    { ...config, env: { ...config.env, DATABASE_URL_FILE: '/x' } },
    URLS,
  );
  expect(env).toMatchObject({
    DATABASE_URL: URLS.postgres,
    REDIS_URL: URLS.redis,
    REGISTRY_URL: URLS.registry,
  });
  expect(Object.keys(env).filter((name) => /^(DATABASE|REDIS)_URL_FILE$/.test(name))).toEqual([]);
});

it('only the api gets the password of the first administrator', () => {
  expect(programEnv('api', config, URLS)).toMatchObject({
    ADMIN_PASSWORD_FILE: '/run/secrets/admin_password',
    EMAIL_PASSWORD_FILE: '/run/secrets/email_password',
  });
  expect(programEnv('worker', config, URLS)).not.toHaveProperty('ADMIN_PASSWORD_FILE');
});

it.each(['api', 'worker'] as const)(
  'the %s gets the storage of the registry that is started here, and of no other',
  (name) => {
    expect(programEnv(name, config, URLS)).toMatchObject({
      REGISTRY_STORAGE: expect.stringMatching(/\/registry\/storage$/),
    });
    const outside = { ...config, registryUrl: URLS.registry };
    expect(programEnv(name, outside, URLS)).not.toHaveProperty('REGISTRY_STORAGE');
  },
);
