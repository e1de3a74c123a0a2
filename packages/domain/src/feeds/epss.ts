/**
 * The scores of the Exploit Prediction Scoring System (EPSS) as they are published daily:
 * `epss_scores-current.csv`, unpacked. The first line is a comment with the model and the date.
 */
import { invalid } from '@portcullis/errors';
import { CVE_ID_PATTERN, numberOf } from './cve-id.ts';
import { type CveEntry, CveTable } from './cve-table.ts';
import type { ParsedFeed } from './parsed-feed.ts';

/** The file of 2025 has 300,000 rows in 10 MB. */
export const EPSS_LIMITS = { bytes: 128 * 1024 * 1024, entries: 3_000_000 } as const;

/** Scores are kept as integers; published ones have five decimals. */
const SCALE = 1_000_000;

const ABOUT =
  /^#model_version:([\w.-]{1,64}),score_date:(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:Z|\+00:?00)$/;
const HEADER = 'cve,epss,percentile';
const NUMBER = '\\d(?:\\.\\d{1,20})?(?:e-\\d{1,2})?';
const ROW = new RegExp(`^(${CVE_ID_PATTERN}),(${NUMBER}),(${NUMBER})$`);

/** @throws invalid `FEED_INVALID` */
export function parseEpss(bytes: Uint8Array): ParsedFeed {
  if (bytes.byteLength > EPSS_LIMITS.bytes) throw fault(`more than ${EPSS_LIMITS.bytes} bytes`);
  const lines = linesOf(textOf(bytes));
  const about = ABOUT.exec(lines.next().value ?? '');
  if (!about) throw fault('line 1 has to be #model_version:…,score_date:…');
  const [, version = '', day, time] = about;
  const publishedAt = new Date(`${day}T${time}Z`);
  if (Number.isNaN(publishedAt.getTime())) throw fault('score_date is no time');
  if (lines.next().value !== HEADER) throw fault(`line 2 has to be ${HEADER}`);
  return { kind: 'epss', version, publishedAt, entries: CveTable.of(rowsOf(lines)) };
}

export function scoreOf(value: number): number {
  return value / SCALE;
}

function rowsOf(lines: Iterable<string>): CveEntry[] {
  const rows: CveEntry[] = [];
  for (const line of lines) {
    if (rows.length === EPSS_LIMITS.entries) throw fault(`more than ${EPSS_LIMITS.entries} rows`);
    rows.push(rowOf(line, rows.length + 3));
  }
  if (rows.length === 0) throw fault('it has no rows');
  return rows;
}

function rowOf(line: string, at: number): CveEntry {
  const [, id, score, percentile] = ROW.exec(line) ?? [];
  if (id === undefined) throw fault(`line ${at} is no row of a CVE id, a score and a percentile`);
  if (!(Number(score) <= 1 && Number(percentile) <= 1))
    throw fault(`line ${at} has a number above 1`);
  return { cve: numberOf(id), value: Math.round(Number(score) * SCALE) };
}

/** Lines without their end; a file that is cut within its last row must not pass as whole. */
function* linesOf(text: string): Generator<string, undefined> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    if (end < 0) throw fault('its last line is cut');
    yield text.slice(start, text[end - 1] === '\r' ? end - 1 : end);
    start = end + 1;
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw invalid('FEED_INVALID', 'no EPSS scores: the file is not UTF-8', { cause });
  }
}

function fault(why: string): Error {
  return invalid('FEED_INVALID', `no EPSS scores: ${why}`);
}
