import { expect, it } from 'vitest';
import { isComplete, previewQuery, proposal, pushBody } from './push-form.ts';

const FORM = proposal({ image: 'acme/team/app', tag: '1.2' });

it('suggests the image’s name and tag; a digest is not a tag', () => {
  expect(FORM).toMatchObject({ target: 'local', image: 'app', tag: '1.2' });
  expect(proposal({ image: 'app', tag: 'sha256:abc' }).tag).toBe('latest');
});

it.each([
  ['a folder of the built-in registry', { ...FORM, folder: 'team' }, { folder: 'team' }],
  [
    'a saved registry, without the values of other targets',
    { ...FORM, target: 'saved' as const, registryId: 'r1', folder: 'team', host: 'h' },
    { external_registry_id: 'r1' },
  ],
  [
    'another host with its username',
    { ...FORM, target: 'host' as const, host: 'h', username: 'u', password: 'secret' },
    { external_registry_host: 'h', external_registry_username: 'u' },
  ],
])('requests a preview of %s, never with a password', (_, form, place) => {
  expect(previewQuery('j1', form)).toEqual({
    job_id: 'j1',
    target_image: 'app',
    target_tag: '1.2',
    ...place,
  });
});

it('the push is the preview with the password', () => {
  const form = { ...FORM, target: 'host' as const, host: 'h', username: 'u', password: 'secret' };
  expect(pushBody('j1', form)).toEqual({
    ...previewQuery('j1', form),
    external_registry_password: 'secret',
  });
});

it.each([
  [FORM, false],
  [{ ...FORM, folder: '' }, true],
  [{ ...FORM, folder: 'team', tag: ' ' }, false],
  [{ ...FORM, target: 'saved' as const }, false],
  [{ ...FORM, target: 'host' as const, host: 'h' }, true],
])('%j is complete: %s', (form, complete) => {
  expect(isComplete(form)).toBe(complete);
});

it.each([
  ['a folder', { folder: 'team', repository: 'team/x/app' }, { folder: 'team', image: 'x/app' }],
  ['no folder', { folder: '__root__', repository: 'app' }, { folder: '', image: 'app' }],
  [
    'a saved registry',
    { kind: 'registry' as const, registry_id: 'r1', folder: null, repository: 'me/app' },
    { target: 'saved', registryId: 'r1', image: 'app' },
  ],
])('suggests what the pull was for: %s', (_, change, expected) => {
  const destination = {
    ...{ kind: 'local' as const, registry_id: '__local__', host: 'h', tag: 'v1' },
    ...change,
  };
  expect(proposal({ image: 'acme/app', tag: '1', destination })).toMatchObject({
    ...{ target: 'local', tag: 'v1' },
    ...expected,
  });
});
