import type { Descriptor, FetchOptions, Target } from '@portcullis/oci';
import { contentOf } from '@portcullis/oci';
import { createMemoryStore } from '@portcullis/oci/memory';
import { blobOf } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { createSharedUploads, type UploadScope } from './shared-uploads.ts';

const BLOB = blobOf('application/vnd.oci.image.layer.v1.tar', Buffer.from('a layer'));

interface Change {
  mount?: () => Promise<boolean>;
  mayMountFrom?: UploadScope['mayMountFrom'];
  exists?: boolean;
  signal?: AbortSignal;
}

/** Repositories of one registry. Uploads wait until the test releases them. */
function registry(waitMs?: number) {
  const { shared } = createSharedUploads(waitMs);
  const sent: string[] = [];
  const mounted: string[] = [];
  const arrived: string[] = [];
  let go: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });

  function push(
    repository: string,
    { mount = async () => true, mayMountFrom, exists = true, signal }: Change = {},
  ) {
    const target = {
      ...createMemoryStore(),
      exists: async () => exists,
      push: (async () => {
        sent.push(repository);
        await gate;
      }) satisfies Target['push'],
      async mount(_: Descriptor, from: string) {
        mounted.push(`${from} ${repository}`);
        return mount();
      },
    };
    const counted: string[] = [];
    const open = async (options: FetchOptions) => contentOf(BLOB.bytes, options);
    const onBytes = (bytes: number, how: string) => void counted.push(`${how} ${bytes}`);
    const pushing = shared(target, {
      registry: 'r',
      repository,
      mayMountFrom: mayMountFrom ?? (async () => true),
      arrived: async () => void arrived.push(repository),
    }).push(BLOB.descriptor, open, { onBytes, signal });
    return { pushing, counted };
  }

  return { push, sent, mounted, arrived, go };
}

it('another job waits for a running upload, and mounts the blob from there', async () => {
  const { push, sent, mounted, arrived, go } = registry();
  const [one, two] = [push('one'), push('two')];
  go();
  await Promise.all([one.pushing, two.pushing]);
  expect({ sent, mounted, arrived }).toEqual({
    sent: ['one'],
    mounted: ['one two'],
    arrived: ['one'],
  });
  expect(two.counted).toEqual([`mounted ${BLOB.descriptor.size}`]);
});

it('a job that looked up locations before the upload ended mounts the blob as well', async () => {
  const { push, sent, mounted, go } = registry();
  go();
  await push('one').pushing;
  await push('two').pushing;
  expect({ sent, mounted }).toEqual({ sent: ['one'], mounted: ['one two'] });
});

it('a job that waited long enough uploads the blob from its own source', async () => {
  const { push, sent, mounted, go } = registry(10);
  const one = push('one');
  const two = push('two');
  await expect.poll(() => sent).toEqual(['one', 'two']);
  go();
  await Promise.all([one.pushing, two.pushing]);
  expect(mounted).toEqual([]);
});

it('in the same repository the blob exists already', async () => {
  const { push, sent, mounted, go } = registry();
  const [one, two] = [push('one'), push('one')];
  go();
  await Promise.all([one.pushing, two.pushing]);
  expect({ sent, mounted, counted: two.counted }).toEqual({
    sent: ['one'],
    mounted: [],
    counted: [`reused ${BLOB.descriptor.size}`],
  });
});

it.each<[string, Change, number]>([
  ['the registry does not mount', { mount: async () => false }, 1],
  ['the account may not read the repository that has it', { mayMountFrom: async () => false }, 0],
])('the blob is uploaded again where %s', async (_, change, mounts) => {
  const { push, sent, mounted, go } = registry();
  const [one, two] = [push('one'), push('two', change)];
  go();
  await Promise.all([one.pushing, two.pushing]);
  expect([sent, mounted.length]).toEqual([['one', 'two'], mounts]);
});

it('a blob that was deleted since it arrived in this repository is uploaded again', async () => {
  const { push, sent, go } = registry();
  go();
  await push('one').pushing;
  await push('one', { exists: false }).pushing;
  expect(sent).toEqual(['one', 'one']);
});

it('after a failed upload the next waiting job uploads', async () => {
  const { shared } = createSharedUploads();
  const sent: string[] = [];
  const push = (repository: string, fault?: Error) =>
    shared(
      {
        ...createMemoryStore(),
        async push() {
          sent.push(repository);
          if (fault) throw fault;
        },
        mount: async () => true,
      },
      { registry: 'r', repository, mayMountFrom: async () => true, arrived: async () => {} },
    ).push(BLOB.descriptor, async (options) => contentOf(BLOB.bytes, options));
  const outcomes = await Promise.allSettled([
    push('one', new Error('cut')),
    push('two'),
    push('three'),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(sent).toEqual(['one', 'two']);
});

it('waiting ends with the signal', async () => {
  const { push, go } = registry();
  const one = push('one');
  const stop = new AbortController();
  const two = push('two', { signal: stop.signal });
  stop.abort(new Error('cancelled'));
  await expect(two.pushing).rejects.toThrow('cancelled');
  go();
  await one.pushing;
});
