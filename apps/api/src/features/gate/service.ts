/** What a door of the gate decides about an image now. It leaves no event and no record. */
import { folderOf, type GateDoor, type Principal } from '@portcullis/domain';
import { forbidden, notFound } from '@portcullis/errors';
import { decideAt, explain, explainImage, type Gate } from '@portcullis/gate';
import type { Store } from '@portcullis/store';
import { type Principals, principalOf } from '../../identity/principals.ts';
import type { AccessRights } from '../../identity/rights.ts';
import type { ExplainingAbsence } from '../folders/mirror/absence.ts';
import { noImage, type OpenedRepository } from '../images/repositories.ts';

export interface GateServicePorts {
  openLocal(repository: string): OpenedRepository;
  gate: Pick<Gate, 'rules' | 'preview'>;
  rights: AccessRights;
  principals: Pick<Principals, 'account' | 'folders'>;
  users: Pick<Store['users'], 'findByUsername'>;
  signatureFacts: Pick<Store['signatureFacts'], 'faultOf'>;
  explainingAbsence: ExplainingAbsence;
}

interface ExplainQuestion {
  door: GateDoor;
  repository: string;
  reference: string;
  /** The repository that has the image. */
  from?: string | undefined;
  /** The name of the account that uses the door. */
  account?: string | undefined;
}

export type GateService = ReturnType<typeof createGateService>;

const PATIENCE_MS = 20_000;

export function createGateService(ports: GateServicePorts) {
  const { openLocal, gate, rights, principals, users } = ports;

  async function accountFor(principal: Principal, name: string | undefined): Promise<Principal> {
    if (name === undefined || name === principal.username) return principal;
    if (!principal.isAdmin)
      throw forbidden('ADMIN_ONLY', 'Only an administrator sees what another account may do.');
    const user = await users.findByUsername(name);
    const found = user && (await principals.account(user.id));
    if (!found) throw notFound('USER_UNKNOWN', `There is no account ${name}, or it is disabled.`);
    return principalOf(found, { auth: 'system' });
  }

  async function digestOf(
    repository: string,
    reference: string,
    left: AbortSignal,
  ): Promise<string> {
    const signal = AbortSignal.any([AbortSignal.timeout(PATIENCE_MS), left]);
    const resolved = await openLocal(repository).ask(noImage(repository, reference), (source) =>
      source.resolve(reference, { signal }),
    );
    return resolved.digest;
  }

  return {
    /** @throws forbidden where the caller may not read the repositories; not_found */
    async explain(principal: Principal, question: ExplainQuestion, signal: AbortSignal) {
      const { door, repository, reference, from = repository } = question;
      await rights.assert(principal, { action: 'pull', repository });
      await rights.assert(principal, { action: 'pull', repository: from });
      const account = await accountFor(principal, question.account);
      const asked = { repository: from, reference, reader: principal, account };
      const digest = await ports.explainingAbsence(asked, () => digestOf(from, reference, signal));
      const folder = folderOf(repository, await principals.folders());
      const access = await rights.decide(account, {
        action: RIGHT[door],
        repository,
      });
      const image = { digest, repository, folder };
      const decided = await decideAt(
        { door, image, account, contentIn: from, signal },
        { rules: gate.rules, decide: gate.preview },
      );
      return explainImage(explain(decided, access), ports.signatureFacts);
    },
  };
}

const RIGHT = {
  pull: 'pull',
  copy_from: 'pull',
  push: 'push',
  copy_to: 'push',
} as const satisfies Record<GateDoor, 'pull' | 'push'>;
