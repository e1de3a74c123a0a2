import { expect, it } from 'vitest';
import { foreignAdmission } from './foreign-image.ts';
import { isHost, ownHost, placeOf } from './image-place.ts';

const HOSTS = new Set(['registry.example.com', 'localhost:5000']);
const DIGEST = `sha256:${'a'.repeat(64)}`;

it.each([
  ['registry.example.com/prod/app:1.4', 'prod/app', '1.4', false],
  ['registry.example.com/prod/app', 'prod/app', 'latest', false],
  ['registry.example.com:443/prod/app:1.4', 'prod/app', '1.4', false],
  ['REGISTRY.example.com/prod/app:1.4', 'prod/app', '1.4', false],
  ['localhost:5000/app:1', 'app', '1', false],
  [`registry.example.com/prod/app@${DIGEST}`, 'prod/app', DIGEST, true],
  [`registry.example.com/prod/app:1.4@${DIGEST}`, 'prod/app', DIGEST, true],
])('%s is here', (image, repository, reference, isPinned) => {
  expect(placeOf(image, HOSTS)).toEqual({ kind: 'own', repository, reference, isPinned });
});

it.each([
  ['nginx', 'registry-1.docker.io'],
  ['prod/app:1.4', 'registry-1.docker.io'],
  ['registry.example.com', 'registry-1.docker.io'],
  ['registry.example.com:8443/prod/app', 'registry.example.com:8443'],
  ['registry.example.com.evil.example/prod/app', 'registry.example.com.evil.example'],
  ['evil.example/registry.example.com/prod/app', 'evil.example'],
  [`sha256:${'a'.repeat(64)}`, 'registry-1.docker.io'],
])('%s is elsewhere', (image, host) => {
  expect(placeOf(image, HOSTS)).toEqual({ kind: 'foreign', host });
});

it.each([
  'registry.example.com/prod/App:1',
  'registry.example.com/prod/app:',
  'registry.example.com/prod/app@sha256:1',
  'registry.example.com/../app',
  'registry.example.com/prod/app:1 ',
  'https://registry.example.com/prod/app',
  '',
])('%j is no name of an image', (image) => {
  expect(placeOf(image, HOSTS)).toMatchObject({ kind: 'invalid' });
});

it('hosts are compared in one spelling', () => {
  expect(['Registry.Example.com:443', '[::1]:443', '10.0.0.1:5000'].map(ownHost)).toEqual([
    ...['registry.example.com', '[::1]', '10.0.0.1:5000'],
  ]);
  expect(['a.example', 'https://a.example', 'a b'].map(isHost)).toEqual([true, false, false]);
});

it.each([
  ['deny', 'refused', 'images of docker.io are not admitted here, only those of here.example'],
  ['warn', 'admitted', 'images of docker.io are not judged'],
  ['allow', 'admitted', null],
] as const)('foreign images: %s', (foreign, outcome, text) => {
  const admission = foreignAdmission('registry-1.docker.io', foreign, new Set(['here.example']));
  expect(admission.outcome).toBe(outcome);
  expect('sentence' in admission ? admission.sentence : admission.warning).toBe(text);
});
