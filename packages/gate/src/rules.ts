/**
 * What standings depend on besides reports: policies, the folders' gates, waivers and feeds. It is
 * loaded once, and again after a change. While changes may be lost, nothing is kept in memory.
 */
import {
  type Authorities,
  defaultPolicy,
  FEED_KINDS,
  feedsReadFor,
  type Policy,
  type ScanPolicy,
  type ThreatFeeds,
  threatFeeds,
  type Waiver,
} from '@portcullis/domain';
import { unavailable } from '@portcullis/errors';
import type { FolderGate, Store, StoredPolicy } from '@portcullis/store';

/** The destination that a policy applies to. */
export type PolicyScope = { folder: string } | { registryId: string };

export interface GateRules {
  /** The default policy for a place that names none. @throws unavailable `POLICY_CHANGED` */
  policyOf(scope: PolicyScope): Policy;
  gateOf(folder: string): FolderGate;
  defaultPolicy: Policy;
  /** Those in force. */
  waivers: readonly Waiver[];
  feeds: ThreatFeeds;
  /** Those that sign; none where no policy asks for signatures. */
  authorities: Authorities;
}

export interface RulesPorts {
  store: {
    policies: Pick<Store['policies'], 'list'>;
    folders: Pick<Store['folders'], 'gates'>;
    registries: Pick<Store['registries'], 'list'>;
    waivers: { inForce(now: Date): Promise<readonly Waiver[]> };
    feeds: Pick<Store['feeds'], 'find'>;
    authorities: { current(): Promise<Authorities> };
  };
  /** The scan settings in force. */
  policy(): Promise<ScanPolicy>;
  now(): Date;
}

/** As the database creates a folder. */
const NEW_FOLDER: FolderGate = {
  ...{ policyId: null, pushGate: 'report', pullGate: 'off' },
  ...{ immutableTags: [], quotaBytes: null, statements: 'off' },
};

export async function loadRules(
  { store, policy, now }: RulesPorts,
  feedsFor: (policies: readonly Policy[]) => Promise<ThreatFeeds>,
): Promise<GateRules> {
  const [gates, registries, policies, waivers, settings] = await Promise.all([
    store.folders.gates(),
    store.registries.list(),
    store.policies.list(),
    store.waivers.inForce(now()),
    policy(),
  ]);
  const byDefault = defaultPolicy(settings);
  const byId = new Map(policies.map((each) => [each.id, toPolicy(each)]));
  const byRegistry = new Map(registries.map(({ id, policyId }) => [id, policyId]));
  const feeds = await feedsFor([byDefault, ...byId.values()]);
  const isAsked = policies.some(({ rules }) => rules.signatures.length > 0);
  const authorities: Authorities = isAsked ? await store.authorities.current() : new Map();
  const gateOf = (folder: string) => gates.get(folder) ?? NEW_FOLDER;
  return {
    gateOf,
    defaultPolicy: byDefault,
    waivers,
    feeds,
    authorities,
    policyOf(scope) {
      const id =
        'folder' in scope ? gateOf(scope.folder).policyId : byRegistry.get(scope.registryId);
      if (id === null || id === undefined) return byDefault;
      const found = byId.get(id);
      // Saved between two of the queries above; the next request loads both.
      if (!found) throw unavailable('POLICY_CHANGED', 'the policy was changed just now');
      return found;
    },
  };
}

function toPolicy({ id, name, version, rules }: StoredPolicy): Policy {
  return { ...rules, id, name, version: String(version) };
}

/** Reads the feeds that a policy needs. */
export async function loadFeeds(
  feeds: RulesPorts['store']['feeds'],
  policies: readonly Policy[],
): Promise<ThreatFeeds> {
  const wanted = FEED_KINDS.filter((kind) => policies.some((policy) => feedsReadFor(policy)[kind]));
  const found = await Promise.all(wanted.map((kind) => feeds.find(kind)));
  return threatFeeds(found.filter((feed) => feed !== null));
}
