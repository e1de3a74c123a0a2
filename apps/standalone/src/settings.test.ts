import { expect, it } from 'vitest';
import { readSettings } from './settings.ts';

it('O12: the faults of all processes are reported at once, each variable once', () => {
  const wrong = {
    PORT: 'abc',
    RATE_LIMIT_PER_MINUTE: '-1',
    LOGIN_LIMIT_PER_ACCOUNT: 'zz',
    EGRESS_ALLOW: '300.1.2.3/99',
    TRUSTED_PROXIES: 'proxy.example.com',
    WORKER_CONCURRENCY: 'many',
    AUDIT_RETENTION_DAYS: '0',
    VULN_SCAN_TIMEOUT: 'long',
    SYSLOG_PORT: 'x',
    OIDC_ENABLED: 'perhaps',
    LOG_LEVEL: 'loud',
    SECRET_KEY_FILE: '/nonexistent/key',
  };
  const reported = faultsOf(wrong);
  expect(reported).toHaveLength(1 + Object.keys(wrong).length);
  for (const name of Object.keys(wrong))
    expect(
      reported.filter((line) => line.startsWith(`  ${name.replace(/_FILE$/, '')}: `)),
    ).toHaveLength(1);
});

it('O12: an external service is validated as the processes validate it', () => {
  const reported = faultsOf({
    DATABASE_URL: 'mysql://x',
    REDIS_URL_FILE: '/nonexistent',
    REGISTRY_URL: 'x',
  });
  expect(reported.slice(1)).toEqual([
    '  REDIS_URL: the file that REDIS_URL_FILE names can not be read',
    expect.stringMatching(/^ {2}DATABASE_URL: expected a URL that begins with postgres:/),
    expect.stringMatching(/^ {2}REGISTRY_URL: expected a URL that begins with http:/),
  ]);
});

it('valid settings are read', () => {
  const env = {
    PORT: '9000',
    EGRESS_ALLOW: '10.0.0.0/8, registry.corp:5000',
    TRUSTED_PROXIES: 'loopback',
  };
  expect(readSettings(env)).toMatchObject({ port: 9000, host: '127.0.0.1' });
});

function faultsOf(env: Record<string, string>): string[] {
  try {
    readSettings(env);
    return [];
  } catch (error) {
    return error instanceof Error ? error.message.split('\n') : [];
  }
}
