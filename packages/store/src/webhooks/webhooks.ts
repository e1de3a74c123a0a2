/** Webhooks in PostgreSQL. Addresses and secrets are encrypted. */
import type { WebhookFormat, WebhookKind } from '@portcullis/domain';
import { conflict } from '@portcullis/errors';
import type { Sealer } from '@portcullis/runtime';
import { type Database, isId, must, run, write } from '../database.ts';
import type { Webhook as Row } from '../generated/client.ts';
import type { NewWebhook, StoredWebhook, WebhookUpdate } from './records.ts';

const MISSING: [string, string] = ['WEBHOOK_UNKNOWN', 'there is no such webhook'];
const NO_FOLDER: [string, string] = ['FOLDER_UNKNOWN', 'there is no such folder'];
const WITH_FOLDER = { folder: { select: { name: true } } } as const;
/** Each notifier reads all of them with each batch of events. */
const MOST_WEBHOOKS = 200;

export function createWebhooks(db: Database, sealer: Sealer) {
  const toWebhook = (row: NamedRow): StoredWebhook => webhookOf(row, sealer);

  async function find(id: string): Promise<StoredWebhook | null> {
    if (!isId(id)) return null;
    const row = await run(() => db.webhook.findUnique({ where: { id }, include: WITH_FOLDER }));
    return row && toWebhook(row);
  }

  return {
    find,
    /** By name; with `folders` only those of these folders. */
    async list({ folders }: { folders?: readonly string[] } = {}): Promise<StoredWebhook[]> {
      const where = folders === undefined ? {} : { folder: { name: { in: [...folders] } } };
      const rows = await run(() =>
        db.webhook.findMany({
          where,
          include: WITH_FOLDER,
          orderBy: [{ name: 'asc' }, { id: 'asc' }],
        }),
      );
      return rows.map(toWebhook);
    },
    /** @throws not_found `FOLDER_UNKNOWN`, conflict `WEBHOOKS_MANY` */
    async insert({ folder, url, secret, ...rest }: NewWebhook): Promise<StoredWebhook> {
      if ((await run(() => db.webhook.count())) >= MOST_WEBHOOKS)
        throw conflict('WEBHOOKS_MANY', `There are ${MOST_WEBHOOKS} webhooks already.`);
      const data = {
        ...rest,
        sealedUrl: sealer.seal(url),
        sealedSecret: sealer.seal(secret),
        ...(folder !== null && { folder: { connect: { name: folder } } }),
      };
      return toWebhook(
        await write({ missing: NO_FOLDER }, () =>
          db.webhook.create({ data, include: WITH_FOLDER }),
        ),
      );
    },
    /** Enabling ends what disabled it. @throws not_found `WEBHOOK_UNKNOWN` */
    async update(id: string, change: WebhookUpdate): Promise<StoredWebhook> {
      must(isId(id) ? id : null, ...MISSING);
      const statement = { where: { id }, data: columns(change, sealer), include: WITH_FOLDER };
      return toWebhook(await write({ missing: MISSING }, () => db.webhook.update(statement)));
    },
    /** @throws not_found `WEBHOOK_UNKNOWN` */
    async remove(id: string): Promise<void> {
      must(isId(id) ? id : null, ...MISSING);
      await write({ missing: MISSING }, () => db.webhook.delete({ where: { id } }));
    },
    /** The secret until now remains valid until then. @throws not_found `WEBHOOK_UNKNOWN` */
    async rotate(id: string, secret: string, previousUntil: Date): Promise<StoredWebhook> {
      must(isId(id) ? id : null, ...MISSING);
      // In an UPDATE the right side has the value from before it, and parallel ones wait.
      const changed = await run(
        () => db.$executeRaw`
          UPDATE webhooks
             SET sealed_previous_secret = sealed_secret, sealed_secret = ${sealer.seal(secret)},
                 previous_until = ${previousUntil}
           WHERE id = ${id}::uuid`,
      );
      return must(changed > 0 ? await find(id) : null, ...MISSING);
    },
  };
}

/** An address or an enabling that is new begins without the failures before it. */
function columns({ url, ...rest }: WebhookUpdate, sealer: Sealer) {
  const fresh = url !== undefined || rest.enabled === true;
  return {
    ...rest,
    ...(url !== undefined && { sealedUrl: sealer.seal(url) }),
    ...(fresh && { failingSince: null, retryAt: null }),
    ...(rest.enabled !== undefined && { disabledReason: null }),
  };
}

type NamedRow = Row & { folder: { name: string } | null };

function webhookOf(row: NamedRow, sealer: Sealer): StoredWebhook {
  const { id, name, enabled, previousUntil, createdBy, createdAt, failingSince } = row;
  const { lastAttemptAt: at, lastStatus: status, lastCode: code } = row;
  return {
    ...{ id, name, enabled, previousUntil, createdBy, createdAt, failingSince },
    folder: row.folder?.name ?? null,
    url: sealer.open(row.sealedUrl),
    // Contains what this file and the deliveries wrote.
    format: row.format as WebhookFormat,
    kinds: row.kinds as WebhookKind[],
    disabledReason: row.disabledReason as StoredWebhook['disabledReason'],
    lastAttempt: at && { at, status, code },
  };
}
