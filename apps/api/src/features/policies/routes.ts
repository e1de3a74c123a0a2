/** Serves policies, their versions and previews. */
import {
  contract,
  type NewPolicy,
  type PolicyDraft,
  policyRules,
  policyTerms,
} from '@portcullis/contract';
import type { ApiCall } from '../../http/call.ts';
import { implement, type Route } from '../../http/implement.ts';
import { presentDetail, presentDifference, presentPolicy, presentPreview } from './present.ts';
import type { Preview, PreviewQuestion } from './preview.ts';
import type { PoliciesService } from './service.ts';

export function policyRoutes(
  service: PoliciesService,
  preview: (question: PreviewQuestion, left: AbortSignal) => Promise<Preview>,
): Route[] {
  return implement(contract.policies, {
    async listPolicies(_, call) {
      return (await service.list(call.principal)).map(presentPolicy);
    },

    async createPolicy({ body }, call) {
      const policy = newPolicy(body);
      about(call, { id: null, name: body.name });
      call.note(policyTerms(policy.rules));
      const shown = await service.create(call.principal, policy);
      about(call, shown.policy);
      call.header('Location', `/api/policies/${shown.policy.id}`);
      return presentPolicy(shown);
    },

    async previewPolicy({ body }, call) {
      about(call, { id: body.policy_id ?? null, name: null });
      const found = await preview(question(body), call.signal);
      const { images, judged, blocked: newly_blocked, allowed: newly_allowed } = found;
      call.note({ folder: body.folder ?? null, images, judged, newly_blocked, newly_allowed });
      return presentPreview(found);
    },

    async getPolicy({ params }, call) {
      const { shown, versions } = await service.get(call.principal, params.policy_id);
      return presentDetail(shown, versions);
    },

    async updatePolicy({ params: { policy_id: id }, body }, call) {
      about(call, { id, name: null });
      const saved = await service.update(call.principal, id, body);
      about(call, saved.after);
      call.note(presentDifference(saved));
      return presentPolicy(saved.shown);
    },

    async removePolicy({ params: { policy_id: id } }, call) {
      about(call, { id, name: null });
      const removed = await service.remove(id);
      about(call, removed);
      call.note({ version: removed.version, ...policyTerms(removed.rules) });
    },
  });
}

function newPolicy({ name, ...terms }: NewPolicy) {
  return { name, rules: policyRules(terms) };
}

function question({ policy_id: policyId, folder, draft }: PolicyDraft): PreviewQuestion {
  return { policyId, folder, terms: draft && policyRules(draft) };
}

function about(call: ApiCall, { id, name }: { id: string | null; name: string | null }): void {
  call.about({ kind: 'policy', id, name });
}
