import { expect, it } from 'vitest';
import { readConfig } from './config.ts';

it('the credentials are in the configuration folder of the user', () => {
  expect(readConfig({ HOME: '/home/ada' }).credentialsFile).toBe(
    '/home/ada/.config/portcullis/pcs.json',
  );
  expect(readConfig({ HOME: '/home/ada', XDG_CONFIG_HOME: '/conf' }).credentialsFile).toBe(
    '/conf/portcullis/pcs.json',
  );
});

it('proxies are read in upper and lower case, and an empty value is none', () => {
  const env = { https_proxy: 'http://proxy:3128', HTTP_PROXY: '', NO_PROXY: 'localhost' };
  expect(readConfig(env).proxy).toEqual({
    HTTPS_PROXY: 'http://proxy:3128',
    NO_PROXY: 'localhost',
  });
});

it('progress is written as lines in CI', () => {
  expect(readConfig({ CI: 'true' }).plain).toBe(true);
  expect(readConfig({}).plain).toBe(false);
});

it.each([
  [{}, undefined],
  [{ KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '6443' }, '10.0.0.1:6443'],
  [{ KUBERNETES_SERVICE_HOST: 'fd00::1' }, '[fd00::1]:443'],
])('the API server of %j is %s', (env, server) => {
  expect(readConfig(env).kubernetes).toBe(server);
});
