/** The waivers that cover findings of a job or an image, or would once they are approved. */
import {
  type Finding,
  factsOf,
  folderOf,
  foldersWith,
  isAbout,
  isFor,
  type JudgedImage,
  type Principal,
  type StagingJob,
} from '@portcullis/domain';
import type { Store, StoredWaiver } from '@portcullis/store';
import type { AccessRights } from '../../identity/rights.ts';
import { noImage, type OpenedRepository } from '../images/repositories.ts';
import type { ShownWaiver } from './service.ts';

export interface FindingWaiversPorts {
  store: Pick<Store, 'waivers' | 'reports'>;
  openLocal(name: string): OpenedRepository;
  rights: AccessRights;
  folders(): Promise<ReadonlySet<string>>;
  /** @throws not_found where the account may not see the job */
  visibleJob(principal: Principal, id: string): Promise<Pick<StagingJob, 'digest' | 'vulnResult'>>;
  shown(waivers: readonly StoredWaiver[]): Promise<ShownWaiver[]>;
  now(): Date;
}

const PATIENCE_MS = 10_000;

export function createFindingWaivers(ports: FindingWaiversPorts) {
  const { store, rights, now } = ports;

  /** The destination of a job is not known yet: waivers of every place count. */
  async function ofJob(principal: Principal, id: string): Promise<ShownWaiver[]> {
    const { digest, vulnResult } = await ports.visibleJob(principal, id);
    if (digest === null || vulnResult === null) return [];
    const { findings } = factsOf(vulnResult);
    return ports.shown(await about(principal, { digest, findings }));
  }

  async function ofImage(
    principal: Principal,
    { repository, reference }: { repository: string; reference: string },
  ): Promise<ShownWaiver[]> {
    await rights.assert(principal, { action: 'pull', repository });
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const { digest } = await ports
      .openLocal(repository)
      .ask(noImage(repository, reference), (source) => source.resolve(reference, { signal }));
    const findings = (await store.reports.facts([digest])).get(digest)?.report?.facts.findings;
    if (!findings) return [];
    const place: Pick<JudgedImage, 'folder' | 'repository'> = {
      repository,
      folder: folderOf(repository, await ports.folders()),
    };
    const found = await about(principal, { digest, findings });
    return ports.shown(found.filter((waiver) => isFor(waiver, place)));
  }

  async function about(
    { id: accountId, isAdmin, grants }: Principal,
    { digest, findings }: { digest: string; findings: readonly Finding[] },
  ): Promise<StoredWaiver[]> {
    const visibleTo = isAdmin ? undefined : { accountId, folders: foldersWith(grants, 'pull') };
    const byId = Map.groupBy(findings, ({ id }) => id);
    const asked = { vulnerabilities: [...byId.keys()], digest, visibleTo };
    const open = byId.size === 0 ? [] : await store.waivers.openOf(asked, now());
    return open.filter((waiver) =>
      byId.get(waiver.vulnerability)?.some((finding) => isAbout(waiver, finding, digest)),
    );
  }

  return { ofJob, ofImage };
}
export type FindingWaivers = ReturnType<typeof createFindingWaivers>;
