import { DEFAULT_NETWORK } from '@portcullis/domain';
import { expect, it } from 'vitest';
import { ehloName } from './email.ts';

it.each([
  [
    'the one of the settings',
    'mx.example.com',
    'gate@example.com',
    'web.corp.example',
    'mx.example.com',
  ],
  [
    'the host’s where it is a full one',
    null,
    'gate@example.com',
    'web.corp.example',
    'web.corp.example',
  ],
  [
    'the domain of the sender in a container',
    null,
    'Gate <gate@example.com>',
    'f3a9c2',
    'example.com',
  ],
  ['the host’s where the sender has no domain', null, 'gate@localhost', 'f3a9c2', 'f3a9c2'],
  ['the host’s where the domain is not ASCII', null, 'gate@exämple.com', 'f3a9c2', 'f3a9c2'],
  ['the host’s without a sender', null, null, 'f3a9c2', 'f3a9c2'],
])('the name in EHLO is %s', (_, ehlo_name, from_address, host, name) => {
  expect(ehloName({ ...DEFAULT_NETWORK.email, ehlo_name, from_address }, host)).toBe(name);
});
