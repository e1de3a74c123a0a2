/// <reference path="./glossy.d.ts" />
import fc from 'fast-check';
import { Parse } from 'glossy';
import { describe, expect, it } from 'vitest';
import type { SyslogEntry } from './syslog-entry.ts';
import { logEntry } from './syslog-entry.ts';
import { framed, headerField, MAX_LINE_BYTES, syslogLine } from './syslog-line.ts';

const ENTRY: SyslogEntry = {
  at: new Date('2026-01-02T03:04:05.006Z'),
  facility: 'audit',
  severity: 'info',
  kind: 'auth.login',
  processId: '42',
  data: { id: '1', left_out: null },
  document: { id: '1' },
};
const format = { rfc: 'rfc5424', hostname: 'gate', auth: null } as const;
const lineOf = (entry: Partial<SyslogEntry>, more = {}) =>
  syslogLine({ ...ENTRY, ...entry }, { ...format, ...more }).toString();

describe('an RFC 5424 message', () => {
  it('has all fields in order, with milliseconds', () => {
    expect(lineOf({})).toBe(
      '<110>1 2026-01-02T03:04:05.006Z gate portcullis 42 auth.login [portcullis@32473 id="1"] {"id":"1"}',
    );
  });

  it('has credentials in a separate element', () => {
    expect(lineOf({}, { auth: { username: 'u"', password: ']\\' } })).toContain(
      '[portcullis@32473 id="1"][auth@32473 username="u\\"" password="\\]\\\\"] {',
    );
  });

  it('does not depend on the time zone', () => {
    const before = process.env.TZ;
    try {
      for (const zone of ['Asia/Kolkata', 'America/New_York']) {
        process.env.TZ = zone;
        expect(lineOf({})).toContain(' 2026-01-02T03:04:05.006Z ');
      }
    } finally {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    }
  });
});

it('an RFC 3164 message has time, host, tag and text', () => {
  expect(lineOf({}, { rfc: 'rfc3164' })).toMatch(
    /^<110>Jan {2}[12] \d\d:04:05 gate portcullis\[42\]: \{"id":"1"\}$/,
  );
});

it.each([
  ['spaces and line ends', 'a b\r\nc', 'abc'],
  ['brackets stay, for they are printable', 'a]b', 'a]b'],
  ['other alphabets', 'ü', '-'],
  ['nothing', '', '-'],
  ['too much', 'x'.repeat(300), 'x'.repeat(32)],
])('a header field: %s', (_, text, field) => {
  expect(headerField(text, 32)).toBe(field);
});

const anyText = fc.string({ unit: 'binary', maxLength: 400 });

describe.each(['rfc5424', 'rfc3164'] as const)('whatever the data, as %s', (rfc) => {
  it('a message is one line within the limit that an independent parser reads', () => {
    const texts = fc.record({
      kind: anyText,
      processId: anyText,
      hostname: anyText,
      value: anyText,
      password: anyText,
    });
    fc.assert(
      fc.property(
        texts,
        fc.integer({ min: 0, max: 20_000 }),
        ({ kind, processId, hostname, value, password }, size) => {
          const entry = {
            ...ENTRY,
            kind,
            processId,
            data: { value },
            document: { value, detail: 'ü'.repeat(size) },
          };
          const auth = { username: value, password };
          const line = syslogLine(entry, { rfc, hostname, auth });
          expect(line.length).toBeLessThanOrEqual(MAX_LINE_BYTES);
          const text = line.toString();
          expect(Buffer.from(text).equals(line)).toBe(true);
          expect(text).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
          expect(text).toMatch(rfc === 'rfc5424' ? RFC5424 : RFC3164);
        },
      ),
    );
  });
});

/** RFC 5424 § 6, with at least one element. */
const RFC5424 =
  /^<\d{1,3}>1 \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z [\x21-\x7e]{1,255} portcullis [\x21-\x7e]{1,128} [\x21-\x7e]{1,32} (\[[a-z@0-9]+( [a-z_]+="([^"\\\]]|\\["\\\]])*")*\])+ \{/u;
const RFC3164 =
  /^<\d{1,3}>\w{3} [ \d]\d \d\d:\d\d:\d\d [\x21-\x7e]{1,255} portcullis(\[\d+\]|\[[\x21-\x7e]+\])?: \[auth@/u;

it('a document that is too long loses its detail first', () => {
  const line = lineOf({ document: { id: '1', detail: 'x'.repeat(10_000) } });
  expect(line).toMatch(/\{"id":"1","detail":\{"left_out":"too long"\}\}$/);
});

it('octet counting counts bytes, not characters', () => {
  expect(framed(Buffer.from('ü\n1 x'), 'octet-counting').toString()).toBe('6 ü\n1 x');
});

it.each([
  ['a', 'a\n'],
  ['a\nb', 'a\\nb\n'],
  ['\n\n', '\\n\\n\n'],
  ['ü\n漢字 Ċ', 'ü\\n漢字 Ċ\n'],
  ['', '\n'],
])('by newline, %j is one line', (message, line) => {
  expect(framed(Buffer.from(message), 'newline').toString()).toBe(line);
});

it('glossy parses what was written', () => {
  Parse.parse(lineOf({ data: { id: 'a"b]c\\d' } }), (parsed) => {
    expect(parsed).toMatchObject({
      facility: 'audit',
      severity: 'info',
      host: 'gate',
      appName: 'portcullis',
      pid: '42',
      msgID: 'auth.login',
      message: '{"id":"1"}',
    });
  });
  expect.assertions(1);
});

it.each([
  ['error', 'err'],
  ['fatal', 'err'],
  ['warn', 'warning'],
  ['info', 'info'],
  ['trace', 'debug'],
  [undefined, 'info'],
])('a log line of level %s has the severity %s', (level, severity) => {
  expect(logEntry({ level }).severity).toBe(severity);
});
