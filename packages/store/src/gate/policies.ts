/** Stores policies and their versions. */
import type { PolicyRules } from '@portcullis/domain';
import { conflict } from '@portcullis/errors';
import { type Database, inTransaction, isId, must, run, write } from '../database.ts';
import type { Policy as Row } from '../generated/client.ts';
import { json } from '../jobs/job-row.ts';
import type { PolicyUse, PolicyVersion, StoredPolicy } from './records.ts';

const MISSING: [string, string] = ['POLICY_UNKNOWN', 'there is no such policy'];
const TAKEN: [string, string] = ['POLICY_NAME_TAKEN', 'a policy of that name exists already'];
const MOST_VERSIONS = 200;
/** Each process that judges images loads all of them. */
const MOST_POLICIES = 200;

export function createPolicies(db: Database) {
  async function find(id: string): Promise<StoredPolicy | null> {
    if (!isId(id)) return null;
    const row = await run(() => db.policy.findUnique({ where: { id } }));
    return row && toPolicy(row);
  }

  return {
    find,
    get: async (id: string): Promise<StoredPolicy> => must(await find(id), ...MISSING),
    /** Sorted by name. */
    async list(): Promise<StoredPolicy[]> {
      const rows = await run(() => db.policy.findMany({ orderBy: { name: 'asc' } }));
      return rows.map(toPolicy);
    },
    /** Newest first, at most 200. */
    async versions(id: string): Promise<PolicyVersion[]> {
      if (!isId(id)) return [];
      const rows = await run(() =>
        db.policyVersion.findMany({
          where: { policyId: id },
          orderBy: { version: 'desc' },
          take: MOST_VERSIONS,
        }),
      );
      return rows.map(({ policyId: _, rules, ...rest }) => ({ ...rest, rules: toRules(rules) }));
    },
    uses: () => uses(db),
    /** @throws conflict `POLICY_NAME_TAKEN`, `POLICIES_MANY` */
    async insertPolicy({
      name,
      rules,
      savedBy,
    }: {
      name: string;
      rules: PolicyRules;
      savedBy: string;
    }): Promise<StoredPolicy> {
      if ((await run(() => db.policy.count())) >= MOST_POLICIES)
        throw conflict('POLICIES_MANY', `there are ${MOST_POLICIES} policies already`);
      const versions = { create: { version: 1, rules: json(rules), savedBy } };
      const data = { name, rules: json(rules), versions };
      return toPolicy(await write({ taken: TAKEN }, () => db.policy.create({ data })));
    },
    /**
     * Changed rules become the next version.
     * @throws conflict `POLICY_CHANGED` unless `version` is the current one; `POLICY_NAME_TAKEN`
     */
    update: (
      id: string,
      change: { name?: string; rules?: PolicyRules; version: number; savedBy: string },
    ) => update(db, id, change),
    /** @throws conflict `POLICY_IN_USE` */
    async remove(id: string): Promise<void> {
      must(isId(id) ? id : null, ...MISSING);
      await assertUnused(db, id);
      try {
        await write({ missing: MISSING }, () => db.policy.delete({ where: { id } }));
      } catch (error) {
        // A folder or registry may have got it meanwhile.
        await assertUnused(db, id);
        throw error;
      }
    },
  };
}

async function update(
  db: Database,
  id: string,
  {
    name,
    rules,
    version,
    savedBy,
  }: { name?: string; rules?: PolicyRules; version: number; savedBy: string },
): Promise<StoredPolicy> {
  must(isId(id) ? id : null, ...MISSING);
  const next = rules === undefined ? version : version + 1;
  const data = {
    ...(name !== undefined && { name }),
    ...(rules !== undefined && { rules: json(rules) }),
    version: next,
    updatedAt: new Date(),
  };
  const row = await inTransaction(db, async (tx) => {
    const { count } = await write({ taken: TAKEN }, () =>
      tx.policy.updateMany({ where: { id, version }, data }),
    );
    const saved = must(await tx.policy.findUnique({ where: { id } }), ...MISSING);
    if (count === 0)
      throw conflict('POLICY_CHANGED', 'the policy was changed meanwhile; load it again');
    if (rules !== undefined)
      await tx.policyVersion.create({
        data: { policyId: id, version: next, rules: json(rules), savedBy },
      });
    return saved;
  });
  return toPolicy(row);
}

/** @throws conflict `POLICY_IN_USE` */
async function assertUnused(db: Database, id: string): Promise<void> {
  const used = (await uses(db)).get(id);
  if (used) throw inUse(used);
}

async function uses(db: Database): Promise<Map<string, PolicyUse>> {
  const rows = await run(() =>
    db.policy.findMany({
      where: { OR: [{ folders: { some: {} } }, { registries: { some: {} } }] },
      select: {
        id: true,
        folders: { select: { name: true }, orderBy: { name: 'asc' } },
        registries: { select: { id: true, name: true }, orderBy: { name: 'asc' } },
      },
    }),
  );
  return new Map(
    rows.map(({ id, folders, registries }) => [
      id,
      { folders: folders.map(({ name }) => name), registries },
    ]),
  );
}

const MOST_NAMED = 20;

function inUse({ folders, registries }: PolicyUse): Error {
  const detail = { folders, registries: registries.map(({ name }) => name) };
  const users = [listNames('folders', detail.folders), listNames('registries', detail.registries)];
  const message = `The policy is used by ${users.filter(Boolean).join(' and ')}.`;
  return conflict('POLICY_IN_USE', message, { detail });
}

function listNames(kind: string, names: readonly string[]): string {
  if (names.length === 0) return '';
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  return `${kind} ${names.slice(0, MOST_NAMED).join(', ')}${more}`;
}

const OFF: Pick<PolicyRules, 'minAgeHours' | 'unlessFixes' | 'signatures'> = {
  ...{ minAgeHours: 0, unlessFixes: 'none' },
  signatures: [],
};

function toPolicy({ rules, ...row }: Row): StoredPolicy {
  return { ...row, rules: toRules(rules) };
}

function toRules(column: Row['rules']): PolicyRules {
  // Contains what this file wrote; an absent term is off.
  return { ...OFF, ...(column as unknown as PolicyRules) };
}
