import { createLogger } from '@portcullis/runtime';
import type { ThreatFeedState } from '@portcullis/store';
import { epssFile, kevFile } from '@portcullis/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FeedAddress, parseFeedAddress } from './feed-address.ts';
import { isFeedDue, type RefreshFeedsPorts, refreshFeeds } from './refresh-feeds.ts';

const NOW = new Date('2026-11-23T12:00:00Z');
const ago = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000);
const at = (text: string): FeedAddress => {
  const address = parseFeedAddress(text);
  if (!address) throw new Error(`${text} is no address`);
  return address;
};
const EPSS = at('https://epss.test/a');
const KEV = at('https://kev.test/a');

function state({
  source = EPSS.text,
  checked = null,
  failed = null,
  kind = 'epss',
}: {
  source?: string;
  checked?: number | null;
  failed?: number | null;
  kind?: 'epss' | 'kev';
}): ThreatFeedState {
  const content = {
    version: 'v1',
    publishedAt: ago(24),
    fetchedAt: ago(24),
    entries: 1,
    digest: 'd',
  };
  return {
    kind,
    source,
    validator: '"1"',
    content: checked === null ? null : { ...content, checkedAt: ago(checked) },
    failure: failed === null ? null : { source, code: 'X', message: 'x', at: ago(failed) },
  };
}

describe('a feed is due', () => {
  it.each([
    ['when it was never read', null, true],
    ['a day after its last check', state({ checked: 24 }), true],
    ['not a few hours after its last check', state({ checked: 5 }), false],
    ['at once from another address', state({ checked: 1, source: 'https://old.test/' }), true],
    ['at once after an import', state({ checked: 1, source: 'import' }), true],
    ['an hour after a failure', state({ checked: 1, failed: 1 }), true],
    ['not a minute after a failure', state({ checked: 48, failed: 0.02 }), false],
    ['not a minute after a failure of the first read', state({ failed: 0.02 }), false],
    [
      'at once after a failure of another address',
      state({ failed: 0.02, source: 'https://old.test/' }),
      true,
    ],
  ])('%s', (_, known, expected) => {
    expect(isFeedDue(known, EPSS, NOW)).toBe(expected);
  });
});

describe('a refresh', () => {
  let states: ThreatFeedState[];
  let files: Record<string, () => Uint8Array | null>;
  let done: string[];
  let result: Awaited<ReturnType<RefreshFeedsPorts['feeds']['replace']>>;
  let ports: RefreshFeedsPorts;

  beforeEach(() => {
    [states, done, result] = [[], [], 'replaced'];
    files = {
      [EPSS.text]: () => epssFile([['CVE-2021-44228', '0.9']]),
      [KEV.text]: () => kevFile(['CVE-2021-44228']),
    };
    ports = {
      feeds: {
        list: async () => states,
        replace: async ({ kind }, { validator }, { detail }) => {
          done.push(`replace ${kind} ${validator} ${detail.entries_before}->${detail.entries}`);
          return result;
        },
        confirm: async (kind, { validator }) => void done.push(`confirm ${kind} ${validator}`),
        switchOff: async (kind) => void done.push(`off ${kind}`),
        fail: async (kind, { code }) => void done.push(`fail ${kind} ${code}`),
      },
      addresses: { epss: EPSS, kev: KEV },
      fetch: async ({ text }, validator) => {
        done.push(`fetch ${text} ${validator}`);
        const bytes = files[text]?.() ?? null;
        return bytes && { bytes, validator: '"2"' };
      },
      announce: async () => void done.push('announce'),
      now: () => NOW,
      log: createLogger({ name: 'test', level: 'silent' }),
    };
  });

  const run = () => refreshFeeds(ports, new AbortController().signal);

  it('reads each feed and notifies after each', async () => {
    await run();
    expect(done).toEqual([
      `fetch ${KEV.text} null`,
      'replace kev "2" 0->1',
      'announce',
      `fetch ${EPSS.text} null`,
      'replace epss "2" 0->1',
      'announce',
    ]);
  });

  it('reads no feed that is switched off, and says so where it has no content', async () => {
    ports.addresses = { epss: null, kev: KEV };
    await run();
    const said = () => done.filter((each) => /^(?:fetch|off)/.test(each));
    expect(said()).toEqual([`fetch ${KEV.text} null`, 'off epss']);
    states = [state({ checked: 30, source: 'import' })];
    done = [];
    await run();
    expect(said()).toEqual([`fetch ${KEV.text} null`]);
  });

  it('asks with what the source named before, and confirms what did not change', async () => {
    states = [state({ checked: 30 })];
    files[EPSS.text] = () => null;
    ports.addresses = { epss: EPSS, kev: null };
    await run();
    expect(done).toEqual(['off kev', `fetch ${EPSS.text} "1"`, 'confirm epss "1"', 'announce']);
  });

  it('asks another source without a condition', async () => {
    states = [state({ checked: 30, source: 'https://old.test/' })];
    ports.addresses = { epss: EPSS, kev: null };
    await run();
    expect(done[1]).toBe(`fetch ${EPSS.text} null`);
  });

  it.each([
    ['a file that is none', () => new Uint8Array(3), 'FEED_INVALID'],
    ['the file of the other feed', () => epssFile([['CVE-2021-44228', '0.9']]), 'FEED_INVALID'],
  ])('keeps what is there after %s, and reads the other feed', async (_, file, code) => {
    files[KEV.text] = file;
    await run();
    expect(done).toContain(`fail kev ${code}`);
    expect(done).toContain('replace epss "2" 0->1');
    expect(done).not.toContain('replace kev "2" 0->1');
  });

  it('records that the source has an older file than the one that was read', async () => {
    result = 'older';
    ports.addresses = { epss: EPSS, kev: null };
    await run();
    expect(done).toContain('fail epss FEED_OLDER');
  });

  it('records nothing where the worker stops', async () => {
    const stopping = new AbortController();
    ports.fetch = async () => {
      stopping.abort();
      throw stopping.signal.reason;
    };
    await expect(refreshFeeds(ports, stopping.signal)).rejects.toThrow();
    expect(done).toEqual([]);
  });
});
