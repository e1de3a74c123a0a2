/** Chooses how a pulled image is scanned. */
import { Radio, Skeleton, Stack, Text } from '@mantine/core';
import type { Severity } from '@portcullis/domain';
import { useAnswer } from '../../api/api.ts';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { FaultAlert } from '../../kit/fault/fault.tsx';
import { SeveritiesField } from '../../kit/verdict/severities-field.tsx';
import { useAccount } from '../../session/account.ts';
import type { PullForm } from './pull-form.ts';

type ScanForm = Pick<PullForm, 'scan' | 'severities'>;

interface ScanFieldsProps {
  value: ScanForm;
  set(change: Partial<ScanForm>): void;
  faultAt(path: string): string | undefined;
}

/** The scan policy, and the overrides that the account may choose for one image. */
export function ScanFields({ value: form, set, faultAt }: ScanFieldsProps) {
  const t = useMessages('pull');
  const state = useAnswer('trivy.state');
  const { is_admin, can_bypass_vuln_block } = useAccount();
  if (state.isError) return <FaultAlert error={state.error} />;
  if (!state.data) return <Skeleton height={90} />;
  const { policy } = state.data;
  const mayRelax = policy.override === 'anyone' || is_admin || can_bypass_vuln_block;
  const laxer = isMorePermissive(form, policy.severities);
  return (
    <Radio.Group
      label={t.scan}
      description={mayRelax ? t.mayRelax : t.mayTighten}
      value={form.scan}
      onChange={(scan) =>
        set({
          scan: CHOICES.find((each) => each === scan) ?? 'policy',
          severities: policy.severities,
        })
      }
    >
      <Stack gap="sm" mt="sm">
        <Radio
          value="policy"
          label={t.scanPolicy}
          description={<PolicySentence policy={policy} />}
        />
        <Radio value="severities" label={t.scanSeverities} />
        {form.scan === 'severities' && (
          <SeveritiesField
            pl={30}
            value={form.severities}
            locked={mayRelax ? [] : policy.severities}
            onChange={(severities) => set({ severities })}
          />
        )}
        <Radio value="none" label={t.scanNone} disabled={!mayRelax} />
        {laxer && (
          <Text size="sm" c="var(--high)">
            {t.relaxed}
          </Text>
        )}
        <Text size="sm" c="var(--mantine-color-error)">
          {faultAt('vuln_severities_override')}
        </Text>
      </Stack>
    </Radio.Group>
  );
}

const CHOICES = ['policy', 'severities', 'none'] as const;

function isMorePermissive({ scan, severities }: ScanForm, policy: readonly Severity[]): boolean {
  return (
    scan === 'none' || (scan === 'severities' && policy.some((each) => !severities.includes(each)))
  );
}

interface PolicySentenceProps {
  policy: { scan_enabled: boolean; severities: Severity[]; ignore_unfixed: boolean };
}

function PolicySentence({ policy }: PolicySentenceProps) {
  const [t, format] = useWords('pull');
  const { severity } = useMessages('verdict');
  if (!policy.scan_enabled) return t.policyOff;
  const blocked = t.policyBlocks(format.list(policy.severities.map((each) => severity[each])));
  return policy.ignore_unfixed ? `${blocked} ${t.policyIgnoresUnfixed}` : blocked;
}
