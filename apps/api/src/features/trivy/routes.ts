/** Serves the scanner, its database and the scan settings. */
import { contract, fromWire, ScanPolicyChange } from '@portcullis/contract';
import type { ScanPolicy, ThreatFeeds } from '@portcullis/domain';
import { implement, type Route } from '../../http/implement.ts';
import { announcePage } from '../../http/paging.ts';
import {
  presentDatabase,
  presentJavaIndex,
  presentPolicy,
  presentRematch,
  presentScan,
  presentScanner,
  presentUpdate,
} from './present.ts';
import type { ScansService } from './scans.ts';
import type { TrivyService } from './service.ts';

export function trivyRoutes(
  service: TrivyService,
  scans: ScansService,
  feeds: () => ThreatFeeds,
): Route[] {
  return implement(contract.trivy, {
    async state() {
      const [facts, policy] = await Promise.all([service.facts(), service.policy()]);
      return presentScanner(facts, policy, new Date());
    },

    async setOverride({ body }, call) {
      call.about({ kind: 'settings', id: null, name: 'trivy' });
      call.note({ ...body });
      return presentPolicy(await service.override(policyChange(body)));
    },

    async resetOverride(_, call) {
      call.about({ kind: 'settings', id: null, name: 'trivy' });
      await service.reset();
    },

    async getDatabase() {
      const { scanner, update, rescans, rematch } = await service.database();
      return {
        db: scanner.db && presentDatabase(scanner.db, new Date()),
        code: scanner.failure?.code ?? null,
        javaIndex: presentJavaIndex(scanner),
        rescans,
        rematch: rematch && presentRematch(rematch),
        update: presentUpdate(update),
      };
    },

    async updateDatabase(_, call) {
      call.about({ kind: 'scanner_database', id: null, name: 'trivy' });
      return presentUpdate(await service.update(call.principal.username));
    },

    async scanImage({ body: { image, registry_id: registryId } }, call) {
      call.about({ kind: 'image', id: null, name: image });
      const shown = await scans.request({ principal: call.principal, registryId }, image);
      call.note({ registry: registryId, digest: shown.scan.digest, scan: shown.scan.id });
      call.header('Location', `/api/trivy/scans/${shown.scan.id}`);
      return presentScan(shown, feeds());
    },

    async getScan({ params }, call) {
      return presentScan(await scans.get(params.id, call.principal), feeds());
    },

    async listScans({ query: { repository, registry_id: registryId, ...asked } }, call) {
      const { open, limit, cursor } = asked;
      const scope = { principal: call.principal, registryId };
      const query = { isOpen: open === 'true', limit, cursor };
      const found = await scans.list(scope, repository, query);
      announcePage(call, found);
      return found.items.map((listed) => presentScan({ ...listed, judgement: null }, feeds()));
    },

    async searchFindings({ query: { cve, package: name, limit, cursor } }, call) {
      const query = { vulnerability: cve, package: name, limit, cursor };
      const { items, nextCursor } = await scans.search(call.principal, query);
      announcePage(call, { nextCursor, total: null });
      return items;
    },
  });
}

function policyChange(body: ScanPolicyChange): Partial<ScanPolicy> {
  const { timeoutS: timeoutSeconds, ...rest } = fromWire(ScanPolicyChange, body);
  return { ...rest, ...(timeoutSeconds !== undefined && { timeoutSeconds }) };
}
