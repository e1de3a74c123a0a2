import { describe, expect, it } from 'vitest';
import { readEvent, readPage, statusMessage } from './pod-events.ts';

const HOSTS = new Set(['r.example.com']);
const metadata = { uid: 'u1', namespace: 'shop', resourceVersion: '7' };
const object = { metadata };
const pod = { uid: 'u1', images: [], notKnown: 0 };
const event = (value: unknown) => readEvent(JSON.stringify(value), HOSTS);

describe('an event', () => {
  it.each<[string, unknown, unknown]>([
    ['ADDED', { type: 'ADDED', object }, { kind: 'pod', pod, version: '7' }],
    ['MODIFIED', { type: 'MODIFIED', object }, { kind: 'pod', pod, version: '7' }],
    ['DELETED', { type: 'DELETED', object }, { kind: 'gone', uid: 'u1', version: '7' }],
    [
      'BOOKMARK',
      { type: 'BOOKMARK', object: { metadata: { resourceVersion: '9' } } },
      { kind: 'bookmark', version: '9' },
    ],
    ['of a type that is not known', { type: 'SYNC', object }, null],
    [
      'of what has expired, inside of the watch (kdashboard #59)',
      { type: 'ERROR', object: { kind: 'Status', code: 410, message: 'too old' } },
      { kind: 'expired' },
    ],
    [
      'of another fault',
      { type: 'ERROR', object: { kind: 'Status', code: 500, message: 'etcd is away' } },
      { kind: 'fault', message: 'etcd is away' },
    ],
    [
      'of a fault without words',
      { type: 'ERROR', object: {} },
      { kind: 'fault', message: 'the API server ended the watch' },
    ],
    [
      'without a version',
      { type: 'ADDED', object: { metadata: { uid: 'u1', namespace: 'shop' } } },
      { kind: 'fault', message: 'an event has no resourceVersion' },
    ],
    [
      'without a pod',
      { type: 'ADDED', object: { metadata: { resourceVersion: '7' } } },
      { kind: 'fault', message: 'an event has no pod' },
    ],
    ['that is none', ['ADDED'], { kind: 'fault', message: 'the API server sent what is no event' }],
  ])('%s', (_, value, expected) => {
    expect(event(value)).toEqual(expected);
  });

  it('that is cut is a fault', () => {
    expect(readEvent('{"type":"ADDED","obj', HOSTS)).toMatchObject({ kind: 'fault' });
  });
});

describe('a page', () => {
  const page = (value: unknown) => readPage(JSON.stringify(value), HOSTS);

  it('has its pods, its version and the next page', () => {
    const list = { resourceVersion: '8', continue: 'token' };
    expect(page({ metadata: list, items: [object, 'pod'] })).toEqual({
      ...{ pods: [pod], version: '8', next: 'token' },
    });
    expect(page({ metadata: { resourceVersion: '8', continue: '' }, items: [] })).toEqual({
      ...{ pods: [], version: '8', next: null },
    });
  });

  it.each([
    null,
    {},
    { items: [] },
    { metadata: {}, items: [] },
    { metadata: { resourceVersion: '8' }, items: {} },
  ])('%j is none', (value) => {
    expect(page(value)).toBe(null);
  });
});

it('a status is its sentence', () => {
  expect(statusMessage('{"kind":"Status","message":"pods is forbidden"}')).toBe(
    'pods is forbidden',
  );
  expect(statusMessage('{"kind":"Status"}')).toBe(null);
  expect(statusMessage('<html>')).toBe(null);
});
