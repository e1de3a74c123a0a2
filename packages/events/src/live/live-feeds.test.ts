import { CveTable, type FeedKind } from '@portcullis/domain';
import { createLogger } from '@portcullis/runtime';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type LiveThreatFeeds, liveThreatFeeds } from './live-feeds.ts';

const day = (count: number) => new Date(Date.UTC(2026, 10, count));

/** A store with one feed of a single score, and the notifications of its changes. */
class Stored {
  value = 0;
  checked = 1;
  isEmpty = true;
  isAway = false;
  reads: string[] = [];
  listener = (): void => {};

  async list() {
    this.reads.push('list');
    if (this.isAway) throw new Error('not now');
    if (this.isEmpty) return [{ kind: 'kev' as const, content: null }];
    const { entries, ...content } = await this.content();
    return [{ kind: content.kind, content: { ...content, entries: entries.size } }];
  }

  async find(_kind: FeedKind) {
    this.reads.push('find');
    return this.content();
  }

  async content() {
    return {
      kind: 'epss' as const,
      version: 'v1',
      publishedAt: day(20),
      checkedAt: day(this.checked),
      digest: String(this.value),
      entries: CveTable.of([{ cve: 2021_0000044228, value: this.value }]),
    };
  }

  change(changes: Partial<Pick<Stored, 'value' | 'checked' | 'isEmpty' | 'isAway'>>): void {
    Object.assign(this, changes);
    this.reads = [];
    this.listener();
  }
}

let stored: Stored;
let live: LiveThreatFeeds;
const score = () => live.current().epss?.score('CVE-2021-44228');

beforeEach(async () => {
  stored = new Stored();
  const onChange = (listener: () => void) => {
    stored.listener = listener;
    return () => {
      stored.listener = () => {};
    };
  };
  const log = createLogger({ name: 'test', level: 'silent' });
  live = liveThreatFeeds({ settings: { onChange }, feeds: stored, log });
  await live.start?.();
});

describe('threat feeds in memory', () => {
  it('are null until they were read once', () => {
    expect(live.current()).toEqual({ kev: null, epss: null });
  });

  it('are read again after a change, and listeners are notified', async () => {
    const listener = vi.fn();
    live.onChange(listener);
    stored.change({ isEmpty: false, value: 500_000 });
    await expect.poll(score).toBe(0.5);
    stored.change({ value: 900_000 });
    await expect.poll(score).toBe(0.9);
    expect(listener).toHaveBeenCalledTimes(2);
  });

  it('keep their entries where only the time of the check changed', async () => {
    stored.change({ isEmpty: false, value: 500_000 });
    await expect.poll(score).toBe(0.5);
    stored.change({ checked: 2 });
    await expect.poll(() => live.current().epss?.readAt).toEqual(day(2));
    expect(stored.reads).toEqual(['list']);
  });

  it('do not notify where nothing changed', async () => {
    const listener = vi.fn();
    stored.change({ isEmpty: false, value: 500_000 });
    await expect.poll(score).toBe(0.5);
    live.onChange(listener);
    stored.change({});
    await expect.poll(() => stored.reads).toEqual(['list']);
    stored.change({ value: 900_000 });
    await expect.poll(score).toBe(0.9);
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it('stay while the store is away, and are read again', async () => {
    stored.change({ isEmpty: false, value: 500_000 });
    await expect.poll(score).toBe(0.5);
    stored.change({ isAway: true, value: 900_000 });
    await expect.poll(() => stored.reads.length).toBeGreaterThan(0);
    expect(score()).toBe(0.5);
    stored.isAway = false;
    await expect.poll(score).toBe(0.9);
  });

  it('are not read after the end', async () => {
    await live.stop?.();
    stored.change({ isEmpty: false });
    expect(stored.reads).toEqual([]);
  });
});
