/**
 * What Trivy's reports say about vulnerabilities themselves. It is kept once for each of them, not
 * with each image. All of it is third-party text: it is bounded, and links have no account in them.
 */
import { createHash } from 'node:crypto';
import type { Advisory } from '@portcullis/domain';
import { inSlices, type Steps } from '@portcullis/oci';
import type { Logger } from '@portcullis/runtime';
import type { RawReport, RawVulnerability } from './raw-report.ts';
import { chooseScore } from './score.ts';

export interface AdvisoryStore {
  keep(advisories: readonly Advisory[]): Promise<void>;
}

const MOST_TITLE_CHARACTERS = 500;
const MOST_DESCRIPTION_CHARACTERS = 4_000;
const MOST_LINKS = 20;
const MOST_LINK_CHARACTERS = 2_000;
/** Older dates are those of a source that knows none. */
const FIRST_YEAR = 1980;

const ITEMS_PER_STEP = 32;

/** Once each. In steps: some images have thousands of vulnerabilities with as many links. */
export function* advisoriesOf({ Results }: Pick<RawReport, 'Results'>): Steps<Advisory[]> {
  const byId = new Map<string, Advisory>();
  for (const { Vulnerabilities } of Results ?? [])
    for (const found of Vulnerabilities ?? []) {
      if (byId.has(found.VulnerabilityID)) continue;
      byId.set(found.VulnerabilityID, toAdvisory(found));
      if (byId.size % ITEMS_PER_STEP === 0) yield;
    }
  return [...byId.values()];
}

function toAdvisory(found: RawVulnerability): Advisory {
  return {
    id: found.VulnerabilityID,
    title: plainText(found.Title, MOST_TITLE_CHARACTERS),
    description: plainText(found.Description, MOST_DESCRIPTION_CHARACTERS),
    // Which source rates an image's packages depends on the image.
    ...chooseScore({ ...found, SeveritySource: null }),
    publishedAt: dateOf(found.PublishedDate),
    modifiedAt: dateOf(found.LastModifiedDate),
    links: linksOf(found),
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Without characters that change how text is shown; line breaks are kept. */
function plainText(text: string | null | undefined, most: number): string | null {
  const plain = (text ?? '').replaceAll('\r\n', '\n').replace(CONTROL, '').trim();
  if (plain === '') return null;
  return plain.length <= most ? plain : `${[...plain.slice(0, most - 1)].join('').trimEnd()}…`;
}

function dateOf(text: string | null | undefined): Date | null {
  const date = new Date(text ?? Number.NaN);
  return date.getUTCFullYear() >= FIRST_YEAR ? date : null;
}

function linksOf({ PrimaryURL, References }: RawVulnerability): string[] {
  const links = [PrimaryURL ?? '', ...(References ?? [])].flatMap((text) => safeLink(text) ?? []);
  return [...new Set(links)].slice(0, MOST_LINKS);
}

function safeLink(text: string): string | null {
  if (text.length > MOST_LINK_CHARACTERS || !URL.canParse(text)) return null;
  const url = new URL(text);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isWeb && url.username === '' && url.password === '' ? url.href : null;
}

function markOf(advisory: Advisory): string {
  return createHash('sha256').update(JSON.stringify(advisory)).digest('base64');
}

export interface Advisories {
  /** No scan fails for it: pages show less about these vulnerabilities. */
  keep(report: RawReport): Promise<void>;
}

/** So many are remembered as kept, so that images with the same ones don't write them again. */
const MOST_REMEMBERED = 50_000;

export function openAdvisories(store: AdvisoryStore, log: Pick<Logger, 'warn'>): Advisories {
  const kept = new Map<string, string>();

  return {
    async keep(report) {
      const fresh = (await inSlices(advisoriesOf(report)))
        .map((advisory) => ({ advisory, mark: markOf(advisory) }))
        .filter(({ advisory: { id }, mark }) => kept.get(id) !== mark);
      if (fresh.length === 0) return;
      try {
        await store.keep(fresh.map(({ advisory }) => advisory));
      } catch (err) {
        log.warn({ err }, 'what the database says about vulnerabilities was not stored');
        return;
      }
      if (kept.size + fresh.length > MOST_REMEMBERED) kept.clear();
      for (const { advisory, mark } of fresh) kept.set(advisory.id, mark);
    },
  };
}
