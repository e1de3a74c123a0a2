/**
 * Work that each worker does by itself: it clears leftovers, and keeps scans, signatures,
 * standings and statements up to date.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { statementLayers } from '@portcullis/attest';
import { isAppError } from '@portcullis/errors';
import type { Part } from '@portcullis/runtime';
import { localRegistry } from '../local-registry.ts';
import { registriesOf } from '../pipeline/stage-ports.ts';
import type { WorkerParts } from '../pipeline/worker-parts.ts';
import { backgroundScans } from './scans/background-scans.ts';
import { signatureKeeper } from './signatures/keep-signatures.ts';
import { askedAuthorities } from './signatures/read-signatures.ts';
import { standingKeeper } from './standings/keep-standings.ts';
import { statementKeeper } from './statements/keep-statements.ts';
import { createPreparation } from './statements/prepare-statement.ts';
import { createSigner, signerPorts } from './statements/signer.ts';

const EVERY_MS = 1_000;
const TIDY_EVERY_MS = 15_000;

export function background(parts: WorkerParts): Part {
  const { log, scannerService } = parts;
  const stopping = new AbortController();
  let loops: Promise<unknown> = Promise.resolve();
  let tidyAt = 0;

  async function loop(take: (signal: AbortSignal) => Promise<boolean>): Promise<void> {
    while (!stopping.signal.aborted) {
      const took = await take(stopping.signal).catch((err: unknown) => {
        log.warn({ err }, 'background work failed; it continues');
        return false;
      });
      if (!took) await sleep(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  /** Each worker cleans up its own DATA_DIR. */
  async function tidy(): Promise<boolean> {
    if (Date.now() < tidyAt) return false;
    tidyAt = Date.now() + TIDY_EVERY_MS;
    await scannerService.clearLeftovers();
    return false;
  }

  return {
    start() {
      const standings = standingKeeper({
        ...parts,
        rules: parts.gate.rules,
        searchFactor: parts.config.searchFactor,
        now: () => new Date(),
      });
      const signatures = signaturesIn(parts);
      const statements = statementsIn(parts);
      const all = [tidy, standings.next, signatures, statements, ...backgroundScans(parts)];
      loops = Promise.all(all.map(loop));
    },
    async stop() {
      stopping.abort();
      await loops;
    },
  };
}

function signaturesIn(parts: WorkerParts) {
  const { store, config, log } = parts;
  return signatureKeeper({
    facts: store.signatureFacts,
    jobs: store.jobs,
    asked: askedAuthorities({ authorities: store.authorities, log }),
    open: localRegistry(parts).open,
    source: registriesOf(parts).source,
    searchFactor: config.searchFactor,
    now: () => new Date(),
    log,
  });
}

function statementsIn(parts: WorkerParts) {
  const { store, config, audit, log } = parts;
  const { open, keeper, registryLock } = localRegistry(parts);
  const isMissing = (error: unknown) => isAppError(error) && error.kind === 'not_found';
  const statementsIn = statementLayers(store.signingKeys.everyPublicKey, isMissing);
  const stated = { publicUrl: config.PUBLIC_URL ?? null, version: config.APP_VERSION };
  return statementKeeper({
    statements: store.statements,
    signer: createSigner(signerPorts(parts)),
    ...createPreparation({ store, open, keeper, registryLock, stated, statementsIn }),
    ...{ open, keeper, registryLock, audit, log },
    searchFactor: config.searchFactor,
    now: () => new Date(),
  });
}
