/** The scan policy in force: what an admin stored over the environment. Read anew for each job: a change acts at once. */
import { type EffectivePolicy, effectivePolicy, type ScanPolicy } from '@portcullis/domain';
import type { Store } from '@portcullis/store';

/** The settings key, as the api writes it. */
const POLICY_SETTING = 'trivy.override';

export interface PolicyPorts {
  settings: Pick<Store['settings'], 'find'>;
  env: ScanPolicy;
  /** `TRIVY_ENABLED`: without a scanner no policy can ask for scans. */
  trivyEnabled: boolean;
}

export function policyReader({ settings, env, trivyEnabled }: PolicyPorts): () => Promise<EffectivePolicy> {
  return async () => {
    const stored = await settings.find(POLICY_SETTING);
    // A field an older release didn't know takes the environment's value.
    const policy = effectivePolicy(
      env,
      typeof stored === 'object' && stored !== null ? { ...env, ...stored } : null,
    );
    return { ...policy, scanEnabled: policy.scanEnabled && trivyEnabled };
  };
}
