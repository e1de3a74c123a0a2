/** What the scanner's database says about vulnerabilities: one row for each. */
import { type Advisory, storableJson } from '@portcullis/domain';
import { type Database, run } from '../database.ts';

/** In one statement: an image may have thousands. */
const ROWS_AT_ONCE = 500;

export function createAdvisories(db: Database) {
  return {
    /** What was modified earlier replaces nothing: a worker may have an older database. */
    async keep(advisories: readonly Advisory[]): Promise<void> {
      // In one order, because scans that end together have the same ones.
      const sorted = advisories.toSorted((one, other) => (one.id < other.id ? -1 : 1));
      for (let at = 0; at < sorted.length; at += ROWS_AT_ONCE)
        await keepRows(db, sorted.slice(at, at + ROWS_AT_ONCE));
    },
    async find(id: string): Promise<Advisory | null> {
      const row = await run(() => db.advisory.findUnique({ where: { id } }));
      if (!row) return null;
      const { keptAt: _, ...advisory } = row;
      return advisory;
    },
    /** Removes those that no image has and no scan said since. */
    removeUnused: (before: Date): Promise<number> =>
      run(
        () => db.$executeRaw`
          DELETE FROM advisories a
           WHERE a.kept_at < ${before}
             AND NOT EXISTS (SELECT 1 FROM image_findings f WHERE f.vulnerability = a.id)`,
      ),
  };
}

function keepRows(db: Database, advisories: readonly Advisory[]): Promise<number> {
  const rows = storableJson(advisories);
  return run(
    () => db.$executeRaw`
      INSERT INTO advisories AS known (id, title, description, cvss_score, cvss_vector, cvss_source,
        published_at, modified_at, links, kept_at)
      SELECT id, title, description, "cvssScore", "cvssVector", "cvssSource", "publishedAt",
             "modifiedAt", ARRAY(SELECT jsonb_array_elements_text(links)), now()
        FROM jsonb_to_recordset(${rows}::jsonb) AS given (
          id text, title text, description text, "cvssScore" float8, "cvssVector" text,
          "cvssSource" text, "publishedAt" timestamptz, "modifiedAt" timestamptz, links jsonb)
       WHERE octet_length(id) <= 1000
          ON CONFLICT (id) DO UPDATE SET
             title = excluded.title, description = excluded.description,
             cvss_score = excluded.cvss_score, cvss_vector = excluded.cvss_vector,
             cvss_source = excluded.cvss_source, published_at = excluded.published_at,
             modified_at = excluded.modified_at, links = excluded.links, kept_at = excluded.kept_at
       WHERE known.modified_at IS NULL OR excluded.modified_at >= known.modified_at`,
  );
}
