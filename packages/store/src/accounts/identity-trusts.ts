/** Trust rules in PostgreSQL: which identity tokens get a token of which robot. */

import type { TrustConditions } from '@portcullis/domain';
import { conflict } from '@portcullis/errors';
import { type Database, inTransaction, isId, must, run, write } from '../database.ts';
import type { IdentityTrust as Row } from '../generated/client.ts';
import type { IdentityTrust, IdentityTrustUpdate, NewIdentityTrust } from './records.ts';
import { limitsOf, scopeOfLimits } from './token-limits.ts';

const TAKEN: [string, string] = ['TRUST_NAME_TAKEN', 'a trust rule of that name exists already'];
const MISSING: [string, string] = ['TRUST_UNKNOWN', 'there is no such trust rule'];
const NO_ROBOT: [string, string] = ['ROBOT_UNKNOWN', 'there is no such robot'];
const WITH_ROBOT = {
  robot: { select: { user: { select: { id: true, username: true } } } },
} as const;
/** Each exchange compares those of one issuer. */
const MOST_TRUSTS = 500;

type NamedRow = Row & { robot: { user: { id: string; username: string } } };

export function createIdentityTrusts(db: Database) {
  return {
    async find(id: string): Promise<IdentityTrust | null> {
      if (!isId(id)) return null;
      const row = await run(() =>
        db.identityTrust.findUnique({ where: { id }, include: WITH_ROBOT }),
      );
      return row && toTrust(row);
    },
    /** By name. */
    async list(): Promise<IdentityTrust[]> {
      const order = { orderBy: { name: 'asc' } } as const;
      return (await run(() => db.identityTrust.findMany({ ...order, include: WITH_ROBOT }))).map(
        toTrust,
      );
    },
    /** Those that are enabled, of robots that are not disabled. */
    async ofIssuer(issuer: string): Promise<IdentityTrust[]> {
      const where = { issuer, enabled: true, robot: { user: { disabled: false } } };
      const order = { orderBy: { name: 'asc' } } as const;
      const rows = await run(() =>
        db.identityTrust.findMany({ where, ...order, include: WITH_ROBOT }),
      );
      return rows.map(toTrust);
    },
    /** @throws conflict `TRUST_NAME_TAKEN`, `TRUSTS_MANY`, not_found `ROBOT_UNKNOWN` */
    async insert({ scope, conditions, ...rest }: NewIdentityTrust): Promise<IdentityTrust> {
      if ((await run(() => db.identityTrust.count())) >= MOST_TRUSTS)
        throw conflict('TRUSTS_MANY', `There are ${MOST_TRUSTS} trust rules already.`);
      must(isId(rest.robotId) ? rest.robotId : null, ...NO_ROBOT);
      const data = { ...rest, conditions: plain(conditions), limits: limitsOf(scope) };
      return toTrust(
        await write({ taken: TAKEN, missing: NO_ROBOT }, () =>
          db.identityTrust.create({ data, include: WITH_ROBOT }),
        ),
      );
    },
    /**
     * Removes the tokens that the rule issued, unless the name alone changes.
     * @throws not_found `TRUST_UNKNOWN`, `ROBOT_UNKNOWN`, conflict `TRUST_NAME_TAKEN`
     */
    update: (id: string, change: IdentityTrustUpdate) => update(db, id, change),
    /** Removes the tokens that the rule issued, too. @throws not_found `TRUST_UNKNOWN` */
    async remove(id: string): Promise<void> {
      must(isId(id) ? id : null, ...MISSING);
      await write({ missing: MISSING }, () => db.identityTrust.delete({ where: { id } }));
    },
    async used(id: string, at: Date): Promise<void> {
      await run(() => db.identityTrust.updateMany({ where: { id }, data: { lastUsedAt: at } }));
    },
  };
}

function update(db: Database, id: string, change: IdentityTrustUpdate): Promise<IdentityTrust> {
  const { scope, conditions, robotId, ...rest } = change;
  const data = {
    ...rest,
    ...(robotId !== undefined && { robotId }),
    ...(conditions && { conditions: plain(conditions) }),
    ...(scope && { limits: limitsOf(scope) }),
  };
  return inTransaction(db, async (tx) => {
    const known = isId(id) ? await tx.identityTrust.findUnique({ where: { id } }) : null;
    must(known, ...MISSING);
    must(robotId === undefined || isId(robotId) ? id : null, ...NO_ROBOT);
    const row = await write({ taken: TAKEN, missing: NO_ROBOT }, () =>
      tx.identityTrust.update({ where: { id }, data, include: WITH_ROBOT }),
    );
    if (Object.keys(change).some((field) => field !== 'name'))
      await tx.personalToken.deleteMany({ where: { trustId: id } });
    return toTrust(row);
  });
}

function plain(conditions: TrustConditions): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(conditions).map(([claim, patterns]) => [claim, [...patterns]]),
  );
}

function toTrust({ conditions, limits, robotId: _, robot, ...row }: NamedRow): IdentityTrust {
  return {
    ...row,
    conditions: toConditions(conditions),
    robot: { id: robot.user.id, name: robot.user.username },
    scope: scopeOfLimits(limits),
  };
}

/** What is unreadable matches no token. */
function toConditions(value: unknown): TrustConditions {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(byClaim)
      .map(([claim, patterns]) => [
        claim,
        Array.isArray(patterns) ? patterns.filter((one) => typeof one === 'string') : [],
      ]),
  );
}

/** The database keeps no order of the names. */
function byClaim([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}
