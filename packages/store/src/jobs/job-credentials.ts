import type { Sealer } from '@portcullis/runtime';
import type { Connection, Database } from '../database.ts';
import { isId, run, write } from '../database.ts';
import type { Credentials } from '../images/records.ts';

/** Credentials of ad-hoc hosts, sealed, in a separate table: no query of a job reads them. */
export function createJobCredentials(db: Database, sealer: Sealer) {
  const set = (jobId: string, use: string, credentials: Credentials | null) =>
    setCredentials(db, sealer, { jobId, use, credentials });

  async function find(jobId: string, use: string): Promise<Credentials | null> {
    if (!isId(jobId)) return null;
    const row = await run(() =>
      db.jobCredential.findUnique({ where: { jobId_use: { jobId, use } } }),
    );
    return row && JSON.parse(sealer.open(row.sealed));
  }

  return {
    setSourceCredentials: (id: string, credentials: Credentials | null) =>
      set(id, 'source', credentials),
    sourceCredentials: (id: string) => find(id, 'source'),
    setPushCredentials: (id: string, pushId: string, credentials: Credentials | null) =>
      set(id, pushId, credentials),
    pushCredentials: (id: string, pushId: string) => find(id, pushId),
  };
}

/** Null removes them. `use`: `source`, or the id of a push. */
export async function setCredentials(
  db: Connection,
  sealer: Sealer,
  { jobId, use, credentials }: { jobId: string; use: string; credentials: Credentials | null },
): Promise<void> {
  if (credentials === null) {
    await run(() => db.jobCredential.deleteMany({ where: { jobId, use } }));
    return;
  }
  const sealed = sealer.seal(JSON.stringify(credentials));
  const missing: [string, string] = ['JOB_UNKNOWN', 'there is no such staging job'];
  await write({ missing }, () =>
    db.jobCredential.upsert({
      where: { jobId_use: { jobId, use } },
      create: { jobId, use, sealed },
      update: { sealed },
    }),
  );
}
