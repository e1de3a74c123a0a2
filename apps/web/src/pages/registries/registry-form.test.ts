import { describe, expect, it } from 'vitest';
import {
  changeOf,
  emptyForm,
  hostOf,
  needsPasswordAgain,
  newRegistryOf,
  probeOf,
} from './registry-form.ts';

const form = {
  ...emptyForm(false),
  name: ' Prod ',
  host: 'reg.example:5000',
  username: 'bot',
  password: 's',
};
const saved = {
  id: '0199d1f0-0000-7000-8000-000000000000',
  name: 'Prod',
  host: 'reg.example:5000',
  username: 'bot',
  has_password: true,
  owner: 'global',
  use_tls: true,
  tls_verify: true,
  ca_cert: null,
  token_hosts: ['auth.example'],
  push_namespace: null,
  policy_id: null,
  system: false,
  created_at: null,
  last_check: null,
};

describe('the form of a registry', () => {
  it.each([
    ['reg.example', 'reg.example'],
    [' https://reg.example:5000/v2/ ', 'reg.example:5000'],
    ['HTTP://reg.example/team/app', 'reg.example'],
  ])('reads %s as the host %s', (pasted, host) => {
    expect(hostOf(pasted)).toBe(host);
  });

  it.each([
    [false, null],
    [true, 'global'],
  ])('global %s is sent with the owner %s', (global, owner) => {
    expect(newRegistryOf({ ...form, global })).toMatchObject({ name: 'Prod', owner });
  });

  it('keeps an untouched password, sends a typed one, and removes it with the username', () => {
    expect(changeOf({ ...form, password: '' }, null)).not.toHaveProperty('password');
    expect(changeOf(form, null)).toMatchObject({ username: 'bot', password: 's' });
    expect(changeOf({ ...form, username: '', password: '' }, null)).toMatchObject({
      username: null,
      password: null,
    });
    expect(probeOf({ ...form, username: ' ' })).toMatchObject({ username: null, password: null });
  });

  it.each([
    ['reg.example:5000', '', false],
    ['other.example', '', true],
    ['other.example', 'typed', false],
  ])('%s with the password "%s" requires it again: %s', (host, password, again) => {
    expect(needsPasswordAgain({ ...form, host, password }, saved)).toBe(again);
  });

  it.each([
    ['auth.example', false],
    ['', false],
    ['auth.example, https://other.example/token', true],
  ])('the token services "%s" require the password again: %s', (tokenHosts, again) => {
    const changed = { ...form, host: saved.host, password: '', tokenHosts };
    expect(needsPasswordAgain(changed, saved)).toBe(again);
  });
});
